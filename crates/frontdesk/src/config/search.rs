//! Retrieval settings: embedder, index and chunking.

use std::path::PathBuf;

use frontdesk_core::search::ChunkConfig;
use frontdesk_search::chunk;
use frontdesk_search::embed::remote::{
    DIMENSIONS, Remote, RemoteEmbedder, RemoteReranker, usual_dimension,
};
use secrecy::SecretString;

use super::{ConfigError, Raw, bad};

#[derive(Debug)]
pub struct Search {
    pub embeddings: Embeddings,
    pub rerank: Option<Rerank>,
    /// `None`: the embedded index in the data folder.
    pub qdrant: Option<(String, Option<SecretString>)>,
    pub chunks: ChunkConfig,
    pub allowed_hosts: Vec<String>,
}

/// A service that orders hits.
#[derive(Clone, Debug)]
pub struct Rerank {
    pub base_url: String,
    pub api_key: Option<SecretString>,
    pub model: String,
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
    let hosts = raw.text("search.allowed_hosts").unwrap_or_default();
    Ok(Search {
        embeddings: embeddings(raw, cohere_key.is_some())?,
        rerank: rerank(raw)?,
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

/// The folder of the local model: the one that is set, or the usual one below the user's cache.
pub(super) fn embeddings_folder(raw: &Raw) -> Result<Option<PathBuf>, ConfigError> {
    let name = match raw.text("search.embeddings").as_deref() {
        Some("multilingual") => "use-multilingual",
        Some(_) | None => "all-MiniLM-L6-v2",
    };
    let usual = || Some(raw.cache.as_ref()?.join("frontdesk").join(name));
    Ok(raw.optional("embeddings.folder")?.or_else(usual))
}

fn embeddings(raw: &Raw, has_cohere_key: bool) -> Result<Embeddings, ConfigError> {
    let choice = raw.choose(
        "search.embeddings",
        &[
            ("auto", Choice::Auto),
            ("none", Choice::None),
            ("local", Choice::Local),
            // The same, from another folder.
            ("multilingual", Choice::Local),
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
            model: model(raw, RemoteEmbedder::OPENAI_MODEL),
            dimension: dimension(raw, &model(raw, RemoteEmbedder::OPENAI_MODEL))?,
        }),
    })
}

fn cohere(raw: &Raw) -> Result<Remote, ConfigError> {
    Ok(Remote {
        base_url: raw.parse("search.cohere_url")?,
        api_key: raw.secret("search.cohere_api_key"),
        model: model(raw, RemoteEmbedder::COHERE_MODEL),
        dimension: dimension(raw, &model(raw, RemoteEmbedder::COHERE_MODEL))?,
    })
}

fn model(raw: &Raw, default: &str) -> String {
    raw.text("search.embedding_model")
        .unwrap_or_else(|| default.to_owned())
}

/// Cohere by its key, or any service that accepts the same requests.
fn rerank(raw: &Raw) -> Result<Option<Rerank>, ConfigError> {
    if !raw.flag("search.rerank")? {
        return Ok(None);
    }
    let own = raw.text("search.rerank_url");
    let api_key = match own {
        Some(_) => raw.secret("search.rerank_api_key"),
        None => raw.secret("search.cohere_api_key"),
    };
    if own.is_none() && api_key.is_none() {
        return Err(bad(
            "search.rerank",
            "needs COHERE_API_KEY or `search.rerank_url`",
        ));
    }
    Ok(Some(Rerank {
        base_url: match own {
            Some(url) => url,
            None => raw.parse("search.cohere_url")?,
        },
        api_key,
        model: raw
            .text("search.rerank_model")
            .unwrap_or_else(|| RemoteReranker::MODEL.to_owned()),
    }))
}

/// The dimension that is set, or the usual one of the model.
fn dimension(raw: &Raw, model: &str) -> Result<usize, ConfigError> {
    const KEY: &str = "search.embedding_dimension";
    let Some(dimension) = raw.optional(KEY)?.or_else(|| usual_dimension(model)) else {
        let problem = format!("is needed for {model}: the length of its vectors");
        return Err(bad(KEY, problem));
    };
    if DIMENSIONS.contains(&dimension) {
        return Ok(dimension);
    }
    Err(bad(KEY, format!("must be one of {DIMENSIONS:?}")))
}
