//! For tests: validates every request against Qdrant's published models before the loopback
//! server handles it. An invalid request gets the error that Qdrant returns.

use std::sync::LazyLock;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// See `tests/data/README.md`.
static PUBLISHED: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../tests/data/qdrant.schema.json")).unwrap()
});

/// The model name of a request body. `None` if there is no such endpoint.
fn model(method: &Method, path: &str) -> Option<Option<&'static str>> {
    let mut parts = path.trim_start_matches('/').split('/');
    let (Some("collections"), name) = (parts.next(), parts.next()) else {
        return None;
    };
    let rest: Vec<&str> = parts.collect();
    match (method.as_str(), name, rest.as_slice()) {
        ("GET", _, []) => Some(None),
        ("PUT", Some(_), []) => Some(Some("CreateCollection")),
        ("PUT", Some(_), ["index"]) => Some(Some("CreateFieldIndex")),
        ("PUT", Some(_), ["points"]) => Some(Some("PointsList")),
        ("POST", Some(_), ["points", "delete"]) => Some(Some("FilterSelector")),
        ("POST", Some(_), ["points", "scroll"]) => Some(Some("ScrollRequest")),
        ("POST", Some(_), ["points", "query"]) => Some(Some("QueryRequest")),
        ("POST", Some(_), ["points", "count"]) => Some(Some("CountRequest")),
        _ => None,
    }
}

/// The first violation of the published model of this name.
pub(super) fn problem(model: &str, body: &Value) -> Option<String> {
    let schema = json!({ "$ref": format!("#/$defs/{model}"), "$defs": PUBLISHED["$defs"] });
    let validator = jsonschema::validator_for(&schema).unwrap();
    let error = validator.iter_errors(body).next()?;
    Some(format!("{}: {error}", error.instance_path()))
}

pub(super) async fn published(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.unwrap();
    let refused = |status: StatusCode, what: String| {
        let body = json!({ "status": { "error": what }, "time": 0.0 });
        (status, axum::Json(body)).into_response()
    };
    let Some(model) = model(&parts.method, parts.uri.path()) else {
        return refused(StatusCode::NOT_FOUND, "no such request".to_owned());
    };
    let waits = matches!(parts.uri.query(), None | Some("wait=true"));
    assert!(waits, "{}", parts.uri);
    if let Some(model) = model {
        let body: Value = serde_json::from_slice(&bytes).unwrap();
        if let Some(problem) = problem(model, &body) {
            let what = format!("Format error in JSON body: {model} {problem}");
            return refused(StatusCode::BAD_REQUEST, what);
        }
    }
    next.run(Request::from_parts(parts, Body::from(bytes)))
        .await
}
