//! Search in an assistant's own objects: passes, candidates, documents.

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::store::SearchWords;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bundle::BoxError;

/// Finds objects with the rights of the person. The search waits at most two seconds for it.
#[async_trait]
pub trait ObjectSearch: Send + Sync {
    /// The best matches, at most `limit`. `query` is what the person wrote, `words` its words.
    async fn find(
        &self,
        who: &Principal,
        query: &str,
        words: &SearchWords,
        limit: usize,
    ) -> Result<Vec<FoundObject>, BoxError>;
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FoundObject {
    pub title: String,
    /// A line that tells it from others; may be empty.
    pub detail: String,
    /// Its address on the page, or a web address.
    pub link: String,
}
