//! Authorisation: every route against every kind of caller, and every kind of bad token.

use chrono::Utc;
use frontdesk_service_gatepass::OPENAPI;
use reqwest::Method;
use serde_json::{Value, json};

use crate::site::{Answer, Kind, SECRET, Site, sign};

fn openapi() -> Value {
    serde_json::from_str(OPENAPI).unwrap()
}

const ROLES: [&str; 3] = ["HR_User", "Admin_User", "Gate_User"];

/// Every operation: method, an example path, its roles.
fn operations() -> Vec<(Method, String, Vec<String>)> {
    let document = openapi();
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            if operation["security"] == json!([]) {
                continue;
            }
            let method = if method == "get" {
                Method::GET
            } else {
                Method::POST
            };
            let id = uuid::Uuid::now_v7().to_string();
            let path = path
                .replace("{pass_number}", "GP-2026-0001")
                .replace("{pass_id}", &id)
                .replace("{photo_id}", &id)
                .replace("{notification_id}", &id);
            let roles = serde_json::from_value(operation["x-roles"].clone()).unwrap();
            operations.push((method, path, roles));
        }
    }
    operations
}

// design: 003 roles
#[tokio::test]
async fn every_route_is_open_to_its_roles_and_to_no_other() {
    let site = Site::start(Kind::Sqlite).await;
    let operations = operations();
    assert_eq!(operations.len(), 25);
    let hats: [&[&str]; 7] = [
        &[],
        &["Reader", "hr_user", "ADMIN_USER"],
        &["HR_User"],
        &["Admin_User"],
        &["Gate_User"],
        &["HR_User", "Gate_User"],
        &ROLES,
    ];
    for (method, path, allowed) in operations {
        for roles in hats {
            let answer = Answer::of(site.person("P", roles).request(method.clone(), &path)).await;
            let may = roles
                .iter()
                .any(|role| allowed.contains(&(*role).to_owned()));
            let forbidden = answer.status == 403;
            assert_eq!(
                forbidden, !may,
                "{method} {path} as {roles:?}: {}",
                answer.status
            );
            assert!(answer.status.as_u16() < 500);
            if forbidden {
                let (code, message) = answer.refused(403);
                assert_eq!(code, "FORBIDDEN");
                assert!(
                    allowed.iter().all(|role| message.contains(role.as_str())),
                    "{message}"
                );
            }
        }
    }
    assert_eq!(site.count("gatepass_passes").await, 0);
}

