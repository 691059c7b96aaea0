//! Retrieval settings: embedder, index and chunking.

use frontdesk_core::search::ChunkConfig;
use frontdesk_search::chunk;
use frontdesk_search::embed::remote::{Cohere, DIMENSIONS, Remote};
use secrecy::SecretString;

use super::{ConfigError, Raw};

#[derive(Debug)]
pub struct Search {
    pub embeddings: Embeddings,
    pub rerank: Option<Remote>,
    /// `None`: the embedded index in the data folder.
    pub qdrant: Option<(String, Option<SecretString>)>,
    pub chunks: ChunkConfig,
    pub allowed_hosts: Vec<String>,
}

#[derive(Clone, Debug)]
pub enum Embeddings {
    /// Keywords only.
    None,
    /// Used only if it is installed.
    Local,
    Cohere(Remote),
    OpenAi(Remote),
}

#[derive(Clone, Copy)]
enum Choice {
    Auto,
    None,
    Local,
    Cohere,
    OpenAi,
}

pub(super) fn read(raw: &Raw) -> Result<Search, ConfigError> {
    let chunks = ChunkConfig {
        chunk_size: raw.parse("search.chunk_size")?,
        chunk_overlap: raw.parse("search.chunk_overlap")?,
    };
    chunk::check(chunks).map_err(|problem| bad("search.chunk_size", problem))?;
    let cohere_key = raw.secret("search.cohere_api_key");
    let rerank = raw.flag("search.rerank")?;
    if rerank && cohere_key.is_none() {
        return Err(bad("search.rerank", "needs COHERE_API_KEY"));
    }
    let hosts = raw.text("search.allowed_hosts").unwrap_or_default();
    Ok(Search {
        embeddings: embeddings(raw, cohere_key.is_some())?,
        rerank: rerank.then(|| cohere(raw)).transpose()?,
        qdrant: raw
            .text("search.qdrant_url")
            .map(|url| (url, raw.secret("search.qdrant_api_key"))),
        chunks,
        allowed_hosts: hosts
            .split(',')
            .map(|host| host.trim().to_owned())
            .filter(|host| !host.is_empty())
            .collect(),
    })
}

fn embeddings(raw: &Raw, has_cohere_key: bool) -> Result<Embeddings, ConfigError> {
    let choice = raw.choose(
        "search.embeddings",
        &[
            ("auto", Choice::Auto),
            ("none", Choice::None),
            ("local", Choice::Local),
            ("cohere", Choice::Cohere),
            ("openai", Choice::OpenAi),
        ],
    )?;
    Ok(match choice {
        Choice::None => Embeddings::None,
        Choice::Local => Embeddings::Local,
        Choice::Auto if !has_cohere_key => Embeddings::Local,
        Choice::Auto | Choice::Cohere => {
            if !has_cohere_key {
                return Err(bad("search.embeddings", "`cohere` needs COHERE_API_KEY"));
            }
            Embeddings::Cohere(cohere(raw)?)
        }
        Choice::OpenAi => Embeddings::OpenAi(Remote {
            base_url: match raw.text("search.embeddings_url") {
                Some(url) => url,
                None => raw.parse("model.base_url")?,
            },
            api_key: raw
                .secret("search.embeddings_api_key")
                .or_else(|| raw.secret("model.api_key")),
            model: raw
                .text("search.embedding_model")
                .unwrap_or_else(|| "text-embedding-3-small".to_owned()),
            dimension: dimension(raw, 1_536)?,
        }),
    })
}

fn cohere(raw: &Raw) -> Result<Remote, ConfigError> {
    Ok(Remote {
        base_url: raw.parse("search.cohere_url")?,
        api_key: raw.secret("search.cohere_api_key"),
        model: raw
            .text("search.embedding_model")
            .unwrap_or_else(|| Cohere::MODEL.to_owned()),
        dimension: dimension(raw, Cohere::DIMENSION)?,
    })
}

fn dimension(raw: &Raw, default: usize) -> Result<usize, ConfigError> {
    const KEY: &str = "search.embedding_dimension";
    let dimension = raw.optional(KEY)?.unwrap_or(default);
    if DIMENSIONS.contains(&dimension) {
        return Ok(dimension);
    }
    Err(bad(KEY, format!("must be one of {DIMENSIONS:?}")))
}

fn bad(key: &str, problem: impl Into<String>) -> ConfigError {
    ConfigError::BadValue {
        key: key.to_owned(),
        problem: problem.into(),
    }
}
