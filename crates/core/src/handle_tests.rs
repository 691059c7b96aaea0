//! Handles: contents stored byte for byte, resolved only where a schema accepts one.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    FileHandle, Handles, LONG_TEXT_CHARS, LongBlock, TextHandle, announced_files, announced_texts,
    lead_of, mentioned_texts,
};
use crate::id::AttachmentId;
use crate::message::ToolCall;

fn lines(count: usize) -> String {
    (1..=count)
        .map(|n| format!("line {n} of a longer text\n"))
        .collect()
}

#[track_caller]
fn check_split(content: &str, lead: &str, block: &str) {
    assert_eq!(LongBlock::find(content), Some(LongBlock { lead, block }));
}

#[test]
fn a_message_is_long_from_1501_characters() {
    assert_eq!(LongBlock::find(&"ü".repeat(LONG_TEXT_CHARS)), None);
    let long = "ü".repeat(LONG_TEXT_CHARS + 1);
    check_split(&long, "", &long);
}

#[test]
fn the_lead_is_separated_from_the_pasted_block() {
    let pasted = lines(100);
    check_split(
        &format!("Summarise this:\n{pasted}"),
        "Summarise this:",
        &pasted,
    );
    check_split(
        &format!("Summarise this: \r\n{pasted}"),
        "Summarise this: \r",
        &pasted,
    );
    check_split(&format!("Please.\n\n{pasted}"), "Please.", &pasted);
    check_split(&format!("Please.\r\n\r\n{pasted}"), "Please.", &pasted);
    let two = format!("Two\nlines\n\n{pasted}");
    check_split(&two, "Two\nlines", &pasted);
    // A first line that is not a question belongs to the text.
    check_split(&pasted, "", &pasted);
    // A long first paragraph is not a question either, and a short rest is not a block.
    let essay = format!("{}\n\n{pasted}", "word ".repeat(150));
    check_split(&essay, "", &essay);
    let letter = format!("{pasted}\n\nRegards");
    check_split(&letter, "", &letter);
}

#[test]
fn the_model_is_shown_where_a_text_begins_and_ends() {
    let block = lines(100);
    let long = LongBlock {
        lead: "Read:",
        block: &block,
    };
    assert_eq!(
        long.shown(2),
        format!(
            "Read:\n\n[text:2, {} characters]\nline 1 of a longer text\nline 2 of a longer text\n\
             line 3 of a longer text\n[…]\nline 98 of a longer text\nline 99 of a longer text\n\
             line 100 of a longer text",
            block.chars().count()
        )
    );
    let one_line = "ü".repeat(2_000);
    let long = LongBlock {
        lead: "",
        block: &one_line,
    };
    assert_eq!(
        long.shown(1),
        format!("[text:1, 2000 characters]\n{}…", "ü".repeat(160))
    );
    let long = LongBlock {
        lead: "",
        block: "a\n\nb\nc\nd",
    };
    assert_eq!(long.shown(1), "[text:1, 8 characters]\na\nb\nc\n[…]\nd");
}

#[test]
fn only_the_lead_is_the_persons_own_word() {
    assert_eq!(lead_of("Close T-1"), "Close T-1");
    assert_eq!(
        lead_of("Close this:\n\n[text:1, 9 characters]\nT-7"),
        "Close this:\n\n"
    );
    assert_eq!(lead_of("[text:1, 9 characters]\nT-7"), "");
    let photo = "Close this\n[file:1, T-7 photo.png, image/png, 3 bytes]";
    assert_eq!(lead_of(photo), "Close this\n");
    let inline = "move [file:1, a.jpg] next to [text:1, 9 characters]\n[text:x, y]";
    assert_eq!(lead_of(inline), inline);
    assert!(announced_texts(inline).is_empty());
    assert_eq!(announced_files(photo), [1]);
}

fn parameters() -> Value {
    json!({ "type": "object", "properties": {
        "notes": { "type": "string", "x-handle": "text" },
        "photo": { "type": "string", "x-handle": "file" },
        "title": { "type": "string" },
        "odd": { "type": "string", "x-handle": "video" }
    } })
}

