//! A collector on a real socket: takes OTLP requests as protobuf or JSON, decodes them by
//! OpenTelemetry's own definitions, and misbehaves when told to.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use prost::Message;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// How the collector answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    Well,
    Failing,
    Garbage,
    /// Takes the request and never answers.
    Silent,
}

/// One request as it came.
#[derive(Clone, Debug)]
pub struct Request {
    pub path: String,
    pub headers: HeaderMap,
    pub service: String,
    pub spans: Vec<CollectedSpan>,
}

/// A span as a collector understands it.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectedSpan {
    pub trace: String,
    pub id: String,
    pub parent: String,
    pub name: String,
    pub kind: i64,
    pub start: u64,
    pub end: u64,
    /// Values as they are written.
    pub attributes: BTreeMap<String, String>,
    pub failed: bool,
}

impl CollectedSpan {
    pub fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.get(name);
        found.unwrap_or_else(|| panic!("{} has no {name}: {:#?}", self.name, self.attributes))
    }
}

#[derive(Clone)]
pub struct Collector {
    pub url: String,
    state: Arc<Inside>,
}

struct Inside {
    mood: Mutex<Mood>,
    requests: Mutex<Vec<Request>>,
    asked: Mutex<usize>,
    came: Notify,
}

impl Collector {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Inside {
            mood: Mutex::new(Mood::Well),
            requests: Mutex::default(),
            asked: Mutex::default(),
            came: Notify::new(),
        });
        let router = Router::new().fallback(take).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, state }
    }

    pub fn mood(&self, mood: Mood) {
        *self.state.mood.lock().unwrap() = mood;
    }

    /// Requests of any kind so far.
    pub fn asked(&self) -> usize {
        *self.state.asked.lock().unwrap()
    }

    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().unwrap().clone()
    }

    pub fn spans(&self) -> Vec<CollectedSpan> {
        self.requests()
            .into_iter()
            .flat_map(|request| request.spans)
            .collect()
    }

    /// Waits until it has heard of this many turns to their end.
    pub async fn turns(&self, count: usize) -> Vec<CollectedSpan> {
        let enough = || {
            let spans = self.spans();
            let roots = spans.iter().filter(|span| span.parent.is_empty()).count();
            (roots >= count).then_some(spans)
        };
        self.until(enough).await
    }

    pub async fn until<T>(&self, mut enough: impl FnMut() -> Option<T>) -> T {
        let waiting = async {
            loop {
                let came = self.state.came.notified();
                if let Some(found) = enough() {
                    return found;
                }
                came.await;
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), waiting).await;
        found.expect("the collector heard nothing more")
    }
}

