//! The phases of an assistant's conversations, in order.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of a phase, as stored and shown.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Phase(Cow<'static, str>);

impl Phase {
    /// The phase of conversations whose assistant has none.
    pub const DEFAULT: Phase = Phase(Cow::Borrowed("default"));

    pub const fn named(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A phase as read from the store.
    pub fn stored(name: String) -> Self {
        Self(Cow::Owned(name))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One phase: its name, its former names, and its instructions for the model.
#[derive(Clone, Debug)]
pub struct PhaseSpec {
    pub phase: Phase,
    pub aliases: &'static [&'static str],
    pub instructions: Cow<'static, str>,
}

/// A phase change and its reason; stored in `metadata.phase_history`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseChange {
    pub from: Phase,
    pub to: Phase,
    pub reason: String,
}
