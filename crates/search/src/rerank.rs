//! An optional second look at what was found, by a model that reads question and passage
//! together.

use async_trait::async_trait;
use frontdesk_core::search::SearchError;

use crate::index::Hit;

/// Puts hits into a better order. Similarities stay what they are.
#[async_trait]
pub trait Reranker: Send + Sync {
    async fn rerank(&self, question: &str, hits: Vec<Hit>) -> Result<Vec<Hit>, SearchError>;
}
