//! Embeddings from Cohere and from any OpenAI-compatible endpoint: batching, retries on
//! rate limits, and validation of responses.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use frontdesk_core::search::SearchError;
use reqwest::Method;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::index::Hit;
use crate::json_client::{JsonClient, JsonClientError, Key, SetupError};
use crate::rerank::Reranker;

pub use crate::json_client::SetupError as RemoteSetupError;

/// Texts per request; Cohere's maximum.
const BATCH: usize = 96;
/// Dimensions that the configuration accepts.
pub const DIMENSIONS: &[usize] = &[256, 384, 512, 768, 1_024, 1_536, 3_072];

/// Address, model and key of a remote embedding model.
#[derive(Clone, Debug)]
pub struct Remote {
    pub base_url: String,
    pub api_key: Option<SecretString>,
    pub model: String,
    pub dimension: usize,
}

/// Cohere's v2 API: embeddings and reranking.
pub struct Cohere {
    json_client: JsonClient,
    model: String,
    dimension: usize,
    rerank_model: String,
}

/// `POST {base}/embeddings`, as OpenAI defines it.
pub struct OpenAiEmbeddings {
    json_client: JsonClient,
    model: String,
    dimension: usize,
}

impl Cohere {
    pub const BASE_URL: &'static str = "https://api.cohere.com/v2";
    pub const MODEL: &'static str = "embed-english-v3.0";
    pub const DIMENSION: usize = 1_024;
    const RERANK: &'static str = "rerank-v3.5";

    pub fn new(remote: Remote) -> Result<Arc<Self>, SetupError> {
        check_dimension(remote.dimension)?;
        let key = remote.api_key.map_or(Key::None, Key::Bearer);
        Ok(Arc::new(Self {
            json_client: JsonClient::new(&remote.base_url, key)?,
            model: remote.model,
            dimension: remote.dimension,
            rerank_model: Self::RERANK.to_owned(),
        }))
    }
}

impl OpenAiEmbeddings {
    pub fn new(remote: Remote) -> Result<Arc<Self>, SetupError> {
        check_dimension(remote.dimension)?;
        let key = remote.api_key.map_or(Key::None, Key::Bearer);
        Ok(Arc::new(Self {
            json_client: JsonClient::new(&remote.base_url, key)?,
            model: remote.model,
            dimension: remote.dimension,
        }))
    }
}

fn check_dimension(dimension: usize) -> Result<(), SetupError> {
    if DIMENSIONS.contains(&dimension) {
        return Ok(());
    }
    Err(SetupError(format!(
        "the embedding dimension is {dimension}; it must be one of {DIMENSIONS:?}"
    )))
}

#[async_trait]
impl Embedder for Cohere {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        #[derive(Deserialize)]
        struct Answer {
            embeddings: Floats,
        }
        #[derive(Deserialize)]
        struct Floats {
            float: Vec<Vec<Value>>,
        }
        let input_type = match purpose {
            Purpose::Document => "search_document",
            Purpose::Query => "search_query",
        };
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let body = json!({
                "model": self.model, "texts": batch, "input_type": input_type,
                "embedding_types": ["float"], "truncate": "END",
            });
            let answer: Answer = self.json_client.call(Method::POST, "embed", &body).await?;
            embeddings.extend(checked(
                answer.embeddings.float,
                batch.len(),
                self.dimension,
            )?);
        }
        Ok(embeddings)
    }
}

#[async_trait]
impl Reranker for Cohere {
    async fn rerank(&self, question: &str, hits: Vec<Hit>) -> Result<Vec<Hit>, SearchError> {
        #[derive(Deserialize)]
        struct Answer {
            results: Vec<RankedDocument>,
        }
        #[derive(Deserialize)]
        struct RankedDocument {
            index: usize,
        }
        if hits.len() < 2 {
            return Ok(hits);
        }
        let documents: Vec<&str> = hits.iter().map(|hit| hit.text.as_str()).collect();
        let body = json!({ "model": self.rerank_model, "query": question, "documents": documents });
        let answer: Answer = self
            .json_client
            .call(Method::POST, "rerank", &body)
            .await
            .map_err(EmbedError::from)?;
        let mut left: Vec<Option<Hit>> = hits.into_iter().map(Some).collect();
        let mut ordered: Vec<Hit> = answer
            .results
            .iter()
            .filter_map(|ranked| left.get_mut(ranked.index)?.take())
            .collect();
        // Hits that the service left out keep their order, after the ranked ones.
        ordered.extend(left.into_iter().flatten());
        Ok(ordered)
    }
}

#[async_trait]
impl Embedder for OpenAiEmbeddings {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    async fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        #[derive(Deserialize)]
        struct Answer {
            data: Vec<IndexedVector>,
        }
        #[derive(Deserialize)]
        struct IndexedVector {
            #[serde(default)]
            index: Option<usize>,
            embedding: Vec<Value>,
        }
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let body = json!({ "model": self.model, "input": batch, "encoding_format": "float" });
            let answer: Answer = self
                .json_client
                .call(Method::POST, "embeddings", &body)
                .await?;
            let mut data: Vec<(usize, Vec<Value>)> = answer
                .data
                .into_iter()
                .enumerate()
                .map(|(place, one)| (one.index.unwrap_or(place), one.embedding))
                .collect();
            data.sort_by_key(|(index, _)| *index);
            let vectors = data.into_iter().map(|(_, vector)| vector).collect();
            embeddings.extend(checked(vectors, batch.len(), self.dimension)?);
        }
        Ok(embeddings)
    }
}

/// Checks that there is one finite vector of the right dimension per text.
fn checked(
    vectors: Vec<Vec<Value>>,
    count: usize,
    dimension: usize,
) -> Result<Vec<Embedding>, EmbedError> {
    if vectors.len() != count {
        return Err(EmbedError::Rejected(format!(
            "the service returned {} vectors for {count} texts",
            vectors.len()
        )));
    }
    vectors
        .into_iter()
        .map(|vector| {
            let numbers: Option<Vec<f32>> = vector
                .iter()
                .map(|value| value.as_f64().map(|number| number as f32))
                .collect();
            Embedding::new(numbers.ok_or(EmbedError::NotANumber)?, dimension)
        })
        .collect()
}

impl From<JsonClientError> for EmbedError {
    fn from(error: JsonClientError) -> Self {
        match error {
            JsonClientError::RateLimited { retry_after } => Self::RateLimited { retry_after },
            JsonClientError::Unavailable(why) => Self::Unavailable(why),
            JsonClientError::Rejected {
                status: 401 | 403, ..
            } => Self::NotConfigured("the embedding service rejected the API key".to_owned()),
            JsonClientError::Rejected { status, message } => {
                Self::Rejected(format!("{status}: {message}"))
            }
        }
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod remote_tests;
