//! Attack group F at the routes about people: wrong bodies, headers and methods.

use frontdesk_testkit::model_server::say;
use reqwest::Method;
use serde_json::json;

use super::{raw, somebody};
use crate::server::{Person, TestServer, answer};

async fn post_raw(server: &TestServer, who: &Person, kind: &str, body: Vec<u8>) -> u16 {
    let request = server
        .request(Method::POST, "/companies", Some(who))
        .header("content-type", kind)
        .body(body);
    answer(request).await.status.as_u16()
}

/// F1 to F5, F12, F13: malformed JSON bodies.
// design: promises F1
#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_read_strictly() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let json = "application/json";
        for (kind, body, status) in [
            (json, b"{\"name\":\"\xff\"}".to_vec(), 400),
            (json, br#"{"name":"a\u0000b"}"#.to_vec(), 422),
            (json, br#"{"na\u0000me":"a"}"#.to_vec(), 422),
            (json, br#"{"name":"\ud800"}"#.to_vec(), 400),
            (json, br#"{"name":"a","name":"b"}"#.to_vec(), 400),
            (json, "[".repeat(10_000).into_bytes(), 400),
            (json, br#"{"name":"a"} x"#.to_vec(), 400),
            (json, Vec::new(), 400),
            (json, b"null".to_vec(), 422),
            (json, b"[]".to_vec(), 422),
            ("text/plain", br#"{"name":"a"}"#.to_vec(), 415),
            ("application/x-www-form-urlencoded", b"name=a".to_vec(), 415),
            (json, vec![b' '; 64 * 1024 + 1], 413),
        ] {
            let shown = String::from_utf8_lossy(&body[..body.len().min(30)]).into_owned();
            assert_eq!(post_raw(&server, &ann, kind, body).await, status, "{shown}");
        }
        let gzip = server
            .request(Method::POST, "/companies", Some(&ann))
            .header("content-type", json)
            .header("content-encoding", "gzip")
            .body(vec![0x1f, 0x8b, 8, 0]);
        assert_eq!(answer(gzip).await.status, 415);
        assert!(server.list(&ann, "/companies").await.is_empty());
        server.stop().await;
    }
}

/// F7, F8: a message at its assistant's own limit, in characters, and blank ones.
// design: promises F7
#[tokio::test(flavor = "multi_thread")]
async fn message_lengths_are_the_assistants_own() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let id = server.conversation(&ann).await;
        let path = format!("/conversations/{id}/messages");
        let send = |content: String| {
            let (server, ann, path) = (&server, ann.clone(), path.clone());
            async move {
                server
                    .post(&ann, &path, json!({ "content": content }))
                    .await
            }
        };
        for content in ["", " \n\t", "\u{200b}\u{200d}\u{feff}"] {
            assert_eq!(send(content.to_owned()).await.status, 422, "{content:?}");
        }
        let long = send("é".repeat(8_001)).await;
        assert_eq!(long.status, 422);
        assert_eq!(long.body["error"]["details"][0]["field"], "content");
        server.model.script([say("Long."), say("Longer.")]);
        for content in ["é".repeat(8_000), "🖨".repeat(8_000)] {
            let taken = send(content).await;
            assert_eq!(taken.status, 201, "{taken:?}");
        }
        server.stop().await;
    }
}

/// F14, F16, F19: invalid ids, unexpected bodies and unsupported methods.
// design: promises F14
#[tokio::test(flavor = "multi_thread")]
async fn ids_and_methods_are_checked() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let long = "9".repeat(10_000);
        for id in [
            "undefined",
            "null",
            "1%20OR%201=1",
            &long,
            "%00",
            "0",
            "{id}",
        ] {
            for path in [
                format!("/companies/{id}"),
                format!("/profiles/{id}"),
                format!("/companies/{id}/members"),
            ] {
                let status = server.get(&ann, &path).await.status.as_u16();
                assert!([404, 414, 422, 400].contains(&status), "{path}: {status}");
            }
        }
        let nowhere = "/companies/00000000-0000-7000-8000-000000000000";
        for body in [None, Some(json!(null)), Some(json!([]))] {
            let path = format!("{nowhere}/members/00000000-0000-7000-8000-000000000000");
            let refused = server.send(Method::DELETE, &path, Some(&ann), body).await;
            assert_eq!(refused.status, 404, "{refused:?}");
        }
        for path in [
            format!("{nowhere}/leave"),
            "/invitations/accept".to_owned(),
            "/invitations/00000000-0000-7000-8000-000000000000/accept".to_owned(),
            "/demo/sign-in".to_owned(),
        ] {
            let wrong = server.get(&ann, &path).await;
            assert_eq!(wrong.status, 405, "{path} {wrong:?}");
        }
        server.stop().await;
    }
}

/// F9, F17, F18: too many or too long headers, foreign origins and hosts.
// design: promises F9
#[tokio::test(flavor = "multi_thread")]
async fn bad_headers_origins_and_hosts_are_refused() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let address = server.url.strip_prefix("http://").unwrap().to_owned();
        let many: String = (0..200).map(|n| format!("x-h-{n}: 1\r\n")).collect();
        let head = format!("GET /api/v1/me HTTP/1.1\r\nhost: {address}\r\n{many}\r\n");
        assert!(raw(&address, &head).await.starts_with("HTTP/1.1 431"));
        let long = "a".repeat(100_000);
        for head in [
            format!("GET /api/v1/me HTTP/1.1\r\nhost: {address}\r\nx: {long}\r\n\r\n"),
            format!("GET /{long} HTTP/1.1\r\nhost: {address}\r\n\r\n"),
        ] {
            let refused = raw(&address, &head).await;
            let told = ["HTTP/1.1 414", "HTTP/1.1 431"]
                .iter()
                .any(|line| refused.starts_with(line));
            assert!(told || refused.is_empty(), "{refused}");
        }

        let evil = server
            .request(Method::GET, "/me", Some(&ann))
            .header("origin", "https://evil.example");
        let answered = answer(evil).await;
        assert!(
            !answered
                .headers
                .keys()
                .any(|name| name.as_str().starts_with("access-control"))
        );
        let preflight = server
            .request(Method::OPTIONS, "/me", None)
            .header("origin", "https://evil.example")
            .header("access-control-request-method", "GET");
        let answered = answer(preflight).await;
        assert!(
            !answered
                .headers
                .keys()
                .any(|name| name.as_str().starts_with("access-control"))
        );
        let rebound = server
            .request(Method::GET, "/me", Some(&ann))
            .header("host", "evil.example");
        assert_eq!(answer(rebound).await.status, 421);
        server.stop().await;
    }
}
