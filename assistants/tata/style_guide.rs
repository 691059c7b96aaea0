//! A company's style guide: an editable file with names, banned words, approved facts and offices.
//! A fact is used only after it was approved.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::language::Language;

/// The guide of a company that has not written its own.
const DEFAULT: &str = include_str!("style_guide.toml");

/// The file as a person edits it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StyleGuide {
    /// The company's name as it must be written; empty where documents name none.
    #[serde(default)]
    pub(super) company: String,
    #[serde(default)]
    german_address: AddressRule,
    /// Words of the built-in lists that this company may use.
    #[serde(default)]
    allowed: Vec<String>,
    #[serde(default)]
    terms: Vec<Term>,
    #[serde(default)]
    banned: Vec<BannedWords>,
    #[serde(default)]
    facts: Vec<Fact>,
    #[serde(default)]
    business_units: Vec<BusinessUnit>,
    #[serde(default)]
    offices: Vec<Office>,
    /// How the company recruits, by language.
    #[serde(default)]
    process: BTreeMap<Language, String>,
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

/// A name with one right spelling.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Term {
    write: String,
    /// Spellings to correct.
    #[serde(default)]
    not: Vec<String>,
    /// What a transcript makes of it.
    #[serde(default)]
    heard_as: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct BannedWords {
    language: Language,
    words: Vec<String>,
    /// A better wording; empty means leave it out.
    #[serde(rename = "use")]
    replacement: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fact {
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
struct BusinessUnit {
    name: String,
    text: BTreeMap<Language, String>,
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

    /// What may be said about the company, as a source. Facts in other languages are translated by
    /// the model.
    pub(super) fn about_company(&self, language: Language) -> String {
        let in_language = |text: &BTreeMap<Language, String>| {
            text.get(&language)
                .or_else(|| text.values().next())
                .cloned()
        };
        let approved = |fact: &&Fact| fact.status == FactStatus::Approved;
        let facts = self.facts.iter().filter(approved);
        let units = self
            .business_units
            .iter()
            .filter_map(|unit| Some(format!("{}: {}", unit.name, in_language(&unit.text)?)));
        let lines: Vec<String> = Some(self.company.clone())
            .filter(|name| !name.is_empty())
            .into_iter()
            .chain(facts.filter_map(|fact| in_language(&fact.text)))
            .chain(units)
            .chain(in_language(&self.process))
            .collect();
        lines.join("\n")
    }

    /// Rules of wording for the model.
    pub(super) fn wording(&self, language: Language) -> String {
        let mut rules = vec![
            "Plain, concrete words. No superlatives, no hype, no emoji, no exclamation marks."
                .to_owned(),
        ];
        if language == Language::De {
            rules.push(match self.german_address {
                AddressRule::Du => "Address the reader with du.".to_owned(),
                AddressRule::Sie => "Address the reader with Sie.".to_owned(),
                AddressRule::Auto => {
                    "Address the reader with Sie, unless the sources say du to candidates."
                        .to_owned()
                }
            });
        }
        for term in &self.terms {
            let wrong: Vec<&str> = term
                .not
                .iter()
                .chain(&term.heard_as)
                .map(String::as_str)
                .collect();
            rules.push(format!(
                "Write “{}”, never: {}.",
                term.write,
                wrong.join(", ")
            ));
        }
        for banned in self
            .banned
            .iter()
            .filter(|banned| banned.language == language)
        {
            rules.push(match banned.replacement.as_str() {
                "" => format!("Never write: {}.", banned.words.join(", ")),
                better => format!("Instead of {} write “{better}”.", banned.words.join(", ")),
            });
        }
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
        [[terms]]
        write = "Nordlys"
        not = ["Nord Lys"]
        [[banned]]
        language = "en"
        words = ["family"]
        use = "team"
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
        assert!(
            guide
                .wording(Language::En)
                .contains("Instead of family write “team”")
        );
        assert!(!guide.wording(Language::Sv).contains("family"));
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
