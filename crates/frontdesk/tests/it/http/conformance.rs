//! Schemathesis over the OpenAPI document: valid and invalid requests, and no undeclared response.

use std::path::Path;
use std::process::Command;

use frontdesk_testkit::model_server::say;
use serde_json::json;

use crate::harness::Backing;
use crate::server::{Answer, Person, TestServer};

const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

/// Ids of existing objects, so that requests get past the first 404.
async fn existing(server: &TestServer, who: &Person) -> String {
    let new = json!({ "assistant": "planner" });
    let start = || server.post(who, "/conversations", new.clone());
    let (kept, spare) = (start().await, start().await);
    let id = |answer: &Answer| answer.body["id"].as_str().unwrap().to_owned();
    let path = format!("/conversations/{}/messages", id(&kept));
    let said = server
        .post(who, &path, json!({ "content": "Hello" }))
        .await
        .body;
    let turn = said["turn"]["id"].as_str().unwrap();
    let message = said["agent_message"]["id"].as_str().unwrap();
    let company = server
        .post(who, "/companies", json!({ "name": "Acme" }))
        .await;
    let operation = |which: &str, parameters: &str| {
        format!("[[operations]]\n{which}\nparameters = {{ {parameters} }}\n")
    };
    [
        operation(
            "include-name = \"DELETE /api/v1/conversations/{id}\"",
            &format!("id = \"{}\"", id(&spare)),
        ),
        operation(
            "include-path-regex = \"/conversations/\"\nexclude-method = \"DELETE\"",
            &format!("id = \"{}\", turn = \"{turn}\"", id(&kept)),
        ),
        operation(
            "include-path-regex = \"/messages/\"\nexclude-path-regex = \"/conversations/\"",
            &format!("id = \"{message}\""),
        ),
        operation(
            "include-path-regex = \"/companies/\"",
            &format!("id = \"{}\"", id(&company)),
        ),
        operation(
            "include-path-regex = \"/assistants/\"",
            "name = \"planner\"",
        ),
    ]
    .concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_response_is_declared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/schemathesis/bin/schemathesis");
    assert!(
        program.exists(),
        "schemathesis is missing; run scripts/setup test"
    );
    let server = TestServer::start(Backing::Sqlite).await;
    server.model.otherwise(say("Yes."));
    // A person who may use every assistant, so that requests reach the handlers.
    let who = server.token_with("paula", |claims| {
        claims["app_metadata"]["roles"] = json!(["Buyer", "Reader", "HR_User", "Recruiter"]);
    });
    let folder = tempfile::TempDir::new().unwrap();
    let config = existing(&server, &who).await;
    std::fs::write(folder.path().join("schemathesis.toml"), config).unwrap();
    let mut run = Command::new(program);
    run.args(["run", &format!("{}/openapi.json", server.url)])
        .args(["--header", &format!("Authorization: Bearer {}", who.token)])
        .args(["--checks", CHECKS])
        // This stream never ends.
        .args(["--exclude-operation-id", "follow_events"])
        // A compromise between coverage and run time.
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            "8",
        ])
        .args(["--seed", "7", "--workers", "1", "--request-timeout", "20"])
        .args(["--suppress-health-check", "all"])
        .current_dir(folder.path());
    let done = tokio::task::spawn_blocking(move || run.output());
    let done = done.await.unwrap().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    let trouble = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}\n{trouble}");
    server.model.abandon_script();
    server.stop().await;
}
