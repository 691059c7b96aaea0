//! Builds the request bodies. Every filter names the owners.

use std::ops::Range;

use frontdesk_core::embed::Embedding;
use frontdesk_core::search::{Query, SearchError, Ways};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::super::NewDocument;
use super::{Payload, sparse};

/// The owner of public documents, in a payload.
pub(super) const EVERYONE: &str = "everyone";

/// Dense vectors with cosine distance, and sparse vectors with server-side IDF.
pub(super) fn collection(dimension: usize) -> Value {
    json!({
        "vectors": { "dense": { "size": dimension, "distance": "Cosine", "on_disk": true } },
        "sparse_vectors": { "words": { "modifier": "idf" } },
        // Every search filters by owner: one graph per owner instead of a global one.
        "hnsw_config": { "payload_m": 16, "m": 0 },
        "on_disk_payload": true,
    })
}

pub(super) fn indexes() -> Vec<Value> {
    let mut indexes = vec![json!({
        "field_name": "owner", "field_schema": { "type": "keyword", "is_tenant": true },
    })];
    indexes.extend(
        ["url", "source", "hash", "folders"]
            .map(|field| json!({ "field_name": field, "field_schema": "keyword" })),
    );
    indexes.push(json!({ "field_name": "chunk_index", "field_schema": "integer" }));
    indexes
}

pub(super) fn owners(scopes: &[Uuid]) -> Vec<Option<Uuid>> {
    std::iter::once(None)
        .chain(scopes.iter().copied().map(Some))
        .collect()
}

pub(super) fn owned_by(owners: &[Option<Uuid>]) -> Value {
    let owners: Vec<String> = owners
        .iter()
        .map(|owner| owner.map_or_else(|| EVERYONE.to_owned(), |owner| owner.to_string()))
        .collect();
    json!({ "key": "owner", "match": { "any": owners } })
}

pub(super) fn equals(key: &str, value: &str) -> Value {
    json!({ "key": key, "match": { "value": value } })
}

pub(super) fn first_passage() -> Value {
    json!({ "key": "chunk_index", "match": { "value": 0 } })
}

pub(super) fn filter(query: &Query) -> Value {
    let mut must = vec![owned_by(&owners(query.scopes.owners()))];
    if let Some(folder) = query.url_prefix.as_deref().and_then(folder) {
        must.push(equals("folders", folder));
    }
    for (key, value) in &query.metadata {
        must.push(equals(&format!("metadata.{key}"), value));
    }
    json!({ "must": must })
}

/// The folder of an address prefix, with its slash.
fn folder(prefix: &str) -> Option<&str> {
    prefix.rfind('/').map(|end| &prefix[..=end])
}

/// The addresses of all folders above a document.
fn folders(url: &str) -> Vec<String> {
    url.match_indices('/')
        .map(|(at, _)| url[..=at].to_owned())
        .collect()
}

/// Joins points to request bodies of a limited size.
pub(super) fn batches(points: Vec<Value>, most: usize) -> Vec<Vec<Value>> {
    let mut batches: Vec<Vec<Value>> = Vec::new();
    let mut left = 0;
    for point in points {
        let size = point.to_string().len();
        match batches.last_mut() {
            Some(batch) if size <= left => {
                left -= size;
                batch.push(point);
            }
            Some(_) | None => {
                left = most.saturating_sub(size);
                batches.push(vec![point]);
            }
        }
    }
    batches
}

/// Both rankings, fused by the server with the constant of the embedded index.
pub(super) fn query(
    query: &Query,
    vector: Option<&Embedding>,
    filter: &Value,
    each: usize,
) -> Value {
    let words = sparse::of_question(&query.text);
    let mut prefetch = match query.ways {
        Ways::Both | Ways::Words => vec![json!({
            "query": words, "using": "words", "filter": filter, "limit": each,
        })],
        Ways::Meaning => Vec::new(),
    };
    if let Some(vector) = vector {
        prefetch.insert(
            0,
            json!({ "query": vector.values(), "using": "dense", "filter": filter, "limit": each }),
        );
    }
    json!({
        "prefetch": prefetch,
        // Qdrant counts ranks from 0.
        "query": { "rrf": { "k": crate::hybrid::K + 1 } },
        "filter": filter,
        "limit": 2 * each,
        "with_payload": { "exclude": ["document"] },
        "with_vector": ["dense"],
    })
}

pub(super) fn points(document: NewDocument) -> Result<Vec<Value>, SearchError> {
    let count = u32::try_from(document.passages.len()).unwrap_or(u32::MAX);
    let owner = document
        .place
        .owner
        .map_or_else(|| EVERYONE.to_owned(), |owner| owner.to_string());
    let text = document.text;
    let context = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
    let mut points = Vec::with_capacity(document.passages.len());
    // Each point carries the document from its passage to the next one.
    let begins: Vec<usize> = document.passages.iter().map(|one| one.begin).collect();
    let part = |index: usize| {
        let begin = if index == 0 { 0 } else { begins[index] };
        let end = begins.get(index + 1).copied().unwrap_or(text.len());
        text.get(begin..end.max(begin)).map(str::to_owned)
    };
    for (index, passage) in (0_u32..).zip(document.passages) {
        let mut vector = json!({ "words": sparse::of_passage(&passage.searched) });
        if let Some(dense) = &passage.vector {
            vector["dense"] = json!(dense.values());
        }
        let payload = Payload {
            owner: owner.clone(),
            source: document.source.clone(),
            url: document.url.clone(),
            title: document.title.clone(),
            text: passage.text,
            hash: document.hash.clone(),
            etag: document.etag.clone(),
            metadata: document.metadata.clone(),
            chunk_index: index,
            chunk_count: count,
            token_count: passage.tokens,
            begin: passage.begin,
            end: passage.end,
            context: context(passage.context),
            section: passage.section,
            page: passage.page,
            timestamp: document.taken,
            chunk_size: document.config.chunk_size,
            chunk_overlap: document.config.chunk_overlap,
            model: document.model.clone(),
            document: part(index as usize),
            folders: folders(&document.url),
        };
        let id = point_id(&owner, &document.url, &document.hash, index);
        let payload =
            serde_json::to_value(payload).map_err(|error| SearchError::Index(error.to_string()))?;
        points.push(json!({ "id": id, "vector": vector, "payload": payload }));
    }
    Ok(points)
}

/// Deterministic, so that a repeated upsert of the same version is idempotent.
fn point_id(owner: &str, url: &str, hash: &str, index: u32) -> Uuid {
    let digest = Sha256::digest(format!("{owner}\n{url}\n{hash}\n{index}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}
