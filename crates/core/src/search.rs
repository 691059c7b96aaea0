//! The port to retrieval: a query finds passages, each with its similarity and source.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::access::Principal;
use crate::embed::EmbedError;

/// Maximum number of passages per search.
pub const MOST_RESULTS: usize = 100;
/// Maximum query length in bytes; embedders ignore the rest.
pub const LONGEST_QUERY: usize = 8_192;

/// Finds passages. An implementation returns only passages that `query.scopes` admits.
#[async_trait]
pub trait Search: Send + Sync {
    async fn search(&self, query: &Query) -> Result<RetrievalResult, SearchError>;

    /// Replaces all public documents (path and Markdown) that this method stored in the collection.
    /// Unchanged documents cost nothing.
    async fn replace(
        &self,
        collection: &str,
        documents: Vec<(String, String)>,
    ) -> Result<(), SearchError> {
        let _ = (collection, documents);
        Err(SearchError::Configuration(
            "this index does not accept documents".to_owned(),
        ))
    }
}

/// Stands in where no retrieval is configured.
pub struct Nowhere;

#[async_trait]
impl Search for Nowhere {
    async fn search(&self, _: &Query) -> Result<RetrievalResult, SearchError> {
        Err(SearchError::Configuration(
            "no index is configured".to_owned(),
        ))
    }
}

/// A query to a collection. Every implementation calls [`Query::check`].
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub text: String,
    /// From 1 to [`MOST_RESULTS`].
    pub top_k: usize,
    /// The minimum similarity, from 0 to 1.
    pub score_threshold: f64,
    pub collection: String,
    pub scopes: Scopes,
    /// Only passages whose address starts with this.
    pub url_prefix: Option<String>,
    /// Only passages with these metadata values.
    pub metadata: Vec<(String, String)>,
    pub include_vectors: bool,
    pub ways: Ways,
}

/// The search methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ways {
    /// By meaning and by keywords.
    #[default]
    Both,
    Meaning,
    Words,
}

impl Query {
    pub fn new(text: impl Into<String>, collection: impl Into<String>, scopes: Scopes) -> Self {
        Self {
            text: text.into(),
            top_k: 5,
            score_threshold: 0.0,
            collection: collection.into(),
            scopes,
            url_prefix: None,
            metadata: Vec::new(),
            include_vectors: false,
            ways: Ways::Both,
        }
    }

    /// The error explains how to correct the query.
    pub fn check(&self) -> Result<(), SearchError> {
        let wrong = |what: String| Err(SearchError::Invalid(what));
        if self.text.trim().is_empty() {
            return wrong("the query is empty; write what you are looking for".to_owned());
        }
        if self.text.len() > LONGEST_QUERY {
            return wrong(format!(
                "the query has {} bytes; at most {LONGEST_QUERY} are read, so ask a shorter question",
                self.text.len()
            ));
        }
        if !(1..=MOST_RESULTS).contains(&self.top_k) {
            return wrong(format!(
                "top_k is {}; it must be from 1 to {MOST_RESULTS}",
                self.top_k
            ));
        }
        if !(0.0..=1.0).contains(&self.score_threshold) {
            return wrong(format!(
                "the score threshold is {}; it must be from 0 to 1",
                self.score_threshold
            ));
        }
        Ok(())
    }
}

/// Passages that may be read: public ones, and those of these companies and people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(Vec<Uuid>);

impl Scopes {
    /// This person's passages and those of their companies.
    pub fn of(principal: &Principal) -> Self {
        let companies = principal.companies().iter();
        let mut scopes = vec![principal.profile().uuid()];
        scopes.extend(companies.map(|membership| membership.company.uuid()));
        Self(scopes)
    }

    /// Public passages only.
    pub fn everyone() -> Self {
        Self::default()
    }

    pub fn owners(&self) -> &[Uuid] {
        &self.0
    }

    /// A passage without an owner is public.
    pub fn admits(&self, owner: Option<Uuid>) -> bool {
        owner.is_none_or(|owner| self.0.contains(&owner))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetrievedChunk {
    pub chunk_id: String,
    /// From 0 to 1; a negative cosine counts as 0.
    pub similarity_score: f64,
    pub chunk_text: String,
    pub url: String,
    pub title: Option<String>,
    pub chunk_index: u32,
    pub token_count: u32,
    /// Time of ingestion.
    pub timestamp: DateTime<Utc>,
    pub chunk_config: ChunkConfig,
    pub model_name: String,
    pub dimension: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<Vec<f32>>,
    /// The passage with the text around it, if there is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The headings above the passage, outermost first, separated by ` › `.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The page of a PDF, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

/// Chunk size and overlap, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkConfig {
    pub chunk_size: u32,
    pub chunk_overlap: u32,
}

/// Search results, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RetrievalResult {
    pub query: String,
    pub chunks: Vec<RetrievedChunk>,
    pub total_results: usize,
    pub execution_time_seconds: f64,
    pub top_score: f64,
    pub avg_score: f64,
    /// A note for the person, e.g. that only keywords were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl RetrievalResult {
    pub fn new(query: String, chunks: Vec<RetrievedChunk>, seconds: f64) -> Self {
        let scores = || chunks.iter().map(|chunk| chunk.similarity_score);
        let top_score = scores().fold(0.0, f64::max);
        let avg_score = match chunks.len() {
            0 => 0.0,
            count => scores().sum::<f64>() / count as f64,
        };
        Self {
            query,
            total_results: chunks.len(),
            top_score,
            avg_score,
            execution_time_seconds: seconds,
            chunks,
            note: None,
        }
    }
}

/// True if a tool's result has the form of a search result, even an empty one.
pub fn is_retrieval(result: &Value) -> bool {
    ["results", "query", "execution_time"]
        .iter()
        .all(|key| result.get(key).is_some())
}

/// A search failure. All but `Invalid` are for the operator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The query must be corrected; shown to the caller.
    #[error("{0}")]
    Invalid(String),
    /// Keys, addresses or dimensions are missing or do not match.
    #[error("retrieval is not set up: {0}")]
    Configuration(String),
    #[error("the index cannot be reached: {0}")]
    Index(String),
    #[error(transparent)]
    Embedding(#[from] EmbedError),
    #[error("the search took too long")]
    TimedOut,
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod search_tests;
