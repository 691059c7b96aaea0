//! A company's style guide: an editable file with names, banned words, approved facts and offices.
//! A fact is used only after it was approved.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::language::Language;

/// The guide of a company that has not written its own.
const DEFAULT: &str = include_str!("style_guide.toml");

/// The file as a person edits it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StyleGuide {
    /// The company's name as it must be written; empty where documents name none.
    company: String,
    german_address: AddressRule,
    /// Words of the built-in lists that this company may use.
    allowed: Vec<String>,
    /// Rules of wording in plain English, for the model.
    wording: Vec<String>,
    facts: Vec<Fact>,
    offices: Vec<Office>,
}

/// How German texts address the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AddressRule {
    #[default]
    Auto,
    Du,
    Sie,
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

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Office {
    city: String,
    /// Other names of the city.
    #[serde(default)]
    also: Vec<String>,
    pub(super) address: String,
    pub(super) map: String,
}

impl StyleGuide {
    /// Claims nothing about the company.
    pub(super) fn neutral() -> Result<Self, String> {
        Self::parse(DEFAULT)
    }

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

    /// What may be said about the company, as a source. The model translates facts that have no
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
        let address = match (language, self.german_address) {
            (Language::De, AddressRule::Du) => "Address the reader with du.",
            (Language::De, AddressRule::Auto | AddressRule::Sie) => "Address the reader with Sie.",
            (Language::En | Language::Sv | Language::Da | Language::No, _) => "",
        };
        let general =
            "Plain, concrete words. No superlatives, no hype, no emoji, no exclamation marks.";
        let own = self.wording.iter().map(String::as_str);
        let rules = [general, address].into_iter().chain(own);
        let rules: Vec<&str> = rules.filter(|rule| !rule.is_empty()).collect();
        rules.join("\n")
    }

    pub(super) fn allows(&self, words: &str) -> bool {
        let words = words.to_lowercase();
        self.allowed
            .iter()
            .any(|allowed| allowed.to_lowercase() == words)
    }

    pub(super) fn office(&self, city: &str) -> Option<&Office> {
        let asked = city.trim().to_lowercase();
        self.offices.iter().find(|office| {
            let mut names = std::iter::once(&office.city).chain(&office.also);
            names.any(|name| name.to_lowercase() == asked)
        })
    }
}

#[cfg(test)]
mod style_guide_tests {
    use super::*;

    const GUIDE: &str = r#"
        company = "Nordlys"
        german_address = "du"
        allowed = ["Leverage"]
        wording = ["Instead of family write team."]
        [[facts]]
        status = "approved"
        text.en = "We are 40 people."
        [[facts]]
        status = "proposed"
        text.en = "We are the best."
        [[offices]]
        city = "Copenhagen"
        also = ["København"]
        address = "Havnegade 1"
        map = "https://example.com/map"
    "#;

    #[test]
    fn only_approved_facts_are_told() {
        let guide = StyleGuide::parse(GUIDE).unwrap();
        let about = guide.about_company(Language::En);
        assert!(about.contains("Nordlys") && about.contains("We are 40 people."));
        assert!(!about.contains("the best"));
        assert!(
            guide.about_company(Language::Sv).contains("40 people"),
            "translated by the model"
        );
    }

    #[test]
    fn wording_follows_the_guide() {
        let guide = StyleGuide::parse(GUIDE).unwrap();
        assert!(guide.wording(Language::En).contains("write team"));
        assert!(!guide.wording(Language::En).contains("with du"));
        assert!(guide.wording(Language::De).contains("with du"));
        assert!(guide.allows("leverage") && !guide.allows("synergy"));
    }

    #[test]
    fn a_city_has_several_names_and_need_not_be_listed() {
        let guide = StyleGuide::parse(GUIDE).unwrap();
        assert_eq!(
            guide.office("københavn").map(|o| o.address.as_str()),
            Some("Havnegade 1")
        );
        assert!(guide.office("Malmö").is_none());
    }

    #[test]
    fn the_neutral_guide_claims_nothing() {
        let guide = StyleGuide::neutral().unwrap();
        assert_eq!(guide.about_company(Language::En), "");
        assert!(StyleGuide::parse("compani = 1").is_err());
    }
}
