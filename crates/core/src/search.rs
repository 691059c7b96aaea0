//! The port to retrieval: a question finds passages, each with its similarity and its source.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::access::Principal;
use crate::embed::EmbedError;

/// The most passages that one search returns.
pub const MOST_RESULTS: usize = 100;
/// The longest question, in bytes; the rest of a longer one would not be read anyway.
pub const LONGEST_QUERY: usize = 8_192;

/// Finds passages. An implementation returns only what `query.scopes` admits, whatever else
/// it was asked.
#[async_trait]
pub trait Search: Send + Sync {
    async fn search(&self, query: &Query) -> Result<RetrievalResult, SearchError>;

    /// Keeps these documents (path and Markdown) for everyone, in the place of all that was
    /// kept of the collection by this means before. What did not change costs nothing.
    async fn replace(
        &self,
        collection: &str,
        documents: Vec<(String, String)>,
    ) -> Result<(), SearchError> {
        let _ = (collection, documents);
        Err(SearchError::Configuration(
            "nothing can be taken in here".to_owned(),
        ))
    }
}

/// Where nothing can be looked up.
pub struct Nowhere;

#[async_trait]
impl Search for Nowhere {
    async fn search(&self, _: &Query) -> Result<RetrievalResult, SearchError> {
        Err(SearchError::Configuration(
            "there is no index here".to_owned(),
        ))
    }
}

/// A question to a collection. The fields are public for reading; [`Query::check`] is
/// called by every implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub text: String,
    /// From 1 to [`MOST_RESULTS`].
    pub top_k: usize,
    /// The least similarity, from 0 to 1.
    pub score_threshold: f64,
    pub collection: String,
    pub scopes: Scopes,
    /// Only passages whose address begins so.
    pub url_prefix: Option<String>,
    /// Only passages with these values among their metadata.
    pub metadata: Vec<(String, String)>,
    pub include_vectors: bool,
    pub ways: Ways,
}

/// How passages are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ways {
    /// By meaning and by words.
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

    /// Says what must be put right.
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

/// Whose passages may be seen: those for everyone, and those of these companies and people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes(Vec<Uuid>);

impl Scopes {
    /// What this person may see: their own and what belongs to their companies.
    pub fn of(principal: &Principal) -> Self {
        let companies = principal.companies().iter();
        let mut scopes = vec![principal.profile().uuid()];
        scopes.extend(companies.map(|membership| membership.company.uuid()));
        Self(scopes)
    }

    /// Only what is for everyone.
    pub fn everyone() -> Self {
        Self::default()
    }

    pub fn owners(&self) -> &[Uuid] {
        &self.0
    }

    /// `None` owns what is for everyone.
    pub fn admits(&self, owner: Option<Uuid>) -> bool {
        owner.is_none_or(|owner| self.0.contains(&owner))
    }
}

/// A passage that was found.
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
    /// When it was taken in.
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

/// How a document was cut, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkConfig {
    pub chunk_size: u32,
    pub chunk_overlap: u32,
}

/// What a search came to, best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RetrievalResult {
    pub query: String,
    pub chunks: Vec<RetrievedChunk>,
    pub total_results: usize,
    pub execution_time_seconds: f64,
    pub top_score: f64,
    pub avg_score: f64,
    /// What a person should know, e.g. that only keywords were searched.
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

/// Whether a tool's result is what a search tells a model, also when it found nothing.
pub fn is_retrieval(result: &Value) -> bool {
    ["results", "query", "execution_time"]
        .iter()
        .all(|key| result.get(key).is_some())
}

/// Why nothing could be looked up. All but `Invalid` are for the operator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The question must be put right; for whoever asked.
    #[error("{0}")]
    Invalid(String),
    /// Keys, addresses or dimensions are missing or do not fit.
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
