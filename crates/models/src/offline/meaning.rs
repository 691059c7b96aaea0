//! Meaning beyond words, for English: how near a request lies to what a tool's examples
//! say. A decision is a pure function of the vectors at hand; it notes those it lacks and
//! is made again with them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};

use super::index::ToolIndex;
use super::language::Language;
use super::plan::Mind;
use super::reading::Reading;

/// Vectors by the text they stand for.
pub(super) type Known = HashMap<String, Arc<Embedding>>;

/// What a decision may look up, and what it looked for in vain.
pub(super) struct Vectors<'a> {
    known: &'a Known,
    wanted: RefCell<Wanted>,
}

/// Texts without a vector yet. What people say is not kept; what tools teach is.
#[derive(Default)]
pub(super) struct Wanted {
    said: BTreeSet<String>,
    taught: BTreeSet<String>,
}

impl Wanted {
    pub(super) fn is_empty(&self) -> bool {
        self.said.is_empty() && self.taught.is_empty()
    }
}

impl<'a> Vectors<'a> {
    pub(super) fn new(known: &'a Known) -> Self {
        Self {
            known,
            wanted: RefCell::default(),
        }
    }

    pub(super) fn wanted(self) -> Wanted {
        self.wanted.into_inner()
    }

    fn said(&self, text: &str) -> Option<&'a Embedding> {
        let found = self.known.get(text);
        if found.is_none() {
            self.wanted.borrow_mut().said.insert(text.to_owned());
        }
        found.map(Arc::as_ref)
    }

    fn taught(&self, text: &str) -> Option<&'a Embedding> {
        let found = self.known.get(text);
        if found.is_none() {
            self.wanted.borrow_mut().taught.insert(text.to_owned());
        }
        found.map(Arc::as_ref)
    }
}

/// Longer requests say more than one thing, and cost more than a decision may.
const LONGEST: usize = 300;

impl Mind<'_> {
    /// How near the request lies to each tool, from 0 to 1; `None` without vectors, or in
    /// a language that the embedding model does not know.
    pub(super) fn nearness(&self, reading: &Reading) -> Option<Vec<f32>> {
        let vectors = self.vectors?;
        let request = without_codes(reading);
        if self.language != Language::English || request.len() > LONGEST {
            return None;
        }
        let said = vectors.said(&request);
        let near: Vec<Option<f32>> = self
            .index
            .tools
            .iter()
            .map(|tool| {
                let taught: Vec<Option<&Embedding>> =
                    texts(tool).map(|text| vectors.taught(text)).collect();
                let said = said?;
                let near = |taught: Option<&Embedding>| Some(said.cosine(taught?).max(0.0));
                taught
                    .into_iter()
                    .map(near)
                    .try_fold(0.0, |most, near| Some(f32::max(most, near?)))
            })
            .collect();
        near.into_iter().collect()
    }
}

/// What a tool says of itself in the way people speak.
fn texts(tool: &ToolIndex) -> impl Iterator<Item = &str> {
    let said = tool.lessons.iter();
    let said = said.map(|lesson| lesson.without_values.raw.as_str());
    std::iter::once(tool.title.as_str()).chain(said)
}

/// A code says what a request is about, not what is to be done.
fn without_codes(reading: &Reading) -> String {
    let mut text = reading.text.raw.clone();
    let mut spans: Vec<_> = reading.codes.iter().map(|code| code.span.clone()).collect();
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    for span in spans {
        if text.get(span.clone()).is_some() {
            text.replace_range(span, "…");
        }
    }
    text.trim().to_owned()
}

/// An embedding model, and the vectors of what tools teach.
pub(super) struct Sense {
    embedder: Arc<dyn Embedder>,
    taught: RwLock<Known>,
}

/// More phrasings than any installation has; what was kept is dropped beyond that.
const MOST_TAUGHT: usize = 4_096;

impl Sense {
    pub(super) fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            embedder,
            taught: RwLock::default(),
        }
    }

    /// Adds the vectors that were wanted. Waits for weights that are still being loaded:
    /// the same message gets the same answer at any time.
    pub(super) async fn supply(&self, known: &mut Known, wanted: Wanted) -> Result<(), EmbedError> {
        let mut missing: Vec<String> = Vec::new();
        {
            let taught = self.taught.read().unwrap_or_else(PoisonError::into_inner);
            for text in wanted.taught.iter().chain(&wanted.said) {
                match taught.get(text) {
                    Some(vector) => {
                        known.insert(text.clone(), Arc::clone(vector));
                    }
                    None => missing.push(text.clone()),
                }
            }
        }
        let texts: Vec<&str> = missing.iter().map(String::as_str).collect();
        let found = self.embedder.embed(&texts, Purpose::Query).await?;
        for (text, vector) in missing.into_iter().zip(found) {
            let vector = Arc::new(vector);
            if wanted.taught.contains(&text) {
                self.keep(&text, &vector);
            }
            known.insert(text, vector);
        }
        Ok(())
    }

    fn keep(&self, text: &str, vector: &Arc<Embedding>) {
        let mut taught = self.taught.write().unwrap_or_else(PoisonError::into_inner);
        if taught.len() >= MOST_TAUGHT {
            taught.clear();
        }
        taught.insert(text.to_owned(), Arc::clone(vector));
    }
}

#[cfg(test)]
#[path = "meaning_tests.rs"]
mod meaning_tests;
