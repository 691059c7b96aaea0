//! Requests and responses of the routes, with examples for the API reference.

use chrono::{DateTime, Utc};
use frontdesk_bundle::ListResponse;
use frontdesk_core::id::{CompanyId, ConversationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::domain::candidate::CandidateContext;
use crate::domain::gig_context::{GigContext, GigRequirements};
use crate::domain::gig_fields::GigFields;
use crate::domain::kinds::{GigHrSelectionStatus, GigRecommendation, GigResponseStatus, GigType};
use crate::domain::language::Language;
use crate::domain::plots::Plots;
use crate::domain::pool::Pool;
use crate::domain::query::{Column, Direction, Query};
use crate::domain::ranking::Criterion;
use crate::domain::skills;
use crate::domain::statistics::{Figures, Statistics, rounded};

/// A gig with its figures.
#[derive(Serialize, JsonSchema)]
#[schemars(example = detail())]
#[serde(rename_all = "camelCase")]
pub(super) struct GigDetail {
    #[serde(flatten)]
    pub(super) gig: GigContext,
    pub(super) workspace_id: CompanyId,
    pub(super) stats: Statistics,
    pub(super) figures: Figures,
    pub(super) plots: Plots,
    /// Whether it still collects responses.
    pub(super) is_active: bool,
}

/// Candidates by rank, without their contacts.
#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "items": [candidate()], "total": 1, "cursor": null, "has_more": false }))]
pub(super) struct CandidatePage {
    #[serde(flatten)]
    pub(super) page: ListResponse<CandidateRow>,
    /// All candidates that fit the query.
    pub(super) total: usize,
}

/// A candidate as the table and the card show it.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CandidateRow {
    #[serde(flatten)]
    pub(super) candidate: CandidateContext,
    /// The name, or a substitute for a nameless candidate.
    pub(super) name: String,
    /// From 1; none for rejected candidates.
    pub(super) place: Option<usize>,
    /// Of 100, whichever scale it was given on.
    pub(super) screening: Option<i64>,
    /// Of 100.
    pub(super) interview: Option<i64>,
    /// `null` when the price or the budget is not known.
    pub(super) within_budget: Option<bool>,
    /// Required skills that they do not name.
    pub(super) missing_skills: Vec<String>,
    pub(super) criteria: Vec<CriterionScore>,
}

/// One part of a composite score.
#[derive(Serialize, JsonSchema)]
pub(super) struct CriterionScore {
    pub(super) criterion: String,
    /// The weight in percent when all criteria are known.
    pub(super) weight: i64,
    pub(super) score: Option<i64>,
}

impl CandidateRow {
    pub(super) fn of(pool: &Pool, candidate: &CandidateContext, language: Language) -> Self {
        let words = |labels: Vec<&str>| labels.into_iter().map(str::to_owned).collect();
        let missing = skills::missing(candidate.skills(), pool.gig.required_skills());
        Self {
            name: candidate.name(),
            place: candidate.place(),
            screening: candidate.screening().map(rounded),
            interview: candidate.interview().map(rounded),
            within_budget: pool.gig.affords(candidate.comparable_price),
            missing_skills: words(missing),
            criteria: candidate.ranked.as_ref().map_or_else(Vec::new, |ranked| {
                let score = |criterion: Criterion| CriterionScore {
                    criterion: criterion.label(language).to_owned(),
                    weight: rounded(criterion.weight() * 100.0),
                    score: ranked.scores.get(criterion).map(rounded),
                };
                Criterion::ALL.into_iter().map(score).collect()
            }),
            candidate: CandidateContext {
                strengths: candidate
                    .ranked
                    .as_ref()
                    .map(|_| words(candidate.strengths(language))),
                weaknesses: candidate
                    .ranked
                    .as_ref()
                    .map(|_| words(candidate.weaknesses(language))),
                ..candidate.clone()
            },
        }
    }
}

