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

/// Answers with text, calls, or both. Streaming is the only mode; a sink may ignore the deltas. The
/// engine shows any text of the reply that was not streamed.
#[async_trait]
pub trait Model: Send + Sync {
    async fn reply(&self, ask: Ask<'_>, sink: &mut dyn DeltaSink) -> Result<Reply, ModelError>;

    /// False for a model that cannot read texts and write documents.
    fn can_draft(&self) -> bool {
        true
    }

    /// If false, the engine turns every write of this model into a proposal.
    fn may_write(&self) -> bool {
        true
    }
}

pub trait DeltaSink: Send {
    fn text(&mut self, delta: &str);
}

#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub assistant: &'a str,
    pub prompt: Prompt<'a>,
    pub offer: &'a Offer,
    pub settings: &'a ModelSettings,
    /// The JSON Schema of the answer's text. The engine also accepts an answer in prose.
    pub reply_schema: Option<&'a Value>,
    /// Summaries of this turn's calls, for a model that cannot write text.
    pub summaries: &'a [CallSummary],
}

impl Ask<'_> {
    /// True if a tool requests the content of a document.
    pub fn is_draft(&self) -> bool {
        self.reply_schema.is_some() && self.offer.is_empty()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSummary {
    pub call_id: String,
    pub name: String,
    pub ok: bool,
    pub summary: String,
}

/// The prompt as joined serialised messages (see [`transcript`]).
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
    /// The non-empty parts, in order; joined by commas they form the `messages` array.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        [self.system.as_ref(), self.history.as_ref(), self.tail]
            .into_iter()
            .filter(|part| !part.is_empty())
    }

    pub fn messages(&self) -> Vec<Message> {
        self.parts().flat_map(transcript::parse_joined).collect()
    }
}

/// Model name and parameters of an assistant.
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
    /// `None` if the provider sent none.
    pub usage: Option<Usage>,
    /// The name that the answering model reported.
    pub model: Option<String>,
    /// Suggested next messages; the engine keeps a few.
    pub quick_replies: Vec<String>,
    /// Set by a wrapper over several models if the answering one has no [`Model::may_write`].
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
    /// True if the reply is complete. Providers name a cut reply differently: unknown means cut.
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
    /// True if we estimated because the provider sent no usage.
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
    /// 5xx, or the server reports overload.
    Unavailable,
    /// No connection: refused, DNS, TLS.
    Unreachable,
    TimedOut,
    /// The stream broke off.
    Interrupted,
    /// The response violates the protocol.
    Malformed,
    /// The key is missing or wrong.
    Unauthorized,
    /// The request is invalid; a retry cannot succeed.
    Rejected,
    ContextTooLong,
}

/// A model failure. `message` is for the operator and contains no secret.
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
