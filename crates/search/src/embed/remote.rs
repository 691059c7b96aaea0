//! Embeddings and reranking by services: Cohere's protocol, and the one of OpenAI with what
//! other services expect besides. Batching, retries and validation of responses.

use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};
use frontdesk_core::search::SearchError;
use futures_util::future::BoxFuture;
use reqwest::Method;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::index::Hit;
use crate::json_client::{JsonClient, JsonClientError, Key, SetupError};

/// Texts per request: Cohere accepts 96, Gemini 100, Voyage 1,000 and OpenAI 2,048. A service
/// that accepts fewer gets halves.
const BATCH: usize = 96;
/// Dimensions that the configuration accepts.
pub const DIMENSIONS: &[usize] = &[256, 384, 512, 768, 1_024, 1_536, 2_048, 2_560, 3_072, 4_096];

/// Address, model and key of a remote embedding model.
#[derive(Clone, Debug)]
pub struct Remote {
    pub base_url: String,
    pub api_key: Option<SecretString>,
    pub model: String,
    pub dimension: usize,
}

/// An embedding model of a service.
pub struct RemoteEmbedder {
    json_client: JsonClient,
    model: String,
    dimension: usize,
    protocol: Protocol,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Protocol {
    /// Cohere's v2 API: `POST {base}/embed`.
    Cohere,
    /// `POST {base}/embeddings`, as OpenAI and many others define it.
    OpenAi,
}

/// `POST {base}/rerank`, as Cohere and many others define it.
pub struct RemoteReranker {
    json_client: JsonClient,
    model: String,
}

impl RemoteEmbedder {
    pub const COHERE_MODEL: &'static str = "embed-multilingual-v3.0";
    pub const OPENAI_MODEL: &'static str = "text-embedding-3-small";

    pub fn cohere(remote: Remote) -> Result<Arc<Self>, SetupError> {
        Self::new(remote, Protocol::Cohere)
    }

    pub fn openai(remote: Remote) -> Result<Arc<Self>, SetupError> {
        Self::new(remote, Protocol::OpenAi)
    }

    fn new(remote: Remote, protocol: Protocol) -> Result<Arc<Self>, SetupError> {
        if !DIMENSIONS.contains(&remote.dimension) {
            return Err(SetupError(format!(
                "the embedding dimension is {}; it must be one of {DIMENSIONS:?}",
                remote.dimension
            )));
        }
        let key = remote.api_key.map_or(Key::None, Key::Bearer);
        Ok(Arc::new(Self {
            json_client: JsonClient::new(&remote.base_url, key)?,
            model: remote.model,
            dimension: remote.dimension,
            protocol,
        }))
    }

    /// Embeds a batch. A service that refuses it may accept fewer texts: it gets halves.
    fn embed_batch<'a>(
        &'a self,
        texts: &'a [&'a str],
        purpose: Purpose,
    ) -> BoxFuture<'a, Result<Vec<Embedding>, EmbedError>> {
        Box::pin(async move {
            match self.request(texts, purpose).await {
                Err(JsonClientError::Rejected {
                    status: 400 | 413 | 422,
                    ..
                }) if texts.len() > 1 => {
                    let (first, second) = texts.split_at(texts.len() / 2);
                    let mut embeddings = self.embed_batch(first, purpose).await?;
                    embeddings.extend(self.embed_batch(second, purpose).await?);
                    Ok(embeddings)
                }
                answer => checked(answer?, texts.len(), self.dimension),
            }
        })
    }

    async fn request(
        &self,
        texts: &[&str],
        purpose: Purpose,
    ) -> Result<Vec<Vec<Value>>, JsonClientError> {
        #[derive(Deserialize)]
        struct CohereAnswer {
            embeddings: Floats,
        }
        #[derive(Deserialize)]
        struct Floats {
            float: Vec<Vec<Value>>,
        }
        #[derive(Deserialize)]
        struct OpenAiAnswer {
            data: Vec<IndexedVector>,
        }
        #[derive(Deserialize)]
        struct IndexedVector {
            #[serde(default)]
            index: Option<usize>,
            embedding: Vec<Value>,
        }
        match self.protocol {
            Protocol::Cohere => {
                let body = cohere_body(&self.model, self.dimension, texts, purpose);
                let asked = self.json_client.call(Method::POST, "embed", &body);
                let answer: CohereAnswer = asked.await?;
                Ok(answer.embeddings.float)
            }
            Protocol::OpenAi => {
                let body = openai_body(&self.model, self.dimension, texts, purpose);
                let asked = self.json_client.call(Method::POST, "embeddings", &body);
                let mut answer: OpenAiAnswer = asked.await?;
                // Not every service numbers its vectors; the sort is stable.
                answer.data.sort_by_key(|one| one.index);
                let vectors = answer.data.into_iter();
                Ok(vectors.map(|one| one.embedding).collect())
            }
        }
    }
}

