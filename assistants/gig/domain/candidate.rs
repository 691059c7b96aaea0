//! A candidate of a gig, without contact data.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::kinds::{GigHrSelectionStatus, GigRecommendation, GigResponseStatus};
use super::language::Language;
use super::ranking::{Criterion, Ranking};

#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CandidateContext {
    pub id: Uuid,
    pub candidate_id: String,
    pub candidate_name: Option<String>,
    pub proposed_price: Option<i64>,
    pub proposed_currency: String,
    pub proposed_delivery_days: Option<i64>,
    pub cover_letter: Option<String>,
    pub experience: Option<String>,
    pub skills: Option<Vec<String>>,
    pub rating: Option<String>,
    pub status: GigResponseStatus,
    pub hr_selection_status: Option<GigHrSelectionStatus>,
    /// 0–5.
    pub screening_score: Option<f64>,
    /// 0–100.
    pub screening_detailed_score: Option<f64>,
    pub screening_analysis: Option<String>,
    /// 0–100.
    pub interview_score: Option<f64>,
    /// 0–100 from the rating of 0–5, where there is one.
    pub interview_detailed_score: Option<f64>,
    pub interview_analysis: Option<String>,
    pub composite_score: Option<u8>,
    pub strengths: Option<Vec<String>>,
    pub weaknesses: Option<Vec<String>>,
    pub recommendation: Option<GigRecommendation>,
    /// The price in the gig's currency; `None` for another currency without a rate. Set by `Pool::build`.
    #[serde(skip)]
    pub comparable_price: Option<i64>,
    /// Decides ties. Never sent.
    #[serde(skip)]
    pub responded_at: DateTime<Utc>,
    /// 0–100, as it was imported. Never sent.
    #[serde(skip)]
    pub experience_score: Option<f64>,
    /// The source of the score, strengths, weaknesses and recommendation above.
    #[serde(skip)]
    pub ranked: Option<Ranking>,
}

impl CandidateContext {
    /// The name, or a substitute for a nameless candidate.
    pub fn name(&self) -> String {
        match self.candidate_name.as_deref().map(str::trim) {
            Some(name) if !name.is_empty() => name.to_owned(),
            Some(_) | None => {
                let start: String = self.candidate_id.chars().take(8).collect();
                format!("Кандидат {start}")
            }
        }
    }

    /// The screening out of 100, from either scale.
    pub fn screening(&self) -> Option<f64> {
        self.screening_detailed_score
            .or(self.screening_score.map(|of_five| of_five * 20.0))
            .map(bounded)
    }

    /// The interview out of 100.
    pub fn interview(&self) -> Option<f64> {
        self.interview_score
            .or(self.interview_detailed_score)
            .map(bounded)
    }

    /// Labels of the criteria in which the candidate is among the best.
    pub fn strengths(&self, language: Language) -> Vec<&'static str> {
        labels(
            self.ranked.as_ref().map(|ranked| &ranked.strengths),
            language,
        )
    }

    /// Labels of the criteria in which the candidate is among the last.
    pub fn weaknesses(&self, language: Language) -> Vec<&'static str> {
        labels(
            self.ranked.as_ref().map(|ranked| &ranked.weaknesses),
            language,
        )
    }

    pub fn place(&self) -> Option<usize> {
        self.ranked.as_ref()?.position
    }

    pub fn skills(&self) -> &[String] {
        self.skills.as_deref().unwrap_or_default()
    }

    /// Whether the recruiter rejected them.
    pub fn is_rejected(&self) -> bool {
        self.hr_selection_status == Some(GigHrSelectionStatus::Rejected)
    }
}

fn labels(criteria: Option<&Vec<Criterion>>, language: Language) -> Vec<&'static str> {
    let criteria = criteria.map(Vec::as_slice).unwrap_or_default();
    criteria.iter().map(|one| one.label(language)).collect()
}

fn bounded(score: f64) -> f64 {
    score.clamp(0.0, 100.0)
}
