//! Meaning beyond words, for English: how near a request lies to what a tool's examples
//! say. A decision is a pure function of the vectors at hand; it notes those it lacks and
//! is made again with them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

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

/// What people say that no tool of an office is for: remarks, small talk, general knowledge, questions about
/// how things work.
static TALK: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include_str!("talk.txt").lines().collect());

/// What a description counts beside what people say.
const DESCRIBED: f32 = 0.9;

/// How near a request lies to each tool, and to talk, from 0 to 1.
pub(super) struct Nearness {
    pub(super) tools: Vec<f32>,
    pub(super) talk: f32,
}

impl Nearness {
    /// How much nearer it lies to talk than to any tool.
    pub(super) fn is_talk_by(&self) -> f32 {
        self.talk - self.most()
    }

    pub(super) fn most(&self) -> f32 {
        self.tools.iter().copied().fold(0.0, f32::max)
    }
}

impl Mind<'_> {
    /// How near the request lies to each tool and to talk; `None` without vectors, or in a language
    /// that the embedding model does not know.
    pub(super) fn nearness(&self, reading: &Reading) -> Option<Nearness> {
        let vectors = self.vectors?;
        let request = without_codes(reading);
        if self.language != Language::English || request.len() > LONGEST {
            return None;
        }
        let said = vectors.said(&request);
        // All are looked up before any is compared, so that those that lack come together.
        let talk: Vec<Option<&Embedding>> = TALK.iter().map(|text| vectors.taught(text)).collect();
        let tools: Vec<Vec<(Option<&Embedding>, f32)>> = self
            .index
            .tools
            .iter()
            .map(|tool| {
                let texts = texts(tool);
                texts
                    .map(|(text, share)| (vectors.taught(text), share))
                    .collect()
            })
            .collect();
        let said = said?;
        let nearest = |all: &[(Option<&Embedding>, f32)]| {
            let near = all
                .iter()
                .map(|(taught, share)| Some(share * said.cosine((*taught)?)));
            near.into_iter()
                .try_fold(0.0, |most, near| Some(f32::max(most, near?)))
        };
        let talk: Vec<(Option<&Embedding>, f32)> = talk.into_iter().map(|one| (one, 1.0)).collect();
        let tools: Option<Vec<f32>> = tools.iter().map(|all| nearest(all)).collect();
        Some(Nearness {
            tools: tools?,
            talk: nearest(&talk)?,
        })
    }
}

/// What a tool says of itself: its title and examples in the way people speak, and its description.
fn texts(tool: &ToolIndex) -> impl Iterator<Item = (&str, f32)> {
    let said = tool.lessons.iter();
    let said = said.map(|lesson| (lesson.without_values.raw.as_str(), 1.0));
    let sentences = tool.description.split(". ").filter(|text| !text.is_empty());
    let described = sentences.map(|text| (text, DESCRIBED));
    std::iter::once((tool.title.as_str(), 1.0))
        .chain(said)
        .chain(described)
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
