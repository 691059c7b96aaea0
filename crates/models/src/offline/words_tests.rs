//! Words keep their places, codes stay whole, and a stem stands for its forms.

use proptest::prelude::*;

use super::*;

fn words(raw: &str) -> Vec<String> {
    Text::new(raw)
        .words
        .into_iter()
        .map(|word| word.lower)
        .collect()
}

#[test]
fn codes_times_and_contractions_stay_in_one_piece() {
    for (raw, expected) in [
        ("Approve GP-2026-0007!", vec!["approve", "gp-2026-0007"]),
        (
            "at 14:00, 1,200.50 or 15.11.2026.",
            vec!["at", "14:00", "1,200.50", "or", "15.11.2026"],
        ),
        ("he won’t come", vec!["he", "won't", "come"]),
        ("Ёлка", vec!["елка"]),
        ("a - b", vec!["a", "b"]),
        ("snake_case", vec!["snake_case"]),
        ("🙂 ok", vec!["ok"]),
    ] {
        assert_eq!(words(raw), expected, "{raw}");
    }
}

#[test]
fn a_word_is_found_by_its_stem_and_without_its_marks() {
    for (word, key) in [
        ("approval", "approv"),
        ("passes", "pass"),
        ("пропусков", "пропуск"),
        ("godkänn", "godkann"),
        ("gate-pass", "gate"),
        ("bob's", "bob"),
    ] {
        assert!(
            keys(word).contains(&key.to_owned()),
            "{word}: {:?}",
            keys(word)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_word_lies_where_it_says(raw in "\\PC{0,200}") {
        let text = Text::new(&raw);
        let mut end = 0;
        for word in &text.words {
            prop_assert!(word.start >= end && word.end <= raw.len());
            prop_assert_eq!(normal(&raw[word.start..word.end]), word.lower.clone());
            end = word.end;
        }
    }

    #[test]
    fn the_stemmers_take_any_word(word in "[a-zß-öø-ÿа-я]{1,45}") {
        prop_assert!(keys(&word).contains(&word));
    }
}
