//! A candidate in a few words, for prompts and lists.

use serde::Serialize;

use super::candidate::CandidateContext;
use super::kinds::Kind;
use super::language::Language;
use super::statistics::rounded;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateSummary {
    pub name: String,
    pub price: String,
    pub delivery: String,
    pub screening_score: String,
    pub interview_score: String,
    pub composite_score: String,
    pub recommendation: String,
    pub status: String,
    pub strengths: String,
    pub weaknesses: String,
}

impl CandidateSummary {
    pub fn of(candidate: &CandidateContext, language: Language) -> Self {
        let none = |russian: &str, english: &str| language.pick(russian, english).to_owned();
        let score = |score: Option<f64>, otherwise: String| match score {
            Some(score) => format!("{}/100", rounded(score)),
            None => otherwise,
        };
        let listed = |labels: Vec<&'static str>| match labels.as_slice() {
            [] => none("не определены", "none found"),
            labels => labels.join(", "),
        };
        Self {
            name: candidate.name(),
            price: match candidate.proposed_price {
                Some(price) => priced(price, candidate),
                None => none("не указана", "not given"),
            },
            delivery: match candidate.proposed_delivery_days {
                Some(days) => language.days(days),
                None => none("не указано", "not given"),
            },
            screening_score: score(candidate.screening(), none("не оценен", "not scored")),
            interview_score: score(candidate.interview(), none("не проведено", "not held")),
            composite_score: score(
                candidate.composite_score.map(f64::from),
                none("не рассчитан", "not computed"),
            ),
            recommendation: match candidate.recommendation {
                Some(recommendation) => recommendation.label(language).to_owned(),
                None => none("Не оценен", "Not rated"),
            },
            status: candidate.status.label(language).to_owned(),
            strengths: listed(candidate.strengths(language)),
            weaknesses: listed(candidate.weaknesses(language)),
        }
    }

    /// Each value but the name, with its label.
    pub fn rows(&self, language: Language) -> [(&'static str, &str); 9] {
        let label = |russian, english| language.pick(russian, english);
        [
            (label("Рейтинг", "Score"), &self.composite_score),
            (
                label("Рекомендация", "Recommendation"),
                &self.recommendation,
            ),
            (label("Статус", "Status"), &self.status),
            (label("Цена", "Price"), &self.price),
            (label("Срок", "Delivery"), &self.delivery),
            (label("Скрининг", "Screening"), &self.screening_score),
            (label("Интервью", "Interview"), &self.interview_score),
            (label("Сильные стороны", "Strengths"), &self.strengths),
            (label("Слабые стороны", "Weaknesses"), &self.weaknesses),
        ]
    }
}

/// "15000 RUB"; with a rate from another currency also "900 USD (≈ 81000)".
fn priced(price: i64, candidate: &CandidateContext) -> String {
    let currency = &candidate.proposed_currency;
    match candidate.comparable_price {
        Some(converted) if converted != price => format!("{price} {currency} (≈ {converted})"),
        Some(_) | None => format!("{price} {currency}"),
    }
}

#[cfg(test)]
#[path = "candidate_summary_tests.rs"]
mod candidate_summary_tests;
