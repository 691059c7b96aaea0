//! `assemble` and `read` against real server output.

use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{DeltaSink, Finish, Reply};
use serde_json::{Value, json};

use super::super::read::Chunk;
use super::{Assembly, MAX_REPLY_BYTES, TooLarge};

struct NullSink;

impl DeltaSink for NullSink {
    fn text(&mut self, _: &str) {}
}

fn try_assemble(chunks: &[Value]) -> Result<Reply, TooLarge> {
    let mut assembly = Assembly::default();
    for chunk in chunks {
        let text = chunk.to_string();
        let chunk: Chunk<'_> = serde_json::from_str(&text).unwrap();
        assembly.add(chunk, &mut NullSink)?;
    }
    Ok(assembly.into_reply(40))
}

fn assemble(chunks: &[Value]) -> Reply {
    try_assemble(chunks).unwrap()
}

fn delta(delta: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

fn fragments(list: &[Value]) -> Vec<ToolCall> {
    let chunks: Vec<Value> = list
        .iter()
        .map(|fragment| delta(json!({"tool_calls": [fragment]})))
        .collect();
    assemble(&chunks).calls
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

#[test]
fn unknown_missing_and_null_fields_are_ignored() {
    let reply = assemble(&[
        json!({"id": null, "model": "m-1", "service_tier": "flex", "system_fingerprint": null, "choices": [{"delta": {"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": null}, "finish_reason": null}], "usage": null, "error": null}),
        json!({"choices": [{"delta": {"content": "Hel"}, "finish_reason": "", "logprobs": {"content": []}}]}),
        json!({"choices": [{"finish_reason": null}]}),
        json!({"choices": [null]}),
        json!({"choices": []}),
        json!({"choices": null}),
        json!({}),
        json!({"model": "m-2", "choices": [{"index": "0", "delta": {"content": "lo\n"}, "finish_reason": "stop"}, {"index": 1, "delta": {"content": "no"}}]}),
    ]);
    assert_eq!(reply.text, "Hello\n");
    assert_eq!(reply.finish, Finish::Stop);
    assert_eq!(reply.model.as_deref(), Some("m-1"));
}

#[test]
fn content_may_come_in_parts_and_refusals_are_text() {
    let parts = json!([{"type": "text", "text": "Hel"}, {"type": "image_url"}, {"type": "text", "text": "lo"}]);
    assert_eq!(assemble(&[delta(json!({"content": parts}))]).text, "Hello");
    assert_eq!(
        assemble(&[delta(json!({"content": {"text": "Hi"}}))]).text,
        "Hi"
    );
    assert_eq!(
        assemble(&[delta(json!({"refusal": "I cannot."}))]).text,
        "I cannot."
    );
}

#[test]
fn a_message_counts_unless_it_repeats_the_deltas() {
    let message = json!({"choices": [{"message": {"role": "assistant", "content": "Hello"}, "finish_reason": "stop"}]});
    assert_eq!(assemble(std::slice::from_ref(&message)).text, "Hello");
    assert_eq!(
        assemble(&[delta(json!({"content": "Hello"})), message]).text,
        "Hello"
    );
}

#[test]
fn finish_reasons_of_all_dialects_are_read() {
    let finish = |reason: &str| {
        assemble(&[json!({"choices": [{"delta": {}, "finish_reason": reason}]})]).finish
    };
    assert_eq!(finish("stop"), Finish::Stop);
    assert_eq!(finish("eos_token"), Finish::Stop);
    assert_eq!(finish("length"), Finish::Length);
    assert_eq!(finish("content_filter"), Finish::ContentFilter);
    assert_eq!(finish("function_call"), Finish::ToolCalls);
    assert_eq!(
        finish("model_length"),
        Finish::Other("model_length".to_owned())
    );
}

#[test]
fn calls_are_calls_whatever_the_finish_reason_says() {
    let calling = delta(
        json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "find", "arguments": "{}"}}]}),
    );
    let stop = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    assert_eq!(assemble(&[calling.clone(), stop]).finish, Finish::ToolCalls);
    let length = json!({"choices": [{"delta": {}, "finish_reason": "length"}]});
    assert_eq!(assemble(&[calling, length]).finish, Finish::Length);
}

#[test]
fn fragments_find_their_call_by_index() {
    let calls = fragments(&[
        json!({"index": 0, "id": "a", "type": "function", "function": {"name": "find", "arguments": ""}}),
        json!({"index": 1, "id": "b", "function": {"name": "list"}}),
        json!({"index": 0, "function": {"arguments": "{\"x\":"}}),
        json!({"index": 1, "function": {"arguments": "{}"}}),
        json!({"index": 0, "id": null, "function": {"name": null, "arguments": "1}"}}),
    ]);
    assert_eq!(
        calls,
        [call("a", "find", "{\"x\":1}"), call("b", "list", "{}")]
    );
}

#[test]
fn fragments_find_their_call_by_id() {
    let calls = fragments(&[
        json!({"id": "a", "function": {"name": "find", "arguments": "{"}}),
        json!({"id": "b", "function": {"name": "list", "arguments": "{"}}),
        json!({"id": "a", "function": {"arguments": "}"}}),
        json!({"id": "b", "function": {"arguments": "}"}}),
    ]);
    assert_eq!(calls, [call("a", "find", "{}"), call("b", "list", "{}")]);
}

