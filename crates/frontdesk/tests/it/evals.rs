//! Every evaluation suite that an assistant brings (`evals/*.toml`): the offline model over
//! the tools that people really have, and the hostile one over everything.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontdesk::eval::attack::Attacks;
use frontdesk::eval::report::{CaseReport, Summary, share};
use frontdesk::eval::run::Playing;
use frontdesk::eval::stage::{Stage, settings};
use frontdesk::eval::suite::{Suite, Tools};
use frontdesk::price::Prices;
use frontdesk_assistants::{EVALS, NAMES};
use frontdesk_core::model::Model;
use frontdesk_models::offline::{OfflineModel, OfflineSettings, check_examples};
use frontdesk_search::embed::local::LocalEmbedder;
use frontdesk_testkit::weights;
use tempfile::TempDir;

use crate::harness::{Backing, TestApp, config};

const LEAST_MESSAGES: usize = 60;
const LEAST_CASES: usize = 40;
const RIGHT_TOOL: f64 = 0.95;
const RIGHT_ARGUMENTS: f64 = 0.85;

fn offline() -> OfflineModel {
    OfflineModel::new(OfflineSettings::default())
}

/// A stage in a folder of its own, without the embedding model of this machine.
async fn stage(model: Arc<dyn Model>) -> (Stage, TempDir) {
    let folder = TempDir::new().unwrap();
    let values = settings(folder.path().display().to_string());
    let mut values: Vec<(&str, &str)> = values.iter().map(|(k, v)| (*k, v.as_str())).collect();
    values.push(("search.embeddings", "none"));
    let stage = Stage::open(config(&values), Some(model)).await.unwrap();
    (stage, folder)
}

/// Assistant, suite, text.
fn suites(tools: Tools) -> Vec<(&'static str, String, &'static str, Suite)> {
    let mut found = Vec::new();
    for (assistant, suites) in EVALS {
        for (name, text) in *suites {
            if Attacks::is_one(text) {
                continue;
            }
            let name = format!("{assistant}/{name}");
            let suite = Suite::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            if suite.tools == tools {
                found.push((*assistant, name, *text, suite));
            }
        }
    }
    assert!(!found.is_empty(), "no assistant brings a suite");
    found
}

async fn play(stage: &Stage, assistant: &str, text: &str, suite: &Suite) -> Vec<CaseReport> {
    let people: BTreeSet<&str> = stage.people().collect();
    let assistant = stage.assistant(assistant).unwrap();
    let tools = assistant.toolbox.defs().map(|def| def.name.as_ref());
    suite.check(text, &people, &tools.collect()).unwrap();
    let playing = Playing {
        suite,
        assistant,
        stage,
        model: stage.app.desk.model().as_ref(),
        repeats: 1,
        concurrency: 4,
    };
    playing.run(&|_| {}).await
}

fn summary(name: &str, suite: &Suite, cases: &[CaseReport]) -> Summary {
    let threshold = suite.threshold.unwrap_or(100.0);
    let summary = Summary::of(cases, threshold, &Prices::default());
    println!("{name}: {}", summary.lines());
    for case in cases.iter().filter(|case| !case.passed()) {
        println!("  {}: {:?}", case.name, case.runs[0].problems);
    }
    summary
}

