//! Retrieval as assistants know it: an embedder and an index behind core's port. Whatever
//! the index returns is checked again before it leaves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use frontdesk_core::embed::{Embedder, Embedding, Purpose};
use frontdesk_core::search::{Query, RetrievalResult, RetrievedChunk, Search, SearchError, Ways};
use tokio::time::timeout;

use crate::index::{Hit, Index};
use crate::language;
use crate::rerank::Reranker;

/// A search that takes longer is no use to a conversation.
const PATIENCE: Duration = Duration::from_secs(10);
/// What a reranker is given to choose from.
const RERANKED: usize = 50;
/// Where the addresses of files begin.
pub const SOURCES: &str = "/sources/";

const WORDS_ONLY: &str = "Only keywords were searched: no embedding model is set up. `scripts/setup run` fetches the local one.";

#[derive(Clone)]
pub struct Retrieval {
    pub index: Arc<dyn Index>,
    /// `None`: keywords alone.
    pub embedder: Option<Arc<dyn Embedder>>,
    pub reranker: Option<Arc<dyn Reranker>>,
    /// Where people reach this server; the addresses of files begin with it.
    pub public_url: String,
}

impl Retrieval {
    async fn embed(&self, text: &str) -> Result<Option<Embedding>, SearchError> {
        let Some(embedder) = &self.embedder else {
            return Ok(None);
        };
        let vectors = embedder.embed(&[text], Purpose::Query).await?;
        Ok(vectors.into_iter().next())
    }

    async fn look_up(&self, query: &Query) -> Result<Vec<RetrievedChunk>, SearchError> {
        let mut hits = match self.reranker {
            None => self.hits(query).await?,
            Some(_) => {
                let wider = Query {
                    top_k: RERANKED.max(query.top_k),
                    ..query.clone()
                };
                self.hits(&wider).await?
            }
        };
        // The index filters; this makes sure.
        hits.retain(|hit| hit.collection == query.collection && query.scopes.admits(hit.owner));
        if let Some(reranker) = &self.reranker {
            hits = reranker.rerank(&query.text, hits).await?;
        }
        let chunks = hits
            .into_iter()
            .map(|hit| self.chunk(hit))
            .filter(|chunk| chunk.similarity_score >= query.score_threshold)
            .take(query.top_k)
            .collect();
        Ok(chunks)
    }

    async fn hits(&self, query: &Query) -> Result<Vec<Hit>, SearchError> {
        let by_words = |query: &Query| Query {
            ways: Ways::Words,
            ..query.clone()
        };
        match query.ways {
            Ways::Words => return self.index.find(query, None).await,
            // A vector of a language that the model never read is noise among good words.
            Ways::Both if self.embeds_poorly(&query.text) => {
                let hits = self.index.find(&by_words(query), None).await?;
                if !hits.is_empty() {
                    return Ok(hits);
                }
            }
            Ways::Both | Ways::Meaning => {}
        }
        let vector = self.embed(&query.text).await?;
        self.index.find(query, vector.as_ref()).await
    }

    fn embeds_poorly(&self, question: &str) -> bool {
        let one_language = |embedder: &Arc<dyn Embedder>| embedder.knows_only_english();
        self.embedder.as_ref().is_some_and(one_language) && !language::is_english(question)
    }

    fn chunk(&self, hit: Hit) -> RetrievedChunk {
        RetrievedChunk {
            chunk_id: hit.id,
            similarity_score: similarity(hit.similarity),
            chunk_text: hit.text,
            url: self.address(&hit.url),
            title: Some(hit.title).filter(|title| !title.is_empty()),
            chunk_index: hit.index,
            token_count: hit.tokens,
            timestamp: hit.taken,
            chunk_config: hit.config,
            model_name: hit.model,
            dimension: self
                .embedder
                .as_ref()
                .map_or(0, |embedder| embedder.dimension()),
            vector: hit.vector,
        }
    }

    /// The full address of what is kept under this one.
    pub fn address(&self, url: &str) -> String {
        if url.starts_with(SOURCES) {
            format!("{}{url}", self.public_url)
        } else {
            url.to_owned()
        }
    }

    /// The address a document is kept under.
    pub fn kept_address<'a>(&self, url: &'a str) -> &'a str {
        match url.strip_prefix(self.public_url.as_str()) {
            Some(path) if path.starts_with(SOURCES) => path,
            Some(_) | None => url,
        }
    }
}

/// A cosine below zero is no likeness at all; rounding may carry one above 1.
fn similarity(cosine: f32) -> f64 {
    f64::from(cosine).clamp(0.0, 1.0)
}

#[async_trait]
impl Search for Retrieval {
    async fn search(&self, query: &Query) -> Result<RetrievalResult, SearchError> {
        query.check()?;
        let begin = Instant::now();
        let query = Query {
            // Kept addresses have no host; a filter by address may have one.
            url_prefix: query
                .url_prefix
                .as_deref()
                .map(|prefix| self.kept_address(prefix).to_owned()),
            ..query.clone()
        };
        let chunks = timeout(PATIENCE, self.look_up(&query))
            .await
            .map_err(|_| SearchError::TimedOut)??;
        let seconds = begin.elapsed().as_secs_f64();
        let mut result = RetrievalResult::new(query.text, chunks, seconds);
        if self.embedder.is_none() {
            result.note = Some(WORDS_ONLY.to_owned());
        }
        Ok(result)
    }
}

#[cfg(test)]
#[path = "retrieval_tests.rs"]
mod retrieval_tests;
