//! Replies as models write them, split anywhere.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::Decoder;

/// The readable text and the other fields of a reply in these pieces.
fn read<'a>(pieces: impl IntoIterator<Item = &'a str>) -> (String, Map<String, Value>) {
    let names = ["message", "quickReplies", "candidatesMentioned"];
    let mut decoder = Decoder::new(names.map(str::to_owned).into());
    let mut text = String::new();
    for piece in pieces {
        text.push_str(&decoder.push(piece));
    }
    let decoded = decoder.finish();
    text.push_str(&decoded.text);
    (text, decoded.fields)
}

#[track_caller]
fn check(reply: &str, text: &str, fields: Value) {
    let (shown, found) = read([reply]);
    assert_eq!((shown.as_str(), Value::Object(found)), (text, fields));
    let letters: Vec<String> = reply.chars().map(String::from).collect();
    assert_eq!(read(letters.iter().map(String::as_str)).0, text);
}

#[test]
fn an_object_is_its_message() {
    check(
        r#"{"message": "Hello \"you\"\n\u00e9", "quickReplies": ["One", "Two"], "n": {"message": "inner"}}"#,
        "Hello \"you\"\né",
        json!({"quickReplies": ["One", "Two"], "n": {"message": "inner"}}),
    );
    check(
        r#"{"analysis": {"message": "no"}, "message": "yes"}"#,
        "yes",
        json!({"analysis": {"message": "no"}}),
    );
}

#[test]
fn a_fence_and_words_around_it_are_not_shown() {
    let reply = "```json\n{\"message\": \"Hi\", \"quickReplies\": [\"Go\"]}\n```\n";
    check(reply, "Hi", json!({"quickReplies": ["Go"]}));
    check("```\n{ \"message\": \"Hi\" }\n```", "Hi", json!({}));
    check(
        "\n\n{\"message\":\"Hi\"}\nHope that helps!",
        "Hi",
        json!({}),
    );
}

#[test]
fn text_before_an_object_is_shown() {
    check(
        "Here you are:\n```json\n{\"message\": \"Hi\"}\n```",
        "Here you are:\nHi",
        json!({}),
    );
    check(
        "Sure.\n{\"quickReplies\": [\"A\"], \"message\": \"Hi\"}",
        "Sure.\nHi",
        json!({"quickReplies": ["A"]}),
    );
    check(
        "Here is {my} answer: {\"message\": \"Hi\", \"quickReplies\": [\"A\"]}",
        "Here is {my} answer: Hi",
        json!({"quickReplies": ["A"]}),
    );
}

#[test]
fn plain_words_are_shown_as_they_are() {
    for words in [
        "Hello.",
        "",
        "  \n two lines\n\n```rust\nlet a = {\"b\"};\n```\n",
        "{name} is free on {day}.",
        "Send {\"url\": \"x\"} to {",
        "Use\n```json\n{\"url\": \"x\"}\n```\nin your settings.",
        "`code` first",
        "[1] is a source",
        "{",
        "```",
    ] {
        check(words, words, json!({}));
    }
}

#[test]
fn text_is_shown_as_early_as_possible() {
    let mut decoder = Decoder::new(Arc::from(["message".to_owned()]));
    assert_eq!(decoder.push("Hel"), "Hel");
    assert_eq!(decoder.push("lo\n\n"), "lo\n\n");
    assert_eq!(decoder.push("``"), "");
    assert_eq!(decoder.push("`rust\n"), "```rust\n");
}

#[test]
fn text_is_shown_while_the_object_arrives() {
    let mut decoder = Decoder::new(Arc::from(["message".to_owned()]));
    assert_eq!(decoder.push("{\"mess"), "");
    assert_eq!(decoder.push("age\": \"A\\ud83"), "A");
    assert_eq!(decoder.push("d\\ude00B"), "😀B");
    assert_eq!(decoder.push("\", \"quick"), "");
}

