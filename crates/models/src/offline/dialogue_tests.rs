//! What of a conversation counts: texts and files behind their handles, the clock, the newest
//! messages, and nothing of what other people may have written into results.

use bytes::Bytes;
use frontdesk_core::handle::LongBlock;
use proptest::prelude::*;

use super::*;

fn joined(messages: &[Message]) -> Bytes {
    let wires: Vec<String> = messages
        .iter()
        .map(|m| m.to_openai_format().to_string())
        .collect();
    Bytes::from(wires.join(","))
}

fn said(content: &str) -> Said {
    Said::read(content)
}

#[test]
fn words_are_told_from_what_was_pasted_and_attached() {
    let block = "line one\nline two\nline three\nlast line\n".repeat(60);
    let content = format!("Review this:\n\n{block}");
    let shown = LongBlock::find(&content).expect("long enough").shown(3);
    assert_eq!(said(&shown).text, "Review this:");
    assert_eq!(said(&shown).texts, [3]);
    let photo = said("he left [file:2, p.jpg, image/jpeg] just now");
    assert_eq!(
        (photo.text.as_str(), photo.files.as_slice()),
        ("he left   just now", &[2][..])
    );
    assert_eq!(said("file:7").files, [7]);
    assert_eq!(said("profile: text").files, [0_u32; 0]);
    assert_eq!(said("see text:x and file:").text, "see text:x and file:");
}

#[test]
fn only_the_end_of_a_long_history_is_read() {
    let mut long: Vec<Message> = Vec::new();
    for turn in 0..500 {
        long.push(Message::user(format!("}},{{\"role\":\"user\" {turn}")));
        long.push(Message::assistant("\\\"},{\"role\":"));
    }
    let history = joined(&long);
    assert!(ending(&history, 0).is_empty());
    let kept = ending(&history, 40);
    let read = parse_joined(kept);
    assert!(read == long[long.len() - 40..], "{} messages", read.len());
    assert!(parse_joined(ending(&history, 5_000)) == long);
    assert!(ending(b"", 40).is_empty());
}

#[test]
fn calls_of_earlier_turns_are_kept_apart_from_this_one() {
    let call = |id: &str| ToolCall {
        id: id.to_owned(),
        name: "show".to_owned(),
        arguments: "{}".to_owned(),
    };
    let history = joined(&[
        Message::user("one"),
        Message::calls(None, vec![call("a")]),
        Message::tool("a", "show", "first"),
        Message::assistant("done"),
    ]);
    let tail = joined(&[
        Message::system("Today is 2026-11-15."),
        Message::user("two"),
        Message::calls(None, vec![call("b")]),
        Message::tool("b", "show", "Error: no"),
    ]);
    let system = joined(&[
        Message::system("Today is 1999-01-01."),
        Message::system("You speak to Ann."),
    ]);
    let prompt = Prompt {
        system: &system,
        history: &history,
        tail: &tail,
    };
    let dialogue = Dialogue::read(&prompt, 40);
    assert_eq!(dialogue.before.len(), 3);
    assert_eq!(dialogue.done.len(), 1);
    assert_eq!(dialogue.done[0].success(), None);
    assert_eq!(
        dialogue.context,
        ["You speak to Ann.", "Today is 2026-11-15."]
    );
    assert_eq!(
        dialogue.clock.map(|c| c.date.to_string()).as_deref(),
        Some("2026-11-15")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_content_is_read(content in "(\\PC|\\[text:1,|\\[file:|\\]|\n|:){0,60}") {
        let said = Said::read(&content);
        prop_assert!(said.text.len() <= content.len() + 60);
    }
}
