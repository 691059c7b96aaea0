//! Every evaluation suite that an assistant brings (`evals/*.toml`), judged with the offline
//! model over the tools that its people really have.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontdesk::desk::Desk;
use frontdesk_core::access::Principal;
use frontdesk_core::phase::Phase;
use frontdesk_core::toolbox::Offer;
use frontdesk_models::offline::{OfflineModel, OfflineSettings, check_examples};
use frontdesk_search::embed::local::LocalEmbedder;
use frontdesk_testkit::evals::{Score, Suite};
use frontdesk_testkit::weights;

use crate::harness::{Backing, TestApp};

const LEAST_MESSAGES: usize = 60;
const RIGHT_TOOL: f64 = 95.0;
const RIGHT_ARGUMENTS: f64 = 85.0;

/// The suites of each assistant, by its name.
fn suites() -> Vec<(String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assistants");
    let mut found = Vec::new();
    for folder in entries(&root) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        for file in entries(&folder.join("evals")) {
            if file
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                found.push((name.clone(), file));
            }
        }
    }
    found.sort();
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn offer(desk: &Desk, who: &Principal, assistant: &str, phase: Option<&str>) -> Arc<Offer> {
    let assistant = desk.assistant(who, assistant).unwrap();
    let phase = match phase {
        Some(phase) => Phase::stored(phase.to_owned()),
        None => assistant.first_phase(),
    };
    assistant.toolbox.offer(who, &phase)
}

async fn score(app: &TestApp, model: &OfflineModel, assistant: &str, file: &Path) -> Score {
    let text = std::fs::read_to_string(file).unwrap();
    let suite = Suite::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut people = std::collections::BTreeMap::new();
    for case in &suite.cases {
        if !people.contains_key(&case.persona) {
            people.insert(case.persona.clone(), app.person(&case.persona).await);
        }
    }
    let desk = &app.app.desk;
    suite
        .run(model, |persona, phase| {
            offer(desk, &people[persona], assistant, phase)
        })
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn every_suite_is_understood_and_no_write_is_wrong() {
    check(OfflineModel::new(OfflineSettings::default())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_suite_is_understood_by_meaning_too() {
    let embedder = LocalEmbedder::find(&weights::folder()).unwrap();
    let model = OfflineModel::new(OfflineSettings::default());
    check(model.with_embedder(Arc::new(embedder))).await;
}

async fn check(model: OfflineModel) {
    let app = TestApp::start(Backing::Sqlite, "http://127.0.0.1:9/v1").await;
    let suites = suites();
    assert!(!suites.is_empty(), "no assistant brings a suite");
    let mut problems = Vec::new();
    for (assistant, file) in suites {
        let score = score(&app, &model, &assistant, &file).await;
        println!("{assistant} {}: {}", file.display(), score.summary());
        for failure in &score.failures {
            println!("  {failure}");
        }
        let holds = score.wrong_writes == 0
            && score.tools() >= RIGHT_TOOL
            && score.arguments() >= RIGHT_ARGUMENTS
            && score.messages >= LEAST_MESSAGES
            && score.like_examples * 2 <= score.messages;
        if !holds {
            problems.push(format!("{assistant}: {}", score.summary()));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_declared_example_is_understood_by_everyone_who_has_the_tool() {
    let app = TestApp::start(Backing::Sqlite, "http://127.0.0.1:9/v1").await;
    let mut problems = Vec::new();
    for persona in &app.app.personas {
        let who = app.person(persona.name).await;
        for assistant in app.app.desk.assistants() {
            if !who.holds_any(&assistant.roles) {
                continue;
            }
            let offer = assistant.toolbox.offer(&who, &assistant.first_phase());
            for mismatch in check_examples(&offer) {
                problems.push(format!("{} {}: {mismatch:?}", assistant.name, persona.name));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}
