//! A company's style guide: an editable file with names, banned words, approved facts and offices.
//! A fact is used only after it was approved.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::language::Language;
use super::library::Library;
use super::problem::Problems;
use super::text::phrasebook::Phrasebook;
use super::text::words::{normal, words};

/// The guide of a company that has not written its own.
const DEFAULT: &str = include_str!("data/style_guide.toml");

/// The file as a person edits it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuideFile {
    /// The company's name as it must be written.
    pub company: String,
    #[serde(default)]
    pub german_address: AddressRule,
    /// Words of the built-in lists that this company may use.
    #[serde(default)]
    pub allowed: Vec<String>,
    #[serde(default)]
    pub terms: Vec<Term>,
    #[serde(default)]
    pub banned: Vec<BannedEntry>,
    #[serde(default)]
    pub facts: Vec<Fact>,
    #[serde(default)]
    pub business_units: Vec<BusinessUnit>,
    #[serde(default)]
    pub offices: Vec<Office>,
    /// How the company recruits, by language.
    #[serde(default)]
    pub process: BTreeMap<Language, String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AddressRule {
    #[default]
    Auto,
    Du,
    Sie,
}

/// A name with one right spelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub write: String,
    /// Spellings to correct.
    #[serde(default)]
    pub not: Vec<String>,
    /// What a transcript makes of it.
    #[serde(default)]
    pub heard_as: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BannedEntry {
    pub language: Language,
    pub words: Vec<String>,
    /// What to write instead; empty means leave it out.
    #[serde(rename = "use")]
    pub replacement: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    pub status: FactStatus,
    /// One sentence in each language it may be used in.
    pub text: BTreeMap<Language, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactStatus {
    Proposed,
    Approved,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BusinessUnit {
    pub name: String,
    pub text: BTreeMap<Language, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Office {
    pub city: String,
    /// Other names of the city.
    #[serde(default)]
    pub also: Vec<String>,
    pub address: String,
    pub map: String,
}

/// The guide ready for checking: the company's words and the built-in lists together.
#[derive(Debug)]
pub struct StyleGuide {
    file: GuideFile,
    banned: Vec<Banned>,
    banned_books: Vec<Phrasebook<usize>>,
    terms: Phrasebook<usize>,
    heard: Phrasebook<usize>,
}

/// A banned phrase with what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Banned {
    pub(crate) replacement: String,
}

impl StyleGuide {
    /// The neutral default: names and offices, no claims about the company.
    pub fn neutral(library: &Library) -> Result<Self, Problems> {
        Self::parse(DEFAULT, library)
    }

    pub fn parse(toml: &str, library: &Library) -> Result<Self, Problems> {
        let file: GuideFile = toml::from_str(toml).map_err(|e| {
            Problems::one(
                "style_guide",
                format!("The style guide cannot be read: {}", e.message()),
            )
        })?;
        Self::new(file, library)
    }

    pub fn new(file: GuideFile, library: &Library) -> Result<Self, Problems> {
        if file.company.trim().is_empty() {
            return Err(Problems::one(
                "style_guide",
                "The style guide has no company name.",
            ));
        }
        let allowed: HashSet<String> = file.allowed.iter().map(|w| normal(w)).collect();
        let mut banned = Vec::new();
        let mut banned_books = Vec::new();
        for language in Language::ALL {
            let own = file
                .banned
                .iter()
                .filter(|b| b.language == language)
                .map(|b| (&b.words, &b.replacement));
            let built_in = library
                .pack(language)
                .banned
                .entries
                .iter()
                .map(|b| (&b.words, &b.replacement));
            let mut phrases = Vec::new();
            for (list, replacement) in own.chain(built_in) {
                banned.push(Banned {
                    replacement: replacement.clone(),
                });
                let open = list.iter().filter(|w| !allowed.contains(&normal(w)));
                phrases.extend(open.map(|w| (w.clone(), banned.len() - 1)));
            }
            banned_books.push(Phrasebook::new(phrases));
        }
        let spellings = |pick: fn(&Term) -> &Vec<String>| {
            let each = file.terms.iter().enumerate();
            let all = each.flat_map(move |(i, t)| {
                std::iter::once(&t.write)
                    .chain(pick(t))
                    .map(move |s| (s, i))
            });
            Phrasebook::new(all)
        };
        let terms = spellings(|t| &t.not);
        let heard = spellings(|t| &t.heard_as);
        Ok(StyleGuide {
            file,
            banned,
            banned_books,
            terms,
            heard,
        })
    }

    pub fn file(&self) -> &GuideFile {
        &self.file
    }

    pub fn company(&self) -> &str {
        &self.file.company
    }

    /// Approved facts that can be told in this language.
    pub fn facts(&self, language: Language) -> Vec<&str> {
        let approved = self
            .file
            .facts
            .iter()
            .filter(|f| f.status == FactStatus::Approved);
        approved
            .filter_map(|f| f.text.get(&language))
            .map(String::as_str)
            .collect()
    }

    pub fn office(&self, city: &str) -> Option<&Office> {
        let asked = normal(city);
        self.file.offices.iter().find(|o| {
            std::iter::once(&o.city)
                .chain(&o.also)
                .any(|n| normal(n) == asked)
        })
    }

    /// What the guide says about the business unit that a text names.
    pub(crate) fn business_unit(&self, text: &str, language: Language) -> Option<String> {
        let names = self
            .file
            .business_units
            .iter()
            .enumerate()
            .map(|(i, unit)| (&unit.name, i));
        let hit = Phrasebook::new(names)
            .find(&words(text))
            .into_iter()
            .next()?;
        self.file.business_units[hit.value]
            .text
            .get(&language)
            .cloned()
    }

    pub(crate) fn banned_book(&self, language: Language) -> &Phrasebook<usize> {
        &self.banned_books[language.index()]
    }

    pub(crate) fn banned(&self, index: usize) -> &Banned {
        &self.banned[index]
    }

    pub(crate) fn terms(&self) -> &Phrasebook<usize> {
        &self.terms
    }

    pub(crate) fn heard(&self) -> &Phrasebook<usize> {
        &self.heard
    }

    pub(crate) fn term(&self, index: usize) -> &str {
        &self.file.terms[index].write
    }
}
