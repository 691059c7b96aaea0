//! Where passages are kept and found: [`embedded`] in a file of our own, or [`qdrant`] for
//! scale. Both answer with the same hits.

pub mod embedded;
pub mod qdrant;

use std::collections::{BTreeMap, HashMap};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{ChunkConfig, Query, SearchError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Keeps passages and finds them again.
#[async_trait]
pub trait Index: Send + Sync {
    /// What is kept of a source, so that an unchanged document costs nothing.
    async fn known(&self, place: &Place, source: &str) -> Result<Vec<Known>, SearchError>;

    /// Puts a document in the place of its former self, whole or not at all.
    async fn put(&self, document: NewDocument) -> Result<(), SearchError>;

    /// The vectors that are kept of a document, by the digest of what was embedded: of a
    /// page that changed, only what is new is embedded. None where an index cannot tell.
    async fn vectors(
        &self,
        _place: &Place,
        _url: &str,
        _model: &str,
    ) -> Result<HashMap<Vec<u8>, Embedding>, SearchError> {
        Ok(HashMap::new())
    }

    /// Removes documents by their addresses; says how many there were.
    async fn remove(&self, place: &Place, urls: &[String]) -> Result<usize, SearchError>;

    /// The best passages for a question: those near in meaning and those that share words,
    /// joined by their ranks. Without a vector, words alone. An index may leave out what is
    /// beyond `top_k` or below the threshold.
    async fn find(
        &self,
        query: &Query,
        vector: Option<&Embedding>,
    ) -> Result<Vec<Hit>, SearchError>;

    /// Collections with something in them that these scopes admit.
    async fn collections(&self, scopes: &[Uuid]) -> Result<Vec<Collection>, SearchError>;

    /// Documents of a collection that these scopes admit, by address.
    async fn documents(
        &self,
        collection: &str,
        scopes: &[Uuid],
    ) -> Result<Vec<DocumentEntry>, SearchError>;

    /// A whole document by its address, if these scopes admit it.
    async fn document(
        &self,
        collection: &str,
        scopes: &[Uuid],
        url: &str,
    ) -> Result<Option<KeptDocument>, SearchError>;

    /// Whether it answers; for `doctor`.
    async fn check(&self) -> Result<String, SearchError>;
}

/// A collection and whose documents in it are meant: a company's, a person's or everyone's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub collection: String,
    pub owner: Option<Uuid>,
}

/// What is remembered of a document to tell whether it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub url: String,
    pub hash: String,
    /// As the server named this version.
    pub etag: Option<String>,
}

/// A document that is to be kept.
#[derive(Clone, Debug)]
pub struct NewDocument {
    pub place: Place,
    /// What was asked to be taken in: a folder, a file, a site.
    pub source: String,
    /// Where it is found. A file's begins with `/sources/`.
    pub url: String,
    pub title: String,
    pub text: String,
    /// Of its content and of how it was cut and embedded.
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
    /// With title and headings, as it is searched.
    pub searched: String,
    pub tokens: u32,
    pub begin: usize,
    pub end: usize,
    /// `None` where no model embeds.
    pub vector: Option<Embedding>,
}

/// A passage that was found. `owner` is checked again by whoever asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub id: String,
    pub owner: Option<Uuid>,
    pub collection: String,
    pub url: String,
    pub title: String,
    pub text: String,
    pub index: u32,
    pub tokens: u32,
    pub taken: DateTime<Utc>,
    pub config: ChunkConfig,
    pub model: String,
    pub metadata: BTreeMap<String, String>,
    /// The cosine with the question; without vectors the share of the question's words.
    pub similarity: f32,
    pub vector: Option<Vec<f32>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Collection {
    pub name: String,
    pub documents: u32,
    pub chunks: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocumentEntry {
    pub url: String,
    pub title: String,
    pub chunks: u32,
    pub taken_in: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDocument {
    pub collection: String,
    pub url: String,
    pub title: String,
    pub text: String,
    pub passages: Vec<KeptPassage>,
}

/// Where a passage stands in its document, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptPassage {
    pub chunk_id: String,
    pub begin: usize,
    pub end: usize,
}

/// Tells one text that was embedded from another.
pub(crate) fn digest(searched: &str) -> Vec<u8> {
    Sha256::digest(searched.as_bytes())[..16].to_vec()
}
