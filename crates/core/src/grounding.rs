//! Checks that a text is supported by its sources: quotes must occur in a source, figures and
//! dates must occur in a source or among values that code computed, a statement must share a word with
//! its quotes, and listed topics must be named by a source.
//!
//! The model chooses the wording; these checks cover the parts that must never be invented.

mod dates;
mod figures;
mod normal;
mod sentences;
mod topics;
mod words;

use dates::Dates;
use figures::Figures;

use crate::draft::Quote;

pub use normal::normalise;
pub use sentences::{is_counted, sentences};
pub use topics::Topics;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The name by which quotes refer to it, e.g. `startup_notes`.
    pub name: String,
    pub text: String,
    /// Its language is not that of the draft, so words of the two cannot be compared.
    pub is_foreign: bool,
}

impl SourceText {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            is_foreign: false,
        }
    }
}

/// Sources prepared for checking. Built once per draft.
pub struct Evidence {
    /// With normalised texts.
    sources: Vec<SourceText>,
    figures: Figures,
    dates: Dates,
    /// Topics of which those at these places are named by no source.
    unnamed: Option<(&'static Topics, Vec<usize>)>,
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
        let normal = |source: &SourceText| SourceText {
            text: normalise(&source.text),
            ..source.clone()
        };
        Self {
            sources: sources.iter().map(normal).collect(),
            figures,
            dates,
            unnamed: None,
        }
    }

    /// Also checks that these topics are named only where a source names them.
    pub fn with_topics(mut self, topics: &'static Topics) -> Self {
        let texts = self.sources.iter().map(|source| source.text.as_str());
        self.unnamed = Some((topics, topics.unnamed_in(texts)));
        self
    }

    /// The name of the source that contains this quote. Tries the named source first; models
    /// confuse names more often than words.
    pub fn source_of(&self, quote: &str, named: &str) -> Option<&str> {
        let parts = quoted_parts(quote);
        if parts.is_empty() {
            return None;
        }
        let own = self.sources.iter().filter(|source| source.name == named);
        let others = self.sources.iter().filter(|source| source.name != named);
        own.chain(others)
            .find(|source| occur_in_order(&source.text, &parts))
            .map(|source| source.name.as_str())
    }

    /// Whether a sentence can rest on these quotes: it shares a word or a figure with one. A quote in
    /// another language cannot be compared.
    pub fn may_rest_on(&self, sentence: &str, quotes: &[Quote]) -> bool {
        quotes.iter().any(|Quote { quote, source }| {
            let mut sources = self.sources.iter();
            sources.any(|known| known.is_foreign && known.name == *source)
                || words::share_a_word(sentence, quote)
                || figures::share_a_figure(sentence, quote)
        })
    }

    /// A topic that this text names and no source does.
    pub fn unnamed_topic(&self, text: &str) -> Option<&'static str> {
        let (topics, places) = self.unnamed.as_ref()?;
        topics.find(places, &normalise(text))
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