/// The person's chat about a gig.
#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "sessionId": GIG, "gigId": GIG }))]
#[serde(rename_all = "camelCase")]
pub(super) struct GigChat {
    /// The conversation: its messages can be streamed and its turns stopped.
    pub(super) session_id: ConversationId,
    pub(super) gig_id: Uuid,
}

#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "success": true }))]
pub(super) struct Cleared {
    pub(super) success: bool,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(example = json!({ "message": "Кто лучший кандидат?" }))]
#[serde(deny_unknown_fields)]
pub(super) struct GigMessage {
    /// 1–2000 UTF-16 units.
    pub(super) message: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CandidateQuery {
    /// How many, up to 200.
    pub(super) limit: Option<String>,
    /// From the previous page.
    pub(super) cursor: Option<String>,
    /// A name, or a part of one.
    pub(super) q: Option<String>,
    /// Only these, separated by commas.
    pub(super) ids: Option<String>,
    pub(super) status: Option<GigResponseStatus>,
    pub(super) hr_status: Option<GigHrSelectionStatus>,
    pub(super) recommendation: Option<GigRecommendation>,
    /// `true`: within the budget; `false`: above it.
    pub(super) within_budget: Option<bool>,
    pub(super) min_price: Option<i64>,
    pub(super) max_price: Option<i64>,
    pub(super) min_days: Option<i64>,
    pub(super) max_days: Option<i64>,
    pub(super) min_screening: Option<i64>,
    pub(super) min_interview: Option<i64>,
    pub(super) min_score: Option<i64>,
    pub(super) before_deadline: Option<bool>,
    /// One or several, separated by commas: candidates with all of them.
    pub(super) with_skill: Option<String>,
    /// One or several, separated by commas: candidates with none of them.
    pub(super) without_skill: Option<String>,
    pub(super) has_price: Option<bool>,
    pub(super) has_interview: Option<bool>,
    pub(super) has_screening: Option<bool>,
    pub(super) sort: Option<Column>,
    pub(super) direction: Option<Direction>,
}

impl CandidateQuery {
    /// `None` when one of the ids is not an id.
    pub(super) fn query(self) -> Option<Query> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let listed = |text: Option<String>| -> Vec<String> {
            let text = text.unwrap_or_default();
            let parts = text
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty());
            parts.map(str::to_owned).collect()
        };
        let among = listed(self.ids);
        let among: Result<Vec<Uuid>, _> = among.iter().map(|id| id.parse()).collect();
        Some(Query {
            min_price: self.min_price,
            max_price: self.max_price,
            min_days: self.min_days,
            max_days: self.max_days,
            min_screening: self.min_screening,
            min_interview: self.min_interview,
            min_score: self.min_score,
            within_budget: self.within_budget,
            before_deadline: self.before_deadline,
            status: self.status,
            hr_status: self.hr_status,
            recommendation: self.recommendation,
            with_skills: listed(self.with_skill),
            without_skills: listed(self.without_skill),
            has_price: self.has_price,
            has_interview: self.has_interview,
            has_screening: self.has_screening,
            text: given(self.q),
            sort: self.sort,
            direction: self.direction,
            among: among.ok()?,
            ..Query::default()
        })
    }
}

/// A gig to create: the fields of a gig, and its workspace.
#[derive(Deserialize, JsonSchema)]
#[schemars(example = json!({ "title": "Лендинг для онлайн-школы", "budgetMax": 50000, "deadline": "2026-12-01T00:00:00Z" }))]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "describes the body in the reference; it is read as JSON"
)]
pub(super) struct GigInput {
    /// The person's only workspace where absent.
    workspace_id: Option<Uuid>,
    #[serde(flatten)]
    fields: GigFields,
}

/// The fields to change; absent fields stay, `null` clears one.
#[derive(Deserialize, JsonSchema)]
#[schemars(example = json!({ "budgetMax": 60000 }))]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "describes the body in the reference; it is read as JSON"
)]
pub(super) struct GigEdit {
    title: Option<String>,
    description: Option<String>,
    requirements: Option<GigRequirements>,
    r#type: Option<GigType>,
    budget_min: Option<i64>,
    budget_max: Option<i64>,
    budget_currency: Option<String>,
    deadline: Option<DateTime<Utc>>,
    estimated_duration: Option<String>,
    custom_bot_instructions: Option<String>,
    is_active: Option<bool>,
}

