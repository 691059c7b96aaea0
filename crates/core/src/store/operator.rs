//! Turn metadata for operators: person, time, duration, usage and outcome, never content.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id::{CompanyId, ConversationId, ProfileId, TurnId};
use crate::outcome::{Outcome, TurnState};

#[derive(Clone, Debug, Default)]
pub struct OperatorQuery {
    pub cursor: Option<String>,
    pub limit: u32,
    pub assistant: Option<String>,
    pub state: Option<TurnState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorTurn {
    pub id: TurnId,
    pub conversation_id: ConversationId,
    pub profile_id: ProfileId,
    pub company_id: Option<CompanyId>,
    pub assistant: String,
    pub state: TurnState,
    pub outcome: Option<Outcome>,
    pub started_at: DateTime<Utc>,
    pub ended_at: Option<DateTime<Utc>>,
    /// Never negative, even if a clock was set back.
    pub duration_ms: Option<u64>,
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cached_tokens: u64,
    /// Some tokens are estimates, because the provider reported none.
    pub estimated: bool,
}

/// The name of a person or company.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorName {
    pub id: Uuid,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepKind {
    Model,
    Tool,
    ApprovalRequested,
    ApprovalDecided,
}

/// A finished step. Steps are sequential, except that reads may run concurrently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperatorStep {
    pub kind: StepKind,
    /// The model or the tool.
    pub name: Option<String>,
    pub ok: bool,
    /// Refusal reason, or the decision taken.
    pub problem: Option<String>,
    pub duration_ms: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
}
