//! The model in a separate process: no latency, one call and an answer of 61 tokens. A
//! message with [`HOLD`] is never answered.

use anyhow::Result;
use frontdesk_testkit::model_server::{Answer, Gate, ModelServer, Request, call, say};
use serde_json::json;

/// A message with this text stays in flight.
pub const HOLD: &str = "HOLD";

/// Answers a first request with a call, and one with its result with text.
pub fn answers() -> impl Fn(&Request) -> Answer {
    let asked = call("tool_0", json!({ "order": "4711" })).prepared();
    let answered = say(vec!["token"; 61].join(" ")).deltas_of(6).prepared();
    move |request| {
        // The last message is near the end of the body.
        let body = request.body();
        let tail = &body[body.len().saturating_sub(160)..];
        let has = |text: &str| tail.windows(text.len()).any(|part| part == text.as_bytes());
        if has(HOLD) {
            say("never").after(&Gate::shut())
        } else if has("\"role\":\"tool\"") {
            answered.clone()
        } else {
            asked.clone()
        }
    }
}

pub async fn serve_forever() -> Result<()> {
    let server = ModelServer::start().await;
    server.without_history().otherwise_with(answers());
    println!("{}", server.url());
    std::future::pending().await
}
