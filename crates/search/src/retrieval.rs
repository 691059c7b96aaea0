//! Implements core's retrieval port with an embedder and an index. Every hit of the index
//! is checked for visibility again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use frontdesk_core::embed::{Embedder, Embedding, Purpose};
use frontdesk_core::search::{Query, RetrievalResult, RetrievedChunk, Search, SearchError, Ways};
use tokio::time::timeout;

use crate::embed::remote::RemoteReranker;
use crate::index::{Hit, Index};
use crate::{language, relevance};

/// A longer search is of no use to a conversation.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(10);
/// Hits passed to the reranker.
const RERANK_DEPTH: usize = 50;
/// Path prefix of file addresses.
pub const SOURCES: &str = "/sources/";

const WORDS_ONLY: &str = "Only keywords were searched: no embedding model is set up. `scripts/setup run` fetches the local one.";

#[derive(Clone)]
pub struct Retrieval {
    pub index: Arc<dyn Index>,
    /// `None`: keyword search only.
    pub embedder: Option<Arc<dyn Embedder>>,
    pub reranker: Option<Arc<RemoteReranker>>,
    /// The public address of this server; file addresses are relative to it.
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
        let mut wider = query.clone();
        if self.reranker.is_some() {
            wider.top_k = RERANK_DEPTH.max(query.top_k);
        }
        if self.embeds_all_languages() {
            // The index judges by words, which are others in another language.
            wider.score_threshold = 0.0;
        }
        let mut hits = self.hits(&wider).await?;
        // Defence in depth: the index has filtered by owner already.
        hits.retain(|hit| hit.collection == query.collection && query.scopes.admits(hit.owner));
        if let Some(reranker) = &self.reranker {
            hits = match reranker.rerank(&query.text, hits.clone()).await {
                Ok(reranked) => reranked,
                // The order of the index is still a good one.
                Err(error) => {
                    tracing::warn!("hits were not reranked: {error}");
                    hits
                }
            };
        }
        let chunks = hits
            .into_iter()
            .map(|hit| self.chunk(hit))
            .take(query.top_k)
            .filter(|chunk| chunk.similarity_score >= query.score_threshold)
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
            // The embedding of a language that the model does not know would only add noise
            // to the keywords.
            Ways::Both if self.embeds_poorly(&query.text) => {
                let hits = self.index.find(&by_words(query), None).await?;
                if !hits.is_empty() {
                    return Ok(hits);
                }
            }
            Ways::Both | Ways::Meaning => {}
        }
        let vector = self.embed(&query.text).await?;
        let mut hits = self.index.find(query, vector.as_ref()).await?;
        if self.embeds_all_languages() {
            relevance::judge_across_languages(&query.text, &mut hits);
        }
        Ok(hits)
    }

    fn embeds_all_languages(&self) -> bool {
        let embedder = self.embedder.as_ref();
        embedder.is_some_and(|embedder| !embedder.knows_only_english())
    }

    fn embeds_poorly(&self, question: &str) -> bool {
        !self.embeds_all_languages() && !language::is_english(question)
    }

    fn chunk(&self, hit: Hit) -> RetrievedChunk {
        RetrievedChunk {
            similarity_score: hit.score(),
            chunk_id: hit.id,
            context: Some(hit.context).filter(|context| context.len() > hit.text.len()),
            section: Some(hit.section).filter(|section| !section.is_empty()),
            page: hit.page,
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

    /// The absolute address of a stored one.
    pub fn address(&self, url: &str) -> String {
        if url.starts_with(SOURCES) {
            format!("{}{url}", self.public_url)
        } else {
            url.to_owned()
        }
    }

    /// The stored form of an address.
    pub fn stored_address<'a>(&self, url: &'a str) -> &'a str {
        match url.strip_prefix(self.public_url.as_str()) {
            Some(path) if path.starts_with(SOURCES) => path,
            Some(_) | None => url,
        }
    }
}

#[async_trait]
impl Search for Retrieval {
    async fn search(&self, query: &Query) -> Result<RetrievalResult, SearchError> {
        query.check()?;
        let begin = Instant::now();
        let query = Query {
            // Stored addresses have no host; an address filter may have one.
            url_prefix: query
                .url_prefix
                .as_deref()
                .map(|prefix| self.stored_address(prefix).to_owned()),
            ..query.clone()
        };
        let chunks = timeout(SEARCH_TIMEOUT, self.look_up(&query))
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
