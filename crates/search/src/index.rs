//! Storage and search of passages: [`embedded`] in a local file, or [`qdrant`] for scale.
//! Both implement [`Index`].

pub mod embedded;
pub mod qdrant;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{ChunkConfig, Query, SearchError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::relevance;

/// Stores passages and searches them.
#[async_trait]
pub trait Index: Send + Sync {
    /// The stored documents of a place, so that unchanged ones are skipped and those of other
    /// sources are not overwritten.
    async fn list_versions(&self, place: &Place) -> Result<Vec<DocumentVersion>, SearchError>;

    /// Replaces a document atomically. `Invalid` means that the index rejected this document.
    async fn put(&self, document: NewDocument) -> Result<(), SearchError>;

    /// The stored vectors of a document, by digest of the embedded text, so that only new
    /// passages of a changed page are embedded. Empty if the index cannot tell.
    async fn vectors(
        &self,
        _place: &Place,
        _url: &str,
        _model: &str,
    ) -> Result<HashMap<Vec<u8>, Embedding>, SearchError> {
        Ok(HashMap::new())
    }

    /// Removes documents by address; returns how many existed.
    async fn remove(&self, place: &Place, urls: &[String]) -> Result<usize, SearchError>;

    /// The best passages for a query: semantic and keyword rankings, fused. Without a
    /// vector, keywords alone. An index may omit hits beyond `top_k` or below the
    /// threshold.
    async fn find(
        &self,
        query: &Query,
        vector: Option<&Embedding>,
    ) -> Result<Vec<Hit>, SearchError>;

    /// Collections that hold documents visible to these scopes.
    async fn collections(&self, scopes: &[Uuid]) -> Result<Vec<Collection>, SearchError>;

    /// Visible documents of a collection, ordered by address.
    async fn documents(
        &self,
        collection: &str,
        scopes: &[Uuid],
    ) -> Result<Vec<DocumentEntry>, SearchError>;

    /// A whole document by address, if visible to these scopes.
    async fn document(
        &self,
        collection: &str,
        scopes: &[Uuid],
        url: &str,
    ) -> Result<Option<StoredDocument>, SearchError>;

    /// Checks that the index answers; used by `doctor`.
    async fn check(&self) -> Result<String, SearchError>;
}

/// A collection and the owner of the documents in it: a company, a user, or everyone
/// (`None`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub collection: String,
    pub owner: Option<Uuid>,
}

/// The version of a stored document, to detect changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentVersion {
    pub url: String,
    pub source: String,
    pub hash: String,
    /// The ETag that the server sent.
    pub etag: Option<String>,
}

/// A document to be stored.
#[derive(Clone, Debug)]
pub struct NewDocument {
    pub place: Place,
    /// The origin of the ingest: a folder, a file or a site.
    pub source: String,
    /// The document's address. A file's begins with `/sources/`.
    pub url: String,
    pub title: String,
    pub text: String,
    /// Digest of the content, the chunk settings and the embedding model.
    pub hash: String,
    pub etag: Option<String>,
    pub metadata: BTreeMap<String, String>,
    pub config: ChunkConfig,
    pub taken: DateTime<Utc>,
    pub model: String,
    pub passages: Vec<NewPassage>,
}

#[derive(Clone, Debug)]
pub struct NewPassage {
    pub text: String,
    /// The passage with title and headings, as it is indexed.
    pub searched: String,
    pub tokens: u32,
    pub begin: usize,
    pub end: usize,
    /// Byte range of the passage with its neighbours.
    pub context: Range<usize>,
    /// The headings above the passage, outermost first, separated by ` › `.
    pub section: String,
    /// The page of a PDF, from 1.
    pub page: Option<u32>,
    /// `None` without an embedding model.
    pub vector: Option<Embedding>,
}

/// A search hit. The caller checks `owner` again.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: String,
    pub owner: Option<Uuid>,
    pub collection: String,
    pub url: String,
    pub title: String,
    pub text: String,
    /// The passage with its neighbours.
    pub context: String,
    pub section: String,
    pub page: Option<u32>,
    pub index: u32,
    pub tokens: u32,
    pub taken: DateTime<Utc>,
    pub config: ChunkConfig,
    pub model: String,
    pub metadata: BTreeMap<String, String>,
    /// Cosine similarity with the query, if there are vectors.
    pub cosine: Option<f32>,
    /// The share of the query's words that the passage holds, from 0 to 1; see `Relevance::share`.
    pub share: f32,
    pub vector: Option<Vec<f32>>,
}

impl Hit {
    /// How likely the passage answers the query, from 0 to 1.
    pub fn score(&self) -> f64 {
        relevance::score(self.cosine, self.share)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CollectionEntry")]
pub struct Collection {
    pub name: String,
    pub documents: u32,
    pub chunks: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentEntry {
    pub url: String,
    pub title: String,
    pub chunks: u32,
    pub taken_in: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "SourceText")]
pub struct StoredDocument {
    pub collection: String,
    pub url: String,
    pub title: String,
    /// Markdown to display. Never execute it.
    pub text: String,
    pub passages: Vec<PassageRange>,
}

/// The position of a passage in the text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Passage")]
pub struct PassageRange {
    pub chunk_id: String,
    pub begin: usize,
    pub end: usize,
}

/// Identifies an embedded text.
pub(crate) fn digest(searched: &str) -> Vec<u8> {
    Sha256::digest(searched.as_bytes())[..16].to_vec()
}
