//! What the routes take and give, as the reference tells it.

use frontdesk_core::id::{CompanyId, ConversationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::domain::candidate::CandidateContext;
use crate::domain::gig_context::GigContext;
use crate::domain::kinds::{GigHrSelectionStatus, GigRecommendation, GigResponseStatus};
use crate::domain::listing::{Column, Direction, Listing};
use crate::domain::plots::Plots;
use crate::domain::pool::{Filter, Pool};
use crate::domain::ranking::Criterion;
use crate::domain::skills;
use crate::domain::statistics::{Figures, Statistics, rounded};
use crate::domain::tongue::Tongue;
use crate::store::GigCard;

#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "items": [card()] }))]
pub(super) struct GigList {
    pub(super) items: Vec<GigCard>,
}

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
    /// What a model is told before the first word of a conversation, by the engine's estimate.
    pub(super) prompt_tokens: usize,
}

/// Candidates by rank, without their contacts.
#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "items": [candidate()], "total": 1, "cursor": null, "has_more": false }))]
pub(super) struct CandidatePage {
    pub(super) items: Vec<CandidateRow>,
    /// How many fit what was asked for.
    pub(super) total: usize,
    pub(super) cursor: Option<String>,
    pub(super) has_more: bool,
}

/// A candidate with everything that a table and a card show of them.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CandidateRow {
    #[serde(flatten)]
    pub(super) candidate: CandidateContext,
    /// What people call them.
    pub(super) name: String,
    /// From 1; none for whom the recruiter rejected.
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

/// What a composite score is made of.
#[derive(Serialize, JsonSchema)]
pub(super) struct CriterionScore {
    pub(super) criterion: String,
    /// What it counts for, in percent, when all are known.
    pub(super) weight: i64,
    pub(super) score: Option<i64>,
}

impl CandidateRow {
    pub(super) fn of(pool: &Pool, candidate: &CandidateContext, tongue: Tongue) -> Self {
        let words = |labels: Vec<&str>| labels.into_iter().map(str::to_owned).collect();
        let missing = skills::missing(candidate.skills(), pool.gig.required_skills());
        Self {
            name: candidate.name(),
            place: candidate.place(),
            screening: candidate.screening().map(rounded),
            interview: candidate.interview().map(rounded),
            within_budget: pool.gig.affords(candidate.proposed_price),
            missing_skills: words(missing),
            criteria: candidate.ranked.as_ref().map_or_else(Vec::new, |ranked| {
                let score = |criterion: Criterion| CriterionScore {
                    criterion: criterion.label(tongue).to_owned(),
                    weight: rounded(criterion.weight() * 100.0),
                    score: ranked.scores.get(criterion).map(rounded),
                };
                Criterion::ALL.into_iter().map(score).collect()
            }),
            candidate: CandidateContext {
                strengths: candidate
                    .ranked
                    .as_ref()
                    .map(|_| words(candidate.strengths(tongue))),
                weaknesses: candidate
                    .ranked
                    .as_ref()
                    .map(|_| words(candidate.weaknesses(tongue))),
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
    /// Nobody but these, with commas between them.
    pub(super) ids: Option<String>,
    pub(super) status: Option<GigResponseStatus>,
    pub(super) hr_status: Option<GigHrSelectionStatus>,
    pub(super) recommendation: Option<GigRecommendation>,
    /// Only whom the budget can pay.
    pub(super) within_budget: Option<bool>,
    pub(super) max_price: Option<i64>,
    pub(super) max_days: Option<i64>,
    pub(super) with_skill: Option<String>,
    pub(super) without_skill: Option<String>,
    pub(super) sort: Option<Column>,
    pub(super) direction: Option<Direction>,
}

impl CandidateQuery {
    /// Who is wanted, in which order; `None` when an id is none.
    pub(super) fn listing(self) -> Option<Listing> {
        let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let among = given(self.ids).map_or(Ok(Vec::new()), |ids| {
            ids.split(',').map(|id| id.trim().parse::<Uuid>()).collect()
        });
        Some(Listing {
            filter: Filter {
                max_price: self.max_price,
                max_days: self.max_days,
                within_budget: self.within_budget.unwrap_or(false),
                status: self.status,
                hr_status: self.hr_status,
                recommendation: self.recommendation,
                with_skill: given(self.with_skill),
                without_skill: given(self.without_skill),
                ..Filter::default()
            },
            text: given(self.q),
            among: among.ok()?,
            column: self.sort.unwrap_or_default(),
            direction: self.direction.unwrap_or_default(),
        })
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HistoryQuery {
    /// How many of the newest messages, 1–50.
    pub(super) limit: Option<String>,
}

const GIG: &str = "018f6f2e-7c1a-7a31-9a55-3f0c5d1e2b4a";

fn card() -> Value {
    json!({
        "id": GIG,
        "workspaceId": GIG,
        "title": "Лендинг для онлайн-школы",
        "type": "DEVELOPMENT",
        "isActive": true,
        "responses": 12,
        "newResponses": 4,
        "undecided": 9,
        "createdAt": "2026-11-13T09:00:00Z",
    })
}

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
            "interviewsHeld": 3,
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
        "promptTokens": 4200,
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
