//! RetrievalToolResponse: the result of a search as the model receives it, in exactly the
//! design's JSON and in one of three states: found, nothing found, or failed.

use std::ops::Range;

use frontdesk_core::embed::EmbedError;
use frontdesk_core::search::{RetrievalResult, RetrievedChunk, SearchError};
use frontdesk_core::tool::Source;
use serde::{Serialize, Serializer};

use super::window;

/// In characters: the design's limit for `text`.
pub(super) const LONGEST_TEXT: usize = 500;
const NO_TITLE: &str = "Untitled";

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct RetrievalToolResponse {
    pub(super) results: Vec<PassageResult>,
    pub(super) total: usize,
    pub(super) query: String,
    pub(super) error: Option<&'static str>,
    pub(super) message: Option<String>,
    #[serde(rename = "execution_time", serialize_with = "two_decimals")]
    pub(super) execution_time_seconds: f64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct PassageResult {
    /// The part of the passage that matches the question best, or a short passage with the
    /// sentences after and before it.
    pub(super) text: String,
    pub(super) url: String,
    pub(super) title: String,
    #[serde(serialize_with = "three_decimals")]
    pub(super) score: f64,
    /// The whole passage.
    #[serde(skip)]
    pub(super) passage: String,
    /// The passage with its neighbours; empty if there are none.
    #[serde(skip)]
    pub(super) neighbours: String,
    /// The headings above the passage.
    #[serde(skip)]
    pub(super) heading: String,
    #[serde(skip)]
    pub(super) page: Option<u32>,
}

impl RetrievalToolResponse {
    pub(super) fn found(result: RetrievalResult) -> Self {
        let asked = window::words(&result.query);
        let results: Vec<PassageResult> = result
            .chunks
            .into_iter()
            .map(|chunk| PassageResult::new(chunk, &asked))
            .collect();
        Self {
            total: results.len(),
            results,
            query: result.query,
            error: None,
            message: result.note,
            execution_time_seconds: result.execution_time_seconds,
        }
    }

    /// The cause is for the operator; the model gets what it can tell a person.
    pub(super) fn failed(query: String, error: &SearchError, seconds: f64) -> Self {
        let (error, message) = match error {
            SearchError::Configuration(_)
            | SearchError::Embedding(EmbedError::NotConfigured(_)) => (
                "retrieval_unavailable",
                "The documents cannot be searched: retrieval is not set up. Tell the person that an operator must look at it.",
            ),
            SearchError::Index(_) => (
                "retrieval_unavailable",
                "The documents cannot be reached just now. Tell the person so and suggest trying again later.",
            ),
            SearchError::TimedOut => (
                "retrieval_unavailable",
                "The search took too long. Tell the person so and suggest trying again later.",
            ),
            SearchError::Embedding(_) => (
                "retrieval_unavailable",
                "The question could not be compared with the documents just now. Tell the person so and suggest trying again later.",
            ),
            SearchError::Invalid(_) => (
                "unknown_error",
                "The question could not be searched for. Ask the person to rephrase it.",
            ),
        };
        Self {
            query,
            error: Some(error),
            message: Some(message.to_owned()),
            execution_time_seconds: seconds,
            ..Self::default()
        }
    }

    pub(super) fn is_error(&self) -> bool {
        self.error.is_some()
    }
}

impl PassageResult {
    fn new(chunk: RetrievedChunk, asked: &std::collections::HashSet<String>) -> Self {
        let mut result = Self {
            text: String::new(),
            url: chunk.url,
            title: chunk
                .title
                .filter(|title| !title.trim().is_empty())
                .unwrap_or_else(|| NO_TITLE.to_owned()),
            score: round(chunk.similarity_score.clamp(0.0, 1.0), 3),
            passage: chunk.chunk_text,
            neighbours: chunk.context.unwrap_or_default(),
            heading: chunk.section.unwrap_or_default(),
            page: chunk.page,
        };
        let own = result.range();
        let shown = window::around(result.surrounding(), own, asked, LONGEST_TEXT);
        result.text = shown.to_owned();
        result
    }

    /// The passage with its neighbours, or the passage alone.
    pub(super) fn surrounding(&self) -> &str {
        match self.neighbours.as_str() {
            "" => &self.passage,
            neighbours => neighbours,
        }
    }

    /// The bytes of the passage in [`Self::surrounding`].
    pub(super) fn range(&self) -> Range<usize> {
        let surrounding = self.surrounding();
        match surrounding.find(self.passage.as_str()) {
            Some(at) => at..at + self.passage.len(),
            None => 0..surrounding.len(),
        }
    }

    /// The text against which citations are checked.
    pub(super) fn source(&self) -> Source {
        Source {
            title: self.title.clone(),
            url: self.url.clone(),
            score: self.score,
            text: self.surrounding().to_owned(),
        }
    }
}

fn round(number: f64, decimals: i32) -> f64 {
    let factor = 10_f64.powi(decimals);
    (number * factor).round() / factor
}

fn two_decimals<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(round(*seconds, 2))
}

fn three_decimals<S: Serializer>(score: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(round(*score, 3))
}
