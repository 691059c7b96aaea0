//! Other people's tools read the OpenAPI document: a validator, a linter, and generators whose
//! clients compile and talk to the server.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use frontdesk_testkit::model_server::say;
use tempfile::TempDir;

use super::identity::{claims, signed};
use crate::harness::Backing;
use crate::server::TestServer;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A program that `scripts/setup test` installs.
fn tool(path: &str) -> PathBuf {
    let program = root().join("target").join(path);
    assert!(
        program.exists(),
        "{} is missing; run scripts/setup test",
        program.display()
    );
    program
}

/// Runs the command and returns what it printed; fails with it if the command fails.
async fn run(mut command: Command) -> String {
    let done = tokio::task::spawn_blocking(move || command.output());
    let done = done.await.unwrap().unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(done.status.success(), "{said}");
    said
}

/// A folder with the server's document.
async fn document(server: &TestServer) -> TempDir {
    let folder = TempDir::new().unwrap();
    let document = reqwest::get(format!("{}/openapi.json", server.url))
        .await
        .unwrap();
    let text = document.text().await.unwrap();
    std::fs::write(folder.path().join("openapi.json"), text).unwrap();
    folder
}

const LINT: &str = r#"
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { readFileSync } from 'node:fs'
const config = await createConfig({ extends: ['minimal'], rules: { 'tag-description': 'error',
  'no-duplicated-tag-names': 'error', 'operation-operationId-unique': 'error', 'operation-summary': 'error',
  'no-invalid-media-type-examples': { severity: 'error', allowAdditionalProperties: true }, 'no-unused-components': 'off' } })
const problems = await lintFromString({ source: readFileSync('openapi.json', 'utf8'), config })
for (const problem of problems) {
  console.log(problem.severity, problem.ruleId, problem.message, problem.location[0]?.pointer)
}
process.exit(problems.some((problem) => problem.severity === 'error') ? 1 : 0)
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_validator_and_a_linter_accept_the_document() {
    let server = TestServer::start(Backing::Sqlite).await;
    let folder = document(&server).await;
    let mut validator = Command::new(tool("openapi-tools/bin/openapi-spec-validator"));
    validator.arg("openapi.json").current_dir(folder.path());
    run(validator).await;
    with_node_modules(&folder);
    std::fs::write(folder.path().join("lint.mjs"), LINT).unwrap();
    let mut linter = Command::new("node");
    linter.arg("lint.mjs").current_dir(folder.path());
    run(linter).await;
    server.stop().await;
}

/// Node looks for packages beside the program.
fn with_node_modules(folder: &TempDir) {
    let modules = tool("npm-tools/node_modules").canonicalize().unwrap();
    std::os::unix::fs::symlink(modules, folder.path().join("node_modules")).unwrap();
}

