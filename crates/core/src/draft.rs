//! Drafting: a tool asks the model of its assistant for structured content, and code checks it.
//!
//! The model writes. This module owns the request, token limits, one repair round, tolerant
//! parsing, the grounding check, usage, progress and the trace.

mod check;
mod preview;
mod request;
mod work;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::grounding::{SourceText, Topics};
use crate::model::{ModelError, Usage};
use crate::tool::{ToolError, ToolErrorKind};

pub use check::LeftOut;
pub(crate) use work::Drafter;

/// A tool's request for a draft.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Instructions for the model.
    pub instructions: String,
    /// Shown to watchers while the model writes, e.g. "Writing the job ad…".
    pub progress: String,
    /// The only material. Quotes must occur in it.
    pub sources: Vec<SourceText>,
    /// Values that the tool computed or a person set; a draft may use their figures and dates.
    pub known: Vec<String>,
    /// The draft may name these only if a source does.
    pub topics: Option<&'static Topics>,
}

/// Words copied from a source. The check finds a quote by its field names at any depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The exact words of the source.
    pub quote: String,
    /// The name of the source.
    pub source: String,
}

/// Prose for readers who do not see the sources. The check finds it by its field names and leaves out
/// each sentence that shares nothing with the quotes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// One or two sentences that say no more than the quoted words.
    pub text: String,
    /// The words of the sources that it rests on. Empty only for a greeting, a question or a closing line.
    pub based_on: Vec<Quote>,
}

impl Statement {
    /// True if it claims something without a quote. Questions and lines of a few words claim nothing.
    pub fn is_unproven(&self) -> bool {
        const FEW_WORDS: usize = 5;
        let words = self.text.split_whitespace().count();
        self.based_on.is_empty() && words > FEW_WORDS && !self.text.trim_end().ends_with('?')
    }
}

/// A checked draft and the items that failed the check.
#[derive(Clone, Debug, PartialEq)]
pub struct Drafted<T> {
    pub content: T,
    pub left_out: Vec<LeftOut>,
}

/// The reason why there is no draft. Nothing has been stored.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DraftError {
    /// No language model is configured; the tool continues without one.
    #[error("no language model is configured")]
    Unavailable,
    #[error("the budget for language models does not allow another draft")]
    OutOfBudget,
    #[error("the language model did not answer: {0}")]
    Model(ModelError),
    #[error("the language model refused")]
    Refused,
    /// The reply did not match the schema, even after the repair round.
    #[error("the draft was not usable: {0}")]
    Unusable(String),
}

/// The result of one draft request, for traces.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftRecord {
    /// The name that the model reported, or else the requested one.
    pub model: String,
    pub usage: Usage,
    /// `None` on success.
    pub error: Option<String>,
}

/// Progress of a drafting tool.
#[derive(Clone, Debug, PartialEq)]
pub enum DraftSignal {
    /// Starts an attempt; the text of earlier attempts is void.
    Asked {
        model: String,
        attempt: u32,
    },
    /// The next part of the document, in readable form.
    Text(String),
    Answered(DraftRecord),
}

impl From<DraftError> for ToolError {
    fn from(error: DraftError) -> Self {
        let sentence = match &error {
            DraftError::Unavailable => {
                "This needs a language model, and none is configured. Nothing was stored."
            }
            DraftError::OutOfBudget => {
                "The budget for language models is used up, so this was not written. Nothing was stored."
            }
            DraftError::Model(_) => {
                "The language model did not answer, so nothing was written or stored. Try again in a moment."
            }
            DraftError::Refused => "The language model refused to write this. Nothing was stored.",
            DraftError::Unusable(_) => {
                "The language model did not return a usable draft. Nothing was stored; try again."
            }
        };
        let kind = match error {
            DraftError::Refused => ToolErrorKind::Refused,
            DraftError::Unavailable
            | DraftError::OutOfBudget
            | DraftError::Model(_)
            | DraftError::Unusable(_) => ToolErrorKind::Failed,
        };
        Self {
            cause: Some(Box::new(error)),
            ..Self::new(kind, sentence.to_owned())
        }
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod draft_tests;
