//! The scripted model: a message names its tool, as `TAG TOOL`.

use std::time::Duration;

use frontdesk_testkit::model_server::{Answer, ModelServer, Request, call, calls, say, status};
use serde_json::{Value, json};

use super::effects::{Holds, Point};

/// Tools that a message can name: one of each effect, all of them, a note, or none.
pub const TOOLS: [&str; 7] = ["look", "put", "keep", "send", "all", "say", "note"];

pub async fn start(holds: Holds) -> ModelServer {
    let model = ModelServer::start().await;
    model.latency(Duration::from_millis(5));
    model.otherwise_with(move |request| answer(request, &holds));
    model
}

fn answer(request: &Request, holds: &Holds) -> Answer {
    let said = request.last_user().unwrap_or_default();
    let Some((tag, tool)) = said.split_once(' ') else {
        return status(400);
    };
    if tool == "say" || request.ends_with_tool_result() {
        return last_words(tag, holds);
    }
    let arguments = json!({ "tag": tag });
    let answer = match tool {
        "all" => calls(["look", "put", "keep", "send"].map(|tool| (tool, arguments.clone()))),
        "note" => call("add_note", json!({ "text": tag })),
        tool => call(tool, arguments),
    };
    match holds.stop_here(tag, Point::BeforeIntent) {
        Some(gate) => answer.after(&gate),
        None => answer,
    }
}

fn last_words(tag: &str, holds: &Holds) -> Answer {
    let words = say(format!("Done with {tag} — «готово» 🖨 \n\ndata: all of it.")).deltas_of(5);
    if let Some(gate) = holds.stop_here(tag, Point::AfterResult) {
        return words.after(&gate);
    }
    match holds.stop_here(tag, Point::BeforeEnd) {
        Some(gate) => words.then_wait(&gate),
        None => words,
    }
}

/// Why a provider would reject a history, if it would: each call has exactly one result, directly
/// after it, and nothing else has any.
pub fn unfit(messages: &[Value]) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let Some(at) = open.iter().position(|call| *call == id) else {
                return Some(format!(
                    "a result for {id}, which was not called or has one"
                ));
            };
            open.remove(at);
            continue;
        }
        if !open.is_empty() {
            return Some(format!("no result for {open:?}"));
        }
        if let Some(calls) = message["tool_calls"].as_array() {
            open.extend(calls.iter().filter_map(|call| call["id"].as_str()));
        }
    }
    (!open.is_empty()).then(|| format!("no result for {open:?}"))
}

/// Every request to the model must be valid for a provider.
pub fn check_requests(model: &ModelServer) {
    for request in model.requests() {
        let json = request.json();
        let messages = json["messages"].as_array().cloned().unwrap_or_default();
        assert_eq!(messages[0]["role"], "system", "{json}");
        if let Some(problem) = unfit(&messages) {
            panic!("the model was sent {problem}: {json}");
        }
    }
}
