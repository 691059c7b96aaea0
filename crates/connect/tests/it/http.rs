//! Requests against a real server: sign-in, parameters, files, links and refusals.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use chrono::{DateTime, TimeDelta, Utc};
use frontdesk_connect::{
    ApiRequest, ApiResponse, Auth, BodyRule, CallOptions, Failed, FileAnswer, FileKind, HttpSource,
    KeyPlace, Operation, Payload, Pointer, Retries, Secret, Source, TokenSources,
};
use frontdesk_core::access::{Identity, Principal, Proof};
use frontdesk_core::env::Env;
use frontdesk_core::id::ProfileId;
use futures_util::future::BoxFuture;
use secrecy::SecretString;
use serde_json::{Value, json};
use uuid::Uuid;

/// A request as the server got it.
#[derive(Clone, Debug)]
struct Received {
    line: String,
    headers: HeaderMap,
    body: String,
}

impl Received {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

#[derive(Clone, Default)]
struct RequestLog(Arc<Mutex<Vec<Received>>>);

impl RequestLog {
    fn last(&self) -> Received {
        self.0.lock().unwrap().last().unwrap().clone()
    }

    fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap()
            .iter()
            .map(|seen| seen.line.clone())
            .collect()
    }
}

/// Starts a server that answers with `answer` and records each request.
async fn serve(
    answer: impl Fn(&Received) -> Response + Clone + Send + Sync + 'static,
) -> (String, RequestLog) {
    let seen = RequestLog::default();
    let kept = seen.clone();
    let handler = move |uri: Uri, request: Request| async move {
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        let received = Received {
            line: format!("{} {uri}", parts.method),
            headers: parts.headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        };
        kept.0.lock().unwrap().push(received.clone());
        answer(&received)
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
    (url, seen)
}

fn ok() -> Response {
    Json(json!({ "ok": true })).into_response()
}

/// Time that a test moves.
struct TestEnv(Mutex<DateTime<Utc>>);

impl Env for TestEnv {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        Box::pin(std::future::pending())
    }

    fn id(&self) -> Uuid {
        Uuid::now_v7()
    }
}

fn person() -> Principal {
    let id = Uuid::from_u128(7);
    let identity = Identity {
        subject: id,
        profile: ProfileId::from_uuid(id),
        name: "Ali".to_owned(),
        email: None,
        roles: Default::default(),
        companies: Vec::new(),
        expires: None,
    };
    Principal::authenticated(identity, Proof::Persona)
}

struct Client {
    source: HttpSource,
    env: Arc<TestEnv>,
}

fn client(source: Source) -> Client {
    let env = Arc::new(TestEnv(Mutex::new(Utc::now())));
    let tokens = TokenSources {
        mint: Arc::new(|who, audience| Ok(format!("signed.{audience}.{}", who.name()))),
        person: Arc::new(|who| Some(SecretString::from(format!("own.{}", who.name())))),
    };
    let source = HttpSource::new(source, tokens, Arc::clone(&env) as Arc<dyn Env>).unwrap();
    Client { source, env }
}

impl Client {
    async fn send(&self, request: &ApiRequest) -> Result<ApiResponse, Failed> {
        let who = person();
        let quietly = |_: String| {};
        let options = self.options(&who, &quietly);
        self.source.send(request, None, &options).await
    }

    fn options<'a>(
        &self,
        who: &'a Principal,
        progress: &'a (dyn Fn(String) + Sync),
    ) -> CallOptions<'a> {
        CallOptions {
            retries: Retries::Never,
            ..self.source.options(who, Duration::from_secs(60), progress)
        }
    }
}

fn get(path: &str) -> ApiRequest {
    ApiRequest::get(path.split('/').map(str::to_owned).collect())
}

async fn sign_in(auth: Auth) -> Received {
    let (url, seen) = serve(|_| ok()).await;
    let source = Source {
        auth,
        ..Source::at(url)
    };
    client(source).send(&get("tickets")).await.unwrap();
    seen.last()
}

#[tokio::test]
async fn each_sign_in_is_sent_as_the_system_expects_it() {
    let seen = sign_in(Auth::None {}).await;
    assert_eq!(seen.header("authorization"), None);
    let key = |place| Auth::ApiKey {
        place,
        name: "x-key".to_owned(),
        value: Secret::new("k 1"),
    };
    assert_eq!(
        sign_in(key(KeyPlace::Header)).await.header("x-key"),
        Some("k 1")
    );
    assert_eq!(
        sign_in(key(KeyPlace::Query)).await.line,
        "GET /tickets?x-key=k+1"
    );
    let token = Secret::new("t");
    assert_eq!(
        sign_in(Auth::Bearer { token })
            .await
            .header("authorization"),
        Some("Bearer t")
    );
    let basic = Auth::Basic {
        user: "Aladdin".to_owned(),
        password: Secret::new("open sesame"),
    };
    let expected = Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    assert_eq!(sign_in(basic).await.header("authorization"), expected);
    let seen = sign_in(Auth::Person {}).await;
    assert_eq!(seen.header("authorization"), Some("Bearer own.Ali"));
    let audience = "desk".to_owned();
    let seen = sign_in(Auth::SignedJwt { audience }).await;
    assert_eq!(seen.header("authorization"), Some("Bearer signed.desk.Ali"));
}

