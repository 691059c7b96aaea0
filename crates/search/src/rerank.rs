//! Optional reranking by a model that reads query and passage together.

use async_trait::async_trait;
use frontdesk_core::search::SearchError;

use crate::index::Hit;

/// Reorders hits. Similarities stay unchanged.
#[async_trait]
pub trait Reranker: Send + Sync {
    async fn rerank(&self, question: &str, hits: Vec<Hit>) -> Result<Vec<Hit>, SearchError>;
}
