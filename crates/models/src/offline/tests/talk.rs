//! A conversation with the model: messages as the engine keeps them, results from a
//! script, everything that was called and said.

use std::collections::VecDeque;
use std::sync::LazyLock;

use bytes::Bytes;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{Ask, ModelSettings, Prompt, Reply};
use frontdesk_core::toolbox::Offer;
use serde_json::Value;

use super::super::OfflineModel;

/// One for all conversations, as in a server.
pub(crate) static MODEL: LazyLock<OfflineModel> = LazyLock::new(OfflineModel::default);

pub(crate) struct Talk {
    pub(crate) offer: Offer,
    history: Vec<Message>,
    results: VecDeque<(String, String)>,
    context: Option<String>,
    /// What the last answer offered for a click.
    pub(crate) quick_replies: Vec<String>,
}

/// What came of one message.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) text: String,
}

/// Exactly these calls were made, in this order.
#[track_caller]
pub(crate) fn calls(turn: &Turn, wanted: &[(&str, Value)]) {
    let made: Vec<(&str, Value)> = turn
        .calls
        .iter()
        .map(|(name, arguments)| (name.as_str(), arguments.clone()))
        .collect();
    assert_eq!(made, wanted, "{}", turn.text);
}

/// More rounds than any of our turns takes.
const MOST_ROUNDS: usize = 10;

impl Talk {
    pub(crate) fn new(offer: Offer) -> Self {
        Self {
            offer,
            history: Vec::new(),
            results: VecDeque::new(),
            context: Some("Now: 2026-11-15T20:40:00+00:00, a Sunday.".to_owned()),
            quick_replies: Vec::new(),
        }
    }

    pub(crate) fn without_clock(mut self) -> Self {
        self.context = None;
        self
    }

    /// The next call of this tool brings this.
    pub(crate) fn will_return(&mut self, tool: &str, result: &str) {
        self.results.push_back((tool.to_owned(), result.to_owned()));
    }

    pub(crate) fn say(&mut self, words: &str) -> Turn {
        let mut tail: Vec<Message> = Vec::new();
        tail.extend(self.context.clone().map(Message::system));
        tail.push(Message::user(words));
        let mut turn = Turn::default();
        for _ in 0..MOST_ROUNDS {
            let reply = reply(&MODEL, &self.offer, &self.history, &tail, None);
            if reply.calls.is_empty() {
                tail.push(Message::assistant(reply.text.clone()));
                turn.text = reply.text;
                self.quick_replies = reply.quick_replies;
                self.history.append(&mut tail);
                return turn;
            }
            tail.push(Message::calls(None, reply.calls.clone()));
            for call in reply.calls {
                let result = self.result_of(&call);
                let arguments = serde_json::from_str(&call.arguments).expect("arguments are JSON");
                tail.push(Message::tool(call.id, call.name.clone(), result));
                turn.calls.push((call.name, arguments));
            }
        }
        panic!("no end after {MOST_ROUNDS} rounds: {:?}", turn.calls);
    }

    fn result_of(&mut self, call: &ToolCall) -> String {
        let scripted = self.results.iter().position(|(tool, _)| *tool == call.name);
        match scripted.and_then(|at| self.results.remove(at)) {
            Some((_, result)) => result,
            // Like most tools: what was named comes back.
            None => call.arguments.clone(),
        }
    }
}

pub(crate) fn joined(messages: &[Message]) -> Vec<u8> {
    let wires: Vec<String> = messages
        .iter()
        .map(|m| m.to_openai_format().to_string())
        .collect();
    wires.join(",").into_bytes()
}

pub(crate) fn reply(
    model: &OfflineModel,
    offer: &Offer,
    history: &[Message],
    tail: &[Message],
    reply_schema: Option<&Value>,
) -> Reply {
    reply_to(
        model,
        offer,
        &Bytes::from(joined(history)),
        &joined(tail),
        reply_schema,
    )
}

pub(crate) fn reply_to(
    model: &OfflineModel,
    offer: &Offer,
    history: &Bytes,
    tail: &[u8],
    reply_schema: Option<&Value>,
) -> Reply {
    let system = Bytes::from(joined(&[Message::system(
        "You help. Pass numbers look like GP-2026-9999.",
    )]));
    let settings = ModelSettings {
        model: "offline".to_owned(),
        temperature: None,
        max_tokens: None,
    };
    let ask = Ask {
        assistant: "test",
        prompt: Prompt {
            system: &system,
            history,
            tail,
        },
        offer,
        settings: &settings,
        reply_schema,
        summaries: &[],
    };
    model.decide(&ask, None)
}
