//! Documents uploaded over HTTP by those who may: readable by everyone, opened at their address,
//! replaced by an upload under the same name.

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::json;

use crate::harness::Backing;
use crate::server::{Answer, Person, TestServer, answer};

fn form(files: &[(&str, &[u8])]) -> Form {
    files.iter().fold(Form::new(), |form, (name, bytes)| {
        let part = Part::bytes(bytes.to_vec()).file_name((*name).to_owned());
        form.part("file", part)
    })
}

async fn send(server: &TestServer, who: &Person, form: Form) -> Answer {
    let path = "/collections/guides/files";
    let request = server.request(Method::POST, path, Some(who));
    answer(request.multipart(form)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_upload_files_and_everyone_reads_them() {
    let server = TestServer::start(Backing::Sqlite).await;
    let operator = server.token_with("reader", |claims| {
        claims["app_metadata"]["roles"] = json!(["Operator"]);
    });
    let reader = server.sign_in("reader");
    let printer =
        b"# The printer\n\nToner for the printer on floor 3 is kept in the blue cupboard.";
    let both = form(&[
        ("printer.md", printer),
        ("scan.pdf", b"%PDF-1.7 nothing in it"),
    ]);
    let taken = send(&server, &operator, both.text("folder", "office/")).await;
    assert_eq!(taken.status, 201, "{taken:?}");
    assert_eq!(
        (&taken.body["success"], &taken.body["total_chunks"]),
        (&json!(1), &json!(1))
    );
    let why = taken.body["failed"][0].as_str().unwrap();
    assert!(
        why.starts_with("/sources/guides/office/scan.pdf: "),
        "{why}"
    );

    // The same address opens the document in the page and in the terminal.
    let listed = server.list(&reader, "/collections/guides/documents").await;
    let url = listed[0]["url"].as_str().unwrap().to_owned();
    assert!(url.ends_with("/sources/guides/office/printer.md"), "{url}");
    let source = server
        .get(&reader, "/sources/guides?path=office/printer.md")
        .await;
    assert!(
        source.body["text"]
            .as_str()
            .unwrap()
            .contains("blue cupboard"),
        "{source:?}"
    );

    // Identical content is not indexed again; other content replaces it.
    let again = form(&[("printer.md", printer)]).text("folder", "office");
    assert_eq!(send(&server, &operator, again).await.body["unchanged"], 1);
    let moved = form(&[(
        "printer.md",
        b"# The printer\n\nToner is in the green cupboard.",
    )]);
    send(&server, &operator, moved.text("folder", "office")).await;
    let source = server
        .get(&reader, "/sources/guides?path=office/printer.md")
        .await;
    assert!(
        source.body["text"].as_str().unwrap().contains("green"),
        "{source:?}"
    );
    let listed = server.list(&reader, "/collections/guides/documents").await;
    assert_eq!(listed.len(), 1);

    let refused = send(&server, &reader, form(&[("mine.md", b"# Mine")])).await;
    assert_eq!(refused.status, 403, "{refused:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_forms_are_refused_and_store_nothing() {
    let server = TestServer::start(Backing::Sqlite).await;
    let operator = server.token_with("reader", |claims| {
        claims["app_metadata"]["roles"] = json!(["Operator"]);
    });
    let text: &[u8] = b"# Some\n\nThis page has some text in it.";
    let many: Vec<(&str, &[u8])> = (0..21).map(|_| ("a.md", text)).collect();
    let huge = vec![b'x'; 26 * 1024 * 1024];
    let cases = [
        (Form::new().text("folder", "x"), 422, "file"),
        (
            form(&[("../a.md", text)]),
            422,
            "cannot be the name of a document",
        ),
        (form(&[("a.exe", text)]), 422, "only Markdown"),
        (
            form(&[("a.md", text)]).text("folder", "../.."),
            422,
            "cannot be the name",
        ),
        (
            form(&[("a.md", text)]).text("owner", "me"),
            422,
            "not a field",
        ),
        (
            form(&[("a.md", text)]).text("company_id", "mine"),
            422,
            "a company's id",
        ),
        (form(&many), 422, "at most 20"),
        (form(&[("a.txt", &huge)]), 413, "too large"),
    ];
    for (form, status, says) in cases {
        let refused = send(&server, &operator, form).await;
        assert_eq!(refused.status, status, "{says}: {refused:?}");
        assert!(
            refused.body.to_string().contains(says),
            "{says}: {refused:?}"
        );
    }
    let listed = server
        .list(&operator, "/collections/guides/documents")
        .await;
    assert!(listed.is_empty(), "{listed:?}");
    server.stop().await;
}
