//! `frontdesk eval --corpus`: measures retrieval on a labelled set in TREC format.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use frontdesk_core::search::{Query, Scopes, Search, Ways};
use frontdesk_search::eval::{self, RetrievalMetrics, Separation};
use serde::Serialize;

use super::{Exit, Setup, print_json};
use crate::knowledge_base::{KnowledgeBase, Quiet, local_embedder};
use frontdesk_search::ingest::Source;

/// Passages to retrieve per question: enough to yield ten documents.
const PASSAGES: usize = 50;
const COLLECTION: &str = "eval";
/// The default of `docs.retrieval_score_threshold`.
const THRESHOLD: f64 = 0.3;

pub(super) struct LabelledSet<'a> {
    pub(super) corpus: &'a Path,
    pub(super) queries: &'a Path,
    pub(super) qrels: &'a Path,
    /// Questions that the documents do not answer.
    pub(super) outside: Option<&'a Path>,
}

/// How well the score separates questions that the documents answer from others. The
/// threshold is chosen on one half of the questions and tested on the other.
#[derive(Serialize)]
struct Refusals {
    calibration: Separation,
    held_out: Separation,
    /// All questions at the default threshold.
    default: Separation,
}

#[derive(Serialize)]
struct Row {
    search: &'static str,
    #[serde(flatten)]
    figures: RetrievalMetrics,
}

pub(super) async fn measure(
    set: LabelledSet<'_>,
    json: bool,
    setup: &Setup,
) -> anyhow::Result<Exit> {
    let folder = tempfile::tempdir()?;
    let data = folder.path().display().to_string();
    let config = setup.config(vec![("log.level", "error".to_owned()), ("data_dir", data)])?;
    let knowledge_base = KnowledgeBase::open(&config, local_embedder(&config))?;
    let queries = read(set.queries)?;
    let rows = figures(&knowledge_base, set.corpus, &queries, &read(set.qrels)?).await?;
    let refusals = match set.outside {
        Some(outside) => Some(refusals(&knowledge_base, &queries, &read(outside)?).await?),
        None => None,
    };
    if json {
        return print_json(&serde_json::json!({ "searches": rows, "refusals": refusals }));
    }
    println!(
        "{:<10} {:>9} {:>9} {:>10} {:>8}",
        "search", "questions", "nDCG@10", "recall@10", "MRR@10"
    );
    for Row { search, figures } in &rows {
        println!(
            "{search:<10} {:>9} {:>9.4} {:>10.4} {:>8.4}",
            figures.questions, figures.ndcg_at_10, figures.recall_at_10, figures.mrr_at_10
        );
    }
    if let Some(refusals) = refusals {
        println!(
            "\n{:<12} {:>9} {:>14} {:>14}",
            "half", "threshold", "answered", "refused"
        );
        for (half, one) in [
            ("calibration", refusals.calibration),
            ("held out", refusals.held_out),
            ("both", refusals.default),
        ] {
            println!(
                "{half:<12} {:>9.2} {:>14} {:>14}",
                one.threshold,
                format!("{} of {}", one.answered, one.answerable),
                format!("{} of {}", one.refused, one.unanswerable)
            );
        }
    }
    Ok(Exit::Done)
}

/// Asks every question once.
async fn refusals(
    knowledge_base: &KnowledgeBase,
    inside: &str,
    outside: &str,
) -> anyhow::Result<Refusals> {
    let inside = eval::queries(inside).context("the questions")?;
    let outside = eval::queries(outside).context("the questions from outside")?;
    let inside = best_scores(knowledge_base, &inside).await?;
    let outside = best_scores(knowledge_base, &outside).await?;
    let (calibrating, held_out) = eval::halves(&inside);
    let (calibrating_outside, held_out_outside) = eval::halves(&outside);
    let calibration = Separation::best(&calibrating, &calibrating_outside);
    Ok(Refusals {
        calibration,
        held_out: Separation::at(calibration.threshold, &held_out, &held_out_outside),
        default: Separation::at(THRESHOLD, &inside, &outside),
    })
}

async fn best_scores(
    knowledge_base: &KnowledgeBase,
    questions: &[(String, String)],
) -> anyhow::Result<Vec<f64>> {
    let mut scores = Vec::new();
    for (_, question) in questions {
        let query = Query::new(question.clone(), COLLECTION, Scopes::everyone());
        scores.push(knowledge_base.retrieval.search(&query).await?.top_score);
    }
    Ok(scores)
}

fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Indexes the corpus, then runs every question by keywords, by vectors and by both.
async fn figures(
    knowledge_base: &KnowledgeBase,
    corpus: &Path,
    queries: &str,
    qrels: &str,
) -> anyhow::Result<Vec<Row>> {
    let queries = eval::queries(queries).context("the questions")?;
    let judged = eval::judgements(qrels).context("the judgements")?;
    let source = Source::Path(corpus.to_owned());
    knowledge_base
        .ingest
        .run(&source, &knowledge_base.options(COLLECTION), &Quiet)
        .await?;
    let mut searches = vec![("words", Ways::Words)];
    if knowledge_base.retrieval.embedder.is_some() {
        searches.extend([("meaning", Ways::Meaning), ("hybrid", Ways::Both)]);
    }
    let mut rows = Vec::new();
    for (search, ways) in searches {
        let mut runs = BTreeMap::new();
        for (id, question) in &queries {
            let query = Query {
                top_k: PASSAGES,
                ways,
                ..Query::new(question.clone(), COLLECTION, Scopes::everyone())
            };
            let found = knowledge_base.retrieval.search(&query).await?;
            let below = format!("/sources/{COLLECTION}/");
            let documents: Vec<String> = found
                .chunks
                .iter()
                .filter_map(|chunk| Some(chunk.url.split_once(&below)?.1.to_owned()))
                .collect();
            runs.insert(id.clone(), documents);
        }
        rows.push(Row {
            search,
            figures: eval::retrieval_metrics(&runs, &judged),
        });
    }
    Ok(rows)
}
