//! Attacks on objects, on HTTP and on limits, by their numbers in the list of bad inputs.

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use frontdesk_testkit::model_server::say;

use crate::server::{Person, TestServer, answer};

const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";

async fn planner(server: &TestServer, who: &Person) -> String {
    let new = json!({ "assistant": "planner" });
    let made = server.post(who, "/conversations", new).await;
    made.body["id"].as_str().unwrap().to_owned()
}

// design: promises B2
#[tokio::test(flavor = "multi_thread")]
async fn foreign_ids_in_bodies_store_nothing() {
    for server in TestServer::on_both().await {
        let (paula, quinn) = (server.sign_in("paula"), server.sign_in("quinn"));
        let (theirs, own) = (
            planner(&server, &paula).await,
            planner(&server, &quinn).await,
        );
        let form = reqwest::multipart::Form::new()
            .text("conversation_id", theirs)
            .part("file", reqwest::multipart::Part::bytes(b"x".to_vec()));
        let upload = server.request(Method::POST, "/attachments", Some(&paula));
        let file = answer(upload.multipart(form)).await.body["id"].clone();
        let messages = format!("/conversations/{own}/messages");
        for attachments in [json!([file]), json!([NOWHERE])] {
            let body = json!({ "content": "x", "attachments": attachments });
            let refused = server.post(&quinn, &messages, body).await;
            assert!(
                [403, 404, 422].contains(&refused.status.as_u16()),
                "{refused:?}"
            );
        }
        let company = server.get(&paula, "/me").await.body["companies"][0]["company"].clone();
        let new = json!({ "assistant": "planner", "company_id": company });
        let refused = server.post(&quinn, "/conversations", new).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        let found = server.get(&quinn, &messages).await.body;
        assert_eq!(found["items"], json!([]));
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_and_filters_that_are_not_ours_are_refused_by_name() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let id = planner(&server, &paula).await;
        let messages = format!("/conversations/{id}/messages");
        for field in [
            "id",
            "user_id",
            "tenant_id",
            "role",
            "created_at",
            "scope_id",
        ] {
            let mut new = json!({ "assistant": "planner" });
            new[field] = json!("x");
            let refused = server.post(&paula, "/conversations", new).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
            assert!(
                refused.body["error"]["message"]
                    .as_str()
                    .unwrap()
                    .contains(field)
            );
        }
        for field in ["tools", "tool_ids", "model", "api_base", "system", "role"] {
            let mut new = json!({ "content": "x" });
            new[field] = json!("x");
            let refused = server.post(&paula, &messages, new).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field}");
        }
        for query in ["metadata[x')%20OR%20'1'='1]=1", "user_id=1", "order=title"] {
            let refused = server.get(&paula, &format!("/conversations?{query}")).await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        }
        server.stop().await;
    }
}

// design: promises B7
#[tokio::test(flavor = "multi_thread")]
async fn a_cursor_serves_its_owner_alone() {
    for server in TestServer::on_both().await {
        let (paula, quinn) = (server.sign_in("paula"), server.sign_in("quinn"));
        for _ in 0..3 {
            planner(&server, &paula).await;
        }
        let page = server.get(&paula, "/conversations?limit=1").await.body;
        let path = format!(
            "/conversations?limit=1&cursor={}",
            page["cursor"].as_str().unwrap()
        );
        assert_eq!(server.get(&paula, &path).await.status, StatusCode::OK);
        let refused = server.get(&quinn, &path).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
        assert_eq!(refused.body["error"]["message"], "The cursor is not valid");
        for garbage in ["x", "AAAA", "%00", "e30"] {
            let path = format!("/conversations?cursor={garbage}");
            assert_eq!(
                server.get(&paula, &path).await.status,
                StatusCode::BAD_REQUEST,
                "{garbage}"
            );
        }
        server.stop().await;
    }
}

/// What the server says to these bytes, as far as its status line.
async fn raw(server: &TestServer, bytes: &[u8]) -> String {
    let address = server.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may have had enough before we are done.
    let _ = stream.write_all(bytes).await;
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said).await;
    let said = String::from_utf8_lossy(&said).into_owned();
    said.lines().next().unwrap_or_default().to_owned()
}

// design: promises gaps of the designs, B11
#[tokio::test(flavor = "multi_thread")]
async fn paths_and_methods_lead_nowhere_else() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let host = server.url.strip_prefix("http://").unwrap().to_owned();
        for path in [
            "//api/v1/me",
            "/api//v1/me",
            "/api/v1/../v1/me",
            "/api/v1/%2e%2e/v1/me",
            "/api/v1/me/",
            "/api/v1/me;x",
            "/api/v1/me%00",
            "/api/v1/conversations/..%2fme",
        ] {
            let request = format!(
                "GET {path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
                paula.token
            );
            let said = raw(&server, request.as_bytes()).await;
            assert!(
                said.contains(" 404 ") || said.contains(" 400 "),
                "{path}: {said}"
            );
        }
        let id = planner(&server, &paula).await;
        for (method, path) in [
            (Method::GET, format!("/conversations/{id}/reset")),
            (
                Method::GET,
                format!("/conversations/{id}/turns/{NOWHERE}/cancel"),
            ),
            (
                Method::GET,
                format!("/conversations/{id}/turns/{NOWHERE}/retry"),
            ),
            (Method::GET, "/attachments".to_owned()),
            (Method::PUT, format!("/conversations/{id}")),
        ] {
            let request = server
                .request(method.clone(), &path, Some(&paula))
                .header("x-http-method-override", "DELETE");
            assert_eq!(
                answer(request).await.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
        }
        assert_eq!(
            server
                .get(&paula, &format!("/conversations/{id}"))
                .await
                .status,
            StatusCode::OK
        );
        server.stop().await;
    }
}

