//! Tests of `language`.

use super::*;

#[test]
fn whole_sentences_are_recognised() {
    let cases = [
        (
            "Which passes are still waiting for a decision?",
            Language::English,
        ),
        (
            "Vilka kandidater har de bästa betygen just nu?",
            Language::Swedish,
        ),
        (
            "Welche Bewerber haben die besten Bewertungen?",
            Language::German,
        ),
        ("Кто сейчас на интервью?", Language::Russian),
    ];
    for (text, language) in cases {
        assert_eq!(Language::detect(text), Some(language), "{text}");
    }
}

#[test]
fn symbols_have_no_language() {
    assert_eq!(Language::detect(""), None);
    assert_eq!(Language::detect("🎉🎉🎉"), None);
    assert_eq!(Language::detect("12 345"), None);
}
