//! Discovery documents and code exchange.

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use serde_json::{Value, json};

use super::*;
use crate::system_env::SystemEnv;

/// A client of an issuer with this discovery document (`says` receives its address).
async fn client(says: fn(&str) -> Value, token: (StatusCode, Value)) -> SignInClient {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let discovery = says(&url).to_string();
    let given = token.1.to_string();
    let router = Router::new()
        .route(
            "/.well-known/openid-configuration",
            get(move || async move { discovery }),
        )
        .route("/token", post(move || async move { (token.0, given) }));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let settings = AuthClient {
        issuer: url,
        id: "us".to_owned(),
        secret: None,
        scope: "openid".to_owned(),
    };
    SignInClient::new(settings, Arc::new(SystemEnv)).unwrap()
}

fn honest(url: &str) -> Value {
    json!({
        "issuer": url, "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
    })
}

const NOTHING: (StatusCode, Value) = (StatusCode::NOT_FOUND, Value::Null);

#[tokio::test]
async fn endpoints_come_from_the_discovery_document() {
    let client = client(honest, NOTHING).await;
    let found = client.endpoints().await.unwrap();
    let wanted = format!("{}/authorize", client.issuer());
    assert_eq!(found.authorization_endpoint, wanted);
}

#[tokio::test]
async fn foreign_issuers_and_unencrypted_endpoints_are_refused() {
    let says: [fn(&str) -> Value; 4] = [
        |url| json!({ "issuer": "https://evil.example", "authorization_endpoint": format!("{url}/a"), "token_endpoint": format!("{url}/t") }),
        |url| json!({ "issuer": url, "authorization_endpoint": "http://evil.example/a", "token_endpoint": format!("{url}/t") }),
        |url| json!({ "issuer": url, "authorization_endpoint": "javascript:alert(1)", "token_endpoint": format!("{url}/t") }),
        |url| json!({ "issuer": url, "authorization_endpoint": format!("{url}/a"), "token_endpoint": "http://10.0.0.1/t" }),
    ];
    for says in says {
        let client = client(says, NOTHING).await;
        assert_eq!(client.endpoints().await, Err(SignInError::Unavailable));
    }
}

#[tokio::test]
async fn a_code_is_exchanged_for_the_issuers_tokens() {
    let both = json!({ "access_token": "a", "id_token": "b", "token_type": "Bearer" });
    let good = client(honest, (StatusCode::OK, both)).await;
    assert_eq!(good.redeem("c", "v", "r").await.unwrap(), ["a", "b"]);
    let used = client(
        honest,
        (StatusCode::BAD_REQUEST, json!({ "error": "invalid_grant" })),
    )
    .await;
    assert_eq!(used.redeem("c", "v", "r").await, Err(SignInError::Refused));
    let down = client(honest, (StatusCode::BAD_GATEWAY, Value::Null)).await;
    assert_eq!(
        down.redeem("c", "v", "r").await,
        Err(SignInError::Unavailable)
    );
}
