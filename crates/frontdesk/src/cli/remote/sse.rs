//! Reading a stream of server-sent events.

use frontdesk_core::event::Event;
use reqwest::Response;
use serde_json::{Value, json};

/// Events as they arrive.
pub(in crate::cli) struct Events {
    response: Response,
    waiting: Vec<u8>,
}

/// One event that we know, and the position after it.
pub(in crate::cli) struct ReceivedEvent {
    pub(in crate::cli) position: u64,
    pub(in crate::cli) event: Event,
}

impl Events {
    pub(super) fn of(response: Response) -> Self {
        Self {
            response,
            waiting: Vec::new(),
        }
    }

    /// The next event of the turn; `None` at the end.
    pub(in crate::cli) async fn next(&mut self) -> anyhow::Result<Option<ReceivedEvent>> {
        loop {
            while let Some(block) = self.block() {
                if let Some(told) = read(&block) {
                    return Ok(Some(told));
                }
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.waiting.extend_from_slice(&chunk),
                Ok(None) => return Ok(None),
                Err(error) => return Err(error.without_url().into()),
            }
        }
    }

    /// The next whole block, taken out of what waits.
    fn block(&mut self) -> Option<String> {
        let end = self.waiting.windows(2).position(|pair| pair == b"\n\n")?;
        let block: Vec<u8> = self.waiting.drain(..end + 2).collect();
        Some(String::from_utf8_lossy(&block).into_owned())
    }
}

/// Comments and events that we do not know are passed over.
fn read(block: &str) -> Option<ReceivedEvent> {
    let field = |name: &str| -> Vec<&str> {
        block
            .lines()
            .filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
            .map(|value| value.strip_prefix(' ').unwrap_or(value))
            .collect()
    };
    let data: Value = serde_json::from_str(&field("data").join("\n")).ok()?;
    let name = field("event").concat();
    let event = serde_json::from_value(json!({ "event": name, "data": data })).ok()?;
    let position = field("id").concat().parse().unwrap_or_default();
    Some(ReceivedEvent { position, event })
}

#[cfg(test)]
#[path = "sse_tests.rs"]
mod sse_tests;
