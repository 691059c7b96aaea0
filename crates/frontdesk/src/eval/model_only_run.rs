//! Runs a case on the model alone. No tool runs: its result is given by the case, or is its own
//! arguments.

use std::time::Instant;

use bytes::Bytes;
use frontdesk_core::handle::LongBlock;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{Ask, Model, ModelSettings, Prompt, Reply};
use frontdesk_core::toolbox::Offer;
use frontdesk_core::transcript::tokens_in;

use super::judge::{Line, MessageResult, Speaker};
use super::suite::{Case, HistoryLine, Turn};
use crate::runtime::NoDeltas;

#[derive(Clone, Copy)]
pub struct ModelSetup<'a> {
    pub model: &'a dyn Model,
    pub offer: &'a Offer,
    pub settings: &'a ModelSettings,
    /// The assistant's system prompt.
    pub instructions: &'a str,
}

pub struct ModelOnlyRun<'a> {
    asked: ModelSetup<'a>,
    case: &'a Case,
    history: Vec<Message>,
    files: usize,
    texts: u32,
}

/// The engine's limit on rounds of a turn.
const MOST_ROUNDS: usize = 8;

/// A fixed date, so that relative dates such as "tomorrow" are stable.
const NOW: &str = "Now: 2026-11-15T20:40:00+00:00, a Sunday.";

impl<'a> ModelOnlyRun<'a> {
    pub fn new(case: &'a Case, asked: ModelSetup<'a>) -> Self {
        let before = case.before.iter().map(|said| match said {
            HistoryLine::User(text) => Message::user(text.clone()),
            HistoryLine::Assistant(text) => Message::assistant(text.clone()),
        });
        Self {
            asked,
            case,
            history: before.collect(),
            files: 0,
            texts: 0,
        }
    }

    pub async fn say(&mut self, turn: &Turn) -> MessageResult {
        let began = Instant::now();
        let words = self.words(turn);
        let mut outcome = MessageResult {
            lines: vec![Line::new(Speaker::Person, &words)],
            ..MessageResult::default()
        };
        let mut tail = vec![Message::system(NOW)];
        tail.extend(self.case.context.iter().map(Message::system));
        tail.push(Message::user(words));
        outcome.failure = Some("it kept calling tools".to_owned());
        for _ in 0..MOST_ROUNDS {
            let reply = match self.reply(&tail, &mut outcome).await {
                Ok(reply) => reply,
                Err(why) => {
                    outcome.failure = Some(why);
                    break;
                }
            };
            if reply.calls.is_empty() {
                outcome
                    .lines
                    .push(Line::new(Speaker::Assistant, &reply.text));
                outcome.failure = None;
                outcome.text.clone_from(&reply.text);
                tail.push(Message::assistant(reply.text));
                self.history.append(&mut tail);
                break;
            }
            tail.push(Message::calls(None, reply.calls.clone()));
            for call in reply.calls {
                tail.push(self.describe(call, &mut outcome));
            }
        }
        outcome.seconds = began.elapsed().as_secs_f64();
        outcome
    }

    /// The message as the engine would show it to a model.
    fn words(&mut self, turn: &Turn) -> String {
        let mut words = turn.say.clone();
        for name in &turn.files {
            self.files += 1;
            words.push_str(&format!(
                "\n[file:{}, {name}, image/jpeg, 40000 bytes]",
                self.files
            ));
        }
        if let Some(paste) = &turn.paste {
            self.texts += 1;
            let block = LongBlock {
                lead: &words,
                block: paste,
            };
            words = block.shown(self.texts);
        }
        words
    }

    fn describe(&self, call: ToolCall, outcome: &mut MessageResult) -> Message {
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        let result = self.case.returns.get(&call.name).unwrap_or(&call.arguments);
        let said = format!("{} {}", call.name, call.arguments);
        outcome.lines.push(Line::new(Speaker::Call, said));
        outcome.lines.push(Line::new(Speaker::Result, result));
        let message = Message::tool(&call.id, &call.name, result);
        outcome.calls.push((call.name, arguments));
        message
    }

    async fn reply(&self, tail: &[Message], outcome: &mut MessageResult) -> Result<Reply, String> {
        let joined = |messages: &[Message]| {
            let wires: Vec<String> = messages
                .iter()
                .map(|message| message.to_openai_format().to_string())
                .collect();
            wires.join(",")
        };
        let system = Bytes::from(joined(&[Message::system(self.asked.instructions)]));
        let history = Bytes::from(joined(&self.history));
        let tail = joined(tail);
        let ask = Ask {
            assistant: "evaluated",
            prompt: Prompt {
                system: &system,
                history: &history,
                tail: tail.as_bytes(),
            },
            offer: self.asked.offer,
            settings: self.asked.settings,
            reply_schema: None,
            summaries: &[],
        };
        let sent = system.len() + history.len() + tail.len() + self.asked.offer.json.len();
        let reply = self.asked.model.reply(ask, &mut NoDeltas).await;
        let reply = reply.map_err(|error| error.to_string())?;
        let usage = reply.usage.unwrap_or_else(|| frontdesk_core::model::Usage {
            input_tokens: tokens_in(sent).into(),
            output_tokens: tokens_in(reply.text.len()).into(),
            cached_tokens: 0,
            estimated: true,
        });
        outcome.usage = outcome.usage.plus(usage);
        Ok(reply)
    }
}
