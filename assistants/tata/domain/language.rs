//! The five output languages and the two ways German speaks to a person.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Output language: en English, sv Swedish, da Danish, no Norwegian, de German.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    En,
    Sv,
    Da,
    No,
    De,
}

impl Language {
    pub const ALL: [Language; 5] = [
        Language::En,
        Language::Sv,
        Language::Da,
        Language::No,
        Language::De,
    ];

    /// The code used in settings, schemas and folder names.
    pub fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Sv => "sv",
            Language::Da => "da",
            Language::No => "no",
            Language::De => "de",
        }
    }

    /// The English name, for sentences to the recruiter.
    pub fn name(self) -> &'static str {
        match self {
            Language::En => "English",
            Language::Sv => "Swedish",
            Language::Da => "Danish",
            Language::No => "Norwegian",
            Language::De => "German",
        }
    }

    pub(crate) fn index(self) -> usize {
        match self {
            Language::En => 0,
            Language::Sv => 1,
            Language::Da => 2,
            Language::No => 3,
            Language::De => 4,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// How a German text addresses the reader. Chosen once for a project and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GermanAddress {
    Du,
    #[default]
    Sie,
}
