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
use crate::relevance::Relevance;

/// Points per page of a listing.
const PAGE: usize = 256;
/// In bytes. Qdrant accepts 32 MB by default, and a proxy before it often less.
const LARGEST_BATCH: usize = 6 * 1024 * 1024;
/// Passages that each ranking contributes.
const RANKING_DEPTH: usize = 50;
/// The same for a query with an address filter.
const FILTERED_DEPTH: usize = 500;

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
    /// The text around the passage; empty if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    context: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    section: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<u32>,
    timestamp: DateTime<Utc>,
    chunk_size: u32,
    chunk_overlap: u32,
    model: String,
    /// The document's text from this passage to the next. Together they are the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    document: Option<String>,
    /// The addresses of the folders above the document, for filters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    folders: Vec<String>,
}

#[derive(Deserialize)]
struct Answer<T> {
    result: T,
}

#[derive(Deserialize)]
struct Points<P> {
    points: Vec<Point<P>>,
    #[serde(default)]
    next_page_offset: Option<Value>,
}

#[derive(Deserialize)]
struct Point<P> {
    id: Value,
    payload: P,
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

    /// Every point that matches a filter, page by page, with these fields of its payload.
    async fn scroll<P: serde::de::DeserializeOwned>(
        &self,
        collection: &str,
        filter: Value,
        fields: &[&str],
    ) -> Result<Vec<Point<P>>, SearchError> {
        let mut points = Vec::new();
        let mut offset = Value::Null;
        loop {
            let mut body = json!({
                "filter": filter, "limit": PAGE, "with_payload": fields, "with_vector": false,
            });
            if !offset.is_null() {
                body["offset"] = offset;
            }
            let path = format!("collections/{collection}/points/scroll");
            let page: Result<Points<P>, SearchError> = self.call(Method::POST, &path, &body).await;
            let page = match page {
                Ok(page) => page,
                Err(SearchError::Configuration(_)) => return Ok(Vec::new()),
                Err(error) => return Err(error),
            };
            points.extend(page.points);
            match page.next_page_offset {
                Some(next) if !next.is_null() => offset = next,
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
    if let JsonClientError::Rejected { status, message } = error {
        return SearchError::Invalid(format!("Qdrant rejected it ({status}): {message}"));
    }
    SearchError::Index(error.to_string())
}

#[async_trait]
impl Index for QdrantIndex {
    async fn list_versions(&self, place: &Place) -> Result<Vec<DocumentVersion>, SearchError> {
        #[derive(Deserialize)]
        struct Version {
            url: String,
            source: String,
            hash: String,
            #[serde(default)]
            etag: Option<String>,
        }
        let filter = json!({ "must": [body::owned_by(&[place.owner]), body::first_passage()] });
        let fields = ["url", "source", "hash", "etag"];
        let points: Vec<Point<Version>> = self.scroll(&place.collection, filter, &fields).await?;
        let versions = points.into_iter().map(|point| DocumentVersion {
            url: point.payload.url,
            source: point.payload.source,
            hash: point.payload.hash,
            etag: point.payload.etag,
        });
        Ok(versions.collect())
    }

    /// Upserts the new passages in batches, then deletes the old ones: readers see both for a
    /// moment. If a batch fails, the new passages are removed and the old ones stay.
    async fn put(&self, document: NewDocument) -> Result<(), SearchError> {
        let collection = document.place.collection.clone();
        self.prepare(&collection).await?;
        let owner = document.place.owner;
        let (url, hash) = (document.url.clone(), document.hash.clone());
        let own = vec![body::owned_by(&[owner]), body::equals("url", &url)];
        let of_version = body::equals("hash", &hash);
        let path = format!("collections/{collection}/points?wait=true");
        for batch in body::batches(body::points(document)?, LARGEST_BATCH) {
            let stored: Result<Value, SearchError> = self
                .call(Method::PUT, &path, &json!({ "points": batch }))
                .await;
            if let Err(error) = stored {
                let mut partial = own;
                partial.push(of_version);
                // The first error is the one to report.
                let _ = self.delete(&collection, json!({ "must": partial })).await;
                return Err(error);
            }
        }
        let former = json!({ "must": own, "must_not": [of_version] });
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
        let each = match &query.url_prefix {
            // The rest of a prefix that is no folder is compared here.
            Some(_) => FILTERED_DEPTH.max(each),
            None => each,
        };
        let body = body::query(query, vector, &filter, each);
        let path = format!("collections/{}/points/query", query.collection);
        let found: Points<Payload> = match self.call(Method::POST, &path, &body).await {
            Ok(found) => found,
            // No document was indexed yet.
            Err(SearchError::Configuration(what)) if what.contains("no such collection") => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let relevance = Relevance::of(&query.text);
        let admitted = |hit: &Hit| {
            let prefix = query.url_prefix.as_deref().unwrap_or_default();
            query.scopes.admits(hit.owner) && hit.url.starts_with(prefix)
        };
        let hits = found.points.into_iter().map(|point| {
            let mut hit = hit(point, query, vector);
            hit.share = relevance.share(&hit);
            hit
        });
        Ok(hits.filter(admitted).collect())
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
        #[derive(Deserialize)]
        struct Entry {
            url: String,
            title: String,
            chunk_count: u32,
            timestamp: DateTime<Utc>,
        }
        let fields = ["url", "title", "chunk_count", "timestamp"];
        let points: Vec<Point<Entry>> = self.scroll(collection, filter, &fields).await?;
        let mut entries: Vec<DocumentEntry> = points
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
        #[derive(Deserialize)]
        struct Part {
            title: String,
            chunk_index: u32,
            begin: usize,
            end: usize,
            #[serde(default)]
            document: Option<String>,
        }
        let fields = ["title", "chunk_index", "begin", "end", "document"];
        let mut points: Vec<Point<Part>> = self.scroll(collection, filter, &fields).await?;
        points.sort_by_key(|point| point.payload.chunk_index);
        let Some(first) = points.first() else {
            return Ok(None);
        };
        Ok(Some(StoredDocument {
            collection: collection.to_owned(),
            url: url.to_owned(),
            title: first.payload.title.clone(),
            text: points
                .iter()
                .filter_map(|point| point.payload.document.as_deref())
                .collect(),
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

fn hit(point: Point<Payload>, query: &Query, vector: Option<&Embedding>) -> Hit {
    let payload = point.payload;
    let stored = point.vector.and_then(|vector| vector.dense);
    let cosine = vector.map(|asked| match &stored {
        Some(stored) if stored.len() == asked.values().len() => {
            asked.values().iter().zip(stored).map(|(a, b)| a * b).sum()
        }
        Some(_) | None => 0.0,
    });
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
        context: payload.context,
        section: payload.section,
        page: payload.page,
        cosine,
        share: 0.0,
        vector: stored.filter(|_| query.include_vectors),
    }
}

fn id_text(id: &Value) -> String {
    id.as_str().map_or_else(|| id.to_string(), str::to_owned)
}

#[cfg(test)]
#[path = "qdrant_schema_tests.rs"]
mod qdrant_schema;

#[cfg(test)]
#[path = "qdrant_server_tests.rs"]
mod qdrant_server;

#[cfg(test)]
#[path = "qdrant_tests.rs"]
mod qdrant_tests;
