//! Retrieval evaluation: TREC query and judgement files, and the standard metrics.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

/// Relevance of each document, by query id.
pub type Judgements = BTreeMap<String, HashMap<String, u32>>;

/// A malformed evaluation file, with the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct FormatError {
    pub line: usize,
    pub problem: String,
}

/// Parses `id<TAB>question` lines.
pub fn queries(text: &str) -> Result<Vec<(String, String)>, FormatError> {
    let mut seen = HashSet::new();
    lines(text)
        .map(|(line, content)| {
            let (id, question) = content.split_once('\t').ok_or_else(|| FormatError {
                line,
                problem: "expected a query id, a tab and the question".to_owned(),
            })?;
            if !seen.insert(id.to_owned()) {
                return Err(FormatError {
                    line,
                    problem: format!("the query id {id} appears twice"),
                });
            }
            Ok((id.trim().to_owned(), question.trim().to_owned()))
        })
        .collect()
}

/// Parses `query iteration document relevance` lines.
pub fn judgements(text: &str) -> Result<Judgements, FormatError> {
    let mut found = Judgements::new();
    for (line, content) in lines(text) {
        let wrong = |problem: &str| FormatError {
            line,
            problem: problem.to_owned(),
        };
        let parts: Vec<&str> = content.split_whitespace().collect();
        let [id, _, document, relevance] = parts.as_slice() else {
            return Err(wrong("expected query id, 0, document and relevance"));
        };
        // TREC marks junk documents with a negative relevance.
        let relevance: i64 = relevance
            .parse()
            .map_err(|_| wrong("the relevance is not a number"))?;
        found.entry((*id).to_owned()).or_default().insert(
            (*document).to_owned(),
            u32::try_from(relevance).unwrap_or(0),
        );
    }
    Ok(found)
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RetrievalMetrics {
    pub questions: usize,
    pub ndcg_at_10: f64,
    pub recall_at_10: f64,
    pub mrr_at_10: f64,
}

/// Means over all queries that have a relevant document. The runs list documents best
/// first; duplicates count once.
pub fn retrieval_metrics(
    runs: &BTreeMap<String, Vec<String>>,
    judged: &Judgements,
) -> RetrievalMetrics {
    const AT: usize = 10;
    let mut total = RetrievalMetrics::default();
    for (id, relevant) in judged {
        let wanted: HashMap<&String, u32> = relevant
            .iter()
            .filter(|(_, relevance)| **relevance > 0)
            .map(|(document, relevance)| (document, *relevance))
            .collect();
        if wanted.is_empty() {
            continue;
        }
        let mut seen = HashSet::new();
        let ranked: Vec<u32> = runs
            .get(id)
            .into_iter()
            .flatten()
            .filter(|document| seen.insert(*document))
            .take(AT)
            .map(|document| wanted.get(document).copied().unwrap_or(0))
            .collect();
        let mut ideal: Vec<u32> = wanted.values().copied().collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        ideal.truncate(AT);
        total.questions += 1;
        total.ndcg_at_10 += gain(&ranked) / gain(&ideal);
        let found = ranked.iter().filter(|relevance| **relevance > 0).count();
        total.recall_at_10 += found as f64 / wanted.len().min(AT) as f64;
        let first = ranked.iter().position(|relevance| *relevance > 0);
        total.mrr_at_10 += first.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0));
    }
    let count = total.questions.max(1) as f64;
    RetrievalMetrics {
        questions: total.questions,
        ndcg_at_10: total.ndcg_at_10 / count,
        recall_at_10: total.recall_at_10 / count,
        mrr_at_10: total.mrr_at_10 / count,
    }
}

/// How well a threshold separates the best scores of questions that the documents answer from
/// those of others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Separation {
    pub threshold: f64,
    /// Answerable questions whose best passage reaches the threshold.
    pub answered: usize,
    pub answerable: usize,
    /// Other questions whose best passage does not.
    pub refused: usize,
    pub unanswerable: usize,
}

impl Separation {
    pub fn at(threshold: f64, answerable: &[f64], unanswerable: &[f64]) -> Self {
        let reaches = |score: &&f64| **score >= threshold;
        let answered = answerable.iter().filter(reaches).count();
        let kept = unanswerable.iter().filter(reaches).count();
        Self {
            threshold,
            answered,
            answerable: answerable.len(),
            refused: unanswerable.len() - kept,
            unanswerable: unanswerable.len(),
        }
    }

    /// The threshold, in steps of 0.01, with the best mean of both shares; the middle of
    /// equals.
    pub fn best(answerable: &[f64], unanswerable: &[f64]) -> Self {
        let all: Vec<Self> = (0..=100)
            .map(|step| Self::at(f64::from(step) / 100.0, answerable, unanswerable))
            .collect();
        let most = all.iter().map(Self::mean).fold(0.0, f64::max);
        let best: Vec<&Self> = all.iter().filter(|one| one.mean() >= most).collect();
        best.get(best.len() / 2).map_or(all[0], |one| **one)
    }

    /// The mean of the shares that are right.
    pub fn mean(&self) -> f64 {
        let share = |right: usize, all: usize| right as f64 / all.max(1) as f64;
        let answered = share(self.answered, self.answerable);
        (answered + share(self.refused, self.unanswerable)) / 2.0
    }
}

/// Splits a set in two: the questions at even places calibrate, the others test.
pub fn halves<T: Clone>(set: &[T]) -> (Vec<T>, Vec<T>) {
    let every_second = |first: usize| set.iter().skip(first).step_by(2).cloned().collect();
    (every_second(0), every_second(1))
}

fn gain(ranked: &[u32]) -> f64 {
    ranked
        .iter()
        .enumerate()
        .map(|(rank, relevance)| (2_f64.powi(*relevance as i32) - 1.0) / (rank as f64 + 2.0).log2())
        .sum()
}

#[cfg(test)]
#[path = "eval_tests.rs"]
mod eval_tests;
