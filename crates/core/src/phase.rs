//! The phases an assistant leads a conversation through, in order.

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
    /// What a conversation of an assistant without phases is in.
    pub const DEFAULT: Phase = Phase(Cow::Borrowed("default"));

    pub const fn named(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A phase as the store kept it.
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

/// One phase: its name, names people used for it before, and what the model is told in it.
#[derive(Clone, Debug)]
pub struct PhaseSpec {
    pub phase: Phase,
    pub aliases: &'static [&'static str],
    pub instructions: &'static str,
}

/// A change of phase and why it happened; kept in `metadata.phase_history`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseChange {
    pub from: Phase,
    pub to: Phase,
    pub reason: String,
}
