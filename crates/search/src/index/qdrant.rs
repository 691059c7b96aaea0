//! The index for scale: Qdrant over its REST API. The server fuses dense and sparse
//! rankings; similarities are computed here from the returned vectors. Every filter names
//! the owners, and every hit is checked again.

mod body;
mod sparse;

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{ChunkConfig, Query, SearchError};
use reqwest::Method;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use uuid::Uuid;

use super::{
    Collection, DocumentEntry, DocumentVersion, Hit, Index, NewDocument, PassageRange, Place,
    StoredDocument,
};
use crate::json_client::{JsonClient, JsonClientError, Key, SetupError};

/// Points per page of a listing.
const PAGE: usize = 256;
/// Maximum length of a listing.
const MAX_LISTED: usize = 100_000;
/// Passages that each ranking contributes.
const RANKING_DEPTH: usize = 50;

pub struct QdrantIndex {
    json_client: JsonClient,
    dimension: usize,
    /// Collections whose configuration was checked. Locked during creation, so that
    /// concurrent documents create a collection once.
    ready: Mutex<HashSet<String>>,
}

/// The payload of a passage's point.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Payload {
    owner: String,
    source: String,
    url: String,
    title: String,
    text: String,
    hash: String,
    #[serde(default)]
    etag: Option<String>,
    #[serde(default)]
    metadata: BTreeMap<String, String>,
    chunk_index: u32,
    chunk_count: u32,
    token_count: u32,
    begin: usize,
    end: usize,
    timestamp: DateTime<Utc>,
    chunk_size: u32,
    chunk_overlap: u32,
    model: String,
    /// The whole document; on its first passage only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    document: Option<String>,
}

#[derive(Deserialize)]
struct Answer<T> {
    result: T,
}

#[derive(Deserialize)]
struct Points {
    points: Vec<Point>,
    #[serde(default)]
    next_page_offset: Option<Value>,
}

#[derive(Deserialize)]
struct Point {
    id: Value,
    payload: Payload,
    #[serde(default)]
    vector: Option<Dense>,
}

#[derive(Deserialize)]
struct Dense {
    dense: Option<Vec<f32>>,
}

impl QdrantIndex {
    pub fn new(url: &str, key: Option<SecretString>, dimension: usize) -> Result<Self, SetupError> {
        let key = key.map_or(Key::None, |key| Key::Header("api-key", key));
        Ok(Self {
            json_client: JsonClient::new(url, key)?,
            dimension,
            ready: Mutex::default(),
        })
    }

    async fn call<T: serde::de::DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<T, SearchError> {
        let answer: Answer<T> = self
            .json_client
            .call(method, path, body)
            .await
            .map_err(unavailable)?;
        Ok(answer.result)
    }

    /// Creates the collection with its vectors and indexes, or checks the existing one.
    async fn prepare(&self, collection: &str) -> Result<(), SearchError> {
        let mut ready = self.ready.lock().await;
        if ready.contains(collection) {
            return Ok(());
        }
        let path = format!("collections/{collection}");
        let found: Result<Answer<Value>, JsonClientError> = self
            .json_client
            .call(Method::GET, &path, &json!(null))
            .await;
        match found {
            Ok(answer) => self.check_vectors(collection, &answer.result)?,
            Err(JsonClientError::Rejected { status: 404, .. }) => {
                self.create(collection, &path).await?
            }
            Err(error) => return Err(unavailable(error)),
        }
        for index in body::indexes() {
            let _: Value = self
                .call(Method::PUT, &format!("{path}/index?wait=true"), &index)
                .await?;
        }
        ready.insert(collection.to_owned());
        Ok(())
    }

