//! Retrieval quality on the labelled sets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontdesk_core::search::{Query, Scopes, Search, Ways};
use frontdesk_testkit::weights;
use tempfile::TempDir;

use super::Retrieval;
use crate::chunk;
use crate::egress::address::AllowedHosts;
use crate::egress::{Egress, Limits, SystemResolver};
use crate::embed::local::LocalEmbedder;
use crate::eval::{self, RetrievalMetrics, Separation};
use crate::index::Place;
use crate::index::embedded::EmbeddedIndex;
use crate::ingest::{Ingest, Options, Progress, Source};
use crate::relevance;

struct NoProgress;

impl Progress for NoProgress {
    fn found(&self, _: usize) {}
    fn done(&self, _: &str) {}
}

/// The folder of the handbook's labelled sets.
fn labelled() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assistants/docs")
}

async fn corpus(folder: &Path) -> (TempDir, Retrieval) {
    corpus_with(folder, &weights::folder()).await
}

async fn corpus_with(folder: &Path, model: &Path) -> (TempDir, Retrieval) {
    let data = tempfile::tempdir().unwrap();
    let index = Arc::new(EmbeddedIndex::open(&data.path().join("index.db")).unwrap());
    let embedder = Arc::new(LocalEmbedder::find(model).unwrap());
    let egress = Egress::new(
        AllowedHosts::default(),
        Limits::INGEST,
        Arc::new(SystemResolver),
    )
    .unwrap();
    let ingest = Ingest {
        index: index.clone(),
        embedder: Some(embedder.clone()),
        egress,
    };
    let options = Options {
        place: Place {
            collection: "eval".to_owned(),
            owner: None,
        },
        config: chunk::DEFAULT,
        dry_run: false,
        most_pages: 1,
        metadata: BTreeMap::new(),
        prune: true,
    };
    let report = ingest
        .run(&Source::Path(folder.to_owned()), &options, &NoProgress)
        .await
        .unwrap();
    assert!(report.failed.is_empty() && report.success > 0, "{report:?}");
    let retrieval = Retrieval {
        index,
        embedder: Some(embedder),
        reranker: None,
        public_url: "http://desk.example".to_owned(),
    };
    (data, retrieval)
}

async fn measured(retrieval: &Retrieval, set: &str, only: &str, ways: Ways) -> RetrievalMetrics {
    let read = |ending: &str| {
        std::fs::read_to_string(labelled().join(format!("evals/{set}.{ending}"))).unwrap()
    };
    let queries = eval::queries(&read("queries.tsv")).unwrap();
    let mut judged = eval::judgements(&read("qrels.txt")).unwrap();
    judged.retain(|id, _| id.starts_with(only));
    let mut runs = BTreeMap::new();
    for (id, question) in queries.iter().filter(|(id, _)| id.starts_with(only)) {
        let query = Query {
            top_k: 50,
            ways,
            ..Query::new(question.clone(), "eval", Scopes::everyone())
        };
        let found = retrieval.search(&query).await.unwrap();
        let documents = found
            .chunks
            .iter()
            .map(|chunk| chunk.url.split_once("/sources/eval/").unwrap().1.to_owned());
        runs.insert(id.clone(), documents.collect());
    }
    eval::retrieval_metrics(&runs, &judged)
}

#[tokio::test]
async fn hybrid_search_is_at_least_as_good_as_either_ranking() {
    let (_data, retrieval) = corpus(&labelled().join("handbook")).await;
    let mut found = Vec::new();
    for ways in [Ways::Words, Ways::Meaning, Ways::Both] {
        let figures = measured(&retrieval, "handbook", "h", ways).await;
        println!("handbook {ways:?}: {figures:?}");
        found.push(figures.ndcg_at_10);
    }
    assert!(found[2] >= found[0].max(found[1]), "{found:?}");
    assert!(found[2] > 0.7, "{found:?}");
}

#[tokio::test]
async fn stems_carry_german_and_russian_queries() {
    let (_data, retrieval) = corpus(&labelled().join("evals/languages")).await;
    for language in ["de", "ru"] {
        let mut found = Vec::new();
        for ways in [Ways::Words, Ways::Meaning, Ways::Both] {
            let figures = measured(&retrieval, "languages", language, ways).await;
            println!("{language} {ways:?}: {figures:?}");
            found.push(figures.ndcg_at_10);
        }
        assert!(found[2] >= found[0].max(found[1]), "{language}: {found:?}");
        assert!(found[2] > 0.9, "{language}: {found:?}");
    }
}