// design: promises F9
#[tokio::test(flavor = "multi_thread")]
async fn requests_that_are_too_much_or_none_at_all() {
    for server in TestServer::on_both().await {
        let host = server.url.strip_prefix("http://").unwrap().to_owned();
        let head = |more: &str| format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\n{more}\r\n");
        let long = head(&format!("x-long: {}\r\n", "y".repeat(70_000)));
        let many: String = (0..200).map(|n| format!("x-{n}: y\r\n")).collect();
        let url = format!(
            "GET /{} HTTP/1.1\r\nhost: {host}\r\n\r\n",
            "a".repeat(100_000)
        );
        let cases: [(&str, String, &[&str]); 6] = [
            ("a long header", long, &["431"]),
            ("many headers", head(&many), &["431"]),
            ("a long address", url, &["414", "431"]),
            ("folded", head("x-a: b\r\n c\r\n"), &["400"]),
            ("HTTP/0.9", "GET /healthz\r\n\r\n".to_owned(), &["400"]),
            ("nonsense", "\u{1}\u{2}\u{3}\r\n\r\n".to_owned(), &["400"]),
        ];
        for (what, bytes, allowed) in cases {
            let said = raw(&server, bytes.as_bytes()).await;
            let fine = allowed.iter().any(|status| said.contains(status));
            assert!(fine || said.is_empty(), "{what}: {said}");
        }
        let fine = raw(&server, head("connection: close\r\n").as_bytes()).await;
        assert!(fine.contains("200"), "the control: {fine}");
        server.stop().await;
    }
}

// design: promises F1, F14
#[tokio::test(flavor = "multi_thread")]
async fn bodies_ids_and_origins() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let gzip = server
            .request(Method::POST, "/conversations", Some(&paula))
            .header("content-type", "application/json")
            .header("content-encoding", "gzip")
            .body(vec![0x1f, 0x8b, 8, 0]);
        assert_eq!(
            answer(gzip).await.status,
            StatusCode::UNSUPPORTED_MEDIA_TYPE
        );
        for body in ["null", "", "[]"] {
            let request = server
                .request(
                    Method::DELETE,
                    &format!("/conversations/{NOWHERE}"),
                    Some(&paula),
                )
                .header("content-type", "application/json")
                .body(body);
            assert_eq!(
                answer(request).await.status,
                StatusCode::NOT_FOUND,
                "{body}"
            );
            let request = server
                .request(Method::POST, "/conversations", Some(&paula))
                .header("content-type", "application/json")
                .body(body);
            assert!(answer(request).await.status.is_client_error(), "{body}");
        }
        let long = "9".repeat(10_000);
        for id in [
            "undefined",
            "null",
            "1%20OR%201=1",
            long.as_str(),
            "%F0%9F%8E%89",
        ] {
            let found = server.get(&paula, &format!("/conversations/{id}")).await;
            assert_eq!(found.status, StatusCode::NOT_FOUND);
        }
        for method in [Method::GET, Method::OPTIONS] {
            let request = server
                .request(method, "/conversations", Some(&paula))
                .header("origin", "https://evil.example")
                .header("access-control-request-method", "POST");
            let headers = answer(request).await.headers;
            assert!(
                !headers
                    .keys()
                    .any(|name| name.as_str().starts_with("access-control"))
            );
        }
        server.stop().await;
    }
}

// design: promises K2
#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_at_once_exactly_twenty_are_taken() {
    for server in TestServer::on_both().await {
        server.model.otherwise(say("Yes."));
        let who = server.sign_in("reader");
        let mut conversations = Vec::new();
        for _ in 0..50 {
            conversations.push(server.conversation(&who).await);
        }
        let send = |(number, id): (usize, &String)| {
            let request = server
                .request(
                    Method::POST,
                    &format!("/conversations/{id}/messages"),
                    Some(&who),
                )
                .header("x-forwarded-for", format!("203.0.113.{number}"))
                .json(&json!({ "content": "Hello" }));
            answer(request)
        };
        let answers = join_all(conversations.iter().enumerate().map(send)).await;
        let taken = answers.iter().filter(|a| a.status == StatusCode::CREATED);
        assert_eq!(taken.count(), 20);
        for refused in answers.iter().filter(|a| a.status != StatusCode::CREATED) {
            assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
            assert!(refused.headers.contains_key("retry-after"));
        }
        server.stop().await;
    }
}

