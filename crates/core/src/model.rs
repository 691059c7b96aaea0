//! The port to a language model.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::message::{Message, ToolCall};
use crate::toolbox::Offer;
use crate::transcript;

/// Answers with text, calls, or both. Streaming is the only way; who wants the whole
/// reply at once passes a sink that ignores the deltas. The text of the reply is what was
/// streamed; the engine shows the rest of it if some was not.
#[async_trait]
pub trait Model: Send + Sync {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError>;

    /// Whether it can read texts and write documents. False for a model that is no language model.
    fn can_draft(&self) -> bool {
        true
    }

    /// False: the engine turns every write this model asks for into a proposal.
    fn may_write(&self) -> bool {
        true
    }
}

/// Receives a reply while it arrives.
pub trait DeltaSink: Send {
    fn text(&mut self, delta: &str);
}

/// A request to a model.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub assistant: &'a str,
    pub prompt: Prompt<'a>,
    pub offer: &'a Offer,
    pub settings: &'a ModelSettings,
    /// The JSON Schema that the text of the answer should follow. A model that cannot answers
    /// in plain words; the engine understands both.
    pub reply_schema: Option<&'a Value>,
    /// What the calls of this turn came to, in words, for a model that cannot write.
    pub summaries: &'a [CallSummary],
}

impl Ask<'_> {
    /// Whether a tool asks for the content of a document, rather than a conversation for its next
    /// step.
    pub fn is_draft(&self) -> bool {
        self.reply_schema.is_some() && self.offer.is_empty()
    }
}

/// A finished call in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSummary {
    pub call_id: String,
    pub name: String,
    pub ok: bool,
    pub summary: String,
}

/// What a model is told, as joined serialised messages (see [`transcript`]).
#[derive(Clone, Copy)]
pub struct Prompt<'a> {
    /// The system message, then any fixed context.
    pub system: &'a Bytes,
    /// Earlier turns; may be empty.
    pub history: &'a Bytes,
    /// This turn so far.
    pub tail: &'a [u8],
}

impl Prompt<'_> {
    /// The non-empty parts, in order; joined by commas they are the `messages`.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        [self.system.as_ref(), self.history.as_ref(), self.tail]
            .into_iter()
            .filter(|part| !part.is_empty())
    }

    pub fn messages(&self) -> Vec<Message> {
        self.parts().flat_map(transcript::parse_joined).collect()
    }
}

/// Which model an assistant talks to, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelSettings {
    pub model: String,
    pub temperature: Option<f64>,
    pub max_tokens: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub finish: Finish,
    /// `None` when the provider did not say.
    pub usage: Option<Usage>,
    /// The model that answered, as it names itself.
    pub model: Option<String>,
    /// What the person may want to say next, where the model knows; the engine keeps a few.
    pub quick_replies: Vec<String>,
    /// Set by a wrapper whose models differ in [`Model::may_write`] when the one that
    /// answered may not.
    pub proposes: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    #[default]
    Stop,
    ToolCalls,
    /// Cut at the token limit.
    Length,
    ContentFilter,
    Other(String),
}

impl Finish {
    /// Whether the model said all that it meant to say. Providers have many names for a reply
    /// that they cut, so an unknown one counts as cut.
    pub fn is_complete(&self) -> bool {
        match self {
            Finish::Stop | Finish::ToolCalls => true,
            Finish::Length | Finish::ContentFilter | Finish::Other(_) => false,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[serde(default)]
    pub cached_tokens: u64,
    /// True when we counted because the provider sent no figures.
    #[serde(default)]
    pub estimated: bool,
}

impl Usage {
    pub fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    pub fn plus(self, other: Usage) -> Usage {
        Usage {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            estimated: self.estimated || other.estimated,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModelErrorKind {
    RateLimited,
    /// 5xx, or the server says it is overloaded.
    Unavailable,
    /// No connection: refused, DNS, TLS.
    Unreachable,
    TimedOut,
    /// The stream broke off.
    Interrupted,
    /// What came is not what the protocol promises.
    Malformed,
    /// The key is missing or wrong.
    Unauthorized,
    /// The request is wrong; repeating it cannot help.
    Rejected,
    ContextTooLong,
}

/// Why there is no reply. `message` is for the operator and carries no secret.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    pub kind: ModelErrorKind,
    pub status: Option<u16>,
    pub retry_after: Option<Duration>,
    pub message: String,
}

impl ModelError {
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            status: None,
            retry_after: None,
            message: message.into(),
        }
    }

    /// Whether the same request may succeed later.
    pub fn can_retry(&self) -> bool {
        match self.kind {
            ModelErrorKind::RateLimited
            | ModelErrorKind::Unavailable
            | ModelErrorKind::Unreachable
            | ModelErrorKind::TimedOut
            | ModelErrorKind::Interrupted
            | ModelErrorKind::Malformed => true,
            ModelErrorKind::Unauthorized
            | ModelErrorKind::Rejected
            | ModelErrorKind::ContextTooLong => false,
        }
    }
}
