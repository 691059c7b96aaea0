//! `inclusion.toml`: the phrases of the inclusive-language review.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Category;

/// `inclusion.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InclusionPhrases {
    pub(crate) title: String,
    pub(crate) overall: String,
    pub(crate) untouched: String,
    pub(crate) flag: String,
    pub(crate) no_flags: String,
    pub(crate) high: String,
    pub(crate) medium: String,
    pub(crate) low: String,
    pub(crate) headings: InclusionHeadings,
    pub(crate) categories: BTreeMap<Category, String>,
    pub(crate) explanations: Explanations,
    pub(crate) rules: RulePhrases,
    pub(super) notes: NotePhrases,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InclusionHeadings {
    pub(crate) flags: String,
    pub(crate) alternatives: String,
    pub(crate) scores: String,
    pub(crate) notes: String,
    pub(crate) category: String,
    pub(crate) score: String,
    pub(crate) issues: String,
    pub(crate) passage: String,
    pub(crate) better: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Explanations {
    pub(crate) long_sentence: String,
    pub(crate) long_paragraph: String,
    pub(crate) many_years: String,
    #[serde(flatten)]
    pub(crate) by_category: BTreeMap<Category, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulePhrases {
    pub(crate) long_sentence: String,
    pub(crate) long_paragraph: String,
    pub(crate) many_years: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotePhrases {
    pub(super) found: String,
    pub(super) clean: String,
    pub(super) equal_treatment: String,
    pub(super) german_title: String,
    pub(super) decision: String,
}

impl Explanations {
    pub(super) fn of(&self, category: Category) -> &str {
        self.by_category.get(&category).map_or("", String::as_str)
    }
}
