//! The tRPC endpoint: with the unmodified tRPC client, and byte by byte.

use std::path::Path;
use std::process::Command;

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::harness::Backing;
use crate::server::{Answer, Person, TestServer, answer};

async fn server() -> (TestServer, Person) {
    let server = TestServer::of(Backing::Sqlite, crate::scout::alone).await;
    let who = server.sign_in("rae");
    (server, who)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_unmodified_client_is_understood() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    assert!(
        web.join("node_modules/@trpc/client").exists(),
        "@trpc/client is missing; run scripts/setup test"
    );
    let (server, who) = server().await;
    let mut node = Command::new("node");
    node.arg("tests/trpc/client.mjs")
        .args([format!("{}/api/trpc", server.url), who.token.clone()])
        .current_dir(web);
    let done = tokio::task::spawn_blocking(move || node.output());
    let done = done.await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}\n{trouble}");
    assert_eq!(said.lines().count(), 7, "{said}");
    let figures = server.client.get(format!("{}/metrics", server.url));
    let figures = figures.send().await.unwrap().text().await.unwrap();
    assert!(figures.contains("route=\"/api/trpc/{path}\""), "{figures}");
    server.stop().await;
}

async fn get(server: &TestServer, who: &Person, rest: &str) -> Answer {
    let url = format!("{}/api/trpc/{rest}", server.url);
    answer(server.client.get(url).bearer_auth(&who.token)).await
}

async fn post(server: &TestServer, who: &Person, rest: &str, body: &str) -> Answer {
    let url = format!("{}/api/trpc/{rest}", server.url);
    let request = server.client.post(url).bearer_auth(&who.token);
    let request = request.header("content-type", "application/json");
    answer(request.body(body.to_owned())).await
}

fn error(message: &str, code: i32, data: Value) -> Value {
    json!({ "error": { "message": message, "code": code, "data": data } })
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_match_the_trpc_wire_format() {
    let (server, who) = server().await;
    let one = get(&server, &who, "scout.seen?input=%7B%7D").await;
    assert_eq!(
        one.body,
        json!({ "result": { "data": { "begun": 0, "dropped": 0 } } })
    );
    let two = get(
        &server,
        &who,
        "scout.seen,scout.none?batch=1&input=%7B%220%22%3A%7B%7D%7D",
    )
    .await;
    assert_eq!(two.status, StatusCode::MULTI_STATUS);
    let none = json!({ "code": "NOT_FOUND", "httpStatus": 404, "path": "scout.none" });
    assert_eq!(
        two.body,
        json!([
            { "result": { "data": { "begun": 0, "dropped": 0 } } },
            error("No procedure found on path \"scout.none\"", -32004, none),
        ])
    );
    let alone = post(&server, &who, "scout.count?batch=1", "{\"0\":{\"by\":1}}").await;
    assert_eq!(alone.status, StatusCode::OK);
    assert_eq!(
        alone.body,
        json!([{ "result": { "data": { "total": 1 } } }])
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unreadable_input_is_refused_in_trpc_shape() {
    let (server, who) = server().await;
    let batch = post(&server, &who, "scout.count,scout.count?batch=1", "[1]").await;
    let first = Answer {
        body: batch.body[0].clone(),
        ..batch
    };
    for (asked, path) in [
        (
            get(&server, &who, "scout.echo?input=%7B").await,
            "scout.echo",
        ),
        (
            post(&server, &who, "scout.count", "{\"by\":").await,
            "scout.count",
        ),
        (first, "scout.count"),
    ] {
        assert_eq!(asked.status.as_u16(), 400, "{asked:?}");
        let error = &asked.body["error"];
        assert_eq!(error["code"], -32600);
        let data = json!({ "code": "BAD_REQUEST", "httpStatus": 400, "path": path });
        assert_eq!(error["data"], data);
        assert!(asked.headers.contains_key("x-request-id"));
        assert_eq!(error.get("request_id"), None);
    }
    let url = format!("{}/api/trpc/scout.count", server.url);
    let form = server.client.post(&url).bearer_auth(&who.token);
    let form = answer(form.header("content-type", "text/plain").body("{}")).await;
    assert_eq!(form.body["error"]["data"]["code"], "UNSUPPORTED_MEDIA_TYPE");
    let put = answer(server.client.put(&url).bearer_auth(&who.token)).await;
    assert_eq!(put.status, StatusCode::METHOD_NOT_ALLOWED);
    // A query without an input gets none; the procedure decides.
    let none = get(&server, &who, "scout.echo").await;
    assert_eq!(none.body["error"]["message"], "send an object");
    server.stop().await;
}
