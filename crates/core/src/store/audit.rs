//! The append-only audit of every attempted change.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::id::{CompanyId, ConversationId, ProfileId, TurnId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AuditOutcome {
    Executed,
    Denied,
    ApprovalRequested,
    Approved,
    Rejected,
    Expired,
    Failed,
    Unknown,
    /// The owner deleted or cleared a conversation.
    Erased,
}

impl AuditOutcome {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An audit entry of the engine; the store adds person, time and place from the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAudit {
    pub call_id: String,
    pub tool: String,
    /// The value of the tool's declared target.
    pub target: Option<String>,
    pub outcome: AuditOutcome,
    pub approver: Option<ProfileId>,
}

/// One audited fact: the requester, the action, its object, the decider and the outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRow {
    pub id: i64,
    pub at: DateTime<Utc>,
    /// The requester.
    pub profile: ProfileId,
    /// Their name at the time; absent in old rows.
    pub profile_name: Option<String>,
    pub conversation: Option<ConversationId>,
    pub turn: Option<TurnId>,
    pub call_id: String,
    pub tool: String,
    /// The object: a pass number, an address, a name.
    pub target: Option<String>,
    pub outcome: AuditOutcome,
    /// The person who approved or rejected it, if a decision was required.
    pub approver: Option<ProfileId>,
    pub approver_name: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    pub cursor: Option<String>,
    pub limit: u32,
    pub company: Option<CompanyId>,
    pub conversation: Option<ConversationId>,
    pub tool: Option<String>,
    /// The requester.
    pub profile: Option<ProfileId>,
    pub turn: Option<TurnId>,
    pub outcome: Option<AuditOutcome>,
    /// Inclusive.
    pub since: Option<DateTime<Utc>>,
    /// Exclusive.
    pub until: Option<DateTime<Utc>>,
}
