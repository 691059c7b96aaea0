//! Attack group A: invalid tokens against a real server.

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::Method;
use serde_json::{Value, json};

use super::{claims, signed, somebody};
use crate::server::{Answer, Person, TestServer, answer};

async fn me(server: &TestServer, token: &str) -> Answer {
    let who = Person {
        token: token.to_owned(),
    };
    server.get(&who, "/me").await
}

fn check_refused(answer: &Answer, code: &str) {
    assert_eq!(answer.status, 401, "{answer:?}");
    assert_eq!(answer.body["error"]["code"], code, "{answer:?}");
    assert_eq!(answer.headers["www-authenticate"], "Bearer");
    assert!(answer.body["error"]["request_id"].is_string(), "{answer:?}");
}

/// A1, A11: only a token in the header authenticates.
// design: 002 authentication
// design: promises A1
#[tokio::test(flavor = "multi_thread")]
async fn a_token_counts_in_the_header_alone() {
    for server in TestServer::on_both().await {
        let good = somebody(&server, "ann");
        assert_eq!(server.get(&good, "/me").await.status, 200);
        let none = server.send(Method::GET, "/me", None, None).await;
        check_refused(&none, "UNAUTHORIZED");
        for name in ["access_token", "token", "authorization", "jwt"] {
            let path = format!("/me?{name}={}", good.token);
            check_refused(
                &server.send(Method::GET, &path, None, None).await,
                "UNAUTHORIZED",
            );
        }
        for (name, value) in [
            ("cookie", format!("token={}", good.token)),
            ("x-access-token", good.token.clone()),
            ("proxy-authorization", format!("Bearer {}", good.token)),
            ("authorization", format!("Basic {}", good.token)),
            ("authorization", good.token.clone()),
            ("authorization", "Bearer ".to_owned()),
        ] {
            let request = server.request(Method::GET, "/me", None).header(name, value);
            check_refused(&answer(request).await, "UNAUTHORIZED");
        }
        server.stop().await;
    }
}

/// A2: only our algorithm is accepted, whatever the header claims.
// design: promises A2
#[tokio::test(flavor = "multi_thread")]
async fn unsigned_and_otherwise_signed_tokens_are_refused() {
    for server in TestServer::on_both().await {
        let good = claims(&server, "ann", &["Operator"]);
        let body = signed(&server, &good).token;
        let payload = body.split('.').nth(1).unwrap();
        for head in [
            "eyJhbGciOiJub25lIn0",
            "eyJhbGciOiJOb25lIn0",
            "eyJhbGciOiJuT25FIn0",
        ] {
            check_refused(
                &me(&server, &format!("{head}.{payload}.")).await,
                "INVALID_TOKEN",
            );
        }
        let head = body.split('.').next().unwrap();
        check_refused(
            &me(&server, &format!("{head}.{payload}.")).await,
            "INVALID_SIGNATURE",
        );
        for algorithm in [Algorithm::HS384, Algorithm::HS512] {
            let key = EncodingKey::from_secret(server.secret.as_bytes());
            let token = encode(&Header::new(algorithm), &good, &key).unwrap();
            check_refused(&me(&server, &token).await, "INVALID_TOKEN");
        }
        let key = EncodingKey::from_secret(b"another secret that is long enough..");
        let forged = encode(&Header::default(), &good, &key).unwrap();
        check_refused(&me(&server, &forged).await, "INVALID_SIGNATURE");
        server.stop().await;
    }
}

/// A4, A5, A6: times and names of the wrong type.
// design: promises A4
#[tokio::test(flavor = "multi_thread")]
async fn claims_that_do_not_fit_are_refused() {
    for server in TestServer::on_both().await {
        let good = claims(&server, "ann", &[]);
        let now = good["exp"].as_i64().unwrap() - 3600;
        let with = |key: &str, value: Value| {
            let mut claims = good.clone();
            claims[key] = value;
            signed(&server, &claims).token
        };
        let without = |key: &str| {
            let mut claims = good.clone();
            claims.as_object_mut().unwrap().remove(key);
            signed(&server, &claims).token
        };
        check_refused(
            &me(&server, &with("exp", json!(now - 31))).await,
            "TOKEN_EXPIRED",
        );
        assert_eq!(me(&server, &with("exp", json!(now - 20))).await.status, 200);
        for token in [
            with("exp", json!("9999999999")),
            with("exp", json!(1e300)),
            with("exp", json!(-1)),
            with("exp", json!(null)),
            without("exp"),
            with("nbf", json!(now + 600)),
            with("nbf", json!("0")),
            with("aud", json!("other")),
            with("aud", json!(["authenticated"])),
            without("aud"),
            with("iss", json!("https://evil.example")),
            without("iss"),
            with("sub", json!("admin")),
            without("sub"),
        ] {
            check_refused(&me(&server, &token).await, "INVALID_TOKEN");
        }
        server.stop().await;
    }
}

