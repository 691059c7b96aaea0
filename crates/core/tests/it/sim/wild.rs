//! A model with seeded arbitrary behaviour.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::env::Env;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{
    Ask, DeltaSink, Finish, Model, ModelError, ModelErrorKind, Reply, Usage,
};
use serde_json::json;

use crate::kit::chance::Chance;
use crate::kit::env::VirtualEnv;
use crate::kit::history;
use crate::kit::model::{call, raw_call};

pub(crate) struct Wild {
    env: VirtualEnv,
    chance: Mutex<Chance>,
    may_write: bool,
    /// The first request that a provider would refuse.
    complaint: Mutex<Option<String>>,
}

const WORDS: &[&str] = &[
    "Let me see. ",
    "Here it is: ",
    "Zoë \u{1F469}\u{200D}\u{1F680}",
    "\n\n",
    " ",
    "سلام",
    "\u{0}",
    "\"}],",
    "It is done.",
];

const TOOLS: &[&str] = &[
    "look_up",
    "look_up",
    "set_status",
    "set_status",
    "add_note",
    "add_note",
    "label_ticket",
    "send_letter",
    "send_letter",
    "delete_ticket",
    "archive_ticket",
    "close_ticket",
    "draft_profile",
    "write_ad",
    "say_goodbye",
    "approve_gate_pass",
    "functions.look up",
];

const ACTS: &[&str] = &[
    "ok",
    "ok",
    "ok",
    "ok",
    "ok",
    "ok",
    "ok",
    "ok",
    "ok",
    "slow",
    "refuse",
    "invalid",
    "fail",
    "unknown",
    "panic",
    "panic_after",
    "hang",
    "hang_after",
    "draft",
    "confirm",
    "close",
    "suggest",
    "remember",
    "cite",
    "file",
    "progress",
    "many",
];

const IDS: &[&str] = &["", "a", "b", "c", "call_1", "call_1_1"];

const BROKEN: &[&str] = &[
    "",
    "{",
    "[]",
    "null",
    "{\"ticket\":1}",
    "{\"nobody\":\"asked\"}",
];

impl Wild {
    pub(crate) fn new(env: VirtualEnv, mut chance: Chance) -> Self {
        Self {
            env,
            may_write: chance.once_in(2),
            chance: Mutex::new(chance),
            complaint: Mutex::default(),
        }
    }

    pub(crate) fn complaint(&self) -> Option<String> {
        self.complaint.lock().unwrap().clone()
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut Chance) -> T) -> T {
        draw(&mut self.chance.lock().unwrap())
    }

    fn calls(&self) -> Vec<ToolCall> {
        self.draw(|chance| {
            let count = if chance.once_in(30) {
                20
            } else {
                1 + chance.below(3)
            };
            (0..count).map(|_| wild_call(chance)).collect()
        })
    }
}

fn wild_call(chance: &mut Chance) -> ToolCall {
    let id = chance.pick(IDS);
    let tool = chance.pick(TOOLS);
    if chance.once_in(12) {
        return raw_call(id, tool, chance.pick(BROKEN));
    }
    let mut arguments = json!({ "act": chance.pick(ACTS) });
    if chance.once_in(2) {
        arguments["ticket"] = json!(format!("T-{}", chance.below(3)));
    }
    if chance.once_in(8) {
        arguments["refuse"] = json!("The ticket is locked");
    }
    call(id, tool, arguments)
}

#[async_trait]
impl Model for Wild {
    fn may_write(&self) -> bool {
        self.may_write
    }

    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let messages = ask.prompt.messages();
        if let Err(problem) = history::valid_request(&messages) {
            self.complaint.lock().unwrap().get_or_insert(problem);
        }
        let this_turn = messages.iter().rev();
        let rounds = this_turn
            .take_while(|message| !matches!(message, Message::User { .. }))
            .filter(|message| matches!(message, Message::Assistant { .. }))
            .count();
        let mut text = String::new();
        for _ in 0..self.draw(|chance| chance.below(5)) {
            self.env.pause().await;
            if self.draw(|chance| chance.once_in(6)) {
                let wait = self.draw(|chance| chance.next() % 4_000);
                self.env.sleep(Duration::from_millis(wait)).await;
            }
            let words = self.draw(|chance| chance.pick(WORDS));
            sink.text(words);
            text.push_str(words);
        }
        self.env.pause().await;
        if self.draw(|chance| chance.once_in(60)) {
            std::future::pending::<()>().await;
        }
        if self.draw(|chance| chance.once_in(40)) {
            return Err(ModelError::new(ModelErrorKind::Interrupted, "sk-secret"));
        }
        if self.draw(|chance| chance.once_in(20)) {
            text.push_str("and more that was not streamed");
        }
        let calls = match self.draw(|chance| rounds < 9 && !chance.once_in(3)) {
            true => self.calls(),
            false => Vec::new(),
        };
        Ok(Reply {
            text,
            calls,
            finish: match self.draw(|chance| chance.once_in(40)) {
                true => Finish::ContentFilter,
                false => Finish::Stop,
            },
            usage: self.draw(|chance| chance.once_in(2)).then_some(Usage {
                input_tokens: 100,
                output_tokens: 10,
                ..Usage::default()
            }),
            model: None,
            quick_replies: Vec::new(),
            proposes: false,
        })
    }
}
