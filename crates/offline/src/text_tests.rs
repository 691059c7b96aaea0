//! Tests of `text`.

use super::*;

fn lower(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| word.lower).collect()
}

#[test]
fn words_keep_codes_and_decimals_together() {
    assert_eq!(
        lower("Print GP-2026-0007, it's 2.5 m² (ok)."),
        ["print", "gp-2026-0007", "it's", "2.5", "m²", "ok"]
    );
    assert_eq!(
        lower("12,000 a month, please"),
        ["12,000", "a", "month", "please"]
    );
}

#[test]
fn clauses_end_at_punctuation_and_conjunctions() {
    let text = "make a pass for Ali, he picks up parts; and Sana is on leave";
    let parts: Vec<&str> = clauses(text)
        .iter()
        .map(|c| &text[c.start..c.end])
        .collect();
    assert_eq!(
        parts,
        [
            "make a pass for Ali",
            "he picks up parts",
            "Sana is on leave"
        ]
    );
}

#[test]
fn stems_ignore_endings() {
    assert!(same_stem("рублей", "рублях"));
    assert!(!same_stem("day", "date"));
}
