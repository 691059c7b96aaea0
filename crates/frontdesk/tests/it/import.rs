//! `frontdesk new`: the proposal of an assistant from documents and servers.

use std::io::{Read, Write};
use std::net::TcpListener;

use toml::Table;

use crate::cli::{Shell, check_failure};

const SMALL: &str = r#"
openapi: "3.1.0"
info: {title: Desk, version: "1"}
servers: [{url: /api}]
paths:
  /tickets:
    get: {operationId: listTickets, summary: List tickets}
  /tickets/{id}:
    parameters: [{in: path, name: id, required: true, schema: {type: string}}]
    get: {operationId: getTicket, summary: Get a ticket}
    delete: {operationId: deleteTicket, summary: Delete a ticket}
  /notifications/mark-read/{id}:
    get: {parameters: [{in: path, name: id, required: true, schema: {type: string}}]}
"#;

fn manifest(shell: &Shell, name: &str) -> Table {
    let file = format!("assistants.d/{name}/assistant.toml");
    let text = std::fs::read_to_string(shell.folder.path().join(file)).unwrap();
    text.parse().unwrap()
}

#[test]
fn a_document_in_a_file_becomes_a_folder_and_a_table() {
    let shell = Shell::new();
    std::fs::write(shell.folder.path().join("desk.yaml"), SMALL).unwrap();
    let done = shell.run(&["new", "desk", "--openapi", "desk.yaml", "--role", "Agent"]);
    assert_eq!(done.code, Some(0), "{done:?}");
    for row in [
        "list_tickets",
        "DELETE always asks",
        "\"mark\" looks like a change: check it (check)",
        "Wrote assistants.d/desk.",
    ] {
        assert!(done.out.contains(row), "{row} is missing in\n{}", done.out);
    }
    let table = manifest(&shell, "desk");
    assert_eq!(table["roles"][0].as_str(), Some("Agent"));
    let person = &table["people"][0];
    assert_eq!(person["name"].as_str(), Some("desk"));
    assert_eq!(person["roles"][0].as_str(), Some("Agent"));
    assert_eq!(
        table["source"]["api"]["base_url"].as_str(),
        Some("${DESK_URL}")
    );
    assert_eq!(
        table["tool"]["delete_ticket"]["consent"].as_str(),
        Some("always")
    );
    assert_eq!(
        table["tool"]["delete_ticket"]["preview"].as_str(),
        Some("get_ticket")
    );
    for name in ["instructions.md", "phrasings.txt"] {
        assert!(
            shell
                .folder
                .path()
                .join("assistants.d/desk")
                .join(name)
                .exists()
        );
    }

    let again = shell.run(&["new", "desk", "--openapi", "desk.yaml"]);
    check_failure(&again, 1, "exists already");
}

#[test]
fn a_document_at_an_address_gives_the_address_of_its_api() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let _ = stream.read(&mut request).unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", SMALL.len());
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(SMALL.as_bytes()).unwrap();
    });
    let shell = Shell::new();
    let url = format!("http://{address}/docs/openapi.yaml");
    let done = shell.run(&["new", "desk", "--openapi", &url]);
    assert_eq!(done.code, Some(0), "{done:?}");
    server.join().unwrap();
    let source = &manifest(&shell, "desk")["source"]["api"];
    assert_eq!(
        source["base_url"].as_str(),
        Some(format!("http://{address}/api").as_str())
    );
    assert_eq!(source["openapi"].as_str(), Some(url.as_str()));
}

/// Our own document: more than 40 operations, and the references of a real API.
#[test]
fn our_own_document_is_imported_by_groups_or_as_a_whole() {
    let shell = Shell::new();
    let document = shell.run(&["openapi"]).out;
    std::fs::write(shell.folder.path().join("openapi.json"), document).unwrap();
    let refused = shell.run(&["new", "own", "--openapi", "openapi.json"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.err.contains("choose with --only GROUP,…"),
        "{refused:?}"
    );
    assert!(!shell.folder.path().join("assistants.d").exists());

    let whole = shell.run(&["new", "own", "--openapi", "openapi.json", "--all"]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    let tools = manifest(&shell, "own")["tool"].as_table().unwrap().len();
    assert!(tools > 40, "{tools} tools");
    let none = shell.run(&[
        "new",
        "other",
        "--openapi",
        "openapi.json",
        "--only",
        "cats",
    ]);
    check_failure(&none, 1, "no group cats; there are");
}

#[test]
fn what_cannot_be_imported_is_one_sentence_and_leaves_nothing() {
    let shell = Shell::new();
    let write = |name: &str, text: &str| {
        std::fs::write(shell.folder.path().join(name), text).unwrap();
    };
    write(
        "old.json",
        r#"{"swagger": "2.0", "paths": {"/a": {"get": {}}}}"#,
    );
    write("broken.json", r#"{"openapi": "#);
    write(
        "remote.yaml",
        "openapi: 3.0.0\npaths: {/a: {$ref: 'other.yaml#/a'}}\n",
    );
    for (arguments, part) in [
        (&["new", "x", "--openapi", "old.json"][..], "Swagger 2.0"),
        (
            &["new", "x", "--openapi", "broken.json"],
            "neither JSON nor YAML",
        ),
        (
            &["new", "x", "--openapi", "remote.yaml"],
            "bundle the documents",
        ),
        (
            &["new", "x", "--openapi", "none.yaml"],
            "cannot read none.yaml",
        ),
        (
            &["new", "x", "--openapi", "http://127.0.0.1:1/a"],
            "cannot fetch",
        ),
        (
            &["new", "../x", "--openapi", "old.json"],
            "no name for an assistant",
        ),
        (
            &["new", "x", "--mcp-command", "no-such-program"],
            "the program does not start: No such file",
        ),
        (
            &["new", "x", "--mcp-url", "ftp://a.example"],
            "not an http or https address",
        ),
    ] {
        check_failure(&shell.run(arguments), 1, part);
    }
    assert_eq!(shell.run(&["new", "x"]).code, Some(2));
    assert!(!shell.folder.path().join("assistants.d").exists());
}
