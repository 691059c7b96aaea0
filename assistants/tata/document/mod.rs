//! The one form of every document that Tata makes. It is stored as JSON and read, edited and
//! exported as Markdown.

mod docx;
mod markdown;
mod read;

use frontdesk_core::draft::Quote;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::labels::labels;
use super::language::Language;

/// Placeholder for missing information.
pub(super) const BLANK: &str = "[…]";

/// The author of the words of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MadeWith {
    Model,
    /// Composed without a language model, from the person's input only.
    Fallback,
    /// Computed from figures or from other documents, without a model.
    Code,
    Person,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Document {
    pub(super) title: String,
    pub(super) language: Language,
    pub(super) made_with: MadeWith,
    pub(super) sections: Vec<Section>,
    /// Warnings and omissions for the recruiter; not part of the text.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// Values that a page or another document needs, e.g. the figures of a funnel.
    #[serde(default)]
    pub(super) fields: Map<String, Value>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Section {
    /// Stays the same when the heading is translated.
    pub(super) id: String,
    /// Only the first section may have none.
    pub(super) heading: String,
    /// Not for candidates: no source of documents for them.
    #[serde(default)]
    pub(super) internal: bool,
    pub(super) body: Body,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Body {
    /// Lines that begin with `• ` are a list inside a paragraph.
    Paragraphs(Vec<String>),
    Items(Vec<Item>),
    Table {
        header: Vec<String>,
        rows: Vec<Vec<String>>,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Item {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) quotes: Vec<Quote>,
    /// From 1 to 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rating: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) rewrite: Option<String>,
}

impl Document {
    pub(super) fn new(title: impl AsRef<str>, language: Language, made_with: MadeWith) -> Self {
        Self {
            title: one_line(title.as_ref()),
            language,
            made_with,
            sections: Vec::new(),
            notes: Vec::new(),
            fields: Map::new(),
        }
    }

    /// Adds a section of items; one without any says that nothing was given.
    pub(super) fn items(&mut self, id: &str, items: Vec<Item>) {
        self.headed(id, labels(self.language).heading(id), items);
    }

    /// Adds a section of items unless there are none.
    pub(super) fn some_items(&mut self, id: &str, items: Vec<Item>) {
        if !items.is_empty() {
            self.items(id, items);
        }
    }

    /// As [`Self::items`], with a heading of its own.
    pub(super) fn headed(&mut self, id: &str, heading: &str, mut items: Vec<Item>) {
        if items.is_empty() {
            items.push(Item::new(BLANK));
        }
        self.add(id, heading, Body::Items(items));
    }

    /// Adds a section of paragraphs unless all are blank.
    pub(super) fn paragraphs<S: AsRef<str>>(&mut self, id: &str, texts: &[S]) {
        let texts = texts.iter().flat_map(|text| paragraphs_in(text.as_ref()));
        let texts: Vec<String> = texts.collect();
        if !texts.is_empty() {
            let heading = labels(self.language).heading(id);
            self.add(id, heading, Body::Paragraphs(texts));
        }
    }

    pub(super) fn table(&mut self, id: &str, header: Vec<String>, rows: Vec<Vec<String>>) {
        let heading = labels(self.language).heading(id);
        self.add(id, heading, Body::Table { header, rows });
    }

    fn add(&mut self, id: &str, heading: &str, body: Body) {
        self.sections.push(Section {
            id: id.to_owned(),
            heading: one_line(heading),
            internal: false,
            body,
        });
    }

    pub(super) fn section(&self, id: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.id == id)
    }

    /// The items of a section, without placeholders.
    pub(super) fn items_of(&self, id: &str) -> impl Iterator<Item = &Item> {
        let bodies = self.section(id).into_iter().map(|section| &section.body);
        let items = bodies.flat_map(Body::items);
        items.filter(|item| item.text != BLANK)
    }

    pub(super) fn all_items(&self) -> impl Iterator<Item = &Item> {
        self.sections
            .iter()
            .flat_map(|section| section.body.items())
    }

    pub(super) fn all_items_mut(&mut self) -> impl Iterator<Item = &mut Item> {
        self.sections
            .iter_mut()
            .flat_map(|section| match &mut section.body {
                Body::Items(items) => items.as_mut_slice(),
                Body::Paragraphs(_) | Body::Table { .. } => &mut [],
            })
    }

    /// Adds remarks that candidates must not see.
    pub(super) fn internal(&mut self, items: Vec<Item>) {
        let mut sections = self.sections.iter_mut();
        let known = sections.find(|section| section.internal);
        if let Some(Body::Items(known)) = known.map(|section| &mut section.body) {
            return known.extend(items);
        }
        self.some_items("internal", items);
        if let Some(section) = self.sections.last_mut() {
            section.internal = section.id == "internal";
        }
    }

    /// Removes the texts that candidates may see and `keep` refuses. Facts of the call, such as the
    /// names of people in an invitation, stay.
    pub(super) fn retain_public(&mut self, keep: &mut dyn FnMut(&str) -> bool) {
        self.sections.retain_mut(|section| {
            if section.internal || section.id == "details" {
                return true;
            }
            let mut is_empty = false;
            match &mut section.body {
                Body::Paragraphs(texts) => {
                    texts.retain(|text| keep(text));
                    is_empty = texts.is_empty();
                }
                Body::Items(items) => {
                    items.retain(|item| {
                        item.label.as_deref().is_none_or(&mut *keep) && keep(&item.text)
                    });
                    if items.is_empty() {
                        items.push(Item::new(BLANK));
                    }
                }
                Body::Table { .. } => {}
            }
            !is_empty && keep(&section.heading)
        });
    }

    /// Without internal sections, and without quotes: those are words of a meeting.
    pub(super) fn for_candidates(&self) -> Self {
        let mut public = self.clone();
        public.sections.retain(|section| !section.internal);
        public.all_items_mut().for_each(|item| item.quotes.clear());
        public
    }

    /// The line that says that no language model wrote this.
    fn fallback_line(&self) -> Option<&'static str> {
        (self.made_with == MadeWith::Fallback)
            .then(|| labels(self.language).word("made_without_model"))
    }

    pub(super) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }
}