fn cohere_body(model: &str, dimension: usize, texts: &[&str], purpose: Purpose) -> Value {
    let mut body = json!({
        "model": model, "texts": texts, "embedding_types": ["float"], "truncate": "END",
        "input_type": match purpose {
            Purpose::Document => "search_document",
            Purpose::Query => "search_query",
        },
    });
    if model.starts_with("embed-v4") {
        body["output_dimension"] = json!(dimension);
    }
    body
}

fn openai_body(model: &str, dimension: usize, texts: &[&str], purpose: Purpose) -> Value {
    let is_query = purpose == Purpose::Query;
    let prefix = prefix(model, purpose);
    let texts: Vec<String> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
    let mut body = json!({ "model": model, "input": texts });
    if model.starts_with("voyage-") {
        // Voyage knows no other encoding than its default and Base64.
        body["input_type"] = json!(if is_query { "query" } else { "document" });
        if !matches!(model, "voyage-3" | "voyage-3-lite") && !model.ends_with("-2") {
            body["output_dimension"] = json!(dimension);
        }
    } else if model.starts_with("jina-embeddings-v") {
        if !model.starts_with("jina-embeddings-v2") {
            let part = if is_query { "query" } else { "passage" };
            body["task"] = json!(format!("retrieval.{part}"));
            body["dimensions"] = json!(dimension);
        }
    } else {
        body["encoding_format"] = json!("float");
        if model.starts_with("text-embedding-3") || model.starts_with("gemini-embedding") {
            body["dimensions"] = json!(dimension);
        }
    }
    body
}

/// The words that open models expect before a text, by its purpose: before a query, and
/// before a document.
const PREFIXES: &[(&str, &str, &str)] = &[
    ("nomic-embed", "search_query: ", "search_document: "),
    ("e5-", "query: ", "passage: "),
    ("arctic-embed", "query: ", ""),
    (
        "embeddinggemma",
        "task: search result | query: ",
        "title: none | text: ",
    ),
    (
        "mxbai-embed",
        "Represent this sentence for searching relevant passages: ",
        "",
    ),
    (
        "qwen3-embedding",
        "Instruct: Given a question, retrieve passages that answer it\nQuery: ",
        "",
    ),
];

fn prefix(model: &str, purpose: Purpose) -> &'static str {
    let model = model.to_ascii_lowercase();
    let known = PREFIXES.iter().find(|(part, ..)| model.contains(part));
    match (known, purpose) {
        (Some((_, query, _)), Purpose::Query) => query,
        (Some((_, _, document)), Purpose::Document) => document,
        (None, Purpose::Query | Purpose::Document) => "",
    }
}

/// The dimension of a model's vectors unless another is set; `None` for unknown models.
pub fn usual_dimension(model: &str) -> Option<usize> {
    const DIMENSIONS_OF: &[(&str, usize)] = &[
        ("embed-v4", 1_536),
        ("embed-multilingual-light-v3", 384),
        ("embed-english-light-v3", 384),
        ("embed-multilingual-v3", 1_024),
        ("embed-english-v3", 1_024),
        ("text-embedding-3-large", 3_072),
        ("text-embedding-3-small", 1_536),
        ("text-embedding-ada-002", 1_536),
        ("gemini-embedding", 3_072),
        ("mistral-embed", 1_024),
        ("voyage-3-lite", 512),
        ("voyage-code-2", 1_536),
        ("voyage-large-2-instruct", 1_024),
        ("voyage-large-2", 1_536),
        ("voyage-", 1_024),
        ("jina-embeddings-v2-small", 512),
        ("jina-embeddings-v2", 768),
        ("jina-embeddings-v3", 1_024),
        ("jina-embeddings-v4", 2_048),
        ("nomic-embed-text", 768),
        ("embeddinggemma", 768),
        ("bge-m3", 1_024),
        ("bge-small", 384),
        ("bge-base", 768),
        ("bge-large", 1_024),
        ("mxbai-embed-large", 1_024),
        ("e5-small", 384),
        ("e5-base", 768),
        ("e5-large", 1_024),
        ("all-minilm", 384),
    ];
    let model = model.to_ascii_lowercase();
    let known = DIMENSIONS_OF.iter().find(|(part, _)| model.contains(part));
    known.map(|(_, dimension)| *dimension)
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn model(&self) -> &str {
        &self.model
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    /// The name of a model says so.
    fn knows_only_english(&self) -> bool {
        let model = self.model.as_str();
        model.contains("english") || model.ends_with("-en") || model.contains("-en-")
    }

    fn batch(&self) -> usize {
        BATCH
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let mut embeddings = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            embeddings.extend(self.embed_batch(batch, purpose).await?);
        }
        Ok(embeddings)
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

impl RemoteReranker {
    /// Reorders hits by a model that reads question and passage together. Scores stay.
    pub async fn rerank(&self, question: &str, hits: Vec<Hit>) -> Result<Vec<Hit>, SearchError> {
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