#[tokio::test]
async fn without_a_token_every_route_asks_for_one() {
    let site = Site::start(Kind::Sqlite).await;
    for (method, path, _) in operations() {
        let answer = Answer::of(site.client.request(method, format!("{}{path}", site.base))).await;
        assert_eq!(answer.refused(401).0, "UNAUTHORIZED");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    let document = Answer::of(site.client.get(format!("{}/openapi.json", site.base))).await;
    assert_eq!(document.json(), openapi());
}

fn claims() -> Value {
    json!({"sub": "p1", "name": "Ayesha", "roles": ["HR_User"], "aud": "gatepass", "iss": "frontdesk", "exp": Utc::now().timestamp() + 60})
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

fn without(name: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(name);
    claims
}

/// Tokens with one defect each, and the expected error code.
fn bad_tokens(now: i64) -> Vec<(String, &'static str)> {
    let unsigned = {
        use base64::Engine;
        let encode = |text: String| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(text);
        format!(
            "{}.{}.",
            encode(r#"{"alg":"none","typ":"JWT"}"#.to_owned()),
            encode(claims().to_string())
        )
    };
    let hs512 = {
        let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
        jsonwebtoken::encode(
            &jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS512),
            &claims(),
            &key,
        )
        .unwrap()
    };
    vec![
        (
            sign(&claims(), "another secret that is also long enough"),
            "INVALID_SIGNATURE",
        ),
        (unsigned, "INVALID_TOKEN"),
        (hs512, "INVALID_TOKEN"),
        ("garbage".to_owned(), "INVALID_TOKEN"),
        (sign(&with("exp", json!(now - 31)), SECRET), "TOKEN_EXPIRED"),
        (sign(&with("exp", json!(-5)), SECRET), "TOKEN_EXPIRED"),
        (
            sign(&with("exp", json!("9999999999")), SECRET),
            "INVALID_TOKEN",
        ),
        (sign(&with("exp", json!(1e300)), SECRET), "INVALID_TOKEN"),
        (sign(&without("exp"), SECRET), "INVALID_TOKEN"),
        (
            sign(&with("nbf", json!(now + 120)), SECRET),
            "INVALID_TOKEN",
        ),
        (sign(&with("nbf", json!("0")), SECRET), "INVALID_TOKEN"),
        (
            sign(&with("aud", json!("frontdesk")), SECRET),
            "INVALID_TOKEN",
        ),
        (
            sign(&with("aud", json!(["gatepass"])), SECRET),
            "INVALID_TOKEN",
        ),
        (sign(&without("aud"), SECRET), "INVALID_TOKEN"),
        (sign(&with("iss", json!("evil")), SECRET), "INVALID_TOKEN"),
        (sign(&without("iss"), SECRET), "INVALID_TOKEN"),
        (sign(&without("sub"), SECRET), "INVALID_TOKEN"),
        (sign(&with("sub", json!("")), SECRET), "INVALID_TOKEN"),
        (sign(&without("name"), SECRET), "INVALID_TOKEN"),
        (
            sign(&with("name", json!("a\u{0}b")), SECRET),
            "INVALID_TOKEN",
        ),
    ]
}

#[tokio::test]
async fn tokens_that_are_not_exactly_right_are_refused() {
    let site = Site::start(Kind::Sqlite).await;
    let now = Utc::now().timestamp();
    for (token, code) in bad_tokens(now) {
        let answer = site
            .with_token(token.clone())
            .get("/hr/gatepass/list")
            .await;
        assert_eq!(answer.refused(401).0, code, "{token}");
    }
    assert_eq!(
        site.with_token(sign(&claims(), SECRET))
            .get("/hr/gatepass/list")
            .await
            .status,
        200,
        "the right one works"
    );
    assert_eq!(
        site.with_token(sign(&with("exp", json!(now - 20)), SECRET))
            .get("/hr/gatepass/list")
            .await
            .status,
        200,
        "clocks may differ"
    );
}

#[tokio::test]
async fn roles_of_a_wrong_shape_give_no_right() {
    let site = Site::start(Kind::Sqlite).await;
    for roles in [
        json!("HR_User"),
        json!({"HR_User": true}),
        json!([["HR_User"]]),
        json!([]),
        Value::Null,
        json!(["HR_user"]),
    ] {
        let token = sign(&with("roles", roles.clone()), SECRET);
        assert_eq!(
            site.with_token(token)
                .get("/hr/gatepass/list")
                .await
                .refused(403)
                .0,
            "FORBIDDEN",
            "{roles}"
        );
    }
    assert_eq!(
        site.with_token(sign(&without("roles"), SECRET))
            .get("/hr/gatepass/list")
            .await
            .refused(403)
            .0,
        "FORBIDDEN"
    );
}

#[tokio::test]
async fn a_token_counts_only_in_one_authorization_header() {
    let site = Site::start(Kind::Sqlite).await;
    let token = sign(&claims(), SECRET);
    let url = format!("{}/hr/gatepass/list", site.base);
    let in_query = site.client.get(format!("{url}?access_token={token}"));
    assert_eq!(Answer::of(in_query).await.refused(401).0, "UNAUTHORIZED");
    let basic = site
        .client
        .get(&url)
        .header("authorization", format!("Basic {token}"));
    assert_eq!(Answer::of(basic).await.refused(401).0, "UNAUTHORIZED");
    let twice = site
        .client
        .get(&url)
        .header("authorization", format!("Bearer {token}"))
        .header("authorization", format!("Bearer {token}"));
    assert_eq!(Answer::of(twice).await.refused(400).0, "BAD_REQUEST");
}

#[tokio::test]
async fn a_short_secret_does_not_start() {
    let site = Site::start(Kind::Sqlite).await;
    let photos =
        frontdesk_service_gatepass::Photos::folder(site.folder.path().join("more")).unwrap();
    let start = |secret: &str, url: &str| {
        let settings = frontdesk_service_gatepass::Settings::new(secret.to_owned().into(), url);
        frontdesk_service_gatepass::GatePass::new(
            site.db.clone(),
            settings,
            photos.clone(),
            std::sync::Arc::new(Utc::now),
        )
        .err()
        .map(|e| e.to_string())
    };
    assert!(start("short", "https://x").unwrap().contains("at least 32"));
    assert!(
        start(SECRET, "javascript:alert(1)")
            .unwrap()
            .contains("public_url")
    );
    assert_eq!(start(SECRET, "https://x"), None);
}
