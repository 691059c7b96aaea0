//! Translations of the profile's own words for a document in another language. They may reword, never add or change figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::{Problem, Problems, excerpt};
use super::requirement_profile::RequirementProfile;
use super::text::words::normal;

/// One statement of the profile in the document's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// The must-have, responsibility, good-to-have or position title exactly as the profile has it.
    pub original: String,
    /// The same content in the document's language, with the same figures and names.
    pub translated: String,
}

pub(crate) struct Translations<'i>(&'i [Translation]);

impl<'i> Translations<'i> {
    pub(crate) fn new(
        list: &'i [Translation],
        profile: &RequirementProfile,
    ) -> Result<Self, Problems> {
        let known = |text: &str| statements(profile).any(|s| normal(s) == normal(text));
        let mut found = Vec::new();
        for t in list {
            if !known(&t.original) {
                let text = format!(
                    "The profile does not say “{}”, so it cannot be translated.",
                    excerpt(&t.original)
                );
                found.push(Problem::new("translations", text));
            } else if t.translated.trim().is_empty()
                || figures(&t.original) != figures(&t.translated)
            {
                let text = format!(
                    "The translation “{}” does not keep the figures of “{}”.",
                    excerpt(&t.translated),
                    excerpt(&t.original)
                );
                found.push(Problem::new("translations", text));
            }
        }
        Problems::check(found).map(|()| Translations(list))
    }

    /// The translation, or the text itself.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str
    where
        'i: 't,
    {
        let asked = normal(text);
        self.0
            .iter()
            .find(|t| normal(&t.original) == asked)
            .map_or(text, |t| t.translated.trim())
    }
}

fn statements(profile: &RequirementProfile) -> impl Iterator<Item = &str> {
    let lists = profile
        .must_have_skills
        .iter()
        .chain(&profile.primary_responsibilities)
        .chain(&profile.good_to_haves);
    lists
        .map(String::as_str)
        .chain([profile.position_title.as_str()])
}

fn figures(text: &str) -> Vec<String> {
    let mut all: Vec<String> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|d| !d.is_empty())
        .map(str::to_owned)
        .collect();
    all.sort();
    all
}