#[tokio::test]
async fn an_access_token_is_kept_and_renewed() {
    let issued = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&issued);
    let (url, seen) = serve(move |request| {
        if request.line == "POST /token" {
            assert_eq!(request.body, "grant_type=client_credentials&scope=a+b");
            assert_eq!(request.header("authorization"), Some("Basic bWU6czNjcmV0"));
            let number = counter.fetch_add(1, Ordering::SeqCst) + 1;
            return Json(json!({ "access_token": format!("t{number}"), "expires_in": 300 }))
                .into_response();
        }
        // The second token is revoked early.
        match request.header("authorization") {
            Some("Bearer t2") => StatusCode::UNAUTHORIZED.into_response(),
            _ => ok(),
        }
    })
    .await;
    let auth = Auth::OAuth2 {
        token_url: format!("{url}/token"),
        client_id: "me".to_owned(),
        client_secret: Secret::new("s3cret"),
        scopes: vec!["a".to_owned(), "b".to_owned()],
        audience: None,
    };
    let client = client(Source {
        auth,
        ..Source::at(url)
    });
    for _ in 0..3 {
        client.send(&get("tickets")).await.unwrap();
    }
    assert_eq!(issued.load(Ordering::SeqCst), 1);
    *client.env.0.lock().unwrap() += TimeDelta::seconds(290);
    client.send(&get("tickets")).await.unwrap();
    assert_eq!(
        issued.load(Ordering::SeqCst),
        3,
        "an expired token, then a refused one"
    );
    assert_eq!(seen.last().header("authorization"), Some("Bearer t3"));
}

fn operation(text: &str) -> Operation {
    serde_json::from_str(text).unwrap()
}

fn built(operation: &Operation, arguments: Value) -> ApiRequest {
    let Value::Object(arguments) = arguments else {
        panic!("the arguments are an object")
    };
    ApiRequest::new(operation, &arguments, None, Vec::new()).unwrap()
}

#[tokio::test]
async fn parameters_go_where_the_operation_says() {
    let (url, seen) = serve(|_| ok()).await;
    let client = client(Source::at(format!("{url}/base/")));
    let create = operation(
        r#"{ "request": "POST /customers/{customer_id}/tickets", "parameters": {
            "customer_id": {}, "title": {}, "city": { "name": "/address/city" }, "dry": { "in": "query", "type": "boolean" },
            "trace": { "in": "header", "name": "x-trace" }, "kind": { "value": "incident" }, "state": { "default": "open" } } }"#,
    );
    assert_eq!(create.problem(), None);
    let schema = create.schema();
    let shown: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        shown,
        ["customer_id", "title", "city", "dry", "trace", "state"]
    );
    assert_eq!(schema["required"], json!(["customer_id"]));
    let arguments = json!({ "customer_id": "a/b", "title": "Printer", "city": "Bonn", "dry": true, "trace": "t1" });
    client.send(&built(&create, arguments)).await.unwrap();
    let request = seen.last();
    assert_eq!(request.line, "POST /base/customers/a%2Fb/tickets?dry=true");
    assert_eq!(request.header("x-trace"), Some("t1"));
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let expected = json!({ "title": "Printer", "address": { "city": "Bonn" }, "kind": "incident", "state": "open" });
    assert_eq!(body, expected);

    let form = operation(
        r#"{ "request": "PUT /tickets/{id}", "parameters": { "id": {}, "tags": { "in": "form", "type": "array" } } }"#,
    );
    client
        .send(&built(&form, json!({ "id": 7, "tags": ["a b", "c"] })))
        .await
        .unwrap();
    let request = seen.last();
    assert_eq!(
        (request.line.as_str(), request.body.as_str()),
        ("PUT /base/tickets/7", "tags=a+b&tags=c")
    );

    let whole = operation(
        r#"{ "request": "PATCH /tags", "parameters": { "tags": { "name": "", "type": "array" } } }"#,
    );
    let request = built(&whole, json!({ "tags": ["a"] }));
    assert_eq!(request.payload, Payload::Json(json!(["a"])));
}

#[test]
fn contradictions_of_an_operation_are_named() {
    for (text, problem) in [
        (
            r#"{ "request": "GET /a/{id}" }"#,
            "there is no parameter `id`",
        ),
        (
            r#"{ "request": "GET /a", "parameters": { "id": { "in": "path" } } }"#,
            "the path has no {id}",
        ),
        (
            r#"{ "request": "GET /a", "parameters": { "id": { "value": 1, "bind": "person.id" } } }"#,
            "both `value` and `bind`",
        ),
        (
            r#"{ "request": "POST /a", "state": { "request": "GET /a/{id}", "pointer": "/state" } }"#,
            "needs the parameter `id`",
        ),
    ] {
        let found = operation(text).problem().unwrap();
        assert!(found.contains(problem), "{found}");
    }
    for text in [
        "GET",
        "get /a",
        "GET a",
        "GET /a?b",
        "GET /../a",
        "GET /{a",
        "FETCH /a",
    ] {
        let parsed: Result<Operation, _> = serde_json::from_value(json!({ "request": text }));
        let error = parsed.unwrap_err().to_string();
        assert!(error.contains("write a method and a path"), "{error}");
    }
}