#[tokio::test]
async fn a_multilingual_model_finds_pages_in_another_language() {
    let multilingual = weights::multilingual_folder();
    let (_data, retrieval) = corpus_with(&labelled().join("handbook"), &multilingual).await;
    let english = measured(&retrieval, "handbook", "h", Ways::Both).await;
    let translated = measured(&retrieval, "translated", "t", Ways::Both).await;
    println!("multilingual: handbook {english:?}, translated {translated:?}");
    assert!(english.ndcg_at_10 > 0.85, "{english:?}");
    assert!(translated.ndcg_at_10 > 0.9, "{translated:?}");
    let (fitted, held_out) = eval::halves(&top_scores(&retrieval, "translated").await);
    let outside = top_scores(&retrieval, "translated-outside").await;
    let (fitted_outside, held_out_outside) = eval::halves(&outside);
    let fitted = Separation::at(THRESHOLD, &fitted, &fitted_outside);
    let held_out = Separation::at(THRESHOLD, &held_out, &held_out_outside);
    println!("{fitted:?}\n{held_out:?}");
    assert!(held_out.mean() > 0.75, "{held_out:?}");

    let (_data, retrieval) = corpus_with(&labelled().join("evals/languages"), &multilingual).await;
    for language in ["de", "ru"] {
        let figures = measured(&retrieval, "languages", language, Ways::Both).await;
        println!("multilingual: {language} {figures:?}");
        assert!(figures.ndcg_at_10 > 0.9, "{language}: {figures:?}");
    }
}

/// The score of the best passage for each question.
async fn top_scores(retrieval: &Retrieval, set: &str) -> Vec<f64> {
    let file = labelled().join(format!("evals/{set}.queries.tsv"));
    let queries = eval::queries(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut scores = Vec::new();
    for (_, question) in queries {
        let query = Query::new(question, "eval", Scopes::everyone());
        scores.push(retrieval.search(&query).await.unwrap().top_score);
    }
    scores
}

/// The default of `docs.retrieval_score_threshold`.
const THRESHOLD: f64 = 0.3;

/// Cosine and share of words of the best hit for each question.
async fn best_hits(retrieval: &Retrieval, set: &str) -> Vec<(f32, f32)> {
    let file = labelled().join(format!("evals/{set}.queries.tsv"));
    let queries = eval::queries(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut best = Vec::new();
    for (id, question) in queries {
        let query = Query::new(question.clone(), "eval", Scopes::everyone());
        let hits = retrieval.hits(&query).await.unwrap();
        let hit = hits.iter().max_by(|a, b| a.score().total_cmp(&b.score()));
        let (cosine, share) = hit.map_or((0.0, 0.0), |hit| (hit.cosine.unwrap_or(0.0), hit.share));
        let score = relevance::score(Some(cosine), share);
        println!("{set} {id} {score:.3} {cosine:.3} {share:.3} {question}");
        best.push((cosine, share));
    }
    best
}

/// The coefficients are fitted on one half of the questions. The other half must be separated as
/// well.
#[tokio::test]
async fn the_threshold_separates_questions_that_were_held_out() {
    let (_data, retrieval) = corpus(&labelled().join("handbook")).await;
    let (fitted, held_out) = eval::halves(&best_hits(&retrieval, "handbook").await);
    let (fitted_outside, held_out_outside) = eval::halves(&best_hits(&retrieval, "outside").await);
    let scores = |hits: &[(f32, f32)]| -> Vec<f64> {
        let score = |(cosine, share): &(f32, f32)| relevance::score(Some(*cosine), *share);
        hits.iter().map(score).collect()
    };
    let best = Separation::best(&scores(&fitted), &scores(&fitted_outside));
    let found = Separation::at(THRESHOLD, &scores(&held_out), &scores(&held_out_outside));
    println!("{best:?}\n{found:?}");
    let default = Separation::at(THRESHOLD, &scores(&fitted), &scores(&fitted_outside));
    assert!(best.mean() - default.mean() < 0.03, "{best:?} {default:?}");
    assert!(found.mean() > 0.85, "{found:?}");
}