/// `content` alone is a message, and answers have types.
const TYPESCRIPT: &str = r#"
import createClient from 'openapi-fetch'
import type { paths } from './api'
declare const process: { env: Record<string, string> }
const client = createClient<paths>({
  baseUrl: process.env.SERVER,
  headers: { Authorization: `Bearer ${process.env.TOKEN}` },
})
export async function main(): Promise<string> {
  const made = await client.POST('/api/v1/conversations', { body: { assistant: 'planner' } })
  if (!made.data) throw new Error(JSON.stringify(made.error))
  const id: string = made.data.id
  const sent = await client.POST('/api/v1/conversations/{id}/messages', {
    params: { path: { id } },
    body: { content: 'Hello' },
  })
  if (!sent.data || typeof sent.data === 'string') throw new Error(JSON.stringify(sent.error))
  return sent.data.agent_message?.content ?? ''
}
main().then((answer) => console.log(`answer: ${answer}`))
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_typescript_client_is_generated_compiles_and_works() {
    let server = TestServer::start(Backing::Sqlite).await;
    server.model.otherwise(say("Yes."));
    let who = server.token_with("paula", |_| {});
    let folder = document(&server).await;
    with_node_modules(&folder);
    let mut generate = Command::new("node");
    generate
        .arg("node_modules/openapi-typescript/bin/cli.js")
        .args(["openapi.json", "-o", "api.ts"])
        .current_dir(folder.path());
    run(generate).await;
    std::fs::write(folder.path().join("main.ts"), TYPESCRIPT).unwrap();
    std::fs::write(folder.path().join("package.json"), r#"{"type":"module"}"#).unwrap();
    let mut compile = Command::new("node");
    compile
        .arg("node_modules/typescript/bin/tsc")
        .args(["--strict", "--target", "es2022", "--module", "esnext"])
        .args(["--moduleResolution", "bundler", "--skipLibCheck", "main.ts"])
        .current_dir(folder.path());
    run(compile).await;
    let mut use_it = Command::new("node");
    use_it
        .arg("main.js")
        .env("SERVER", &server.url)
        .env("TOKEN", &who.token)
        .current_dir(folder.path());
    assert_eq!(run(use_it).await.trim(), "answer: Yes.");
    server.model.abandon_script();
    server.stop().await;
}

/// Files are bytes to a generated client.
const PYTHON_CONFIG: &str = "post_hooks: []
content_type_overrides:
  '*/*': application/octet-stream
  image/png: application/octet-stream
  image/jpeg: application/octet-stream
  image/heic: application/octet-stream
  application/pdf: application/octet-stream
";

const PYTHON: &str = r#"
import os
from client import AuthenticatedClient
from client.api.conversations import create_conversation
from client.api.messages import create_message
from client.models import ConversationCreate, MessageCreate
client = AuthenticatedClient(base_url=os.environ['SERVER'], token=os.environ['TOKEN'])
made = create_conversation.sync(client=client, body=ConversationCreate(assistant='planner'))
sent = create_message.sync(made.id, client=client, body=MessageCreate(content='Hello'))
print('answer:', sent.agent_message.content)
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_python_client_is_generated_and_works() {
    let server = TestServer::start(Backing::Sqlite).await;
    server.model.otherwise(say("Yes."));
    let who = server.token_with("paula", |_| {});
    let folder = document(&server).await;
    std::fs::write(folder.path().join("config.yml"), PYTHON_CONFIG).unwrap();
    let mut generate = Command::new(tool("openapi-tools/bin/openapi-python-client"));
    generate
        .args(["generate", "--path", "openapi.json", "--meta", "none"])
        .args(["--output-path", "client", "--config", "config.yml"])
        .arg("--fail-on-warning")
        .current_dir(folder.path());
    run(generate).await;
    std::fs::write(folder.path().join("main.py"), PYTHON).unwrap();
    let mut use_it = Command::new(tool("openapi-tools/bin/python"));
    use_it
        .arg("main.py")
        .env("SERVER", &server.url)
        .env("TOKEN", &who.token)
        .current_dir(folder.path());
    assert_eq!(run(use_it).await.trim(), "answer: Yes.");
    server.model.abandon_script();
    server.stop().await;
}

/// The server agrees with its document, for whoever may ask.
#[tokio::test(flavor = "multi_thread")]
async fn every_list_that_is_served_has_the_same_envelope() {
    let document = frontdesk::http::openapi();
    let mut lists = Vec::new();
    for (path, verbs) in document["paths"].as_object().unwrap() {
        let name = verbs["get"]["operationId"].as_str().unwrap_or_default();
        let parameters = verbs["get"]["parameters"].as_array();
        let is_plain = parameters.is_some_and(|all| all.iter().all(|one| one["required"] != true));
        if name.starts_with("list_") && is_plain {
            lists.push(path.strip_prefix("/api/v1").unwrap());
        }
    }
    assert!(lists.len() >= 18, "{lists:?}");
    let mut unserved: BTreeSet<&str> = lists.iter().copied().collect();
    for server in TestServer::on_both().await {
        let operator = signed(&server, &claims(&server, "op", &["Operator"]));
        let people = ["buyer", "reader", "hr", "admin", "recruiter"].map(|id| server.sign_in(id));
        for path in &lists {
            let mut served = None;
            for who in people.iter().chain([&operator]) {
                let answer = server.get(who, path).await;
                if answer.status == 200 {
                    served = Some(answer.body);
                }
            }
            // A server with real tokens has no demo people.
            let Some(body) = served else { continue };
            unserved.remove(path);
            let is_list = body["items"].is_array()
                && (body["cursor"].is_null() || body["cursor"].is_string())
                && body.as_object().unwrap().contains_key("cursor")
                && body["has_more"].is_boolean();
            assert!(is_list, "{path}: {body}");
        }
        server.stop().await;
    }
    assert_eq!(unserved, BTreeSet::new(), "nobody may read these");
}
