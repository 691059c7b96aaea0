//! Learnt parameter support of each model, so that a rejection costs one request only.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use strum::{EnumString, IntoStaticStr};

use super::error::Explanation;

/// A request parameter that a model may reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Parameter {
    Temperature,
    MaxTokens,
    MaxCompletionTokens,
    ResponseFormat,
    StreamOptions,
    Stream,
    ToolChoice,
}

/// The request variant for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Quirks {
    pub(super) no_temperature: bool,
    pub(super) no_stream_options: bool,
    pub(super) no_stream: bool,
    pub(super) no_tool_choice: bool,
    pub(super) limit: Limit,
    pub(super) format: Format,
}

/// The name of the token limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Limit {
    /// Supported by compatible servers; rejected by OpenAI's reasoning models.
    #[default]
    MaxTokens,
    MaxCompletionTokens,
    NotSent,
}

/// The form of a reply schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Format {
    #[default]
    Schema,
    /// Only asks for JSON, without a schema.
    Object,
    NotSent,
}

impl Parameter {
    pub(super) fn name(self) -> &'static str {
        self.into()
    }

    /// The parameter that a rejection names, if it is one of ours.
    pub(super) fn named_in(explanation: &Explanation) -> Option<Self> {
        if let Some(param) = &explanation.param {
            let root = param.split(['.', '[']).next().unwrap_or_default();
            return root.parse().ok();
        }
        let text = explanation.message.to_lowercase();
        if !REJECTING.iter().any(|words| text.contains(words)) {
            return None;
        }
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .filter_map(|word| word.parse().ok())
            // Errors use the word "stream" for other things as well.
            .find(|parameter| *parameter != Self::Stream)
    }
}

/// Phrases by which servers without a `param` field reject a parameter.
const REJECTING: [&str; 11] = [
    "unsupported",
    "not supported",
    "not support",
    "unknown",
    "unrecognized",
    "unexpected",
    "extra inputs",
    "extra_forbidden",
    "not permitted",
    "not allowed",
    "invalid",
];

impl Quirks {
    /// The variant without a parameter, or with its replacement.
    pub(super) fn without(self, parameter: Parameter) -> Self {
        match parameter {
            Parameter::Temperature => Self {
                no_temperature: true,
                ..self
            },
            Parameter::MaxTokens => Self {
                limit: Limit::MaxCompletionTokens,
                ..self
            },
            Parameter::MaxCompletionTokens => Self {
                limit: Limit::NotSent,
                ..self
            },
            Parameter::ResponseFormat => Self {
                format: match self.format {
                    Format::Schema => Format::Object,
                    Format::Object | Format::NotSent => Format::NotSent,
                },
                ..self
            },
            Parameter::StreamOptions => Self {
                no_stream_options: true,
                ..self
            },
            Parameter::Stream => Self {
                no_stream: true,
                ..self
            },
            Parameter::ToolChoice => Self {
                no_tool_choice: true,
                ..self
            },
        }
    }
}

/// The quirks of each model of one endpoint.
#[derive(Default)]
pub(super) struct LearntQuirks(RwLock<HashMap<String, Quirks>>);

impl LearntQuirks {
    pub(super) fn of(&self, model: &str) -> Quirks {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or_default()
    }

    /// Records that a model rejects a parameter of a request written with `used`. Returns
    /// false if another request has changed the entry meanwhile.
    pub(super) fn note(&self, model: &str, used: Quirks, parameter: Parameter) -> bool {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let quirks = known.entry(model.to_owned()).or_default();
        let is_news = *quirks == used;
        if is_news {
            *quirks = used.without(parameter);
        }
        is_news
    }
}

#[cfg(test)]
#[path = "quirks_tests.rs"]
mod quirks_tests;
