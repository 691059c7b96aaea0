//! Serialises an answer: HTTP, server-sent events, chat completions.

use std::fmt::Write;

use bytes::Bytes;
use serde_json::{Value, json};

use super::answer::{Act, Answer, Call, CallStyle};
use super::chunks::Chunks;
use super::gate::Gate;
use super::request::Request;

/// One step of a connection.
pub(super) enum Step {
    Send(Bytes),
    Flood { bytes: usize },
    Wait(Gate),
    Silence,
    Reset,
    Close,
}

/// The steps of the answer to a request.
pub(super) fn steps(answer: &Answer, request: &Request, calls_sent: &mut usize) -> Vec<Step> {
    let mut steps = Vec::new();
    if let Some(opening) = &answer.opening {
        steps.extend(step_of(opening));
    }
    if let Some(whole) = &answer.whole {
        steps.push(Step::Send(whole_body(answer, whole)));
        return steps;
    }
    if let Some(prepared) = &answer.prepared {
        steps.push(Step::Send(prepared.clone()));
        return steps;
    }
    let numbered = number_calls(answer, calls_sent);
    if answer.style.plain || !request.wants_stream() {
        plain(&numbered, &mut steps);
    } else {
        stream(&numbered, request.wants_usage(), &mut steps);
    }
    steps
}

/// The bytes of a stream without faults.
pub(super) fn prepare(answer: &Answer) -> Bytes {
    let mut steps = Vec::new();
    stream(&number_calls(answer, &mut 0), true, &mut steps);
    let mut bytes = Vec::new();
    for step in steps {
        if let Step::Send(part) = step {
            bytes.extend_from_slice(&part);
        }
    }
    Bytes::from(bytes)
}

/// The step of an act that is not content.
fn step_of(act: &Act) -> Option<Step> {
    match act {
        Act::Text(_) | Act::Call(_) | Act::Event(_) | Act::End => None,
        Act::Flood(bytes) => Some(Step::Flood { bytes: *bytes }),
        Act::Wait(gate) => Some(Step::Wait(gate.clone())),
        Act::Silence => Some(Step::Silence),
        Act::Reset => Some(Step::Reset),
        Act::HangUp => Some(Step::Close),
    }
}

fn number_calls(answer: &Answer, calls_sent: &mut usize) -> Answer {
    let mut answer = answer.clone();
    for act in &mut answer.acts {
        if let Act::Call(call) = act
            && call.id.is_none()
        {
            *calls_sent += 1;
            call.id = Some(format!("call_{calls_sent}"));
        }
    }
    answer
}

pub(super) fn head(answer: &Answer, content_type: &str, framing: &str) -> String {
    let mut head = format!("HTTP/1.1 {} Scripted\r\n", answer.status);
    if !answer
        .headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("content-type"))
    {
        let _ = write!(head, "Content-Type: {content_type}\r\n");
    }
    for (name, value) in &answer.headers {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    let _ = write!(head, "{framing}\r\n\r\n");
    head
}

fn whole_body(answer: &Answer, body: &str) -> Bytes {
    let framing = format!("Content-Length: {}", body.len());
    Bytes::from(head(answer, "application/json", &framing) + body)
}

fn finish_reason(answer: &Answer) -> Value {
    let calls = answer.acts.iter().any(|act| matches!(act, Act::Call(_)));
    match &answer.finish {
        Some(reason) => json!(reason),
        None if calls => json!("tool_calls"),
        None => json!("stop"),
    }
}

fn usage(answer: &Answer) -> Option<Value> {
    let [input, output, cached] = answer.usage?;
    Some(json!({
        "prompt_tokens": input,
        "completion_tokens": output,
        "total_tokens": input + output,
        "prompt_tokens_details": {"cached_tokens": cached},
    }))
}

/// One JSON object. Faults occur in the middle of it.
fn plain(answer: &Answer, steps: &mut Vec<Step>) {
    let mut text = None::<String>;
    let mut calls = Vec::new();
    let mut raw = None;
    let mut misbehaviour = None;
    for act in &answer.acts {
        match act {
            Act::Text(more) => text.get_or_insert_default().push_str(more),
            Act::Call(call) => {
                let arguments = match answer.style.calls {
                    CallStyle::AsObject => {
                        serde_json::from_str(&call.arguments).unwrap_or_default()
                    }
                    CallStyle::OneByOne | CallStyle::Interleaved | CallStyle::WithoutIndex => {
                        json!(call.arguments)
                    }
                };
                calls.push(json!({
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.tool, "arguments": arguments},
                }));
            }
            Act::Event(data) => raw = Some(data.clone()),
            Act::End => misbehaviour = Some(Step::Close),
            Act::Flood(_) | Act::Wait(_) | Act::Silence | Act::Reset | Act::HangUp => {
                misbehaviour = step_of(act);
            }
        }
    }
    let mut message = json!({"role": "assistant", "content": text});
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let mut completion = json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": answer.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason(answer)}],
    });
    if let Some(usage) = usage(answer) {
        completion["usage"] = usage;
    }
    let body = raw.unwrap_or_else(|| completion.to_string());
    let bytes = whole_body(answer, &body);
    match misbehaviour {
        None => steps.push(Step::Send(bytes)),
        Some(step) => {
            let half = bytes.len() - body.len() / 2;
            steps.extend([Step::Send(bytes.slice(..half)), step]);
            steps.push(Step::Send(bytes.slice(half..)));
        }
    }
}

