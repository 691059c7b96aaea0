//! How likely a passage answers a question, from 0 to 1: calibrated on labelled questions, so
//! that one threshold separates questions that the documents answer from those that they do
//! not. Both indexes use it.

use crate::index::Hit;
use crate::language;

/// Coefficients of a logistic function, chosen on the questions of `assistants/docs/evals`; see
/// docs/evaluation.md. A cosine alone calls any page about proxies an answer to any question
/// about proxies; the words of the question must occur as well.
const COSINE: f64 = 9.0;
const SHARE: f64 = 3.0;
const BIAS: f64 = -4.8;

/// Computes the share and the score of hits for one question.
pub(crate) struct Relevance {
    /// The question's words, each with its stems.
    words: Vec<Vec<String>>,
}

impl Relevance {
    pub(crate) fn of(question: &str) -> Self {
        Self {
            words: language::query_stems(question),
        }
    }

    /// The share of the question's words that a passage holds, in its text or its headings.
    pub(crate) fn share(&self, hit: &Hit) -> f32 {
        if self.words.is_empty() {
            return 0.0;
        }
        let text = format!("{}\n{}\n{}", hit.title, hit.section, hit.text);
        let (words, stems) = language::indexed(&text);
        let holds = |stem: &String| stems.contains(stem) || words.contains(stem);
        let held = self
            .words
            .iter()
            .filter(|word| word.iter().any(holds))
            .count();
        held as f32 / self.words.len() as f32
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
