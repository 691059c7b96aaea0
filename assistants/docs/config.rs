//! AgentConfig: the operator's settings, checked once at start. An error names the value and
//! the range. Keys belong to the platform, which asks for them only when a real model or a
//! remote index is configured.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use frontdesk_core::setting::{Setting, SettingKind};

use frontdesk_bundle::SetupError;

const DEFAULT_COLLECTION: &str = "web_documents";
/// The collection of the demo's handbook, apart from the documents of others.
pub(super) const DEMO_COLLECTION: &str = "handbook";
const DEFAULT_PROMPT: &str = include_str!("instructions/assistant.md");

const MODEL: &str = "docs.model";
const SYSTEM_PROMPT: &str = "docs.system_prompt";
const TEMPERATURE: &str = "docs.temperature";
const MAX_TOKENS: &str = "docs.max_tokens";
const TOP_K: &str = "docs.top_k_retrieval";
const THRESHOLD: &str = "docs.retrieval_score_threshold";
const COLLECTION: &str = "docs.collection_name";
const VERBOSE: &str = "docs.verbose";

const TEMPERATURES: RangeInclusive<f64> = 0.0..=2.0;
const TOKENS: RangeInclusive<u32> = 1..=4_096;
const RESULTS: RangeInclusive<usize> = 1..=20;
const THRESHOLDS: RangeInclusive<f64> = 0.0..=1.0;

const fn setting(
    key: &'static str,
    default: &'static str,
    kind: SettingKind,
    about: &'static str,
) -> Setting {
    Setting {
        key,
        default,
        env: None,
        kind,
        about,
    }
}

pub(crate) const SETTINGS: &[Setting] = &[
    Setting {
        env: Some("AGENT_MODEL"),
        ..setting(
            MODEL,
            "gpt-4-turbo-preview",
            SettingKind::Text,
            "Model that answers questions to documents.",
        )
    },
    setting(
        SYSTEM_PROMPT,
        "",
        SettingKind::Text,
        "Instructions to use instead of the built-in ones.",
    ),
    setting(
        TEMPERATURE,
        "0.7",
        SettingKind::Number,
        "How freely it writes, 0.0 to 2.0.",
    ),
    setting(
        MAX_TOKENS,
        "1000",
        SettingKind::Number,
        "Longest answer in tokens, 1 to 4096.",
    ),
    setting(
        TOP_K,
        "5",
        SettingKind::Number,
        "Passages that a search returns when the model does not say, 1 to 20.",
    ),
    setting(
        THRESHOLD,
        "0.3",
        SettingKind::Number,
        "Least similarity of a passage, 0.0 to 1.0.",
    ),
    Setting {
        env: Some("COLLECTION_NAME"),
        ..setting(
            COLLECTION,
            DEFAULT_COLLECTION,
            SettingKind::Text,
            "Collections of documents to search, separated by commas.",
        )
    },
    setting(
        VERBOSE,
        "false",
        SettingKind::Flag,
        "Log questions and what was found. Off, no content is logged.",
    ),
];

/// The settings after they were checked; never changed afterwards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AgentConfig {
    pub(super) model: String,
    pub(super) system_prompt: &'static str,
    pub(super) temperature: f64,
    pub(super) max_tokens: u32,
    pub(super) top_k_retrieval: usize,
    pub(super) retrieval_score_threshold: f64,
    pub(super) collections: Vec<String>,
    pub(super) verbose: bool,
}

impl AgentConfig {
    pub(super) fn new(settings: &BTreeMap<String, String>) -> Result<Self, SetupError> {
        Ok(Self {
            model: value(settings, MODEL),
            system_prompt: prompt(value(settings, SYSTEM_PROMPT)),
            temperature: within(settings, TEMPERATURE, TEMPERATURES)?,
            max_tokens: within(settings, MAX_TOKENS, TOKENS)?,
            top_k_retrieval: within(settings, TOP_K, RESULTS)?,
            retrieval_score_threshold: within(settings, THRESHOLD, THRESHOLDS)?,
            collections: collections(&value(settings, COLLECTION))?,
            verbose: within(settings, VERBOSE, false..=true)?,
        })
    }
}

fn collections(names: &str) -> Result<Vec<String>, SetupError> {
    let names: Vec<String> = names
        .split(',')
        .map(|name| name.trim().to_owned())
        .collect();
    let fits = |name: &String| {
        (1..=64).contains(&name.len())
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
    };
    match names.iter().find(|name| !fits(name)) {
        None => Ok(names),
        Some(name) => Err(SetupError::Setting {
            key: COLLECTION,
            problem: format!("{name:?} must be up to 64 letters, digits, `-` and `_`"),
        }),
    }
}

/// Set once and used until the process ends.
fn prompt(own: String) -> &'static str {
    if own.is_empty() {
        DEFAULT_PROMPT
    } else {
        Box::leak(own.into_boxed_str())
    }
}

/// The value of a setting, or its default.
fn value(settings: &BTreeMap<String, String>, key: &'static str) -> String {
    let default = SETTINGS
        .iter()
        .find(|setting| setting.key == key)
        .map_or("", |setting| setting.default);
    match settings.get(key).map(|text| text.trim()) {
        None | Some("") => default.to_owned(),
        Some(text) => text.to_owned(),
    }
}

fn within<T: FromStr + PartialOrd + Display>(
    settings: &BTreeMap<String, String>,
    key: &'static str,
    range: RangeInclusive<T>,
) -> Result<T, SetupError> {
    let text = value(settings, key);
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) | Err(_) => Err(SetupError::Setting {
            key,
            problem: format!("{text:?} must be from {} to {}", range.start(), range.end()),
        }),
    }
}