/// A file with responses, as its text.
#[derive(Deserialize, JsonSchema)]
#[schemars(example = json!({ "name": "responses.csv", "content": "candidate_id;candidate_name\nk-1;Анна Петрова\n" }))]
#[serde(deny_unknown_fields)]
pub(super) struct ResponseFile {
    /// Ends with .csv or .json.
    pub(super) name: String,
    pub(super) content: String,
}

/// A gig that was created.
#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "id": GIG }))]
pub(super) struct NewGigId {
    pub(super) id: Uuid,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryQuery {
    /// How many of the newest messages, 1–50.
    pub(super) limit: Option<String>,
}

const GIG: &str = "018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a";

fn detail() -> Value {
    json!({
        "id": GIG,
        "workspaceId": GIG,
        "title": "Лендинг для онлайн-школы",
        "description": "Одна страница с формой записи",
        "requirements": null,
        "type": "DEVELOPMENT",
        "deadline": "2026-12-01T00:00:00Z",
        "estimatedDuration": "2 недели",
        "customBotInstructions": null,
        "budgetMin": 20000,
        "budgetMax": 50000,
        "budgetCurrency": "RUB",
        "stats": {
            "total": 12,
            "byStatus": { "NEW": 4, "EVALUATED": 8 },
            "byRecommendation": { "RECOMMENDED": 5 },
            "avgPrice": 38500,
            "avgDeliveryDays": 12,
            "avgScreeningScore": 71,
            "avgInterviewScore": null,
        },
        "figures": {
            "minPrice": 20000,
            "maxPrice": 56000,
            "medianPrice": 37000,
            "withinBudget": 9,
            "withoutPrice": 1,
            "otherCurrencies": [{ "currency": "USD", "people": 1, "minPrice": 900, "maxPrice": 900, "avgPrice": 900 }],
            "screeningsHeld": 11,
            "interviewsHeld": 3,
            "byDecision": { "INVITE": 2, "REJECTED": 1 },
            "undecided": 9,
            "requiredSkills": [{ "skill": "HTML", "people": 10 }],
            "frequentSkills": [{ "skill": "HTML", "people": 10 }],
            "missingSkills": [],
        },
        "plots": {
            "prices": [{ "from": 20000, "to": 25000, "people": 3, "withinBudget": 3 }],
            "scores": [{ "from": 80, "to": 89, "people": 2, "recommendation": "HIGHLY_RECOMMENDED" }],
            "points": [{ "id": GIG, "name": "Анна Петрова", "price": 32000, "score": 82, "recommendation": "HIGHLY_RECOMMENDED" }],
            "pointsLeftOut": 0,
        },
        "isActive": true,
    })
}

fn candidate() -> Value {
    json!({
        "id": GIG,
        "candidateId": "kwork-10000",
        "candidateName": "Анна Петрова",
        "proposedPrice": 32000,
        "proposedCurrency": "RUB",
        "proposedDeliveryDays": 10,
        "coverLetter": "Сделаю за десять дней.",
        "experience": "5 лет",
        "skills": ["HTML", "CSS"],
        "rating": "4.9",
        "status": "EVALUATED",
        "hrSelectionStatus": null,
        "screeningScore": 4.2,
        "screeningDetailedScore": 84,
        "screeningAnalysis": null,
        "interviewScore": null,
        "interviewDetailedScore": null,
        "interviewAnalysis": null,
        "compositeScore": 82,
        "strengths": ["Цена"],
        "weaknesses": [],
        "recommendation": "HIGHLY_RECOMMENDED",
        "name": "Анна Петрова",
        "place": 1,
        "screening": 84,
        "interview": null,
        "withinBudget": true,
        "missingSkills": [],
        "criteria": [{ "criterion": "Цена", "weight": 15, "score": 90 }],
    })
}
