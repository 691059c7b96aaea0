//! Every evaluation suite of an assistant (`evals/*.toml`): the offline model with the tools that
//! users really have, and the hostile model with all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontdesk::eval::attack::Attacks;
use frontdesk::eval::report::{CaseReport, Summary, share};
use frontdesk::eval::run::SuiteRun;
use frontdesk::eval::sandbox::{Sandbox, settings};
use frontdesk::eval::suite::{Suite, Tools};
use frontdesk::price::Prices;
use frontdesk_assistants::{EVALS, NAMES};
use frontdesk_core::model::Model;
use frontdesk_offline::OfflineModel;
use tempfile::TempDir;

use crate::harness::config;

const LEAST_MESSAGES: usize = 60;
const LEAST_CASES: usize = 40;
/// Minimum share of messages for which the offline model chooses the right tool.
const RIGHT_TOOL: f64 = 0.85;
const RIGHT_ARGUMENTS: f64 = 0.75;

/// A sandbox in its own folder, without this machine's embedding model.
async fn sandbox(model: Arc<dyn Model>) -> (Sandbox, TempDir) {
    let folder = TempDir::new().unwrap();
    let values = settings(folder.path().display().to_string());
    let mut values: Vec<(&str, &str)> = values.iter().map(|(k, v)| (*k, v.as_str())).collect();
    values.push(("search.embeddings", "none"));
    let sandbox = Sandbox::open(config(&values), Some(model)).await.unwrap();
    (sandbox, folder)
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

async fn play(sandbox: &Sandbox, assistant: &str, text: &str, suite: &Suite) -> Vec<CaseReport> {
    let people: BTreeSet<&str> = sandbox.people().collect();
    let assistant = sandbox.assistant(assistant).unwrap();
    let tools = assistant.toolbox.defs().map(|def| def.name.as_ref());
    suite.check(text, &people, &tools.collect()).unwrap();
    let playing = SuiteRun {
        suite,
        assistant: &assistant,
        sandbox,
        model: sandbox.app.runtime.model().as_ref(),
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
fn every_suite_on_disk_is_bundled() {
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

#[tokio::test(flavor = "multi_thread")]
async fn phrasings_are_listed_under_tools_that_exist() {
    let (sandbox, _folder) = sandbox(Arc::new(OfflineModel::default())).await;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assistants");
    for name in NAMES {
        let Ok(list) = std::fs::read_to_string(root.join(name).join("phrasings.txt")) else {
            continue;
        };
        let toolbox = &sandbox.assistant(name).unwrap().toolbox;
        let headings = list.lines().filter_map(|line| line.strip_prefix('['));
        for heading in headings {
            let tools = heading.trim_end_matches(']').split(':').next().unwrap();
            for tool in tools.split(',').map(str::trim) {
                let known = tool == "nothing" || toolbox.get(tool).is_some();
                assert!(known, "{name} has no tool {tool}");
            }
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// True if the offline model meets the minimum shares of a suite.
fn is_understood(summary: &Summary) -> bool {
    summary.wrong_writes == 0
        && share(summary.right_tools, summary.messages) >= RIGHT_TOOL
        && share(summary.right_arguments, summary.with_calls) >= RIGHT_ARGUMENTS
}

#[tokio::test(flavor = "multi_thread")]
async fn every_suite_is_understood_and_no_write_is_wrong() {
    let (sandbox, _folder) = sandbox(Arc::new(OfflineModel::default())).await;
    let mut problems = Vec::new();
    for (assistant, name, text, suite) in suites(Tools::Described) {
        let cases = play(&sandbox, assistant, text, &suite).await;
        let summary = summary(&name, &suite, &cases);
        let fresh = summary.like_examples * 2 <= summary.messages;
        if !is_understood(&summary) || summary.messages < LEAST_MESSAGES || !fresh {
            problems.push(format!("{name}: {}", summary.lines()));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Sets that influenced no threshold: `plain` ones in everyday words, which the offline model must
/// understand, and `hard` ones, which are only printed.
#[tokio::test(flavor = "multi_thread")]
async fn plain_messages_are_understood() {
    let (sandbox, _folder) = sandbox(Arc::new(OfflineModel::default())).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/unseen");
    let mut problems = Vec::new();
    for assistant in NAMES {
        for kind in ["plain", "hard"] {
            let Ok(text) = std::fs::read_to_string(folder.join(format!("{assistant}-{kind}.toml")))
            else {
                continue;
            };
            let suite = Suite::parse(&text).unwrap();
            let cases = play(&sandbox, assistant, &text, &suite).await;
            let name = format!("{assistant}-{kind}");
            let summary = summary(&name, &suite, &cases);
            if summary.wrong_writes > 0 || (kind == "plain" && !is_understood(&summary)) {
                problems.push(format!("{name}: {}", summary.lines()));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn suites_with_real_tools_pass_as_often_as_they_ask_for() {
    let (sandbox, _folder) = sandbox(Arc::new(OfflineModel::default())).await;
    for (assistant, name, text, suite) in suites(Tools::Real) {
        if suite.language_model {
            continue;
        }
        let cases = play(&sandbox, assistant, text, &suite).await;
        let summary = summary(&name, &suite, &cases);
        assert!(summary.holds(), "{name}: {}", summary.lines());
    }
}

#[test]
fn every_assistant_has_forty_cases_and_attacks() {
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
