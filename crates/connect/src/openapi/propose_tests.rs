//! Whole proposals from documents.

use reqwest::Url;
use serde_json::{Value, json};
use toml::Table;

use super::super::document::Document;
use super::{ProposeError, Request, Selection, base_url, propose};
use crate::proposal::Proposal;

const DESK: &str = include_str!("fixtures/desk.yaml");

fn proposed(text: &str, selection: Selection) -> Result<Proposal, ProposeError> {
    let document = Document::parse(text).unwrap();
    let request = Request {
        name: "desk",
        role: "Agent",
        origin: None,
        selection,
    };
    propose(&document, &request)
}

#[test]
fn the_whole_manifest_follows_from_the_document() {
    let proposal = proposed(DESK, Selection::Unspecified).unwrap();
    let expected: Table = include_str!("fixtures/desk.toml").parse().unwrap();
    assert_eq!(proposal.manifest.parse::<Table>().unwrap(), expected);
    for comment in [
        "# Sign-in: security scheme `key`: a key in the header `X-Desk-Key`.\n[source.api]\n",
        "# POST writes\n# Filled with the signed-in person: created_by\n[tool.create_ticket]\n",
        "# GET, but \"mark\" looks like a change: check it\n[tool.get_notifications_mark_read]\n",
    ] {
        assert!(proposal.manifest.contains(comment), "{comment} is missing");
    }
    assert!(
        proposal
            .manifest
            .contains("\ntitle = \"Helpdesk - tickets\"\ndescription")
    );
    let left_out: Vec<&str> = proposal
        .left_out
        .iter()
        .map(|one| one.request.as_str())
        .collect();
    assert_eq!(left_out, ["GET /old", "GET /elsewhere"]);
    assert_eq!(
        proposal.notes,
        [
            "`list_tickets`: `user_id` may be the signed-in person; if so, bind it or give it a constant value.",
            "`create_ticket`: `parent.created_by` may be the signed-in person; if so, bind it or give it a constant value.",
            "Sign-in: security scheme `key`: a key in the header `X-Desk-Key`.",
        ]
    );
    assert!(
        proposal
            .phrasings
            .contains("\n[list_tickets]\nlist tickets\n")
    );
    assert!(proposal.instructions.contains("Helpdesk"));
    assert_eq!(proposal.variables, ["DESK_KEY"]);
}

/// A document with this many operations in groups of ten.
fn many(operations: usize) -> String {
    let paths: serde_json::Map<String, Value> = (0..operations)
        .map(|n| {
            let operation = json!({
                "tags": [format!("Group {}", n / 10)],
                "summary": format!("Reads thing {n}"),
                "requestBody": {"content": {"application/json": {"schema": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}, "b": {"$ref": "#/components/schemas/B"}},
                }}}},
            });
            (format!("/things{n}/{{id}}"), json!({
                "parameters": [{"in": "path", "name": "id", "required": true}],
                "post": operation,
            }))
        })
        .collect();
    let schemas =
        json!({"B": {"type": "object", "properties": {"b": {"$ref": "#/components/schemas/B"}}}});
    json!({"openapi": "3.1.0", "paths": paths, "components": {"schemas": schemas}}).to_string()
}

#[test]
fn more_than_forty_operations_need_a_choice() {
    assert_eq!(
        proposed(&many(40), Selection::Unspecified)
            .unwrap()
            .tools
            .len(),
        40
    );
    let text = many(41);
    let Err(ProposeError::TooMany(groups)) = proposed(&text, Selection::Unspecified) else {
        panic!("41 operations were imported without a choice");
    };
    let sizes: Vec<usize> = groups.iter().map(|group| group.operations).collect();
    assert_eq!(sizes, [10, 10, 10, 10, 1]);
    assert_eq!(proposed(&text, Selection::All).unwrap().tools.len(), 41);
    let only = Selection::Only(vec!["group 4".to_owned(), "Group 0".to_owned()]);
    assert_eq!(proposed(&text, only).unwrap().tools.len(), 11);
    let only = Selection::Only(vec!["tickets".to_owned()]);
    assert!(proposed(DESK, only).unwrap().left_out.is_empty());
    let unknown = proposed(&text, Selection::Only(vec!["Group 9".to_owned()]));
    let sentence = unknown.unwrap_err().to_string();
    assert!(sentence.starts_with("the document has no group Group 9; there are Group 0, "));
}

#[test]
fn a_document_of_a_hundred_operations_is_imported_in_less_than_a_second() {
    let text = many(100);
    let begin = std::time::Instant::now();
    assert_eq!(proposed(&text, Selection::All).unwrap().tools.len(), 100);
    assert!(
        begin.elapsed().as_millis() < 1000,
        "it took {:?}",
        begin.elapsed()
    );
}

#[test]
fn a_document_without_usable_operations_is_refused() {
    let text = json!({"openapi": "3.0.0", "paths": {"/a": {"$ref": "paths.yaml#/a"}}}).to_string();
    let sentence = proposed(&text, Selection::All).unwrap_err().to_string();
    assert!(sentence.contains("bundle the documents"), "{sentence}");
}

#[test]
fn the_address_is_absolute_or_a_setting() {
    let origin = Url::parse("https://docs.example/v3/openapi.json").unwrap();
    for (servers, origin, expected) in [
        (
            json!([{"url": "https://a.example/v1/"}]),
            None,
            Some("https://a.example/v1"),
        ),
        (
            json!([{"url": "/v1"}]),
            Some(&origin),
            Some("https://docs.example/v1"),
        ),
        (json!([]), Some(&origin), Some("https://docs.example")),
        (json!([{"url": "/v1"}]), None, None),
        (json!([{"url": "https://{region}.example"}]), None, None),
        (json!([{"url": "ftp://a.example"}]), None, None),
    ] {
        let text = json!({"openapi": "3.0.0", "servers": servers, "paths": {"/a": {}}}).to_string();
        let document = Document::parse(&text).unwrap();
        assert_eq!(
            base_url(&document, origin).as_deref(),
            expected,
            "{servers}"
        );
    }
}
