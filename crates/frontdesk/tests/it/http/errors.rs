//! Error responses to clients.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;

use crate::server::{Person, TestServer, answer};

const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_conversation_is_not_found() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let missing = server.get(&who, &format!("/conversations/{NOWHERE}")).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND);
        assert_eq!(missing.body["error"]["code"], "NOT_FOUND");
        assert_eq!(missing.body["error"]["message"], "Conversation not found");
        assert_eq!(
            missing.body["error"]["request_id"].as_str().unwrap(),
            missing.headers["x-request-id"].to_str().unwrap()
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_company_is_forbidden() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let refused = server
            .post(
                &who,
                "/conversations",
                json!({ "assistant": "notes", "company_id": NOWHERE }),
            )
            .await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN);
        assert_eq!(refused.body["error"]["code"], "FORBIDDEN");
        assert_eq!(
            refused.body["error"]["message"],
            "You're not a member of this company"
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_without_a_valid_token_are_refused() {
    for server in TestServer::on_both().await {
        let none = server.send(Method::GET, "/me", None, None).await;
        assert_eq!(none.status, StatusCode::UNAUTHORIZED);
        assert_eq!(none.body["error"]["code"], "UNAUTHORIZED");
        assert_eq!(none.headers["www-authenticate"], "Bearer");

        let garbage = Person {
            token: "garbage".into(),
        };
        let bad = server.get(&garbage, "/me").await;
        assert_eq!(bad.status, StatusCode::UNAUTHORIZED);
        assert_eq!(bad.body["error"]["code"], "INVALID_TOKEN");

        let who = server.sign_in("reader");
        let forged = Person {
            token: format!("{}x", who.token),
        };
        assert_eq!(
            server.get(&forged, "/me").await.status,
            StatusCode::UNAUTHORIZED
        );

        let twice = server
            .request(Method::GET, "/me", Some(&who))
            .header("authorization", "Bearer other");
        assert_eq!(answer(twice).await.status, StatusCode::BAD_REQUEST);

        let in_query = format!("/me?access_token={}", who.token);
        assert_eq!(
            server.send(Method::GET, &in_query, None, None).await.status,
            StatusCode::UNAUTHORIZED
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_expires_after_an_hour() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        assert_eq!(server.get(&who, "/me").await.status, StatusCode::OK);
        server.clock.advance(Duration::from_secs(2 * 60 * 60));
        let late = server.get(&who, "/me").await;
        assert_eq!(late.status, StatusCode::UNAUTHORIZED);
        assert_eq!(late.body["error"]["code"], "TOKEN_EXPIRED");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn correctable_input_errors_name_the_field() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let messages = format!("/conversations/{id}/messages");
        for (path, body, field) in [
            (
                "/conversations",
                json!({ "assistant": "nobody" }),
                "assistant",
            ),
            (
                "/conversations",
                json!({ "assistant": "notes", "title": "x".repeat(256) }),
                "title",
            ),
            (
                "/conversations",
                json!({ "assistant": "notes", "title": " " }),
                "title",
            ),
            ("/conversations", json!({ "user_id": NOWHERE }), "user_id"),
            (&messages, json!({ "content": "" }), "content"),
            (&messages, json!({ "content": "\u{200b} \n" }), "content"),
            (
                &messages,
                json!({ "content": "x".repeat(8_001) }),
                "content",
            ),
            (&messages, json!({ "content": "a\u{0}b" }), "body"),
            (&messages, json!({ "content": 7 }), "content"),
            (&messages, json!({ "content": "x", "tools": [] }), "tools"),
        ] {
            let refused = server.post(&who, path, body.clone()).await;
            assert_eq!(
                refused.status,
                StatusCode::UNPROCESSABLE_ENTITY,
                "{body} {refused:?}"
            );
            let told = refused.body["error"]["details"][0]["field"]
                .as_str()
                .unwrap();
            let message = refused.body["error"]["message"].as_str().unwrap();
            assert!(
                told == field || message.contains(field),
                "{field}: {refused:?}"
            );
        }
        for limit in ["0", "101", "-1", "1e9", "x"] {
            let refused = server
                .get(&who, &format!("/conversations?limit={limit}"))
                .await;
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{limit}");
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_json_bodies_are_refused() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let send = |kind: &'static str, body: Vec<u8>| {
            let request = server.request(Method::POST, "/conversations", Some(&who));
            answer(request.header("content-type", kind).body(body))
        };
        let json = "application/json";
        for (kind, body, status) in [
            (
                "text/plain",
                b"{}".to_vec(),
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ),
            (json, b"{".to_vec(), StatusCode::BAD_REQUEST),
            (
                json,
                b"{\"title\":\"\xff\"}".to_vec(),
                StatusCode::BAD_REQUEST,
            ),
            (
                json,
                br#"{"title":"a","title":"b"}"#.to_vec(),
                StatusCode::BAD_REQUEST,
            ),
            (
                json,
                br#"{"title":"\ud800"}"#.to_vec(),
                StatusCode::BAD_REQUEST,
            ),
            (
                json,
                "[".repeat(10_000).into_bytes(),
                StatusCode::BAD_REQUEST,
            ),
            (json, vec![b' '; 70_000], StatusCode::PAYLOAD_TOO_LARGE),
        ] {
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            assert_eq!(send(kind, body).await.status, status, "{kind} {shown}");
        }
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_refused_unread_keeps_the_connection_usable() {
    for server in TestServer::on_both().await {
        let address = server.url.strip_prefix("http://").unwrap();
        let who = server.sign_in("reader");
        let body = vec![b' '; 2_000_000];
        for (path, token, status) in [
            ("/api/v1/conversations", who.token.as_str(), "413"),
            ("/api/v1/conversations", "garbage", "401"),
            ("/api/v1/nothing", who.token.as_str(), "404"),
        ] {
            let connection = TcpStream::connect(address).await.unwrap();
            let (reader, mut writer) = connection.into_split();
            let mut reader = BufReader::new(reader);
            let head = format!("host: {address}\r\nauthorization: Bearer {token}\r\n");
            let refused = format!(
                "POST {path} HTTP/1.1\r\n{head}content-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            writer.write_all(refused.as_bytes()).await.unwrap();
            writer.write_all(&body).await.unwrap();
            assert_eq!(status_of_next(&mut reader).await, status, "{path}");
            let next = format!("GET /healthz HTTP/1.1\r\n{head}\r\n");
            writer.write_all(next.as_bytes()).await.unwrap();
            assert_eq!(status_of_next(&mut reader).await, "200", "{path}");
        }
        server.stop().await;
    }
}

/// Reads one complete response and returns its status.
async fn status_of_next(reader: &mut BufReader<OwnedReadHalf>) -> String {
    let (mut status, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        assert_ne!(
            reader.read_line(&mut line).await.unwrap(),
            0,
            "it was closed"
        );
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        } else if let Some(given) = line.strip_prefix("content-length: ") {
            length = given.parse().unwrap();
        } else if let Some(first) = line.strip_prefix("http/1.1 ") {
            status = first.split(' ').next().unwrap().to_owned();
        }
    }
    reader.read_exact(&mut vec![0; length]).await.unwrap();
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_paths_methods_and_hosts_are_refused() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        for path in [
            "/nothing",
            "/conversations/undefined",
            "/conversations/1%20OR%201=1",
        ] {
            assert_eq!(
                server.get(&who, path).await.status,
                StatusCode::NOT_FOUND,
                "{path}"
            );
        }
        let wrong = server
            .send(Method::PUT, "/conversations", Some(&who), None)
            .await;
        assert_eq!(wrong.status, StatusCode::METHOD_NOT_ALLOWED);
        let elsewhere = server
            .request(Method::GET, "/me", Some(&who))
            .header("host", "evil.example");
        let refused = answer(elsewhere).await;
        assert_eq!(refused.status, StatusCode::MISDIRECTED_REQUEST);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn demo_people_sign_in_only_directly() {
    let [embedded, grown_up] = TestServer::on_both().await;
    let body = json!({ "persona": "reader" });
    let direct = embedded
        .send(Method::POST, "/demo/sign-in", None, Some(body.clone()))
        .await;
    assert_eq!(direct.status, StatusCode::CREATED);
    let through_a_proxy = embedded
        .request(Method::POST, "/demo/sign-in", None)
        .header("x-forwarded-for", "203.0.113.7")
        .json(&body);
    assert_eq!(answer(through_a_proxy).await.status, StatusCode::NOT_FOUND);
    // With Postgres and a secret there are no demo people.
    let refused = grown_up
        .send(Method::POST, "/demo/sign-in", None, Some(body))
        .await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    embedded.stop().await;
    grown_up.stop().await;
}
