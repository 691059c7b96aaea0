//! An LRU cache of query embeddings: a repeated question costs no model run and no request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};

/// Less than 1 MB with vectors of 1,536 numbers.
const CAPACITY: usize = 128;
/// In bytes. Longer queries are pasted texts, which rarely repeat.
const LONGEST: usize = 1_000;

/// Caches query embeddings. Documents bypass the cache: the index already skips unchanged
/// ones.
pub struct QueryCache {
    embedder: Arc<dyn Embedder>,
    /// Most recently used last.
    entries: Mutex<VecDeque<(String, Embedding)>>,
}

impl QueryCache {
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            embedder,
            entries: Mutex::default(),
        }
    }

    fn get(&self, question: &str) -> Option<Embedding> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|(asked, _)| asked == question)?;
        let found = entries.remove(at)?;
        let vector = found.1.clone();
        entries.push_back(found);
        Some(vector)
    }

    fn insert(&self, question: &str, vector: &Embedding) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if question.len() > LONGEST || entries.iter().any(|(asked, _)| asked == question) {
            return;
        }
        if entries.len() >= CAPACITY {
            entries.pop_front();
        }
        entries.push_back((question.to_owned(), vector.clone()));
    }
}

#[async_trait]
impl Embedder for QueryCache {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn dimension(&self) -> usize {
        self.embedder.dimension()
    }

    fn knows_only_english(&self) -> bool {
        self.embedder.knows_only_english()
    }

    fn batch(&self) -> usize {
        self.embedder.batch()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let ([question], Purpose::Query) = (texts, purpose) else {
            return self.embedder.embed(texts, purpose).await;
        };
        if let Some(vector) = self.get(question) {
            return Ok(vec![vector]);
        }
        let vectors = self.embedder.embed(texts, purpose).await?;
        if let [vector] = vectors.as_slice() {
            self.insert(question, vector);
        }
        Ok(vectors)
    }
}

#[cfg(test)]
#[path = "query_cache_tests.rs"]
mod query_cache_tests;
