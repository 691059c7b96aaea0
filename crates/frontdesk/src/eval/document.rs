//! Expectations on a document: facts, verified quotes, language and length.

use frontdesk_core::grounding::{Evidence, SourceText};
use serde::Deserialize;
use serde_json::Value;
use whatlang::Lang;

/// Language codes that assistants use; other languages have three letters.
const SHORT_CODES: [(Lang, &str); 5] = [
    (Lang::Eng, "en"),
    (Lang::Swe, "sv"),
    (Lang::Dan, "da"),
    (Lang::Nob, "no"),
    (Lang::Deu, "de"),
];

/// A document that a message must produce.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedDocument {
    pub kind: String,
    /// Required facts, each with its alternatives: "3 years|three years".
    #[serde(default)]
    pub has: Vec<String>,
    #[serde(default)]
    pub lacks: Vec<String>,
    /// Every quote must occur in text that the person wrote, pasted or attached.
    #[serde(default)]
    pub quotes: bool,
    /// A language code such as `sv`.
    pub language: Option<String>,
    pub fewest_words: Option<usize>,
    pub most_words: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SavedDocument {
    pub kind: String,
    /// As Markdown.
    pub text: String,
    pub content: Value,
}

/// Problems of the documents of a message. `material` is the text that the person provided.
pub fn problems(
    expected: &[ExpectedDocument],
    made: &[SavedDocument],
    material: &[String],
) -> Vec<String> {
    let mut problems = Vec::new();
    for wanted in expected {
        let kind = &wanted.kind;
        match made.iter().rev().find(|document| document.kind == *kind) {
            Some(document) => {
                let found = wanted.problems_of(document, material);
                problems.extend(
                    found
                        .into_iter()
                        .map(|problem| format!("{kind}: {problem}")),
                );
            }
            None => problems.push(format!("no document of kind {kind} was created")),
        }
    }
    problems
}

impl ExpectedDocument {
    fn problems_of(&self, document: &SavedDocument, material: &[String]) -> Vec<String> {
        let text = document.text.to_lowercase();
        let has = |fact: &&String| {
            let mut ways = fact.split('|');
            ways.any(|way| text.contains(&way.trim().to_lowercase()))
        };
        let missing = self.has.iter().filter(|fact| !has(fact));
        let mut problems: Vec<String> = missing.map(|fact| format!("lacks {fact:?}")).collect();
        let wrong = self.lacks.iter().filter(has);
        problems.extend(wrong.map(|fact| format!("has {fact:?}")));
        if self.quotes {
            problems.extend(self.false_quotes(document, material));
        }
        let words = document.text.split_whitespace().count();
        if self.fewest_words.is_some_and(|fewest| words < fewest)
            || self.most_words.is_some_and(|most| words > most)
        {
            problems.push(format!("has {words} words"));
        }
        problems.extend(self.other_language(document));
        problems
    }

    fn false_quotes(&self, document: &SavedDocument, material: &[String]) -> Vec<String> {
        let sources: Vec<SourceText> = material
            .iter()
            .map(|text| SourceText::new("given", text))
            .collect();
        let evidence = Evidence::new(&sources, []);
        let mut quotes = Vec::new();
        quotes_in(&document.content, &mut quotes);
        quotes
            .into_iter()
            .filter(|quote| evidence.source_of(quote, "given").is_none())
            .map(|quote| format!("quotes {quote:?}, which is not in the person's text"))
            .collect()
    }

    fn other_language(&self, document: &SavedDocument) -> Option<String> {
        let wanted = self.language.as_deref()?;
        let found = whatlang::detect(&document.text)?;
        let code = SHORT_CODES
            .iter()
            .find(|(lang, _)| *lang == found.lang())
            .map_or(found.lang().code(), |(_, code)| code);
        (code != wanted).then(|| format!("is in {code}, not in {wanted}"))
    }
}

fn quotes_in<'a>(value: &'a Value, quotes: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            if let (Some(quote), Some(_)) = (fields.get("quote"), fields.get("source")) {
                quotes.extend(quote.as_str());
            }
            fields.values().for_each(|field| quotes_in(field, quotes));
        }
        Value::Array(items) => items.iter().for_each(|item| quotes_in(item, quotes)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod document_tests;
