//! A scripted model that records its requests.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::env::Env;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{
    Ask, DeltaSink, Finish, Model, ModelError, ModelErrorKind, Reply, Usage,
};
use serde_json::Value;

use super::env::VirtualEnv;

/// One reply, in the order of its pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScriptedReply {
    pieces: Vec<Piece>,
    calls: Vec<ToolCall>,
    finish: Finish,
    usage: Option<Usage>,
    /// The text of the final reply, if it differs from the streamed text.
    claims: Option<String>,
    suggests: Vec<String>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Wait(Duration),
    Hang,
    Fail(ModelErrorKind),
}

pub(crate) fn says(text: &str) -> ScriptedReply {
    ScriptedReply::default().text(text)
}

/// A reply without text.
pub(crate) fn calls<const N: usize>(calls: [ToolCall; N]) -> ScriptedReply {
    ScriptedReply::default().calls(calls)
}

pub(crate) fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    raw_call(id, name, &arguments.to_string())
}

/// A call with unparsed arguments.
pub(crate) fn raw_call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

impl ScriptedReply {
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.pieces.push(Piece::Text(text.to_owned()));
        self
    }

    pub(crate) fn wait(mut self, wait: Duration) -> Self {
        self.pieces.push(Piece::Wait(wait));
        self
    }

    pub(crate) fn hang(mut self) -> Self {
        self.pieces.push(Piece::Hang);
        self
    }

    pub(crate) fn fail(mut self, kind: ModelErrorKind) -> Self {
        self.pieces.push(Piece::Fail(kind));
        self
    }

    pub(crate) fn calls(mut self, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        self.calls.extend(calls);
        self
    }

    pub(crate) fn finish(mut self, finish: Finish) -> Self {
        self.finish = finish;
        self
    }

    pub(crate) fn suggests(mut self, replies: &[&str]) -> Self {
        self.suggests = replies.iter().map(|reply| (*reply).to_owned()).collect();
        self
    }

    pub(crate) fn tokens(mut self, input: u64, output: u64) -> Self {
        self.usage = Some(Usage {
            input_tokens: input,
            output_tokens: output,
            ..Usage::default()
        });
        self
    }

    /// Replaces the streamed text in the final reply.
    pub(crate) fn claims(mut self, text: &str) -> Self {
        self.claims = Some(text.to_owned());
        self
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ModelRequest {
    pub(crate) messages: Vec<Message>,
    pub(crate) tools: Vec<String>,
}

pub(crate) struct Scripted {
    env: VirtualEnv,
    script: Mutex<Vec<ScriptedReply>>,
    /// Replies to draft requests: the first, then the repair round.
    drafts: Mutex<Vec<ScriptedReply>>,
    asked: Mutex<Vec<ModelRequest>>,
    may_write: AtomicBool,
}

impl Scripted {
    pub(crate) fn new(env: VirtualEnv) -> Self {
        Self {
            env,
            script: Mutex::new(Vec::new()),
            drafts: Mutex::new(Vec::new()),
            asked: Mutex::new(Vec::new()),
            may_write: AtomicBool::new(true),
        }
    }

    /// The replies of the next turn.
    pub(crate) fn will_say(&self, script: impl IntoIterator<Item = ScriptedReply>) {
        *self.script.lock().unwrap() = script.into_iter().collect();
        self.asked.lock().unwrap().clear();
    }

    pub(crate) fn will_draft(&self, drafts: impl IntoIterator<Item = ScriptedReply>) {
        *self.drafts.lock().unwrap() = drafts.into_iter().collect();
    }

    pub(crate) fn set_may_write(&self, may_write: bool) {
        self.may_write.store(may_write, Ordering::Relaxed);
    }

    pub(crate) fn asked(&self) -> Vec<ModelRequest> {
        self.asked.lock().unwrap().clone()
    }
}

/// The index of the next reply: the number of replies in this turn so far. A repeated request after
/// a crash gets the same reply.
fn reply_due(messages: &[Message]) -> usize {
    let given = messages
        .iter()
        .rev()
        .take_while(|m| !matches!(m, Message::User { .. }));
    given
        .filter(|m| matches!(m, Message::Assistant { .. }))
        .count()
}

#[async_trait]
impl Model for Scripted {
    fn may_write(&self) -> bool {
        self.may_write.load(Ordering::Relaxed)
    }

    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        let messages = ask.prompt.messages();
        let due = if ask.is_draft() {
            let given = messages.iter();
            given
                .filter(|m| matches!(m, Message::Assistant { .. }))
                .count()
        } else {
            reply_due(&messages)
        };
        let tools = ask.offer.tools.iter().map(|def| def.name.to_string());
        self.asked.lock().unwrap().push(ModelRequest {
            tools: tools.collect(),
            messages,
        });
        let script = if ask.is_draft() {
            &self.drafts
        } else {
            &self.script
        };
        let reply = script.lock().unwrap().get(due).cloned();
        let reply = reply.unwrap_or_else(|| panic!("the script has no reply {}", due + 1));
        let mut text = String::new();
        for piece in reply.pieces {
            self.env.pause().await;
            match piece {
                Piece::Text(delta) => {
                    sink.text(&delta);
                    text.push_str(&delta);
                }
                Piece::Wait(wait) => self.env.sleep(wait).await,
                Piece::Hang => std::future::pending().await,
                Piece::Fail(kind) => return Err(ModelError::new(kind, "key sk-secret refused")),
            }
        }
        self.env.pause().await;
        Ok(Reply {
            text: reply.claims.unwrap_or(text),
            calls: reply.calls,
            finish: reply.finish,
            usage: reply.usage,
            model: Some("scripted".to_owned()),
            quick_replies: reply.suggests,
            proposes: false,
        })
    }
}
