//! Refused documents, limits and references.

use serde_json::json;

use super::{Document, DocumentError, Unusable};

fn refusal(text: &str) -> String {
    match Document::parse(text) {
        Ok(_) => panic!("this was accepted: {text}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn each_unusable_document_is_refused_with_one_sentence() {
    for (text, part) in [
        ("", "no field `openapi`"),
        ("just text", "no field `openapi`"),
        ("{\"openapi\": ", "neither JSON nor YAML: EOF"),
        ("a: [1, 2\nb: }", "neither JSON nor YAML"),
        ("[]", "no field `openapi`"),
        (r#"{"swagger": "2.0", "paths": {"/a": {}}}"#, "Swagger 2.0"),
        (
            r#"{"openapi": "4.0.0", "paths": {"/a": {}}}"#,
            "`openapi: 4.0.0`",
        ),
        (r#"{"openapi": "3.0.0"}"#, "no `paths`"),
        (r#"{"openapi": "3.1.0", "paths": {}}"#, "no `paths`"),
        (r#"{"openapi": "3.1.0", "paths": []}"#, "no `paths`"),
    ] {
        let refusal = refusal(text);
        assert!(refusal.contains(part), "{text} gives: {refusal}");
        assert_eq!(refusal.lines().count(), 1, "{refusal}");
    }
}

#[test]
fn a_document_above_the_limit_is_refused_by_size() {
    let text = " ".repeat(33 * 1024 * 1024);
    assert!(matches!(
        Document::parse(&text),
        Err(DocumentError::TooLarge(33))
    ));
}

#[test]
fn yaml_with_a_number_as_version_and_numbers_as_keys_is_read() {
    let text = "openapi: 3.1\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: fine}\n";
    let document = Document::parse(text).unwrap();
    let status = document
        .root()
        .pointer("/paths/~1a/get/responses/200/description");
    assert_eq!(status, Some(&json!("fine")));
}

#[test]
fn a_yaml_bomb_is_refused() {
    let mut text = String::from("openapi: 3.0.0\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    assert!(refusal(&text).contains("neither JSON nor YAML"));
}

#[test]
fn deep_nesting_is_refused_and_does_not_overflow_the_stack() {
    let json = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(refusal(&json).contains("neither JSON nor YAML"));
    let yaml = format!(
        "openapi: 3.0.0\nx: {}{}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(refusal(&yaml).contains("neither JSON nor YAML"));
}

#[test]
fn references_are_followed_within_the_document_only() {
    let document = Document::parse(
        &json!({
            "openapi": "3.0.3",
            "paths": {"/a": {}},
            "components": {"schemas": {
                "Plain": {"type": "string"},
                "Other~/ {x}": {"$ref": "#/components/schemas/Plain"},
                "Ring": {"$ref": "#/components/schemas/Ring"},
            }},
        })
        .to_string(),
    )
    .unwrap();
    let follow = |target: &str| {
        let value = json!({"$ref": target});
        document.resolve(&value).cloned()
    };
    let plain = Ok(json!({"type": "string"}));
    assert_eq!(follow("#/components/schemas/Plain"), plain);
    assert_eq!(follow("#/components/schemas/Other~0~1%20%7Bx%7D"), plain);
    let remote = "common.yaml#/Plain".to_owned();
    assert_eq!(follow(&remote), Err(Unusable::Remote(remote)));
    let missing = "#/components/schemas/None".to_owned();
    assert_eq!(follow(&missing), Err(Unusable::Missing(missing)));
    let ring = "#/components/schemas/Ring".to_owned();
    assert_eq!(follow(&ring), Err(Unusable::Circular(ring)));
}
