//! Schemathesis over the OpenAPI document: requests that fit it and requests that do not, and
//! no answer that it does not tell of.

use std::path::Path;
use std::process::Command;

use frontdesk_testkit::model_server::say;

use crate::harness::Backing;
use crate::server::TestServer;

const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_is_undeclared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/schemathesis/bin/schemathesis");
    assert!(
        program.exists(),
        "schemathesis is missing; run scripts/setup test"
    );
    let server = TestServer::start(Backing::Sqlite).await;
    server.model.otherwise(say("Yes."));
    let who = server.sign_in("paula");
    let folder = tempfile::TempDir::new().unwrap();
    let mut run = Command::new(program);
    run.args(["run", &format!("{}/openapi.json", server.url)])
        .args(["--header", &format!("Authorization: Bearer {}", who.token)])
        .args(["--checks", CHECKS])
        // This stream has no end.
        .args(["--exclude-operation-id", "follow_events"])
        // Enough to find what is wrong, few enough for every run.
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            "8",
        ])
        .args(["--seed", "7", "--workers", "2", "--request-timeout", "20"])
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