/// A9: a demo token is invalid where real identities are configured.
// design: promises A9
#[tokio::test(flavor = "multi_thread")]
async fn demo_tokens_do_not_open_a_real_deployment() {
    let [embedded, grown_up] = TestServer::on_both().await;
    let body = json!({ "persona": "reader" });
    let demo = embedded
        .send(Method::POST, "/demo/sign-in", None, Some(body.clone()))
        .await;
    let token = demo.body["token"].as_str().unwrap();
    assert_eq!(me(&embedded, token).await.status, 200);
    check_refused(&me(&grown_up, token).await, "INVALID_SIGNATURE");
    for host in ["desk.example.com", "127.0.0.1.evil.example"] {
        let request = embedded
            .request(Method::POST, "/demo/sign-in", None)
            .header("host", host)
            .json(&body);
        assert_ne!(answer(request).await.status, 201, "{host}");
    }
    for header in ["forwarded", "via", "x-forwarded-proto", "x-real-ip"] {
        let request = embedded
            .request(Method::POST, "/demo/sign-in", None)
            .header(header, "for=203.0.113.7")
            .json(&body);
        assert_eq!(answer(request).await.status, 404, "{header}");
    }
    embedded.stop().await;
    grown_up.stop().await;
}

/// A10: roles that are not a list of exact names are ignored; roles in the body are not read.
// design: promises A10
#[tokio::test(flavor = "multi_thread")]
async fn roles_come_from_verified_claims_alone() {
    for server in TestServer::on_both().await {
        for roles in [
            json!("Reader"),
            json!({ "Reader": true }),
            json!(["reader", "READER", " Reader", "", "root"]),
            json!([]),
            json!(null),
        ] {
            let mut said = claims(&server, "eve", &[]);
            said["app_metadata"]["roles"] = roles.clone();
            // Claims that a client could influence: the issuer's own role, and metadata that users
            // edit.
            said["role"] = json!("Reader");
            said["user_metadata"] = json!({ "roles": ["Reader"] });
            said["roles"] = json!(["Reader"]);
            let eve = signed(&server, &said);
            let me = server.get(&eve, "/me").await;
            assert_eq!(me.body["roles"], json!([]), "{roles}");
            let refused = server
                .post(&eve, "/conversations", json!({ "assistant": "notes" }))
                .await;
            assert_eq!(refused.status, 403, "{roles}: {refused:?}");
            let tools = server.get(&eve, "/assistants/notes/tools").await;
            assert_eq!(tools.status, 403, "{tools:?}");
            let offered = server.list(&eve, "/assistants").await;
            assert!(!offered.iter().any(|a| a["name"] == "notes"), "{offered:?}");
        }
        let ann = somebody(&server, "ann");
        let body = json!({ "assistant": "notes", "roles": ["Operator"] });
        assert_eq!(server.post(&ann, "/conversations", body).await.status, 422);
        server.stop().await;
    }
}

/// A12, A13: exactly one header, and no other way to authenticate.
// design: promises A12
#[tokio::test(flavor = "multi_thread")]
async fn two_headers_are_refused_and_other_headers_open_nothing() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        let twice = server
            .request(Method::GET, "/me", Some(&ann))
            .header("authorization", format!("Bearer {}", ann.token));
        assert_eq!(answer(twice).await.status, 400);
        for name in ["x-api-key", "api-key", "x-auth-token"] {
            let request = server
                .request(Method::GET, "/me", None)
                .header(name, ann.token.clone());
            check_refused(&answer(request).await, "UNAUTHORIZED");
        }
        server.stop().await;
    }
}

/// The audience decides: a token for another of our services is invalid for the API.
#[tokio::test(flavor = "multi_thread")]
async fn tokens_for_services_do_not_open_the_api() {
    for server in TestServer::on_both().await {
        let mut said = claims(&server, "ann", &["Reader"]);
        for audience in ["gatepass", "frontdesk", ""] {
            said["aud"] = json!(audience);
            let token = signed(&server, &said).token;
            check_refused(&me(&server, &token).await, "INVALID_TOKEN");
        }
        server.stop().await;
    }
}
