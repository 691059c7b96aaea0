//! How likely a passage answers a question, from 0 to 1: calibrated on labelled questions, so
//! that one threshold separates questions that the documents answer from those that they do
//! not. Both indexes use it.

use crate::index::Hit;
use crate::language::{self, QueryTerm};

/// Coefficients of a logistic function, fitted on the calibration halves of the labelled sets
/// in `assistants/docs/evals`; see docs/evaluation.md. A cosine alone calls any page about
/// proxies an answer to any question about proxies; the words of the question must occur too.
const COSINE: f64 = 5.3;
const SHARE: f64 = 7.0;
/// Moves the best threshold to 0.3, the default of the setting.
const BIAS: f64 = -5.5;
/// Beside a cosine, the share is counted as if the question had this many more words that the
/// passage does not hold: the only word of "How do I get started?" occurs in many texts.
const UNSEEN_WORDS: f32 = 1.0;
/// A missing name counts as this many missing words: words have synonyms, names do not.
const MISSING_NAME: f32 = 3.0;

/// A passage in another language than the question cannot hold its words, so it counts as one
/// with at least this share. Fitted on the first half of the set `translated`: a cosine of 0.26
/// then reaches the threshold.
const SHARE_ACROSS_LANGUAGES: f32 = 0.47;

/// Computes the share and the score of hits for one question.
pub(crate) struct Relevance {
    terms: Vec<QueryTerm>,
}

impl Relevance {
    pub(crate) fn of(question: &str) -> Self {
        Self {
            terms: language::query_terms(question),
        }
    }

    /// The share of the question's words that a passage holds, in its text or its headings; less
    /// for short questions, if there is a cosine to judge them by.
    pub(crate) fn share(&self, hit: &Hit) -> f32 {
        let text = format!("{}\n{}\n{}", hit.title, hit.section, hit.text);
        let (words, stems) = language::indexed(&text);
        let holds = |stem: &String| stems.contains(stem) || words.contains(stem);
        let mut held = 0.0;
        let mut all = hit.cosine.map_or(0.0, |_| UNSEEN_WORDS);
        for term in &self.terms {
            if term.stems.iter().any(holds) {
                held += 1.0;
                all += 1.0;
            } else {
                all += if term.is_name { MISSING_NAME } else { 1.0 };
            }
        }
        if all > 0.0 { held / all } else { 0.0 }
    }
}

/// The score of a hit. Without vectors, the share of words is all there is.
pub(crate) fn score(cosine: Option<f32>, share: f32) -> f64 {
    let share = f64::from(share);
    match cosine {
        Some(cosine) => {
            let sum = COSINE * f64::from(cosine).clamp(0.0, 1.0) + SHARE * share + BIAS;
            1.0 / (1.0 + (-sum).exp())
        }
        None => share,
    }
}

/// Judges passages in other languages than the question by their vectors.
pub(crate) fn judge_across_languages(question: &str, hits: &mut [Hit]) {
    for hit in hits {
        if language::differ(question, &hit.text) {
            hit.share = hit.share.max(SHARE_ACROSS_LANGUAGES);
        }
    }
}
