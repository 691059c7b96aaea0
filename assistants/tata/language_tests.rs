//! The language of a text.

use super::*;

#[test]
fn a_sentence_has_a_language() {
    let cases = [
        (
            "I need to hire a senior Python developer for our backend team.",
            Language::En,
        ),
        (
            "Kan jag få annonsen på svenska också? Vi vill publicera den i morgon.",
            Language::Sv,
        ),
        (
            "Vi skal bruge et jobopslag til den nye stilling, og det skal være kort.",
            Language::Da,
        ),
        (
            "Kan du lage en stillingsannonse av profilen? Den må ikke være for lang.",
            Language::No,
        ),
        (
            "Bitte schreibe die Stellenanzeige, sie soll nicht zu lang sein.",
            Language::De,
        ),
    ];
    for (text, language) in cases {
        assert_eq!(Language::of_text(text), Some(language), "{text}");
    }
}

#[test]
fn a_name_with_foreign_letters_is_not_a_language() {
    for text in ["Write the ad for Malmö", "An ad for Köln and Århus, please"] {
        assert_ne!(Language::of_text(text), Some(Language::Sv), "{text}");
        assert_ne!(Language::of_text(text), Some(Language::De), "{text}");
    }
    let notes = include_str!("tests/texts/payroll-notes.txt");
    assert_eq!(Language::of_text(notes), Some(Language::En));
}

#[test]
fn a_language_without_documents_has_a_name() {
    for (text, name) in [
        ("Peux-tu rédiger une annonce pour ce poste ?", "French"),
        ("Voisitko kirjoittaa ilmoituksen?", "Finnish"),
        ("Создай вакансию", "Russian"),
    ] {
        assert_eq!(other_language(text), Some(name), "{text}");
    }
    let phrasings = include_str!("phrasings.txt");
    let notes = include_str!("tests/texts/payroll-notes.txt");
    for line in phrasings.lines().chain(notes.lines()) {
        assert_eq!(other_language(line), None, "{line}");
    }
}

#[test]
fn a_language_without_documents_is_recognised_by_its_name() {
    for (text, name) in [
        ("Write the job ad in French.", "French"),
        ("Now the same ad in Japanese, please", "Japanese"),
        ("Écris l'annonce en français", "French"),
        ("Skriv jobbannonsen på finska", "Finnish"),
        ("Lag annonsen på polsk", "Polish"),
        ("Schreib die Anzeige auf Italienisch!", "Italian"),
    ] {
        assert_eq!(named_language(text), Some(name), "{text}");
    }
    for text in [
        "Write the job ad in German.",
        "Skriv annonsen på svenska",
        "Skriv annonsen på norsk bokmål",
        "Write the job ad for our French customers",
        "I need a nurse for our clinic in Turku, must have a licence and be fluent in Finnish",
    ] {
        assert_eq!(named_language(text), None, "{text}");
    }
}

#[test]
fn a_word_has_none() {
    for text in ["", "ok", "Python", "123"] {
        assert_eq!(Language::of_text(text), None, "{text}");
    }
}
