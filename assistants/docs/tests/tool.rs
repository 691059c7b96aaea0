//! The tool as a model is offered it, and the pages that come with the product.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use frontdesk_core::tool::{Tool, parameters_of};

use crate::handbook::FILES;
use crate::search_docs::{Args, SearchDocs};

// design: 001 search_docs
#[test]
fn search_docs_takes_a_query_and_one_to_twenty_results() {
    let schema = parameters_of::<Args>();
    assert_eq!(schema["required"], serde_json::json!(["query"]));
    assert_eq!(schema["properties"]["top_k"]["minimum"], 1);
    assert_eq!(schema["properties"]["top_k"]["maximum"], 20);
    assert_eq!(SearchDocs::NAME, "search_docs");
    assert!(!SearchDocs::spec().effect.writes());
}

#[test]
fn the_handbook_is_whole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("handbook");
    let mut there = BTreeSet::new();
    for folder in std::fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        for file in std::fs::read_dir(&folder).unwrap() {
            let path = file.unwrap().path();
            there.insert(path.strip_prefix(&root).unwrap().display().to_string());
        }
    }
    let listed: BTreeSet<String> = FILES.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(there, listed);
    assert!(listed.len() >= 12);
    for (path, text) in FILES {
        assert!(
            text.starts_with("# ") && text.len() > 300,
            "{path} is no page"
        );
    }
}

#[test]
fn the_labelled_set_fits_the_handbook() {
    let read = |name: &str| {
        std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("evals")
                .join(name),
        )
        .unwrap()
    };
    let queries = read("handbook.queries.tsv");
    let questions: BTreeMap<&str, &str> = queries
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    assert!(questions.len() >= 150);
    let qrels = read("handbook.qrels.txt");
    let mut judged = BTreeSet::new();
    for line in qrels.lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        assert!(questions.contains_key(parts[0]), "{line}");
        assert!(FILES.iter().any(|(path, _)| *path == parts[2]), "{line}");
        judged.insert(parts[0]);
    }
    assert_eq!(judged.len(), questions.len());
}
