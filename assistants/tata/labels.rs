//! The fixed words of documents in five languages: headings, labels, sentences to the recruiter.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::document::BLANK;
use super::language::Language;
use super::word_list::Category;

/// One file of `labels/`. A test proves that all files have the same keys.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Labels {
    /// Headings of sections.
    sections: Table,
    /// Labels of items, and other words.
    words: Table,
    /// Why listed words are a problem, by category.
    reasons: Table,
    /// Sentences to the recruiter.
    notes: Table,
    /// Titles of documents, by kind.
    titles: Table,
    /// How notes call a section.
    cues: BTreeMap<String, Vec<String>>,
}

type Table = BTreeMap<String, String>;

/// In the order of [`Language::ALL`].
const FILES: [&str; 5] = [
    include_str!("labels/en.toml"),
    include_str!("labels/sv.toml"),
    include_str!("labels/da.toml"),
    include_str!("labels/no.toml"),
    include_str!("labels/de.toml"),
];

static ALL: LazyLock<[Labels; 5]> = LazyLock::new(|| {
    // A file that cannot be read fails the tests; its labels would be placeholders.
    FILES.map(|file| toml::from_str(file).unwrap_or_default())
});

pub(super) fn labels(language: Language) -> &'static Labels {
    &ALL[language as usize]
}

impl Labels {
    /// The heading of a section; empty for one that needs none.
    pub(super) fn heading(&self, id: &str) -> &str {
        self.sections.get(id).map_or("", String::as_str)
    }

    pub(super) fn word(&self, key: &str) -> &str {
        look_up(&self.words, key)
    }

    /// The word for a choice of a schema, by its name there.
    pub(super) fn choice(&self, choice: impl Serialize) -> &str {
        by_name(&self.words, choice)
    }

    /// Why words of a category are a problem.
    pub(super) fn reason(&self, category: Category) -> &str {
        by_name(&self.reasons, category)
    }

    /// The title of a document of this kind.
    pub(super) fn title(&self, kind: &str, of: &str) -> String {
        look_up(&self.titles, kind).replace("{title}", of)
    }

    /// A sentence to the recruiter, with its values in place.
    pub(super) fn note(&self, key: &str, values: &[(&str, &str)]) -> String {
        let sentence = look_up(&self.notes, key).to_owned();
        values.iter().fold(sentence, |sentence, (name, value)| {
            sentence.replace(&format!("{{{name}}}"), value)
        })
    }

    pub(super) fn cues(&self, key: &str) -> &[String] {
        self.cues.get(key).map_or(&[], Vec::as_slice)
    }
}

fn by_name(table: &Table, choice: impl Serialize) -> &str {
    let key = serde_json::to_value(choice).unwrap_or_default();
    look_up(table, key.as_str().unwrap_or_default())
}

fn look_up<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).map_or(BLANK, String::as_str)
}

#[cfg(test)]
#[path = "labels_tests.rs"]
mod labels_tests;