impl Body {
    fn items(&self) -> &[Item] {
        match self {
            Body::Items(items) => items,
            Body::Paragraphs(_) | Body::Table { .. } => &[],
        }
    }
}

impl Item {
    pub(super) fn new(text: impl AsRef<str>) -> Self {
        Self {
            text: one_line(text.as_ref()),
            ..Self::default()
        }
    }

    pub(super) fn labelled(label: impl AsRef<str>, text: impl AsRef<str>) -> Self {
        Self {
            label: Some(one_line(label.as_ref())).filter(|label| !label.is_empty()),
            ..Self::new(text)
        }
    }

    pub(super) fn quoting(mut self, quotes: impl IntoIterator<Item = Quote>) -> Self {
        self.quotes.extend(quotes.into_iter().map(|quote| Quote {
            quote: one_line(&quote.quote),
            source: one_line(&quote.source),
        }));
        self
    }

    /// "Label (4/5)", the label, or the rating.
    fn heading(&self) -> Option<String> {
        match (&self.label, self.rating) {
            (Some(label), Some(rating)) => Some(format!("{label} ({rating}/5)")),
            (Some(label), None) => Some(label.clone()),
            (None, Some(rating)) => Some(format!("({rating}/5)")),
            (None, None) => None,
        }
    }
}

/// A text on one line, with single spaces.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Blank lines part paragraphs; lines of one keep their breaks.
fn paragraphs_in(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(one_line).collect();
    let paragraphs = lines
        .split(String::is_empty)
        .filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| lines.join("\n")).collect()
}

#[cfg(test)]
mod document_tests;
