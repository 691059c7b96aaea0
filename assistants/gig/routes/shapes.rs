//! What the routes take and give, as the reference tells it.

use frontdesk_core::id::{CompanyId, ConversationId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::gig::domain::candidate::CandidateContext;
use crate::gig::domain::gig_context::GigContext;
use crate::gig::domain::statistics::{Figures, Statistics};
use crate::gig::store::GigCard;

#[derive(Serialize, JsonSchema)]
pub(super) struct GigList {
    pub(super) items: Vec<GigCard>,
}

/// A gig with its figures.
#[derive(Serialize, JsonSchema)]
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
pub(super) struct CandidatePage {
    pub(super) items: Vec<CandidateContext>,
    pub(super) total: usize,
    pub(super) cursor: Option<String>,
    pub(super) has_more: bool,
}

/// The person's chat about a gig.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GigChat {
    /// The conversation: its messages can be streamed and its turns stopped.
    pub(super) session_id: ConversationId,
    pub(super) gig_id: Uuid,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Cleared {
    pub(super) success: bool,
}

#[derive(Deserialize, JsonSchema)]
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
