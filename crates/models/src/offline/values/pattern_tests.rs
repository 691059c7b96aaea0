//! Codes of a declared shape are found however people type them, and in nothing else.

use super::*;

fn find(pattern: &str, raw: &str) -> Vec<String> {
    let pattern = Pattern::new(pattern).expect("a selective pattern");
    let found = pattern.find_all(&Text::new(raw));
    found.into_iter().map(|found| found.value).collect()
}

#[test]
fn codes_are_found_however_they_are_typed() {
    const PASS: &str = r"^GP-\d{4}-\d{4,6}$";
    for (raw, expected) in [
        ("approve GP-2026-0007.", vec!["GP-2026-0007"]),
        ("gp-2026-0007?", vec!["GP-2026-0007"]),
        ("(GP 2026 0007)", vec!["GP-2026-0007"]),
        ("GP–2026–0007", vec!["GP-2026-0007"]),
        ("gp 2026 7", vec!["GP-2026-0007"]),
        (
            "GP-2026-0007, GP-2026-0008 and GP-2026-0009",
            vec!["GP-2026-0007", "GP-2026-0008", "GP-2026-0009"],
        ),
        ("GP-2026-0007's photos", vec!["GP-2026-0007"]),
        ("GP-26-7", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(find(PASS, raw), expected, "{raw}");
    }
    assert_eq!(
        find(r"^https?://\S+$", "see https://example.org/a?b=1, please"),
        ["https://example.org/a?b=1"]
    );
}

#[test]
fn what_any_word_fulfils_is_no_shape() {
    for pattern in [r"^.+$", r"\S", r"^[a-z]+$", r"(unclosed", r"^(?=x)y$"] {
        assert!(Pattern::new(pattern).is_none(), "{pattern}");
    }
}

#[test]
fn three_capitals_are_not_found_in_small_words() {
    assert_eq!(find("^[A-Z]{3}$", "pay the USD now"), ["USD"]);
}
