//! Foreign text in prompts: no invisible characters, bounded size.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    MAX_CARD_BYTES, MAX_LIST_ITEMS, MAX_RESULT_BYTES, clean, for_card, for_model, is_blank,
    is_invisible,
};

/// C15: tags, zero-width marks, bidirectional controls and fillers are removed; text stays.
#[test]
fn invisible_characters_are_taken_out_and_counted() {
    #[track_caller]
    fn check(text: &str, cleaned: &str, removed: usize) {
        assert_eq!(clean(text), (cleaned.to_owned(), removed), "{text:?}");
    }
    check(
        "plain text\r\n\twith lines",
        "plain text\r\n\twith lines",
        0,
    );
    check("a\u{200B}b\u{2060}c\u{FEFF}", "abc", 3);
    check("\u{202E}evil\u{202C} \u{2066}x\u{2069}", "evil x", 4);
    check("ok\u{E0001}\u{E0049}\u{E0067}\u{E007F}", "ok", 4);
    check("data\u{E0100}\u{E01EF}\u{FE00}\u{FE0D}", "data", 4);
    check("name\u{3164}\u{FFA0}\u{115F}\u{034F}\u{00AD}", "name", 5);
    check("nul\u{0}\u{1B}[31m\u{85}", "nul[31m", 3);
    // Persian, family emoji and the flag of Nepal need the remaining characters.
    check("می\u{200C}خواهم", "می\u{200C}خواهم", 0);
    check(
        "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F466} \u{2764}\u{FE0F}",
        "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F466} \u{2764}\u{FE0F}",
        0,
    );
    check(
        "e\u{301} ก็ 한글 \u{1F1F3}\u{1F1F5}",
        "e\u{301} ก็ 한글 \u{1F1F3}\u{1F1F5}",
        0,
    );
}

/// F8: a message without visible characters is blank.
#[test]
fn a_text_is_blank_when_nothing_of_it_is_seen() {
    for blank in [
        "",
        " \n\t\r ",
        "\u{200B}",
        "\u{200D}\u{200C}",
        "\u{3164}\u{2800}",
        "\u{A0}\u{2003}\u{FEFF}",
        "\u{E0041}\u{E0042}",
        "\u{FE0F}",
    ] {
        assert!(is_blank(blank), "{blank:?}");
    }
    for seen in [".", " x ", "\u{200B}0", "\u{1F600}", "。"] {
        assert!(!is_blank(seen), "{seen:?}");
    }
}

#[test]
fn a_text_result_stays_text_and_others_become_json() {
    assert_eq!(
        for_model(&json!("two\nlines \"quoted\"")),
        "two\nlines \"quoted\""
    );
    assert_eq!(
        for_model(&json!({ "b": 1, "a": [true, null] })),
        r#"{"b":1,"a":[true,null]}"#
    );
    assert_eq!(for_model(&Value::Null), "null");
    assert_eq!(
        for_model(&json!({ "x": "\u{E0041}\u{200B}y" })),
        r#"{"x":"y"}"#
    );
}

#[test]
fn long_lists_are_shortened_at_every_depth() {
    let list = |count: usize| Value::from((0..count).collect::<Vec<_>>());
    assert_eq!(
        for_model(&list(MAX_LIST_ITEMS)),
        list(MAX_LIST_ITEMS).to_string()
    );

    let shown: Value = serde_json::from_str(&for_model(&list(51))).unwrap();
    let mut expected = list(50).as_array().unwrap().clone();
    expected.push(json!("… and 1 more (51 in all)"));
    assert_eq!(shown, Value::from(expected));

    let nested = json!({ "a": { "b": [list(60), list(3)] } });
    let shown: Value = serde_json::from_str(&for_model(&nested)).unwrap();
    assert_eq!(shown["a"]["b"][0].as_array().unwrap().len(), 51);
    assert_eq!(shown["a"]["b"][0][50], "… and 10 more (60 in all)");
    assert_eq!(shown["a"]["b"][1], list(3));
}

/// C17: cuts between characters, adds a marker, and respects the limit.
#[test]
fn a_long_result_is_cut_between_characters() {
    #[track_caller]
    fn check(text: String, cut: bool) {
        let shown = for_model(&Value::String(text.clone()));
        assert!(shown.len() <= MAX_RESULT_BYTES);
        let marker = format!("… [cut: {} bytes in all]", text.len());
        assert_eq!(shown.ends_with(&marker), cut);
        assert!(text.starts_with(shown.trim_end_matches(&marker)));
    }
    check("x".repeat(MAX_RESULT_BYTES), false);
    check("x".repeat(MAX_RESULT_BYTES + 1), true);
    for shift in 0..4 {
        check(
            format!("{}{}", "x".repeat(shift), "\u{1F600}".repeat(20_000)),
            true,
        );
    }
    // Invisible characters do not count.
    let hidden = format!("{}{}", "\u{200B}".repeat(60_000), "x".repeat(1_000));
    assert_eq!(for_model(&Value::String(hidden)), "x".repeat(1_000));
}

#[test]
fn a_card_shows_the_whole_result_within_reason() {
    let whole = json!({ "list": (0..5_000).collect::<Vec<_>>() });
    assert_eq!(for_card(whole.clone(), "told"), whole);
    assert_eq!(for_card(json!("x".repeat(MAX_CARD_BYTES)), "told"), "told");
    assert_eq!(
        for_card(json!("x".repeat(MAX_CARD_BYTES - 2)), "told"),
        "x".repeat(MAX_CARD_BYTES - 2)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn cleaning_keeps_every_visible_character_in_order(text in prop::collection::vec(any::<char>(), 0..80)) {
        let visible: String = text.iter().filter(|c| !is_invisible(**c)).collect();
        let (cleaned, removed) = clean(&String::from_iter(&text));
        prop_assert_eq!(removed, text.len() - visible.chars().count());
        prop_assert_eq!(clean(&cleaned), (visible, 0));
    }
}
