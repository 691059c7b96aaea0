//! What the routes take and give, as the reference tells it.

use frontdesk_core::id::{CompanyId, ConversationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::gig::domain::candidate::CandidateContext;
use crate::gig::domain::gig_context::GigContext;
use crate::gig::domain::statistics::{Figures, Statistics};
use crate::gig::store::GigCard;

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
    /// What a model is told before the first word of a conversation, by the engine's estimate.
    pub(super) prompt_tokens: usize,
}

/// Candidates by rank, without their contacts.
#[derive(Serialize, JsonSchema)]
#[schemars(example = json!({ "items": [candidate()], "total": 1, "cursor": null, "has_more": false }))]
pub(super) struct CandidatePage {
    pub(super) items: Vec<CandidateContext>,
    pub(super) total: usize,
    pub(super) cursor: Option<String>,
    pub(super) has_more: bool,
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
        "createdAt": "2026-11-13T09:00:00Z",
    })
}

fn detail() -> Value {
    json!({
        "id": GIG,
        "workspaceId": GIG,
        "title": "Лендинг для онлайн-школы",
        "type": "DEVELOPMENT",
        "budgetMin": 20000,
        "budgetMax": 50000,
        "budgetCurrency": "RUB",
        "stats": {
            "total": 12,
            "byStatus": { "NEW": 4, "EVALUATED": 8 },
            "byRecommendation": { "RECOMMENDED": 5 },
            "avgPrice": 38500,
        },
        "figures": {
            "minPrice": 20000,
            "maxPrice": 56000,
            "withinBudget": 9,
            "withoutPrice": 1,
            "interviewsHeld": 3,
            "requiredSkills": [{ "skill": "HTML", "people": 10 }],
            "frequentSkills": [{ "skill": "HTML", "people": 10 }],
            "missingSkills": [],
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
        "skills": ["HTML", "CSS"],
        "status": "EVALUATED",
        "compositeScore": 82,
        "strengths": ["Цена"],
        "weaknesses": [],
        "recommendation": "HIGHLY_RECOMMENDED",
    })
}
