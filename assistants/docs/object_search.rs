//! Documents for the search of the page: each document once, by its best passage.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_bundle::{BoxError, FoundObject, ObjectSearch};
use frontdesk_core::access::Principal;
use frontdesk_core::search::{Query, RetrievedChunk, Scopes, Search, Ways};
use frontdesk_core::store::SearchWords;

use super::config::{AgentConfig, DEMO_COLLECTION};

/// Several passages of one document may match.
const PASSAGES_PER_DOCUMENT: usize = 4;

pub(super) struct DocumentSearch {
    pub(super) search: Arc<dyn Search>,
    pub(super) config: AgentConfig,
    pub(super) public_url: String,
}

#[async_trait]
impl ObjectSearch for DocumentSearch {
    async fn find(
        &self,
        who: &Principal,
        query: &str,
        words: &SearchWords,
        limit: usize,
    ) -> Result<Vec<FoundObject>, BoxError> {
        let mut collections = self.config.collections.clone();
        if !collections.iter().any(|name| name == DEMO_COLLECTION) {
            collections.push(DEMO_COLLECTION.to_owned());
        }
        let mut documents = Vec::new();
        let mut seen = HashSet::new();
        for collection in collections {
            let query = Query {
                top_k: limit * PASSAGES_PER_DOCUMENT,
                // Words as they are: a page that types does not wait for embeddings.
                ways: Ways::Words,
                ..Query::new(query, collection, Scopes::of(who))
            };
            let found = self.search.search(&query).await?;
            // The index also finds passages with some of the words.
            let chunks = found.chunks.into_iter().filter(|chunk| {
                let title = chunk.title.as_deref().unwrap_or_default();
                words.all_begin_a_word_of(&format!("{title} {}", chunk.chunk_text))
            });
            for chunk in chunks {
                if seen.insert(chunk.url.clone()) {
                    documents.push(self.document(chunk, words));
                }
            }
        }
        documents.truncate(limit);
        Ok(documents)
    }
}

impl DocumentSearch {
    fn document(&self, chunk: RetrievedChunk, words: &SearchWords) -> FoundObject {
        // A document of this server opens on the page.
        let link = match chunk.url.strip_prefix(self.public_url.as_str()) {
            Some(path) if path.starts_with('/') => path.to_owned(),
            Some(_) | None => chunk.url,
        };
        FoundObject {
            title: chunk.title.unwrap_or_else(|| link.clone()),
            detail: words.excerpt(&chunk.chunk_text),
            link,
        }
    }
}
