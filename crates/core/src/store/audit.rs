//! Every attempt to change the world is on record, and stays there.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::conversations::Page;
use crate::access::Principal;
use crate::id::{CompanyId, ConversationId, ProfileId, TurnId};

#[async_trait]
pub trait Audit: Send + Sync {
    /// For the Operator all rows, for everyone else their own and those of companies they
    /// run; newest first.
    async fn audit(&self, who: &Principal, query: AuditQuery)
    -> Result<Page<AuditRow>, StoreError>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditOutcome {
    Executed,
    Denied,
    ApprovalRequested,
    Approved,
    Rejected,
    Expired,
    Failed,
    Unknown,
    /// A conversation was deleted or cleared by its owner.
    Erased,
}

impl AuditOutcome {
    pub fn as_str(self) -> &'static str {
        match self {
            AuditOutcome::Executed => "executed",
            AuditOutcome::Denied => "denied",
            AuditOutcome::ApprovalRequested => "approval_requested",
            AuditOutcome::Approved => "approved",
            AuditOutcome::Rejected => "rejected",
            AuditOutcome::Expired => "expired",
            AuditOutcome::Failed => "failed",
            AuditOutcome::Unknown => "unknown",
            AuditOutcome::Erased => "erased",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [
            AuditOutcome::Executed,
            AuditOutcome::Denied,
            AuditOutcome::ApprovalRequested,
            AuditOutcome::Approved,
            AuditOutcome::Rejected,
            AuditOutcome::Expired,
            AuditOutcome::Failed,
            AuditOutcome::Unknown,
            AuditOutcome::Erased,
        ]
        .into_iter()
        .find(|outcome| outcome.as_str() == name)
    }
}

/// What the engine writes; the store adds who, when and where from the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAudit {
    pub call_id: String,
    pub tool: String,
    /// The object: the value of the tool's declared target.
    pub target: Option<String>,
    pub outcome: AuditOutcome,
    pub approver: Option<ProfileId>,
}

/// One fact: who asked for what, of which object, whose decision it was and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRow {
    pub id: i64,
    pub at: DateTime<Utc>,
    /// On whose request.
    pub profile: ProfileId,
    /// Their name at that moment; absent in rows from before names were kept.
    pub profile_name: Option<String>,
    pub conversation: Option<ConversationId>,
    pub turn: Option<TurnId>,
    pub call_id: String,
    pub tool: String,
    /// Which object: a pass number, an address, a name.
    pub target: Option<String>,
    pub outcome: AuditOutcome,
    /// Who approved or rejected it, where somebody had to.
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
    /// Who acted.
    pub profile: Option<ProfileId>,
    pub turn: Option<TurnId>,
    pub outcome: Option<AuditOutcome>,
    /// From this moment on.
    pub since: Option<DateTime<Utc>>,
    /// Before this moment.
    pub until: Option<DateTime<Utc>>,
}
