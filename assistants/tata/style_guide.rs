//! A company's style guide: an editable file with a name, rules of wording and approved facts.
//! A fact is used only after it was approved.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::language::Language;

/// The guide of a company that has not written its own; it claims nothing.
pub(super) const NEUTRAL: &str = include_str!("style_guide.toml");

/// The file as a person edits it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StyleGuide {
    /// The company's name as it must be written; empty where documents name none.
    company: String,
    /// Words of the built-in lists that this company may use.
    allowed: Vec<String>,
    /// Rules of wording in plain English, for the model.
    wording: Vec<String>,
    facts: Vec<Fact>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fact {
    status: FactStatus,
    /// One sentence in each language it may be used in.
    text: BTreeMap<Language, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FactStatus {
    Proposed,
    Approved,
}

impl StyleGuide {
    pub(super) fn parse(toml: &str) -> Result<Self, String> {
        toml::from_str(toml).map_err(|error| format!("cannot be read: {}", error.message()))
    }

    /// Adds a fact that was approved in a conversation.
    pub(super) fn add_fact(&mut self, language: Language, sentence: &str) {
        self.facts.push(Fact {
            status: FactStatus::Approved,
            text: BTreeMap::from([(language, sentence.to_owned())]),
        });
    }

    /// The company's name and approved facts, as a source. The model translates facts that have no
    /// sentence in this language.
    pub(super) fn about_company(&self, language: Language) -> String {
        let approved = |fact: &&Fact| fact.status == FactStatus::Approved;
        let facts = self.facts.iter().filter(approved).filter_map(|fact| {
            let own = fact.text.get(&language);
            own.or_else(|| fact.text.values().next())
        });
        let name = Some(&self.company).filter(|name| !name.is_empty());
        let lines: Vec<&str> = name.into_iter().chain(facts).map(String::as_str).collect();
        lines.join("\n")
    }

    /// Rules of wording for the model.
    pub(super) fn wording(&self, language: Language) -> String {
        let general =
            "Plain, concrete words. No superlatives, no hype, no emoji, no exclamation marks.";
        let german = (language == Language::De)
            .then_some("Address the reader with Sie, unless a rule below says du.");
        let own = self.wording.iter().map(String::as_str);
        let rules: Vec<&str> = [general].into_iter().chain(german).chain(own).collect();
        rules.join("\n")
    }

    pub(super) fn allows(&self, words: &str) -> bool {
        let words = words.to_lowercase();
        self.allowed
            .iter()
            .any(|allowed| allowed.to_lowercase() == words)
    }
}

#[cfg(test)]
#[path = "style_guide_tests.rs"]
mod style_guide_tests;