async fn take(
    State(state): State<Arc<Inside>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    *state.asked.lock().unwrap() += 1;
    let mood = *state.mood.lock().unwrap();
    let answer = match mood {
        Mood::Well => {
            let json = headers["content-type"] == "application/json";
            let (service, spans) = if json {
                from_json(&body)
            } else {
                from_protobuf(&body)
            };
            state.requests.lock().unwrap().push(Request {
                path: uri.path().to_owned(),
                headers,
                service,
                spans,
            });
            StatusCode::OK.into_response()
        }
        Mood::Failing => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Mood::Garbage => (StatusCode::OK, "<html>welcome</html>").into_response(),
        Mood::Silent => std::future::pending().await,
    };
    state.came.notify_waiters();
    answer
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_protobuf(body: &[u8]) -> (String, Vec<CollectedSpan>) {
    let request = proto::Request::decode(body).unwrap();
    let [of_resource] = request.resource_spans.as_slice() else {
        panic!("one resource");
    };
    let resource = of_resource.resource.as_ref().unwrap();
    let service = attributes(&resource.attributes)["service.name"].clone();
    let spans = of_resource.scope_spans.iter().flat_map(|scoped| {
        assert_eq!(scoped.scope.as_ref().unwrap().name, "frontdesk");
        scoped.spans.iter().map(|span| CollectedSpan {
            trace: hex(&span.trace_id),
            id: hex(&span.span_id),
            parent: hex(&span.parent_span_id),
            name: span.name.clone(),
            kind: span.kind.into(),
            start: span.start_time_unix_nano,
            end: span.end_time_unix_nano,
            attributes: attributes(&span.attributes),
            failed: span.status.as_ref().is_some_and(|status| status.code == 2),
        })
    });
    (service, spans.collect())
}

fn attributes(all: &[proto::KeyValue]) -> BTreeMap<String, String> {
    let one = |pair: &proto::KeyValue| {
        let value = pair.value.as_ref().unwrap();
        (pair.key.clone(), written(value))
    };
    all.iter().map(one).collect()
}

fn written(value: &proto::AnyValue) -> String {
    match value.value.as_ref().unwrap() {
        proto::any_value::Value::Text(text) => text.clone(),
        proto::any_value::Value::Flag(flag) => flag.to_string(),
        proto::any_value::Value::Whole(number) => number.to_string(),
        proto::any_value::Value::Number(number) => number.to_string(),
        proto::any_value::Value::List(list) => {
            let all: Vec<String> = list.values.iter().map(written).collect();
            all.join(",")
        }
    }
}

fn from_json(body: &[u8]) -> (String, Vec<CollectedSpan>) {
    let request: Value = serde_json::from_slice(body).unwrap();
    let of_resource = &request["resourceSpans"][0];
    let pairs = |all: &Value| -> BTreeMap<String, String> {
        let one = |pair: &Value| {
            let (_, value) = pair["value"].as_object().unwrap().iter().next().unwrap();
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            (pair["key"].as_str().unwrap().to_owned(), value)
        };
        all.as_array().unwrap().iter().map(one).collect()
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let spans = of_resource["scopeSpans"][0]["spans"].as_array().unwrap();
    let spans = spans.iter().map(|span| CollectedSpan {
        trace: text(&span["traceId"]),
        id: text(&span["spanId"]),
        parent: text(&span["parentSpanId"]),
        name: text(&span["name"]),
        kind: span["kind"].as_i64().unwrap(),
        start: text(&span["startTimeUnixNano"]).parse().unwrap(),
        end: text(&span["endTimeUnixNano"]).parse().unwrap(),
        attributes: pairs(&span["attributes"]),
        failed: span["status"]["code"] == 2,
    });
    let service = pairs(&of_resource["resource"]["attributes"])["service.name"].clone();
    (service, spans.collect())
}

/// What we read of opentelemetry/proto/{collector/trace,trace,common,resource}/v1, field by field.
mod proto {
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Request {
        #[prost(message, repeated, tag = "1")]
        pub resource_spans: Vec<ResourceSpans>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ResourceSpans {
        #[prost(message, optional, tag = "1")]
        pub resource: Option<Resource>,
        #[prost(message, repeated, tag = "2")]
        pub scope_spans: Vec<ScopeSpans>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Resource {
        #[prost(message, repeated, tag = "1")]
        pub attributes: Vec<KeyValue>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ScopeSpans {
        #[prost(message, optional, tag = "1")]
        pub scope: Option<Scope>,
        #[prost(message, repeated, tag = "2")]
        pub spans: Vec<Span>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Scope {
        #[prost(string, tag = "1")]
        pub name: String,
        #[prost(string, tag = "2")]
        pub version: String,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Span {
        #[prost(bytes = "vec", tag = "1")]
        pub trace_id: Vec<u8>,
        #[prost(bytes = "vec", tag = "2")]
        pub span_id: Vec<u8>,
        #[prost(bytes = "vec", tag = "4")]
        pub parent_span_id: Vec<u8>,
        #[prost(string, tag = "5")]
        pub name: String,
        #[prost(int32, tag = "6")]
        pub kind: i32,
        #[prost(fixed64, tag = "7")]
        pub start_time_unix_nano: u64,
        #[prost(fixed64, tag = "8")]
        pub end_time_unix_nano: u64,
        #[prost(message, repeated, tag = "9")]
        pub attributes: Vec<KeyValue>,
        #[prost(message, optional, tag = "15")]
        pub status: Option<Status>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Status {
        #[prost(string, tag = "2")]
        pub message: String,
        #[prost(int32, tag = "3")]
        pub code: i32,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct KeyValue {
        #[prost(string, tag = "1")]
        pub key: String,
        #[prost(message, optional, tag = "2")]
        pub value: Option<AnyValue>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct AnyValue {
        #[prost(oneof = "any_value::Value", tags = "1, 2, 3, 4, 5")]
        pub value: Option<any_value::Value>,
    }

    pub mod any_value {
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Value {
            #[prost(string, tag = "1")]
            Text(String),
            #[prost(bool, tag = "2")]
            Flag(bool),
            #[prost(int64, tag = "3")]
            Whole(i64),
            #[prost(double, tag = "4")]
            Number(f64),
            #[prost(message, tag = "5")]
            List(super::ArrayValue),
        }
    }

    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ArrayValue {
        #[prost(message, repeated, tag = "1")]
        pub values: Vec<AnyValue>,
    }
}