/// A stream of events, split into chunks as the style requires.
fn stream(answer: &Answer, wants_usage: bool, steps: &mut Vec<Step>) {
    let mut out = Chunks::new(answer);
    if !matches!(answer.acts.first(), Some(Act::Silence)) {
        let opening = json!({"role": "assistant", "content": ""});
        out.event(&chunk(answer, &opening, &Value::Null));
    }
    let mut at = 0;
    let mut complete = true;
    while let Some(act) = answer.acts.get(at) {
        at += 1;
        match act {
            Act::Text(text) => {
                for delta in deltas(text, answer.style.delta) {
                    out.event(&chunk(answer, &json!({"content": delta}), &Value::Null));
                }
            }
            Act::Call(_) => {
                let run = answer.run_of_calls(at - 1);
                at = run.end;
                for delta in call_deltas(answer, &answer.acts[run]) {
                    out.event(&chunk(answer, &delta, &Value::Null));
                }
            }
            Act::Event(data) => out.event(data),
            Act::End => complete = false,
            Act::Flood(_) | Act::Wait(_) | Act::Silence | Act::Reset | Act::HangUp => {
                if matches!(act, Act::Flood(_)) {
                    out.raw("data: \"");
                }
                out.flush(steps);
                steps.extend(step_of(act));
            }
        }
    }
    if complete {
        out.event(&chunk(answer, &json!({}), &finish_reason(answer)));
        if let Some(usage) = usage(answer).filter(|_| wants_usage) {
            out.event(&envelope(answer, &json!([]), &usage));
        }
        if answer.style.done {
            out.event("[DONE]");
        }
    }
    out.end(steps);
}

fn chunk(answer: &Answer, delta: &Value, finish: &Value) -> String {
    let choices = json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]);
    envelope(answer, &choices, &Value::Null)
}

fn envelope(answer: &Answer, choices: &Value, usage: &Value) -> String {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": answer.model,
        "service_tier": "default",
        "choices": choices,
        "usage": usage,
    })
    .to_string()
}

/// Splits a text into pieces of this many characters, or by words.
fn deltas(text: &str, characters: Option<usize>) -> Vec<String> {
    match characters {
        None => text.split_inclusive(' ').map(str::to_owned).collect(),
        Some(count) => {
            let all: Vec<char> = text.chars().collect();
            all.chunks(count)
                .map(|piece| piece.iter().collect())
                .collect()
        }
    }
}

/// The fragments of consecutive calls, in the order of sending.
fn call_deltas(answer: &Answer, acts: &[Act]) -> Vec<Value> {
    let mut lanes: Vec<Vec<Value>> = Vec::new();
    for act in acts {
        if let Act::Call(call) = act {
            let index = lanes.len();
            lanes.push(fragments(answer, call, index));
        }
    }
    let ordered: Vec<Value> = match answer.style.calls {
        CallStyle::Interleaved => {
            let longest = lanes.iter().map(Vec::len).max().unwrap_or(0);
            (0..longest)
                .flat_map(|row| lanes.iter().filter_map(move |lane| lane.get(row).cloned()))
                .collect()
        }
        CallStyle::OneByOne | CallStyle::WithoutIndex | CallStyle::AsObject => lanes.concat(),
    };
    ordered
        .into_iter()
        .map(|fragment| json!({"tool_calls": [fragment]}))
        .collect()
}

fn fragments(answer: &Answer, call: &Call, index: usize) -> Vec<Value> {
    let style = answer.style.calls;
    let indexed = |mut fragment: Value| {
        if style != CallStyle::WithoutIndex {
            fragment["index"] = json!(index);
        }
        fragment
    };
    let opening = |arguments: Value| {
        json!({
            "id": call.id,
            "type": "function",
            "function": {"name": call.tool, "arguments": arguments},
        })
    };
    if style == CallStyle::AsObject {
        let object: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
        return vec![indexed(opening(object))];
    }
    let pieces = deltas(&call.arguments, answer.style.delta.or(Some(16)));
    let more = pieces
        .into_iter()
        .map(|piece| indexed(json!({"function": {"arguments": piece}})));
    std::iter::once(indexed(opening(json!(""))))
        .chain(more)
        .collect()
}
