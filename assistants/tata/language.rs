//! The five languages of documents, and the choice of one for a new document.

use std::sync::LazyLock;

use frontdesk_core::tool::{ToolContext, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use whatlang::{Detector, Lang, Script};

use super::project;

/// Output language: en English, sv Swedish, da Danish, no Norwegian, de German.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub(super) enum Language {
    #[default]
    En,
    Sv,
    Da,
    No,
    De,
}

/// In the order of [`Language::ALL`].
const LANGS: [Lang; 5] = [Lang::Eng, Lang::Swe, Lang::Dan, Lang::Nob, Lang::Deu];

static DETECTOR: LazyLock<Detector> = LazyLock::new(|| Detector::with_allowlist(LANGS.to_vec()));
static FOREIGN: LazyLock<Detector> =
    LazyLock::new(|| Detector::with_allowlist(LANGS[1..].to_vec()));

/// Words before the name of a language: "in French", "på finska", "en français".
const BEFORE_A_NAME: [&str; 8] = ["in", "into", "to", "på", "till", "auf", "ins", "en"];

/// Names in Scandinavian and German requests, by their beginnings. English and own names come with
/// the detector.
const OTHER_NAMES: [(&str, &[&str]); 10] = [
    ("Dutch", &["nederl", "niederländ", "hollän", "holländ"]),
    ("Estonian", &["estn", "estisk"]),
    ("Finnish", &["finsk", "finnisch"]),
    ("French", &["fransk", "französ"]),
    ("Italian", &["italien"]),
    ("Polish", &["polsk", "polnisch"]),
    ("Portuguese", &["portugis", "portugies"]),
    ("Russian", &["rysk", "russisk", "russisch"]),
    ("Spanish", &["spansk", "spanisch"]),
    ("Ukrainian", &["ukrain"]),
];

/// A longer message more likely describes a job that needs the language.
const LONGEST_REQUEST_WORDS: usize = 12;

/// Enough to tell a language by; detection reads no more.
const READ_CHARS: usize = 2_000;

impl Language {
    pub(super) const ALL: [Self; 5] = [Self::En, Self::Sv, Self::Da, Self::No, Self::De];

    /// The code used in settings, schemas and keys.
    pub(super) fn code(self) -> &'static str {
        ["en", "sv", "da", "no", "de"][self as usize]
    }

    /// The English name, for sentences to models.
    pub(super) fn name(self) -> &'static str {
        ["English", "Swedish", "Danish", "Norwegian", "German"][self as usize]
    }

    /// The language of a text, where its words leave no doubt.
    pub(super) fn of_text(text: &str) -> Option<Self> {
        let head: String = text.chars().take(READ_CHARS).collect();
        let mut found = DETECTOR.detect(&head)?;
        if !found.is_reliable() {
            // Letters that English does not have decide, except in names: "our office in Malmö".
            let is_foreign = |word: &str| {
                word.starts_with(char::is_lowercase)
                    && word.contains(['å', 'ä', 'ö', 'æ', 'ø', 'ü', 'ß'])
            };
            head.split_whitespace().any(is_foreign).then_some(())?;
            found = FOREIGN.detect(&head)?;
        }
        let at = LANGS.iter().position(|lang| *lang == found.lang())?;
        Language::ALL.get(at).copied()
    }

    /// The language of a new document: as asked for, else that of the person's message, else the
    /// project's, else English. A message that names or is in a language without documents is
    /// refused.
    pub(super) fn choose(ctx: &ToolContext, asked: Option<Self>) -> Result<Self, ToolError> {
        let said = ctx.said();
        let other = named_language(said).or_else(|| other_language(said));
        if let (None, Some(other)) = (asked, other) {
            return Err(ToolError::refused(format!(
                "Which language shall the document have: English, Swedish, Danish, Norwegian or German? It cannot be in {other}."
            )));
        }
        let chosen = asked.or_else(|| Self::of_text(said));
        let chosen = chosen.or_else(|| project::language(ctx.conversation()));
        Ok(chosen.unwrap_or_default())
    }
}

/// The English name of another language that a short request names.
fn named_language(request: &str) -> Option<&'static str> {
    let words = request.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.len() > LONGEST_REQUEST_WORDS {
        return None;
    }
    let is_asked = |pair: &&[String]| BEFORE_A_NAME.contains(&pair[0].as_str());
    let mut named = words.windows(2).filter(is_asked);
    named.find_map(|pair| other_name(&pair[1]))
}

fn other_name(word: &str) -> Option<&'static str> {
    let mut others = Lang::all().iter().filter(|lang| !LANGS.contains(lang));
    let is_it = |lang: &&Lang| {
        [lang.eng_name(), lang.name()]
            .iter()
            .any(|name| name.to_lowercase() == word)
    };
    let begins =
        |(_, starts): &&(&str, &[&str])| starts.iter().any(|start| word.starts_with(start));
    others
        .find(is_it)
        .map(|lang| lang.eng_name())
        .or_else(|| OTHER_NAMES.iter().find(begins).map(|(name, _)| *name))
}

/// The English name of a text's language if it clearly is none of the five.
fn other_language(text: &str) -> Option<&'static str> {
    let head: String = text.chars().take(READ_CHARS).collect();
    let found = whatlang::detect(&head)?;
    let is_clear = found.is_reliable() || found.script() != Script::Latin;
    (is_clear && !LANGS.contains(&found.lang())).then(|| found.lang().eng_name())
}

#[cfg(test)]
#[path = "language_tests.rs"]
mod language_tests;
