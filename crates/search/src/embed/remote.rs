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
const COHERE_BATCH: usize = 96;
/// Texts per request. OpenAI accepts 2,048; servers of one's own often fewer.
const OPENAI_BATCH: usize = 128;
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

/// Cohere's v2 API.
pub struct Cohere {
    json_client: JsonClient,
    model: String,
    dimension: usize,
}

/// `POST {base}/rerank`, as Cohere and many others define it.
pub struct RemoteReranker {
    json_client: JsonClient,
    model: String,
}

/// `POST {base}/embeddings`, as OpenAI defines it.
pub struct OpenAiEmbeddings {
    json_client: JsonClient,
    model: String,
    dimension: usize,
}

impl Cohere {
    pub const BASE_URL: &'static str = "https://api.cohere.com/v2";
    pub const MODEL: &'static str = "embed-multilingual-v3.0";

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

impl RemoteReranker {
    pub const MODEL: &'static str = "rerank-v3.5";

    pub fn new(
        base_url: &str,
        api_key: Option<SecretString>,
        model: String,
    ) -> Result<Arc<Self>, SetupError> {
        let key = api_key.map_or(Key::None, Key::Bearer);
        Ok(Arc::new(Self {
            json_client: JsonClient::new(base_url, key)?,
            model,
        }))
    }
}

/// The dimension of a model's vectors unless another is set; `None` for unknown models.
pub fn usual_dimension(model: &str) -> Option<usize> {
    match model {
        "embed-v4.0" | "text-embedding-3-small" | "text-embedding-ada-002" => Some(1_536),
        "embed-multilingual-v3.0" | "embed-english-v3.0" | "bge-m3" => Some(1_024),
        "embed-multilingual-light-v3.0" | "embed-english-light-v3.0" => Some(384),
        "text-embedding-3-large" => Some(3_072),
        "nomic-embed-text" => Some(768),
        _ => None,
    }
}

/// True if the service shortens the model's vectors on request.
fn can_shorten(model: &str) -> bool {
    model.starts_with("embed-v4") || model.starts_with("text-embedding-3")
}

/// Models whose name says that they know no other language.
fn is_english(model: &str) -> bool {
    model.contains("english") || model.ends_with("-en") || model.contains("-en-")
}

/// The words that open models expect before a text, by its purpose.
fn prefix(model: &str, purpose: Purpose) -> &'static str {
    let model = model.to_ascii_lowercase();
    match purpose {
        Purpose::Query if model.contains("nomic-embed") => "search_query: ",
        Purpose::Document if model.contains("nomic-embed") => "search_document: ",
        Purpose::Query if model.contains("e5-") => "query: ",
        Purpose::Document if model.contains("e5-") => "passage: ",
        Purpose::Query | Purpose::Document => "",
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

    fn knows_only_english(&self) -> bool {
        is_english(&self.model)
    }

    fn batch(&self) -> usize {
        COHERE_BATCH
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
        for batch in texts.chunks(COHERE_BATCH) {
            let mut body = json!({
                "model": self.model, "texts": batch, "input_type": input_type,
                "embedding_types": ["float"], "truncate": "END",
            });
            if can_shorten(&self.model) {
                body["output_dimension"] = json!(self.dimension);
            }
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

/// The forms in which services answer `/rerank`: Cohere, Jina and vLLM; Voyage; Text Embeddings
/// Inference.
#[derive(Deserialize)]
#[serde(untagged)]
enum RerankAnswer {
    Results { results: Vec<RankedDocument> },
    Data { data: Vec<RankedDocument> },
    List(Vec<RankedDocument>),
}

#[derive(Deserialize)]
struct RankedDocument {
    index: usize,
    #[serde(alias = "relevance_score")]
    score: f64,
}

impl RemoteReranker {
    async fn ask(
        &self,
        question: &str,
        texts: &[&str],
    ) -> Result<Vec<RankedDocument>, JsonClientError> {
        let body = json!({ "model": self.model, "query": question, "documents": texts });
        let asked = self.json_client.call(Method::POST, "rerank", &body);
        let answer: RerankAnswer = match asked.await {
            // Text Embeddings Inference has another name for the documents, and no model.
            Err(JsonClientError::Rejected {
                status: 400 | 422, ..
            }) => {
                let body = json!({ "query": question, "texts": texts, "truncate": true });
                self.json_client.call(Method::POST, "rerank", &body).await?
            }
            other => other?,
        };
        let (RerankAnswer::Results {
            results: mut ranked,
        }
        | RerankAnswer::Data { data: mut ranked }
        | RerankAnswer::List(mut ranked)) = answer;
        // Not every service sorts.
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        Ok(ranked)
    }
}

#[async_trait]
impl Reranker for RemoteReranker {
    async fn rerank(&self, question: &str, hits: Vec<Hit>) -> Result<Vec<Hit>, SearchError> {
        if hits.len() < 2 {
            return Ok(hits);
        }
        let texts: Vec<&str> = hits.iter().map(|hit| hit.text.as_str()).collect();
        let ranked = self.ask(question, &texts).await.map_err(EmbedError::from)?;
        let mut left: Vec<Option<Hit>> = hits.into_iter().map(Some).collect();
        let mut ordered: Vec<Hit> = ranked
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

    fn knows_only_english(&self) -> bool {
        is_english(&self.model)
    }

    fn batch(&self) -> usize {
        OPENAI_BATCH
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
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
        let prefix = prefix(&self.model, purpose);
        for batch in texts.chunks(OPENAI_BATCH) {
            let input: Vec<String> = batch.iter().map(|text| format!("{prefix}{text}")).collect();
            let mut body =
                json!({ "model": self.model, "input": input, "encoding_format": "float" });
            if can_shorten(&self.model) {
                body["dimensions"] = json!(self.dimension);
            }
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