/// F6: whatever has a `limit` takes 1 to 100, and says so for everything else.
// design: promises F6
#[tokio::test(flavor = "multi_thread")]
async fn limits_of_every_list_are_checked() {
    let document = frontdesk::http::openapi();
    let mut lists = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        let parameters = verbs["get"]["parameters"].as_array();
        let named = |one: &serde_json::Value| one["name"] == "limit" && one["in"] == "query";
        if parameters.is_some_and(|all| all.iter().any(named)) {
            lists.push(path.strip_prefix("/api/v1").unwrap().to_owned());
        }
    }

    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let id = planner(&server, &paula).await;
        let mut checked = 0;
        for list in &lists {
            let list = list.replace("{id}", &id);
            // Who may not see a list at all is told that first.
            if server.get(&paula, &list).await.status != StatusCode::OK {
                continue;
            }
            checked += 1;
            for limit in [
                "0",
                "101",
                "-1",
                "1e9",
                "1000000000",
                "99999999999999999999",
                "x",
                "",
                "1.5",
                "%00",
                "10%20",
                "null",
            ] {
                let refused = server.get(&paula, &format!("{list}?limit={limit}")).await;
                assert_eq!(
                    refused.status,
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "{list} {limit}"
                );
                let error = &refused.body["error"];
                assert_eq!(error["code"], "VALIDATION_ERROR", "{list} {limit}");
                assert_eq!(error["details"][0]["field"], "limit", "{list} {limit}");
            }
            let twice = server.get(&paula, &format!("{list}?limit=1&limit=2")).await;
            assert_eq!(twice.status, StatusCode::UNPROCESSABLE_ENTITY, "{list}");
            for limit in [1, 100] {
                let fine = server.get(&paula, &format!("{list}?limit={limit}")).await;
                assert_eq!(fine.status, StatusCode::OK, "{list} {limit}");
            }
        }
        assert!(checked >= 3, "{lists:?}");
        server.stop().await;
    }
}

/// K6: whoever is refused for a while costs next to nothing: no write, no model, the same
/// answer to everybody who asks.
// design: promises K6
#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_refused_messages_writes_nothing() {
    for server in TestServer::on_both().await {
        server.model.otherwise(say("Yes."));
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        for _ in 0..20 {
            let taken = server
                .post(&who, &path, json!({ "content": "Hello" }))
                .await;
            assert_eq!(taken.status, StatusCode::CREATED, "{taken:?}");
        }
        let refused = server
            .post(&who, &path, json!({ "content": "Hello" }))
            .await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        let before = kept(&server).await;
        for _ in 0..10 {
            let storm = (0..100).map(|_| server.post(&who, &path, json!({ "content": "Hello" })));
            for refused in join_all(storm).await {
                assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
                assert_eq!(refused.body["error"]["code"], "RATE_LIMITED");
                let wait = refused.headers["retry-after"].to_str().unwrap();
                assert!((1..=60).contains(&wait.parse::<u64>().unwrap()), "{wait}");
            }
        }
        assert_eq!(kept(&server).await, before);
        assert_eq!(server.model.request_count(), 20);
        // Refused is refused: what comes before the rate is told all the same.
        let blank = server.post(&who, &path, json!({ "content": " " })).await;
        assert_eq!(blank.status, StatusCode::UNPROCESSABLE_ENTITY);
        let nowhere = format!("/conversations/{NOWHERE}/messages");
        let missing = server.post(&who, &nowhere, json!({ "content": "x" })).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND);
        // And when the minute is over, it is over.
        let who = server.token_with("reader", |claims| {
            claims["exp"] = json!(claims["exp"].as_i64().unwrap() + 3_600);
        });
        server.clock.advance(std::time::Duration::from_secs(61));
        let taken = server
            .post(&who, &path, json!({ "content": "Hello" }))
            .await;
        assert_eq!(taken.status, StatusCode::CREATED, "{taken:?}");
        server.stop().await;
    }
}

/// Everything that is kept, in a form in which any write is seen.
async fn kept(server: &TestServer) -> String {
    let Some(database) = &server.keep.database else {
        // Each commit lengthens the log beside the file, or rewrites the file.
        let mut files = Vec::new();
        for entry in std::fs::read_dir(server.keep.folder()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.contains("frontdesk.db") && !name.ends_with("-shm") {
                files.push(format!("{name} {:?}", std::fs::read(&path).unwrap().len()));
            }
        }
        files.sort();
        assert!(files.len() >= 2, "{files:?}");
        return files.join("\n");
    };
    let mut found = Vec::new();
    for table in [
        "conversations",
        "messages",
        "turns",
        "journal",
        "rate_events",
        "idempotency_keys",
        "usage_days",
        "audit_log",
        "profiles",
    ] {
        // A row that was written again has another xmin.
        let sql = format!(
            "SELECT md5(coalesce(string_agg(t::text || t.xmin::text, '|' ORDER BY t::text), '')) FROM {table} t"
        );
        found.push(database.query(&sql).await[0].get::<_, String>(0));
    }
    found.join("\n")
}