#[test]
fn a_missing_end_loses_nothing() {
    check(r#"{"message": "Half a sen"#, "Half a sen", json!({}));
    check(r#"{"message": "Half\"#, "Half", json!({}));
    check(r#"{"message": "Half\ud83d"#, "Half\u{FFFD}", json!({}));
    check(
        r#"{"message": "All", "quickReplies": ["One", "Tw"#,
        "All",
        json!({"quickReplies": ["One", "Tw"]}),
    );
}

// design: 004 unit parser malformed
#[test]
fn malformed_json_is_repaired() {
    let fields = json!({"quickReplies": ["A"]});
    for reply in [
        "{\"message\": \"Say \"hi\" to\nBob\", \"quickReplies\": [\"A\"]}",
        "{\"message\": \"Say \"hi\" to\nBob\", \"quickReplies\": [\"A\",],}",
        "{'message': 'Say \"hi\" to\nBob', 'quickReplies': ['A']}",
        "{message: \"Say \\\"hi\\\" to\nBob\", quickReplies: [\"A\"]}",
        "{\"message\": \"Say \\\"hi\\\" to\nBob\" \"quickReplies\": [\"A\"]",
    ] {
        check(reply, "Say \"hi\" to\nBob", fields.clone());
    }
    check(
        r#"{"message": "He said "yes", "no" and left", "quickReplies": null}"#,
        r#"He said "yes", "no" and left"#,
        json!({"quickReplies": null}),
    );
    check(r#"{"message": "a \x \u12 b"}"#, r"a \x \u12 b", json!({}));
    check(
        r#"{"message": "it\u0027s \ud800!"}"#,
        "it's \u{FFFD}!",
        json!({}),
    );
}

#[test]
fn text_under_another_name_is_found() {
    check(r#"{"answer": "Hi"}"#, "Hi", json!({}));
    check(
        r#"{"reply": {"message": "Hi", "quickReplies": ["A"]}}"#,
        "Hi",
        json!({"quickReplies": ["A"]}),
    );
    check(r#"{"message": {"text": "Hi"}}"#, "Hi", json!({}));
}

#[test]
fn an_object_that_is_no_reply_is_shown_at_the_end() {
    check(r#"{"total": 3}"#, r#"{"total": 3}"#, json!({}));
    check(r#"{"a" is no key"#, r#"{"a" is no key"#, json!({}));
    let (text, fields) = read([r#"{"quickReplies": ["A"]}"#]);
    assert_eq!((text.as_str(), fields.len()), ("", 1));
}

/// Any JSON: texts with any character, nested lists and objects.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any_key(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Any characters, including controls and those beyond the first plane.
fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..30).prop_map(String::from_iter)
}

fn any_key() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,8}", Just("message".to_owned()), any_text()]
}

/// The same JSON in other notations: escaped throughout, indented, in a fence.
fn spelled(value: &Value, way: u8) -> String {
    let plain = match way & 1 {
        0 => value.to_string(),
        _ => serde_json::to_string_pretty(value).unwrap(),
    };
    let escaped = match way & 2 {
        0 => plain,
        _ => plain.chars().map(ascii).collect(),
    };
    match way & 4 {
        0 => escaped,
        _ => format!("```json\n{escaped}\n```"),
    }
}

fn ascii(c: char) -> String {
    if c.is_ascii() {
        return c.to_string();
    }
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units);
    units.iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// Splits a text at these places, rounded to character boundaries.
fn cut<'a>(text: &'a str, places: &[prop::sample::Index]) -> Vec<&'a str> {
    let mut at: Vec<usize> = places
        .iter()
        .map(|place| place.index(text.len() + 1))
        .filter(|place| text.is_char_boundary(*place))
        .collect();
    at.extend([0, text.len()]);
    at.sort_unstable();
    at.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_split_of_any_json_gives_its_message(
        message in any_text(),
        others in prop::collection::btree_map(any_key(), any_value(), 0..4),
        first in any::<bool>(),
        way in 0u8..8,
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut fields: Map<String, Value> = others.into_iter().collect();
        fields.remove("message");
        let mut whole = Map::new();
        if first {
            whole.insert("message".to_owned(), json!(message));
        }
        whole.extend(fields.clone());
        whole.insert("message".to_owned(), json!(message));
        let reply = spelled(&Value::Object(whole), way);
        let (text, found) = read(cut(&reply, &places));
        prop_assert_eq!(text, message);
        prop_assert_eq!(found, fields);
    }

    /// Any split of any input gives the same result; input without an object is shown in full.
    #[test]
    fn any_split_of_any_text_reads_the_same(
        reply in prop_oneof![
            any_text(),
            "[{}\\[\\]\"',:\\\\ `\na-e0-9u]{0,60}",
            "\\{\"message\": ?\"[\"',:\\\\ na-e}\\]]{0,60}",
        ],
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let whole = read([reply.as_str()]);
        prop_assert_eq!(&read(cut(&reply, &places)), &whole);
        if !reply.contains('{') {
            prop_assert_eq!(whole.0, reply);
        }
    }
}
