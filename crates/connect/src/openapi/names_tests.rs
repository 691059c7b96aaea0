//! Readable names from ids and paths.

use serde_json::json;

use super::super::document::Document;
use super::super::operations::operations;
use super::name;

fn named(method: &str, path: &str, id: &str) -> String {
    let text =
        json!({"openapi": "3.0.0", "paths": {path: {method: {"operationId": id}}}}).to_string();
    let document = Document::parse(&text).unwrap();
    let (found, _) = operations(&document);
    name(&found[0])
}

#[test]
fn names_come_from_ids_or_else_from_method_and_path() {
    for (method, path, id, expected) in [
        ("get", "/tickets", "listTickets", "list_tickets"),
        (
            "get",
            "/repos/{o}/issues",
            "issues/list-for-repo",
            "issues_list_for_repo",
        ),
        (
            "get",
            "/tickets/",
            "list_tickets_tickets__get",
            "list_tickets",
        ),
        ("get", "/api/v2/tickets", "", "list_tickets"),
        ("get", "/tickets/{id}", "", "get_tickets"),
        ("post", "/tickets/{id}/close", "", "create_tickets_close"),
        ("delete", "/tickets/{id}", "", "delete_tickets"),
        ("get", "/x", "2fa", "call_2fa"),
        ("get", "/x", "名前", "list_x"),
        ("get", "/{id}", "", "get"),
    ] {
        assert_eq!(named(method, path, id), expected, "{method} {path} {id}");
    }
}

#[test]
fn long_names_end_at_a_word() {
    let id = "getTheVeryLongAndWindingNameOfAnOperationThatNobodyWillEverReadToItsEnd";
    let name = named("get", "/x", id);
    assert_eq!(
        name,
        "get_the_very_long_and_winding_name_of_an_operation_that"
    );
}
