//! The fast path returns exactly the text that parsing returns.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn parse(data: &[u8]) -> Option<Chunk<'_>> {
    serde_json::from_str(std::str::from_utf8(data).ok()?).ok()
}

fn learnt(data: &str) -> Frame {
    let mut frame = Frame::default();
    if let Some(chunk) = parse(data.as_bytes()) {
        frame.learn(data.as_bytes(), &chunk);
    }
    frame
}

fn chunk(text: &str) -> String {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "usage": null,
        "choices": [{ "index": 0, "delta": { "content": text }, "logprobs": null, "finish_reason": null }],
    })
    .to_string()
}

#[test]
fn a_chunk_like_the_previous_one_takes_the_fast_path() {
    let frame = learnt(&chunk("Hello"));
    assert_eq!(
        frame.text_of(chunk(" wörld 你好").as_bytes()),
        Some(" wörld 你好")
    );
    assert_eq!(frame.text_of(chunk("").as_bytes()), Some(""));
    let spaced = learnt(r#"{"choices": [{"delta": {"content" : "a"}}]}"#);
    let other = br#"{"choices": [{"delta": {"content" : "b"}}]}"#;
    assert_eq!(spaced.text_of(other), Some("b"));
}

#[test]
fn chunks_that_differ_in_more_than_text_are_parsed() {
    let frame = learnt(&chunk("Hello"));
    for other in [
        chunk("a \"quote\""),
        chunk("a line\n"),
        chunk("back\\slash"),
        chunk("x").replace("\"finish_reason\":null", "\"finish_reason\":\"stop\""),
        chunk("x").replace("chatcmpl-1", "chatcmpl-2"),
        chunk("x\",\"refusal\":\"y").replace("\\\"", "\""),
    ] {
        assert_eq!(frame.text_of(other.as_bytes()), None, "{other}");
    }
    let mut broken = chunk("x").into_bytes();
    let at = broken.iter().position(|byte| *byte == b'x').unwrap();
    broken[at] = 0xff;
    assert_eq!(frame.text_of(&broken), None, "not UTF-8");
    assert_eq!(Frame::default().text_of(b"{}"), None, "nothing was learnt");
}

#[test]
fn only_chunks_of_text_are_learnt() {
    for data in [
        r#"{"choices":[{"delta":{"content":"a","refusal":"b"}}]}"#,
        r#"{"choices":[{"delta":{"content":"a","tool_calls":[{"index":0}]}}]}"#,
        r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1}}"#,
        r#"{"choices":[{"delta":{"content":"a"},"logprobs":{"content":[]}}]}"#,
        r#"{"choices":[{"delta":{"content":[{"text":"a"}]}}]}"#,
        r#"{"choices":[{"delta":{"content":"tab\t"}}]}"#,
        r#"{"choices":[{"message":{"content":"a"}}]}"#,
        r#"{"choices":[{"delta":{"\u0063ontent":"a"}}]}"#,
        r#"{"choices":[]}"#,
        r#"{"content":"a"}"#,
    ] {
        assert!(learnt(data).before.is_empty(), "{data}");
    }
}

/// Building blocks of chunks, chosen so that frames sometimes match and often nearly match.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "\"",
        "\\",
        "content",
        "\"content\"",
        "\"content\":\"",
        "a",
        "é",
        ":",
        ",",
        "{",
        "}",
        "\u{1}",
        " ",
        "null",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_fast_path_agrees_with_parsing(
        model in pieces(), text in pieces(), later in pieces(), raw in pieces(), cut in 0_usize..300,
    ) {
        let like = |text: &str| -> Value {
            json!({ "model": model, "choices": [{ "delta": { "content": text }, "finish_reason": null }] })
        };
        let frame = learnt(&like(&text).to_string());
        let proper = like(&later).to_string();
        // Usually not JSON, and then never read by the fast path.
        let mut odd = like("@").to_string().replace('@', &raw);
        let cut = odd.floor_char_boundary(cut.min(odd.len()));
        let cut_off = odd.split_off(cut);
        for data in [proper, odd.clone() + &cut_off, odd] {
            if let Some(read) = frame.text_of(data.as_bytes()) {
                let parsed = parse(data.as_bytes());
                let parsed = parsed.as_ref().and_then(text_alone);
                prop_assert_eq!(Some(read), parsed, "{}", data);
            }
        }
    }
}
