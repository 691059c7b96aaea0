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
    /// project's, else English. A message in a language without documents is refused.
    pub(super) fn choose(ctx: &ToolContext, asked: Option<Self>) -> Result<Self, ToolError> {
        let said = ctx.said();
        if let (None, Some(other)) = (asked, other_language(said)) {
            return Err(ToolError::refused(format!(
                "Which language shall the document have: English, Swedish, Danish, Norwegian or German? It cannot be in {other}."
            )));
        }
        let chosen = asked.or_else(|| Self::of_text(said));
        let chosen = chosen.or_else(|| project::language(ctx.conversation()));
        Ok(chosen.unwrap_or_default())
    }
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
