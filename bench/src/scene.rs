//! The measured scene: a number of tools, a number of earlier messages, one tool call and
//! an answer of 61 tokens.

use frontdesk_core::message::Message;
use frontdesk_core::transcript::{Line, LineKind, Transcript};

pub const SYSTEM: &str =
    "You help people with their orders. Answer briefly and only from what tools return.";
pub const QUESTION: &str = "Where is my order number 4711, and when will it arrive?";
/// The tool's result, as sent to the model.
pub const RESULT: &str = r#"{"status":"shipped"}"#;

pub struct Scene {
    pub tools: usize,
    pub history: usize,
}

impl Scene {
    pub const fn new(tools: usize, history: usize) -> Self {
        Self { tools, history }
    }

    /// Earlier messages, alternating between user and assistant.
    pub fn transcript(&self) -> Transcript {
        let mut transcript = Transcript::with_capacity(self.history, self.history * 160);
        for number in 0..self.history {
            let line = if number % 2 == 0 {
                Line::user(format!(
                    "Earlier question number {number} about an order that was placed a while ago."
                ))
            } else {
                let answer = format!(
                    "Earlier answer number {number}: it was delivered and signed for on time."
                );
                Line::new(LineKind::Answer, &Message::assistant(answer))
            };
            transcript.push(&line);
        }
        transcript
    }
}
