//! For tests: the part of Qdrant's REST API in use. Bodies must match the published models
//! and may have only the fields that the index sends.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post, put};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::qdrant_schema::published;

pub(super) const KEY: &str = "qdrant-key-of-the-test";

/// A small Qdrant: accepts exactly the published fields, stores points and answers like the
/// real server.
#[derive(Clone, Default)]
pub(super) struct Server(pub(super) Arc<Mutex<ServerState>>);

#[derive(Default)]
pub(super) struct ServerState {
    pub(super) collections: BTreeMap<String, Value>,
    pub(super) indexes: Vec<Value>,
    pub(super) points: BTreeMap<String, Value>,
    pub(super) requests: Vec<(String, Value)>,
    pub(super) fails_after: Option<usize>,
    /// In bytes; larger upserts get a 413.
    pub(super) largest_body: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreateCollection {
    vectors: BTreeMap<String, VectorParams>,
    sparse_vectors: BTreeMap<String, SparseParams>,
    #[serde(rename = "hnsw_config")]
    _hnsw: Value,
    #[serde(rename = "on_disk_payload")]
    _on_disk: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorParams {
    size: u64,
    distance: String,
    #[serde(rename = "on_disk")]
    _on_disk: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SparseParams {
    modifier: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CreateIndex {
    field_name: String,
    field_schema: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Upsert {
    points: Vec<PointStruct>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PointStruct {
    id: Uuid,
    vector: Vectors,
    payload: serde_json::Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    dense: Option<Vec<f32>>,
    words: Sparse,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sparse {
    indices: Vec<u32>,
    values: Vec<f32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueryRequest {
    prefetch: Vec<Prefetch>,
    query: Fusion,
    filter: Filter,
    limit: usize,
    #[serde(rename = "with_payload")]
    _payload: Value,
    #[serde(rename = "with_vector")]
    _vector: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fusion {
    rrf: Rrf,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rrf {
    k: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prefetch {
    query: Value,
    using: String,
    filter: Filter,
    limit: usize,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    must: Vec<Condition>,
    #[serde(default)]
    must_not: Vec<Condition>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Condition {
    key: String,
    #[serde(rename = "match")]
    wanted: Match,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Match {
    Any { any: Vec<Value> },
    Value { value: Value },
}

impl Condition {
    fn admits(&self, payload: &Value) -> bool {
        let found = self.key.split('.').fold(payload, |value, key| &value[key]);
        match &self.wanted {
            Match::Any { any } => any.contains(found),
            // A list matches by any of its values.
            Match::Value { value } => match found.as_array() {
                Some(found) => found.contains(value),
                None => value == found,
            },
        }
    }
}

impl Filter {
    fn admits(&self, payload: &Value) -> bool {
        assert!(
            self.must.iter().any(|condition| condition.key == "owner"),
            "every filter names the owner"
        );
        self.must.iter().all(|one| one.admits(payload))
            && !self.must_not.iter().any(|one| one.admits(payload))
    }
}

fn ok(result: Value) -> (StatusCode, Json<Value>) {
    (
        StatusCode::OK,
        Json(json!({ "result": result, "status": "ok", "time": 0.001 })),
    )
}

fn error(status: StatusCode, what: &str) -> (StatusCode, Json<Value>) {
    (
        status,
        Json(json!({ "status": { "error": what }, "time": 0.0 })),
    )
}

impl Server {
    pub(super) async fn start(&self) -> String {
        let router = Router::new()
            .route("/collections", get(list))
            .route("/collections/{name}", get(show).put(create))
            .route("/collections/{name}/index", put(add_index))
            .route("/collections/{name}/points", put(upsert))
            .route("/collections/{name}/points/delete", post(delete))
            .route("/collections/{name}/points/scroll", post(scroll))
            .route("/collections/{name}/points/query", post(query))
            .route("/collections/{name}/points/count", post(count))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .layer(axum::middleware::from_fn(published))
            .with_state(self.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        format!("http://{address}")
    }

    fn note(&self, headers: &HeaderMap, what: &str, body: Value) -> bool {
        assert_eq!(headers["api-key"], KEY);
        let mut kept = self.0.lock().unwrap();
        kept.requests.push((what.to_owned(), body));
        kept.fails_after
            .is_some_and(|after| kept.requests.len() > after)
    }
}

type Answer = (StatusCode, Json<Value>);

async fn list(State(server): State<Server>) -> Answer {
    let names: Vec<Value> = server
        .0
        .lock()
        .unwrap()
        .collections
        .keys()
        .map(|name| json!({ "name": name }))
        .collect();
    ok(json!({ "collections": names }))
}

async fn show(State(server): State<Server>, Path(name): Path<String>) -> Answer {
    match server.0.lock().unwrap().collections.get(&name) {
        Some(params) => ok(json!({ "status": "green", "config": { "params": params } })),
        None => error(StatusCode::NOT_FOUND, "Not found"),
    }
}

async fn create(
    State(server): State<Server>,
    headers: HeaderMap,
    Path(name): Path<String>,
    Json(body): Json<Value>,
) -> Answer {
    if server.note(&headers, "create", body.clone()) {
        return error(StatusCode::SERVICE_UNAVAILABLE, "down");
    }
    let asked: CreateCollection = serde_json::from_value(body.clone()).unwrap();
    assert_eq!(asked.vectors["dense"].distance, "Cosine");
    assert!(asked.vectors["dense"].size > 0);
    assert_eq!(asked.sparse_vectors["words"].modifier, "idf");
    let mut kept = server.0.lock().unwrap();
    if kept.collections.contains_key(&name) {
        let what = format!("Wrong input: Collection `{name}` already exists!");
        return error(StatusCode::CONFLICT, &what);
    }
    kept.collections.insert(name, body);
    ok(json!(true))
}

async fn add_index(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Answer {
    server.note(&headers, "index", body.clone());
    let asked: CreateIndex = serde_json::from_value(body.clone()).unwrap();
    assert!(!asked.field_name.is_empty() && !asked.field_schema.is_null());
    server.0.lock().unwrap().indexes.push(body);
    ok(json!({ "operation_id": 1, "status": "completed" }))
}

async fn upsert(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Answer {
    if server.note(&headers, "upsert", json!(null)) {
        return error(StatusCode::SERVICE_UNAVAILABLE, "down");
    }
    let largest = server.0.lock().unwrap().largest_body;
    if largest.is_some_and(|largest| body.to_string().len() > largest) {
        return error(StatusCode::PAYLOAD_TOO_LARGE, "Payload too large");
    }
    let asked: Upsert = serde_json::from_value(body.clone()).unwrap();
    let size = server
        .0
        .lock()
        .unwrap()
        .collections
        .values()
        .next()
        .unwrap()["vectors"]["dense"]["size"]
        .as_u64()
        .unwrap();
    for point in &asked.points {
        let dense = point.vector.dense.as_ref();
        if dense.is_some_and(|dense| dense.len() as u64 != size) {
            return error(StatusCode::BAD_REQUEST, "Vector dimension error");
        }
        assert_eq!(
            point.vector.words.indices.len(),
            point.vector.words.values.len()
        );
        assert!(point.payload.contains_key("owner"));
        assert!(!point.id.is_nil());
    }
    let mut kept = server.0.lock().unwrap();
    for point in body["points"].as_array().unwrap() {
        kept.points
            .insert(point["id"].as_str().unwrap().to_owned(), point.clone());
    }
    ok(json!({ "operation_id": 2, "status": "completed" }))
}

async fn delete(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Answer {
    if server.note(&headers, "delete", body.clone()) {
        return error(StatusCode::SERVICE_UNAVAILABLE, "down");
    }
    let filter: Filter = serde_json::from_value(body["filter"].clone()).unwrap();
    server
        .0
        .lock()
        .unwrap()
        .points
        .retain(|_, point| !filter.admits(&point["payload"]));
    ok(json!({ "operation_id": 3, "status": "completed" }))
}

async fn scroll(
    State(server): State<Server>,
    Path(name): Path<String>,
    Json(body): Json<Value>,
) -> Answer {
    let kept = server.0.lock().unwrap();
    if !kept.collections.contains_key(&name) {
        return error(
            StatusCode::NOT_FOUND,
            "Not found: Collection doesn't exist!",
        );
    }
    let filter: Filter = serde_json::from_value(body["filter"].clone()).unwrap();
    let points: Vec<Value> = kept
        .points
        .values()
        .filter(|point| filter.admits(&point["payload"]))
        .map(|point| json!({ "id": point["id"], "payload": point["payload"] }))
        .collect();
    ok(json!({ "points": points, "next_page_offset": null }))
}

async fn count(State(server): State<Server>, Json(body): Json<Value>) -> Answer {
    let filter: Filter = serde_json::from_value(body["filter"].clone()).unwrap();
    let count = server
        .0
        .lock()
        .unwrap()
        .points
        .values()
        .filter(|point| filter.admits(&point["payload"]))
        .count();
    ok(json!({ "count": count }))
}

async fn query(
    State(server): State<Server>,
    headers: HeaderMap,
    Path(name): Path<String>,
    Json(body): Json<Value>,
) -> Answer {
    if server.note(&headers, "query", body.clone()) {
        return error(StatusCode::SERVICE_UNAVAILABLE, "down");
    }
    let asked: QueryRequest = serde_json::from_value(body).unwrap();
    let kept = server.0.lock().unwrap();
    if !kept.collections.contains_key(&name) {
        return error(
            StatusCode::NOT_FOUND,
            "Not found: Collection doesn't exist!",
        );
    }
    let mut scores: BTreeMap<String, f32> = BTreeMap::new();
    for prefetch in &asked.prefetch {
        let mut ranked: Vec<(f32, &String)> = kept
            .points
            .iter()
            .filter(|(_, point)| prefetch.filter.admits(&point["payload"]))
            .map(|(id, point)| (score(prefetch, point), id))
            .filter(|(score, _)| *score > 0.0)
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (rank, (_, id)) in ranked.iter().take(prefetch.limit).enumerate() {
            *scores.entry((*id).clone()).or_default() +=
                1.0 / (asked.query.rrf.k as f32 + rank as f32);
        }
    }
    let mut ranked: Vec<(String, f32)> = scores.into_iter().collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    let points: Vec<Value> = ranked.iter().take(asked.limit).map(|(id, score)| {
        let point = &kept.points[id];
        assert!(asked.filter.admits(&point["payload"]));
        json!({ "id": id, "version": 1, "score": score, "payload": point["payload"], "vector": { "dense": point["vector"]["dense"] } })
    }).collect();
    ok(json!({ "points": points }))
}

fn score(prefetch: &Prefetch, point: &Value) -> f32 {
    if prefetch.using == "dense" {
        let asked: Vec<f32> = serde_json::from_value(prefetch.query.clone()).unwrap();
        let kept: Vec<f32> =
            serde_json::from_value(point["vector"]["dense"].clone()).unwrap_or_default();
        return asked.iter().zip(kept).map(|(a, b)| a * b).sum::<f32>() + 1.0;
    }
    let asked: Sparse = serde_json::from_value(prefetch.query.clone()).unwrap();
    let kept: Sparse = serde_json::from_value(point["vector"]["words"].clone()).unwrap();
    kept.indices
        .iter()
        .zip(&kept.values)
        .filter(|(index, _)| asked.indices.contains(index))
        .map(|(_, value)| value)
        .sum()
}