#[tokio::test]
async fn a_rule_of_the_source_decides_about_success() {
    let (url, _) = serve(|request| {
        let code = if request.line.ends_with("/bad") { 7 } else { 0 };
        Json(json!({ "code": code, "success": false })).into_response()
    })
    .await;
    let rule = BodyRule {
        pointer: Pointer::field("code"),
        equals: json!(0),
    };
    let client = client(Source {
        success: Some(rule),
        ..Source::at(url)
    });
    client.send(&get("good")).await.unwrap();
    let failed = client.send(&get("bad")).await.unwrap_err();
    assert_eq!(failed.failure.refusal().unwrap().status, 200);
}

#[tokio::test]
async fn a_failure_in_the_log_names_the_request_and_no_secret() {
    let (url, _) = serve(|_| {
        let headers = [("x-request-id", "req-7")];
        (
            StatusCode::FORBIDDEN,
            headers,
            Json(json!({ "detail": "the key hunter2 is blocked" })),
        )
            .into_response()
    })
    .await;
    let token = Secret::new("hunter2");
    let source = Source {
        auth: Auth::Bearer { token },
        ..Source::at(url)
    };
    let failed = client(source.clone())
        .send(&get("tickets"))
        .await
        .unwrap_err();
    let text = failed.failure.in_log("the helpdesk");
    assert_eq!(text, "the helpdesk answered 403 (request id req-7)");
    assert!(!format!("{source:?}").contains("hunter2"));
    assert!(!serde_json::to_string(&source).unwrap().contains("hunter2"));
}

#[tokio::test]
async fn files_are_fetched_from_named_hosts_only() {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\nxIEND\xAE\x42\x60\x82";
    let (elsewhere, foreign) = serve(|_| PNG.into_response()).await;
    let target = elsewhere.clone();
    let (url, seen) = serve(move |request| match request.line.as_str() {
        "GET /api/picture" => Json(json!({ "url": format!("{target}/p.png") })).into_response(),
        "GET /api/own" => Json(json!({ "url": "/api/files/p.png?sig=1" })).into_response(),
        "GET /api/root" => Json(json!({ "url": "/files/p.png" })).into_response(),
        "GET /api/climbs" => Json(json!({ "url": "/api/%2e%2e/admin" })).into_response(),
        "GET /api/redirect" => {
            let headers = [("location", format!("{target}/p.png"))];
            (StatusCode::FOUND, headers).into_response()
        }
        "GET /api/files/p.png?sig=1" | "GET /files/p.png" => PNG.into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    })
    .await;
    let client = client(Source {
        auth: Auth::Bearer {
            token: Secret::new("t"),
        },
        ..Source::at(format!("{url}/api"))
    });
    let who = person();
    let quietly = |_: String| {};
    let options = client.options(&who, &quietly);
    let fetch = async |name: &str| {
        let answer = client.source.send(&get(name), None, &options).await?;
        client.source.file(&answer, FileKind::Image, &options).await
    };
    for name in ["own", "root"] {
        let FileAnswer::Content(content) = fetch(name).await.unwrap() else {
            panic!("{name} is a file")
        };
        assert_eq!(content.bytes, Bytes::from_static(PNG));
    }
    let FileAnswer::Elsewhere(link) = fetch("picture").await.unwrap() else {
        panic!("another host is a link")
    };
    assert_eq!(link.as_str(), format!("{elsewhere}/p.png"));
    assert!(fetch("climbs").await.is_err());
    assert!(fetch("redirect").await.is_err());
    assert!(foreign.lines().is_empty());
    assert!(!seen.lines().iter().any(|line| line.contains("admin")));
}

#[test]
fn a_source_that_cannot_work_is_named() {
    let tokens = || TokenSources {
        mint: Arc::new(|_, _| Err("no token".into())),
        person: Arc::new(|_| None),
    };
    let env = || Arc::new(TestEnv(Mutex::new(Utc::now()))) as Arc<dyn Env>;
    for (source, problem) in [
        (
            Source::at("desk.example"),
            "begins with http:// or https://",
        ),
        (
            Source::at("https://me:hunter2@desk.example"),
            "must not contain a user name",
        ),
        (
            Source::at("https://desk.example?a=1"),
            "must not have a query",
        ),
        (
            Source {
                time_zone: Some("Bonn".to_owned()),
                ..Source::at("https://desk.example")
            },
            "is not a time zone",
        ),
    ] {
        let error = HttpSource::new(source, tokens(), env())
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.contains(problem) && !error.contains("hunter2"),
            "{error}"
        );
    }
}
