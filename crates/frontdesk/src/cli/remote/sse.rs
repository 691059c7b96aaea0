//! Parses a stream of server-sent events.

use frontdesk_core::event::Event;
use reqwest::Response;
use serde_json::{Value, json};

pub(in crate::cli) struct Events {
    response: Response,
    waiting: Vec<u8>,
}

/// A known event and the position after it.
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

    /// The next event of the turn; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> anyhow::Result<Option<ReceivedEvent>> {
        loop {
            while let Some(block) = self.block() {
                if let Some(received) = read(&block) {
                    return Ok(Some(received));
                }
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.waiting.extend_from_slice(&chunk),
                Ok(None) => return Ok(None),
                Err(error) => return Err(error.without_url().into()),
            }
        }
    }

    /// Removes the next complete block from the buffer.
    fn block(&mut self) -> Option<String> {
        let end = self.waiting.windows(2).position(|pair| pair == b"\n\n")?;
        let block: Vec<u8> = self.waiting.drain(..end + 2).collect();
        Some(String::from_utf8_lossy(&block).into_owned())
    }
}

/// Skips comments and unknown events.
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
