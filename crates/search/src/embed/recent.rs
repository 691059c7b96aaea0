//! The questions of late, with their vectors: what is asked again costs nothing, neither on this
//! machine nor at a provider.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use frontdesk_core::embed::{EmbedError, Embedder, Embedding, Purpose};

/// With vectors of 1,536 numbers less than a megabyte.
const REMEMBERED: usize = 128;
/// Longer questions are pasted texts, which nobody asks twice.
const LONGEST: usize = 1_000;

/// An embedder that remembers questions. Documents pass through: what did not change of
/// them is known by the index.
pub struct RecentQuestions {
    embedder: Arc<dyn Embedder>,
    /// The latest last.
    recent: Mutex<VecDeque<(String, Embedding)>>,
}

impl RecentQuestions {
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self {
            embedder,
            recent: Mutex::default(),
        }
    }

    fn known(&self, question: &str) -> Option<Embedding> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let at = recent.iter().position(|(asked, _)| asked == question)?;
        let found = recent.remove(at)?;
        let vector = found.1.clone();
        recent.push_back(found);
        Some(vector)
    }

    fn remember(&self, question: &str, vector: &Embedding) {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if question.len() > LONGEST || recent.iter().any(|(asked, _)| asked == question) {
            return;
        }
        if recent.len() >= REMEMBERED {
            recent.pop_front();
        }
        recent.push_back((question.to_owned(), vector.clone()));
    }
}

#[async_trait]
impl Embedder for RecentQuestions {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    fn dimension(&self) -> usize {
        self.embedder.dimension()
    }

    fn knows_only_english(&self) -> bool {
        self.embedder.knows_only_english()
    }

    async fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Embedding>, EmbedError> {
        let ([question], Purpose::Query) = (texts, purpose) else {
            return self.embedder.embed(texts, purpose).await;
        };
        if let Some(vector) = self.known(question) {
            return Ok(vec![vector]);
        }
        let vectors = self.embedder.embed(texts, purpose).await?;
        if let [vector] = vectors.as_slice() {
            self.remember(question, vector);
        }
        Ok(vectors)
    }
}

#[cfg(test)]
#[path = "recent_tests.rs"]
mod recent_tests;
