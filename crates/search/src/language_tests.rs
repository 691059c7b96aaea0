//! Language detection by script and stop words, and stemming.

use super::{Language, indexed, is_english, query_terms, query_words, split, stems_of};

#[test]
fn languages_are_detected() {
    let cases = [
        (
            "How do approvals work and who can decide?",
            Language::English,
        ),
        (
            "Wie werden Anträge genehmigt und wer entscheidet?",
            Language::German,
        ),
        ("Как работают подтверждения заявок?", Language::Russian),
        (
            "Comment les demandes sont approuvées et par qui",
            Language::French,
        ),
        ("", Language::English),
        ("GP-2026-0001", Language::English),
    ];
    for (text, language) in cases {
        assert_eq!(Language::of(text), language, "{text}");
    }
}

#[test]
fn forms_of_a_word_share_a_stem() {
    let pairs = [
        ("approving requests", "approved request", "approv"),
        (
            "Die Genehmigungen der Anträge sind nicht da",
            "eine Genehmigung ist das",
            "genehm",
        ),
        (
            "подтверждения заявок",
            "подтверждение заявки",
            "подтвержден",
        ),
    ];
    for (many, one, stem) in pairs {
        assert!(stems_of(many).contains(stem), "{}", stems_of(many));
        assert!(stems_of(one).contains(stem), "{}", stems_of(one));
    }
}

#[test]
fn a_query_keeps_its_content_words() {
    let asked = query_words("How do I approve the gate passes?");
    assert_eq!(asked.words, ["approve", "gate", "passes"]);
    assert_eq!(asked.stems, ["approv", "gate", "pass"]);
}

#[test]
fn a_query_of_stop_words_keeps_them() {
    assert_eq!(query_words("what is it").words, ["what", "is", "it"]);
    assert!(query_words("?!").words.is_empty());
}

#[test]
fn english_questions_are_known_as_such() {
    for question in [
        "how do approvals work",
        "timeout",
        "GP-2026-0007",
        "What does the résumé need?",
        "QDRANT_URL",
    ] {
        assert!(is_english(question), "{question}");
    }
    for question in [
        "Wie viele Urlaubstage habe ich?",
        "Сколько дней отпуска",
        "отпуск",
        "Kündigungsfrist Probezeit",
        "¿cómo funciona?",
    ] {
        assert!(!is_english(question), "{question}");
    }
}

#[test]
fn names_in_a_question_are_known_by_their_capitals() {
    let names = |question: &str| -> Vec<String> {
        let terms = query_terms(question).into_iter();
        terms
            .filter(|term| term.is_name)
            .map(|term| term.stems[0].clone())
            .collect()
    };
    assert_eq!(names("What is the default port of Redis?"), ["redi"]);
    assert_eq!(names("VPN keeps breaking in Quetta"), ["vpn", "quetta"]);
    assert!(names("Where may I smoke?").is_empty());
}

#[test]
fn identifiers_are_words_beside_their_parts() {
    let words = |text| split(text).collect::<Vec<_>>();
    assert_eq!(
        words("Set work_mem, os.path. End"),
        [
            "Set", "work", "mem", "work_mem", "os", "path", "os.path", "End"
        ]
    );
    assert_eq!(words("__str__ …"), ["str", "__str__"]);
}

#[test]
fn scripts_without_blanks_are_searched_by_pairs() {
    let words = |text| split(text).collect::<Vec<_>>();
    assert_eq!(
        words("会議室の鍵、x1日本"),
        ["会議", "議室", "室の", "の鍵", "x1", "日本"]
    );
    assert_eq!(words("鍵 は Café naïve"), ["鍵", "は", "Café", "naïve"]);
    let (held, _) = indexed("備品の貸出について。会議室の鍵は受付で借りることができます。");
    let asked = query_words("会議室の鍵はどこで借りられますか");
    let found = asked
        .words
        .iter()
        .filter(|word| held.contains(word))
        .count();
    assert!(found * 2 > asked.words.len(), "{:?}", asked.words);
}