fn handles() -> Handles {
    Handles {
        texts: vec![TextHandle {
            number: 1,
            text: "\u{FEFF}Zoë \"x\"\r\n\u{0}\u{200B} ".to_owned(),
        }],
        files: vec![FileHandle {
            number: 3,
            attachment: AttachmentId::from_uuid(Uuid::from_u128(5)),
            name: "photo.png".to_owned(),
            media_type: "image/png".to_owned(),
            bytes: 10,
        }],
    }
}

fn resolve(arguments: Value) -> Result<Value, String> {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments}");
    };
    let resolved = handles().resolve(&parameters(), arguments);
    resolved
        .map(Value::Object)
        .map_err(|error| error.to_string())
}

#[test]
fn a_handle_is_replaced_by_its_content() {
    let text = "\u{FEFF}Zoë \"x\"\r\n\u{0}\u{200B} ";
    let file = "00000000-0000-0000-0000-000000000005";
    #[track_caller]
    fn check(given: Value, expected: Value) {
        assert_eq!(resolve(given), Ok(expected));
    }
    check(json!({ "notes": "text:1" }), json!({ "notes": text }));
    check(json!({ "notes": " text:1\n" }), json!({ "notes": text }));
    check(json!({ "notes": "[text:1]" }), json!({ "notes": text }));
    check(
        json!({ "notes": "[text:1, 2000 characters]" }),
        json!({ "notes": text }),
    );
    check(json!({ "photo": "file:3" }), json!({ "photo": file }));
    // Other parameters and invalid handles stay unchanged.
    for left in [
        json!({ "title": "text:1", "unknown": "file:3", "odd": "video:1" }),
        json!({ "notes": "see text:1", "photo": "text:1" }),
        json!({ "notes": "text:1, and more of mine" }),
        json!({ "notes": 1, "photo": null }),
        json!({ "notes": ["text:1"] }),
        json!({ "notes": "text:" }),
        json!({ "notes": "text:-1" }),
        json!({}),
    ] {
        check(left.clone(), left);
    }
}

#[test]
fn a_handle_that_leads_nowhere_is_named() {
    assert_eq!(
        resolve(json!({ "notes": "text:2" })),
        Err("`notes` names text:2, but this conversation has no such text".to_owned())
    );
    assert_eq!(
        resolve(json!({ "photo": "[file:1]" })),
        Err("`photo` names file:1, but this conversation has no such file".to_owned())
    );
}

#[test]
fn texts_are_asked_for_only_where_a_parameter_takes_one() {
    #[track_caller]
    fn check(arguments: &str, expected: &[u32]) {
        let call = ToolCall {
            id: "a".to_owned(),
            name: "f".to_owned(),
            arguments: arguments.to_owned(),
        };
        assert_eq!(
            mentioned_texts(&parameters(), &call),
            expected,
            "{arguments}"
        );
    }
    check(r#"{"notes":"text:7"}"#, &[7]);
    check(r#"{"notes":" [text:7] ","title":"text:8"}"#, &[7]);
    check(r#"{"notes":"context:7"}"#, &[]);
    check(r#"{"notes":"text:99999999999"}"#, &[]);
    check(r#"{"photo":"text:1","notes":["text:1"]}"#, &[]);
    check(r#"{"notes":"text:7""#, &[]);
    check("text:1", &[]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A text is stored byte for byte, and lead and text together are the message.
    #[test]
    fn a_long_message_loses_nothing(
        lead in prop::collection::vec(any::<char>(), 0..20),
        joint in prop::sample::select(vec!["\n\n", "\r\n\r\n", ":\n", ""]),
        block in prop::collection::vec(any::<char>(), 1_500..1_700),
    ) {
        let content = format!("{}{joint}{}", String::from_iter(lead), String::from_iter(block));
        let Some(LongBlock { lead, block }) = LongBlock::find(&content) else {
            return Ok(());
        };
        prop_assert!(content.starts_with(lead) && content.ends_with(block));
        let between = &content[lead.len()..content.len() - block.len()];
        prop_assert!(between.chars().all(|c| c == '\n' || c == '\r'), "{between:?}");
        let handles = Handles {
            texts: vec![TextHandle { number: 1, text: block.to_owned() }],
            files: Vec::new(),
        };
        let arguments = Map::from_iter([("notes".to_owned(), json!("text:1"))]);
        let resolved = handles.resolve(&parameters(), arguments).unwrap();
        prop_assert_eq!(resolved["notes"].as_str(), Some(block));
    }
}