    async fn create(&self, collection: &str, path: &str) -> Result<(), SearchError> {
        let body = body::collection(self.dimension);
        let made: Result<Answer<Value>, JsonClientError> =
            self.json_client.call(Method::PUT, path, &body).await;
        match made {
            Ok(_) => Ok(()),
            // Another node created it first; its configuration must match.
            Err(JsonClientError::Rejected {
                status: 400 | 409, ..
            }) => {
                let found: Value = self.call(Method::GET, path, &json!(null)).await?;
                self.check_vectors(collection, &found)
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    fn check_vectors(&self, collection: &str, found: &Value) -> Result<(), SearchError> {
        let size = found["config"]["params"]["vectors"]["dense"]["size"].as_u64();
        if size == Some(self.dimension as u64) {
            return Ok(());
        }
        Err(SearchError::Configuration(format!(
            "the Qdrant collection {collection} has vectors of {}, the embedding model has {}; use another collection or the model it was made with",
            size.map_or_else(
                || "another form".to_owned(),
                |size| format!("{size} numbers")
            ),
            self.dimension
        )))
    }

    /// Every point that matches a filter, page by page.
    async fn scroll(&self, collection: &str, filter: Value) -> Result<Vec<Point>, SearchError> {
        let mut points = Vec::new();
        let mut offset = Value::Null;
        loop {
            let mut body = json!({ "filter": filter, "limit": PAGE, "with_payload": true, "with_vector": false });
            if !offset.is_null() {
                body["offset"] = offset;
            }
            let path = format!("collections/{collection}/points/scroll");
            let page: Result<Points, SearchError> = self.call(Method::POST, &path, &body).await;
            let page = match page {
                Ok(page) => page,
                Err(SearchError::Configuration(_)) => return Ok(Vec::new()),
                Err(error) => return Err(error),
            };
            points.extend(page.points);
            match page.next_page_offset {
                Some(next) if !next.is_null() && points.len() < MAX_LISTED => offset = next,
                Some(_) | None => return Ok(points),
            }
        }
    }

    async fn delete(&self, collection: &str, filter: Value) -> Result<(), SearchError> {
        let path = format!("collections/{collection}/points/delete?wait=true");
        let _: Value = self
            .call(Method::POST, &path, &json!({ "filter": filter }))
            .await?;
        Ok(())
    }
}

/// Maps a missing collection to a configuration error, and other failures to
/// unavailability.
fn unavailable(error: JsonClientError) -> SearchError {
    let configuration = |problem: &str| SearchError::Configuration(problem.to_owned());
    if matches!(error, JsonClientError::Rejected { status: 404, .. }) {
        return configuration("no such collection");
    }
    if matches!(
        error,
        JsonClientError::Rejected {
            status: 401 | 403,
            ..
        }
    ) {
        return configuration("Qdrant rejected the API key");
    }
    SearchError::Index(error.to_string())
}

#[async_trait]
impl Index for QdrantIndex {
    async fn list_versions(
        &self,
        place: &Place,
        source: &str,
    ) -> Result<Vec<DocumentVersion>, SearchError> {
        let filter = json!({ "must": [
            body::owned_by(&[place.owner]), body::equals("source", source), body::first_passage(),
        ]});
        let points = self.scroll(&place.collection, filter).await?;
        Ok(points
            .into_iter()
            .map(|point| DocumentVersion {
                url: point.payload.url,
                hash: point.payload.hash,
                etag: point.payload.etag,
            })
            .collect())
    }

    /// Upserts the new passages, then deletes the old ones: readers see both for a moment,
    /// never a partial document.
    async fn put(&self, document: NewDocument) -> Result<(), SearchError> {
        let collection = document.place.collection.clone();
        self.prepare(&collection).await?;
        let owner = document.place.owner;
        let (url, hash) = (document.url.clone(), document.hash.clone());
        let points = body::points(document)?;
        if !points.is_empty() {
            let path = format!("collections/{collection}/points?wait=true");
            let _: Value = self
                .call(Method::PUT, &path, &json!({ "points": points }))
                .await?;
        }
        let former = json!({
            "must": [body::owned_by(&[owner]), body::equals("url", &url)],
            "must_not": [body::equals("hash", &hash)],
        });
        self.delete(&collection, former).await
    }

    async fn remove(&self, place: &Place, urls: &[String]) -> Result<usize, SearchError> {
        for url in urls {
            let filter =
                json!({ "must": [body::owned_by(&[place.owner]), body::equals("url", url)] });
            self.delete(&place.collection, filter).await?;
        }
        Ok(urls.len())
    }

    async fn find(
        &self,
        query: &Query,
        vector: Option<&Embedding>,
    ) -> Result<Vec<Hit>, SearchError> {
        let filter = body::filter(query);
        let each = RANKING_DEPTH.max(query.top_k);
        let body = body::query(query, vector, &filter, each);
        let path = format!("collections/{}/points/query", query.collection);
        let found: Points = match self.call(Method::POST, &path, &body).await {
            Ok(found) => found,
            // No document was indexed yet.
            Err(SearchError::Configuration(what)) if what.contains("no such collection") => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        Ok(found
            .points
            .into_iter()
            .map(|point| hit(point, query, vector))
            .filter(|hit| query.scopes.admits(hit.owner))
            .collect())
    }

    async fn collections(&self, scopes: &[Uuid]) -> Result<Vec<Collection>, SearchError> {
        #[derive(Deserialize)]
        struct Names {
            collections: Vec<CollectionName>,
        }
        #[derive(Deserialize)]
        struct CollectionName {
            name: String,
        }
        #[derive(Deserialize)]
        struct Count {
            count: u32,
        }
        let names: Names = self.call(Method::GET, "collections", &json!(null)).await?;
        let owners = body::owners(scopes);
        let mut found = Vec::new();
        for CollectionName { name } in names.collections {
            let path = format!("collections/{name}/points/count");
            let owned = body::owned_by(&owners);
            let chunks: Count = self
                .call(
                    Method::POST,
                    &path,
                    &json!({ "filter": { "must": [owned] }, "exact": true }),
                )
                .await?;
            let first =
                json!({ "filter": { "must": [owned, body::first_passage()] }, "exact": true });
            let documents: Count = self.call(Method::POST, &path, &first).await?;
            if documents.count > 0 {
                found.push(Collection {
                    name,
                    documents: documents.count,
                    chunks: chunks.count,
                });
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    async fn documents(
        &self,
        collection: &str,
        scopes: &[Uuid],
    ) -> Result<Vec<DocumentEntry>, SearchError> {
        let filter =
            json!({ "must": [body::owned_by(&body::owners(scopes)), body::first_passage()] });
        let mut entries: Vec<DocumentEntry> = self
            .scroll(collection, filter)
            .await?
            .into_iter()
            .map(|point| DocumentEntry {
                url: point.payload.url,
                title: point.payload.title,
                chunks: point.payload.chunk_count,
                taken_in: point.payload.timestamp,
            })
            .collect();
        entries.sort_by(|a, b| a.url.cmp(&b.url));
        Ok(entries)
    }

    async fn document(
        &self,
        collection: &str,
        scopes: &[Uuid],
        url: &str,
    ) -> Result<Option<StoredDocument>, SearchError> {
        let filter =
            json!({ "must": [body::owned_by(&body::owners(scopes)), body::equals("url", url)] });
        let mut points = self.scroll(collection, filter).await?;
        points.sort_by_key(|point| point.payload.chunk_index);
        let Some(first) = points.first() else {
            return Ok(None);
        };
        Ok(Some(StoredDocument {
            collection: collection.to_owned(),
            url: url.to_owned(),
            title: first.payload.title.clone(),
            text: first.payload.document.clone().unwrap_or_default(),
            passages: points
                .iter()
                .map(|point| PassageRange {
                    chunk_id: id_text(&point.id),
                    begin: point.payload.begin,
                    end: point.payload.end,
                })
                .collect(),
        }))
    }

    async fn check(&self) -> Result<String, SearchError> {
        let _: Value = self.call(Method::GET, "collections", &json!(null)).await?;
        Ok("Qdrant answers".to_owned())
    }
}

fn hit(point: Point, query: &Query, vector: Option<&Embedding>) -> Hit {
    let payload = point.payload;
    let stored = point.vector.and_then(|vector| vector.dense);
    let similarity = match (vector, &stored) {
        (Some(asked), Some(stored)) if stored.len() == asked.values().len() => {
            asked.values().iter().zip(stored).map(|(a, b)| a * b).sum()
        }
        (Some(_), _) => 0.0,
        (None, _) => sparse::share(&query.text, &payload.text),
    };
    Hit {
        id: id_text(&point.id),
        owner: match payload.owner.as_str() {
            body::EVERYONE => None,
            // A point whose owner cannot be parsed is visible to nobody.
            owner => Some(Uuid::parse_str(owner).unwrap_or(Uuid::max())),
        },
        collection: query.collection.clone(),
        url: payload.url,
        title: payload.title,
        text: payload.text,
        index: payload.chunk_index,
        tokens: payload.token_count,
        taken: payload.timestamp,
        config: ChunkConfig {
            chunk_size: payload.chunk_size,
            chunk_overlap: payload.chunk_overlap,
        },
        model: payload.model,
        metadata: payload.metadata,
        similarity,
        vector: stored.filter(|_| query.include_vectors),
    }
}

fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

#[cfg(test)]
#[path = "qdrant_schema.rs"]
mod qdrant_schema;

#[cfg(test)]
#[path = "qdrant_server.rs"]
mod qdrant_server;

#[cfg(test)]
#[path = "qdrant_tests.rs"]
mod qdrant_tests;
