//! Checks that a text is supported by its sources: quotes must occur in a source, figures and dates
//! in a source or among values that code computed.
//!
//! The model chooses the wording; these checks cover the parts that must never be invented.

mod dates;
mod figures;
mod normal;

use dates::Dates;
use figures::Figures;

pub use normal::normalise;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name by which quotes refer to it, e.g. `startup_notes`.
    pub name: String,
    pub text: String,
}

impl SourceText {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
        }
    }
}

/// Sources prepared for checking. Built once per draft.
pub struct Evidence {
    sources: Vec<(String, String)>,
    figures: Figures,
    dates: Dates,
}

impl Evidence {
    /// `known` are computed values; their figures and dates count as supported.
    pub fn new<'a>(sources: &'a [SourceText], known: impl IntoIterator<Item = &'a str>) -> Self {
        let mut figures = Figures::default();
        let mut dates = Dates::default();
        let texts = sources.iter().map(|source| source.text.as_str());
        for text in texts.chain(known) {
            figures.add(text);
            dates.add(text);
        }
        Self {
            sources: sources
                .iter()
                .map(|source| (source.name.clone(), normalise(&source.text)))
                .collect(),
            figures,
            dates,
        }
    }

    /// The name of the source that contains this quote. Tries the named source first; models
    /// confuse names more often than words.
    pub fn source_of(&self, quote: &str, named: &str) -> Option<&str> {
        let parts = quoted_parts(quote);
        if parts.is_empty() {
            return None;
        }
        let own = self.sources.iter().filter(|(name, _)| name == named);
        let others = self.sources.iter().filter(|(name, _)| name != named);
        own.chain(others)
            .find(|(_, text)| occur_in_order(text, &parts))
            .map(|(name, _)| name.as_str())
    }

    /// The first figure or date in this text that has no support.
    pub fn unsupported<'t>(&self, text: &'t str) -> Option<&'t str> {
        let dates = dates::find(text);
        if let Some(date) = dates.iter().find(|date| !self.dates.supports(date)) {
            return text.get(date.span.clone());
        }
        figures::find(text)
            .into_iter()
            .filter(|figure| !dates.iter().any(|date| date.covers(&figure.span)))
            .find(|figure| !self.figures.supports(figure))
            .and_then(|figure| text.get(figure.span))
    }
}

/// Splits a quote at ellipses, which replace omitted words.
fn quoted_parts(quote: &str) -> Vec<String> {
    const SHORTEST: usize = 2;
    let edges = |c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?');
    quote
        .replace("[…]", "…")
        .replace("[...]", "…")
        .replace("...", "…")
        .split('…')
        .map(|part| normalise(part).trim_matches(edges).to_owned())
        .filter(|part| part.chars().count() >= SHORTEST)
        .collect()
}

fn occur_in_order(text: &str, parts: &[String]) -> bool {
    let mut rest = text;
    parts.iter().all(|part| match rest.find(part.as_str()) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
#[path = "grounding_tests.rs"]
mod grounding_tests;