#[test]
fn every_suite_on_disk_comes_with_the_product() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assistants");
    for folder in entries(&root) {
        let assistant = folder.file_name().unwrap().to_string_lossy().into_owned();
        for file in entries(&folder.join("evals")) {
            if file.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            let known = EVALS.iter().find(|(name, _)| *name == assistant);
            let known = known.is_some_and(|(_, suites)| suites.iter().any(|one| one.0 == stem));
            assert!(
                known,
                "add {stem} to EVALS of assistants/{assistant}/mod.rs"
            );
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_suite_is_understood_and_no_write_is_wrong() {
    check(offline()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_suite_is_understood_by_meaning_too() {
    let embedder = LocalEmbedder::find(&weights::folder()).unwrap();
    check(offline().with_embedder(Arc::new(embedder))).await;
}

async fn check(model: OfflineModel) {
    let (stage, _folder) = stage(Arc::new(model)).await;
    let mut problems = Vec::new();
    for (assistant, name, text, suite) in suites(Tools::Described) {
        let cases = play(&stage, assistant, text, &suite).await;
        let summary = summary(&name, &suite, &cases);
        let holds = summary.wrong_writes == 0
            && share(summary.right_tools, summary.messages) >= RIGHT_TOOL
            && share(summary.right_arguments, summary.with_calls) >= RIGHT_ARGUMENTS
            && summary.messages >= LEAST_MESSAGES
            && summary.like_examples * 2 <= summary.messages;
        if !holds {
            problems.push(format!("{name}: {}", summary.lines()));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Sets beside the suites, each run once before anything was mended for it; docs/offline-model.md
/// tells what they came to then. An assistant need not have all of them.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints how much of them is understood"]
async fn what_was_never_tuned_for() {
    let embedder = LocalEmbedder::find(&weights::folder()).unwrap();
    let mut wrong = never_tuned_for("words alone", offline()).await;
    let by_meaning = offline().with_embedder(Arc::new(embedder));
    wrong.extend(never_tuned_for("with meaning", by_meaning).await);
    assert!(wrong.is_empty(), "wrong writes in {wrong:?}");
}

/// The sets that had a wrong write.
async fn never_tuned_for(how: &str, model: OfflineModel) -> Vec<String> {
    let (stage, _folder) = stage(Arc::new(model)).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/unseen");
    let mut wrong = Vec::new();
    for set in [
        "toml",
        "second.toml",
        "third.toml",
        "fourth.toml",
        "fifth.toml",
        "sixth.toml",
        "seventh.toml",
        "eighth.toml",
        "ninth.toml",
        "tenth.toml",
        "eleventh.toml",
        "twelfth.toml",
        "thirteenth.toml",
        "fourteenth.toml",
        "fifteenth.toml",
        "sixteenth.toml",
        "seventeenth.toml",
        "eighteenth.toml",
        "nineteenth.toml",
        "twentieth.toml",
    ] {
        for assistant in NAMES {
            let file = format!("{assistant}.{set}");
            let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
                continue;
            };
            let suite = Suite::parse(&text).unwrap();
            let cases = play(&stage, assistant, &text, &suite).await;
            let name = format!("{assistant}.{set}, {how}");
            let summary = summary(&name, &suite, &cases);
            if summary.wrong_writes > 0 {
                wrong.push(name);
            }
        }
    }
    wrong
}

/// A set of requests whose words are not those of any tool.
async fn by_meaning(set: &str, settings: OfflineSettings) -> Summary {
    let embedder = LocalEmbedder::find(&weights::folder()).unwrap();
    let model = OfflineModel::new(settings).with_embedder(Arc::new(embedder));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/meaning");
    let text = std::fs::read_to_string(folder.join(set)).unwrap();
    let suite = Suite::parse(&text).unwrap();
    let (stage, _folder) = stage(Arc::new(model)).await;
    let cases = play(&stage, "gatepass", &text, &suite).await;
    summary(set, &suite, &cases)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints what other limits would come to"]
async fn limits_of_meaning() {
    by_meaning("check.toml", OfflineSettings::default()).await;
    for same_meaning in [0.40, 0.45, 0.50, 0.55, 0.60, 0.65] {
        for like_meaning in [0.35, 0.40, 0.45, 0.50] {
            for close_meaning in [0.03, 0.05, 0.07, 0.10] {
                let settings = OfflineSettings {
                    same_meaning,
                    like_meaning,
                    close_meaning,
                    ..OfflineSettings::default()
                };
                let score = by_meaning("dev.toml", settings).await;
                println!(
                    "{same_meaning:.2} {like_meaning:.2} {close_meaning:.2}: {} right, {} wrong calls",
                    score.right_tools, score.wrong_calls
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn suites_with_real_tools_pass_as_often_as_they_ask_for() {
    let (stage, _folder) = stage(Arc::new(offline())).await;
    for (assistant, name, text, suite) in suites(Tools::Real) {
        let cases = play(&stage, assistant, text, &suite).await;
        let summary = summary(&name, &suite, &cases);
        assert!(summary.holds(), "{name}: {}", summary.lines());
    }
}

#[test]
fn every_assistant_brings_forty_cases_and_is_attacked() {
    for name in NAMES {
        assert!(
            EVALS.iter().any(|(of, _)| of == name),
            "{name} has no suite"
        );
    }
    for (assistant, all) in EVALS {
        let mut cases = 0;
        let mut attacks = 0;
        for (_, text) in *all {
            if Attacks::is_one(text) {
                attacks += Attacks::parse(text).unwrap().count();
            } else {
                cases += Suite::parse(text).unwrap().cases.len();
            }
        }
        assert!(cases >= LEAST_CASES, "{assistant}: {cases} cases");
        assert!(attacks > 0, "{assistant} is not attacked");
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