#[test]
fn fragments_without_index_and_id_extend_the_last_call() {
    let calls = fragments(&[
        json!({"id": "a", "function": {"name": "find", "arguments": ""}}),
        json!({"function": {"arguments": "{}"}}),
        json!({"id": "b", "function": {"name": "list"}}),
        json!({"id": "", "function": {"name": "", "arguments": "{}"}}),
    ]);
    assert_eq!(calls, [call("a", "find", "{}"), call("b", "list", "{}")]);
}

#[test]
fn calls_with_one_index_are_separated_by_id() {
    let calls = fragments(&[
        json!({"index": 0, "id": "a", "function": {"name": "find", "arguments": "{}"}}),
        json!({"index": 0, "id": "b", "function": {"name": "list", "arguments": "{"}}),
        json!({"index": 0, "function": {"arguments": "}"}}),
    ]);
    assert_eq!(calls, [call("a", "find", "{}"), call("b", "list", "{}")]);
}

#[test]
fn an_index_that_comes_late_is_the_same_call() {
    let calls = fragments(&[
        json!({"id": "a", "function": {"name": "find"}}),
        json!({"index": 0, "function": {"arguments": "{"}}),
        json!({"index": 0, "id": "a", "function": {"arguments": "}"}}),
    ]);
    assert_eq!(calls, [call("a", "find", "{}")]);
}

#[test]
fn names_may_repeat_or_come_in_pieces() {
    let repeated = json!({"index": 0, "id": "a", "function": {"name": "find", "arguments": "{"}});
    let again = json!({"index": 0, "id": "a", "function": {"name": "find", "arguments": "}"}});
    assert_eq!(fragments(&[repeated, again]), [call("a", "find", "{}")]);
    let start = json!({"index": 0, "id": "a", "function": {"name": "find_"}});
    let rest = json!({"index": 0, "function": {"name": "all", "arguments": "{}"}});
    assert_eq!(fragments(&[start, rest]), [call("a", "find_all", "{}")]);
}

#[test]
fn arguments_may_be_an_object_and_calls_the_older_form() {
    let object =
        json!({"index": 0, "id": "a", "function": {"name": "find", "arguments": {"x": [1, "é"]}}});
    assert_eq!(
        fragments(&[object]),
        [call("a", "find", "{\"x\":[1,\"é\"]}")]
    );
    let reply = assemble(&[
        delta(json!({"function_call": {"name": "find", "arguments": ""}})),
        delta(json!({"function_call": {"arguments": "{}"}})),
    ]);
    assert_eq!(
        (
            reply.calls[0].name.as_str(),
            reply.calls[0].arguments.as_str()
        ),
        ("find", "{}")
    );
}

#[test]
fn each_call_has_a_unique_id() {
    let calls = fragments(&[
        json!({"index": 0, "id": "same", "function": {"name": "find"}}),
        json!({"index": 1, "id": "same", "function": {"name": "list"}}),
        json!({"index": 2, "function": {"name": "count"}}),
        json!({"index": 3}),
    ]);
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["find", "list", "count"]);
    assert_eq!(calls[0].id, "same");
    assert!(calls[1].id.starts_with("call_") && calls[2].id.starts_with("call_"));
    assert_ne!(calls[1].id, calls[2].id);
}

#[test]
fn token_counts_of_all_dialects_are_read() {
    let usage = |usage: Value| {
        assemble(&[json!({"choices": [], "usage": usage})])
            .usage
            .unwrap()
    };
    let of = |value: Value| {
        let usage = usage(value);
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_tokens,
            usage.estimated,
        )
    };
    assert_eq!(
        of(
            json!({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 8}})
        ),
        (9, 2, 8, false)
    );
    assert_eq!(
        of(json!({"input_tokens": 9.0, "output_tokens": "2", "prompt_cache_hit_tokens": 3})),
        (9, 2, 3, false)
    );
    assert_eq!(
        of(
            json!({"prompt_tokens": 9, "input_tokens": 9, "completion_tokens": -1, "prompt_tokens_details": null})
        ),
        (9, 0, 0, false)
    );
    assert_eq!(
        of(json!({"prompt_tokens": 0, "completion_tokens": 0})),
        (10, 0, 0, true)
    );
    assert_eq!(of(json!("none")), (10, 0, 0, true));
    assert_eq!(
        of(json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX})),
        (u64::MAX, u64::MAX, 0, false)
    );
}

#[test]
fn the_last_token_counts_win() {
    let usage =
        |n: u64| json!({"choices": [], "usage": {"prompt_tokens": n, "completion_tokens": 1}});
    assert_eq!(
        assemble(&[usage(1), usage(2)]).usage.unwrap().input_tokens,
        2
    );
}

#[test]
fn a_reply_is_bounded() {
    let block = delta(json!({"content": "x".repeat(MAX_REPLY_BYTES / 4)})).to_string();
    let mut assembly = Assembly::default();
    let mut add = || assembly.add(serde_json::from_str(&block).unwrap(), &mut NullSink);
    assert!((0..4).all(|_| add().is_ok()));
    assert!(add().is_err());
    let calls: Vec<Value> = (0..300)
        .map(|index| delta(json!({"tool_calls": [{"index": index, "function": {"name": "a"}}]})))
        .collect();
    assert!(try_assemble(&calls).is_err());
}
