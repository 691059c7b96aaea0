//! Sign-ins from security schemes.

use serde_json::{Value, json};

use super::super::document::Document;
use super::super::operations::operations;
use super::sign_in;

fn proposed(scheme: Value) -> Value {
    let text = json!({
        "openapi": "3.0.0",
        "paths": {"/a": {"get": {}}},
        "security": [{"main": []}],
        "components": {"securitySchemes": {"main": scheme}},
    })
    .to_string();
    let document = Document::parse(&text).unwrap();
    let (found, _) = operations(&document);
    serde_json::to_value(sign_in(&document, &found, None, "DESK").0).unwrap()
}

#[test]
fn security_schemes_become_sign_ins_with_named_secrets() {
    for (scheme, expected) in [
        (
            json!({"type": "apiKey", "in": "header", "name": "X-Key"}),
            json!({"kind": "api_key", "in": "header", "name": "X-Key", "value": "${DESK_KEY}"}),
        ),
        (
            json!({"type": "apiKey", "in": "query", "name": "key"}),
            json!({"kind": "api_key", "in": "query", "name": "key", "value": "${DESK_KEY}"}),
        ),
        (
            json!({"type": "http", "scheme": "Bearer"}),
            json!({"kind": "bearer", "token": "${DESK_TOKEN}"}),
        ),
        (
            json!({"type": "http", "scheme": "basic"}),
            json!({"kind": "basic", "user": "${DESK_USER}", "password": "${DESK_PASSWORD}"}),
        ),
        (
            json!({"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "https://x.example/t"}}}),
            json!({
                "kind": "oauth2", "token_url": "https://x.example/t",
                "client_id": "${DESK_CLIENT_ID}", "client_secret": "${DESK_CLIENT_SECRET}",
            }),
        ),
        (
            json!({"type": "oauth2", "flows": {"authorizationCode": {}}}),
            json!({"kind": "bearer", "token": "${DESK_TOKEN}"}),
        ),
        (json!({"type": "openIdConnect"}), json!({"kind": "person"})),
        (
            json!({"type": "apiKey", "in": "cookie", "name": "s"}),
            json!({"kind": "none"}),
        ),
        (json!({"type": "mutualTLS"}), json!({"kind": "none"})),
    ] {
        assert_eq!(proposed(scheme.clone()), expected, "{scheme}");
    }
}
