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

/// A set of requests whose words are not those of any tool.
async fn by_meaning(app: &TestApp, set: &str, settings: OfflineSettings) -> Score {
    let embedder = LocalEmbedder::find(&weights::folder()).unwrap();
    let model = OfflineModel::new(settings).with_embedder(Arc::new(embedder));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/meaning");
    score(app, &model, "gatepass", &folder.join(set)).await
}

/// Nearness finds what words do not, and is seldom wrong. The limits were set on the first
/// set; the second was written before any of it was tried.
#[tokio::test(flavor = "multi_thread")]
async fn meaning_helps_where_words_do_not_and_calls_nothing_wrong() {
    let app = TestApp::start(Backing::Sqlite, "http://127.0.0.1:9/v1").await;
    for set in ["dev.toml", "check.toml"] {
        let with = by_meaning(&app, set, OfflineSettings::default()).await;
        let none = OfflineSettings {
            same_meaning: 2.0,
            like_meaning: 2.0,
            ..OfflineSettings::default()
        };
        let without = by_meaning(&app, set, none).await;
        println!("{set}: {}, {} wrong calls", with.summary(), with.wrong_calls);
        println!("  by words alone: {}", without.summary());
        for failure in &with.failures {
            println!("  {failure}");
        }
        assert_eq!(with.wrong_writes, 0);
        assert!(with.wrong_calls * 20 <= with.messages, "{set}: {with:?}");
        assert!(with.right_tool > without.right_tool, "{set}: {with:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints what other limits would come to"]
async fn limits_of_meaning() {
    let app = TestApp::start(Backing::Sqlite, "http://127.0.0.1:9/v1").await;
    for same_meaning in [0.40, 0.45, 0.50, 0.55, 0.60, 0.65] {
        for like_meaning in [0.35, 0.40, 0.45, 0.50] {
            for close_meaning in [0.03, 0.05, 0.07, 0.10] {
                let settings = OfflineSettings {
                    same_meaning,
                    like_meaning,
                    close_meaning,
                    ..OfflineSettings::default()
                };
                let score = by_meaning(&app, "dev.toml", settings).await;
                println!(
                    "{same_meaning:.2} {like_meaning:.2} {close_meaning:.2}: {} right, {} wrong calls",
                    score.right_tool, score.wrong_calls
                );
            }
        }
    }
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
