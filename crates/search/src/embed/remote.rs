//! Embeddings of Cohere and of every OpenAI-compatible endpoint: batches, waiting while
//! rate-limited, and a check of what comes back.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use frontdesk_core::search::SearchError;
use reqwest::Method;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::index::Hit;
use crate::rerank::Reranker;
use crate::wire::{Key, SetupError, Wire, WireError};

pub use crate::wire::SetupError as RemoteSetupError;

/// Texts in one request; Cohere takes no more.
const BATCH: usize = 96;
/// Dimensions that embedding models have.
pub const DIMENSIONS: &[usize] = &[256, 384, 512, 768, 1_024, 1_536, 3_072];

/// Where a model of somebody else is.
#[derive(Clone, Debug)]
pub struct Remote {
    pub base_url: String,
    pub api_key: Option<SecretString>,
    pub model: String,
    pub dimension: usize,
}

/// Cohere's v2 API; also reranks.
pub struct Cohere {
    wire: Wire,
    model: String,
    dimension: usize,
    rerank_model: String,
}

/// `POST {base}/embeddings`, as OpenAI defined it.
pub struct OpenAiEmbeddings {
    wire: Wire,
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
            wire: Wire::new(&remote.base_url, key)?,
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
            wire: Wire::new(&remote.base_url, key)?,
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
        "{dimension} is no dimension of an embedding model; there are {DIMENSIONS:?}"
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
            let answer: Answer = self.wire.call(Method::POST, "embed", &body).await?;
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
            results: Vec<Ranked>,
        }
        #[derive(Deserialize)]
        struct Ranked {
            index: usize,
        }
        if hits.len() < 2 {
            return Ok(hits);
        }
        let documents: Vec<&str> = hits.iter().map(|hit| hit.text.as_str()).collect();
        let body = json!({ "model": self.rerank_model, "query": question, "documents": documents });
        let answer: Answer = self
            .wire
            .call(Method::POST, "rerank", &body)
            .await
            .map_err(EmbedError::from)?;
        let mut left: Vec<Option<Hit>> = hits.into_iter().map(Some).collect();
        let mut ordered: Vec<Hit> = answer
            .results
            .iter()
            .filter_map(|ranked| left.get_mut(ranked.index)?.take())
            .collect();
        // What the service did not mention keeps its place behind the rest.
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
            data: Vec<One>,
        }
        #[derive(Deserialize)]
        struct One {
            #[serde(default)]
            index: Option<usize>,
            embedding: Vec<Value>,
        }
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let body = json!({ "model": self.model, "input": batch, "encoding_format": "float" });
            let answer: Answer = self.wire.call(Method::POST, "embeddings", &body).await?;
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

/// One vector for each text, all of them numbers.
fn checked(
    vectors: Vec<Vec<Value>>,
    count: usize,
    dimension: usize,
) -> Result<Vec<Embedding>, EmbedError> {
    if vectors.len() != count {
        return Err(EmbedError::Rejected(format!(
            "it returned {} vectors for {count} texts",
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

impl From<WireError> for EmbedError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::RateLimited { retry_after } => Self::RateLimited { retry_after },
            WireError::Unavailable(why) => Self::Unavailable(why),
            WireError::Rejected {
                status: 401 | 403, ..
            } => Self::NotConfigured("the embedding model does not accept the API key".to_owned()),
            WireError::Rejected { status, message } => {
                Self::Rejected(format!("{status}: {message}"))
            }
        }
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod remote_tests;
