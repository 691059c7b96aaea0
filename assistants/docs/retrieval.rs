//! RetrievalToolResponse: what a search tells the model, in exactly the design's JSON and in
//! one of three states: found, nothing found, or failed.

use frontdesk_core::embed::EmbedError;
use frontdesk_core::search::{RetrievalResult, RetrievedChunk, SearchError};
use frontdesk_core::tool::Source;
use serde::{Serialize, Serializer};

/// Characters of a passage that the model is shown.
pub(super) const LONGEST_TEXT: usize = 500;
const NO_TITLE: &str = "Untitled";

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct RetrievalToolResponse {
    pub(super) results: Vec<Found>,
    pub(super) total: usize,
    pub(super) query: String,
    pub(super) error: Option<&'static str>,
    pub(super) message: Option<String>,
    #[serde(rename = "execution_time", serialize_with = "two_decimals")]
    pub(super) execution_time_seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Found {
    pub(super) text: String,
    pub(super) url: String,
    pub(super) title: String,
    #[serde(serialize_with = "three_decimals")]
    pub(super) score: f64,
}

impl RetrievalToolResponse {
    pub(super) fn found(result: RetrievalResult) -> Self {
        let results: Vec<Found> = result.chunks.into_iter().map(Found::from).collect();
        Self {
            total: results.len(),
            results,
            query: result.query,
            error: None,
            message: result.note,
            execution_time_seconds: result.execution_time_seconds,
        }
    }

    /// The cause is for the operator; the model hears what it can tell a person.
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

    #[cfg(test)]
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap()
    }
}

impl From<RetrievedChunk> for Found {
    fn from(chunk: RetrievedChunk) -> Self {
        Self {
            text: cut(&chunk.chunk_text),
            url: chunk.url,
            title: chunk
                .title
                .filter(|title| !title.trim().is_empty())
                .unwrap_or_else(|| NO_TITLE.to_owned()),
            score: round(chunk.similarity_score.clamp(0.0, 1.0), 3),
        }
    }
}

impl Found {
    pub(super) fn source(&self) -> Source {
        Source {
            title: self.title.clone(),
            url: self.url.clone(),
            score: self.score,
            text: self.text.clone(),
        }
    }
}

/// At most so many characters, never half of one.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
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
