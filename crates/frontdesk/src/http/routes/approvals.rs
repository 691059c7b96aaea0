//! What waits for a decision, and deciding it.

use axum::Json;
use axum::extract::State;
use frontdesk_core::approval::Decision;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::store::{PendingApproval, StoreError, TurnViews};
use serde::Deserialize;

use crate::http::Shared;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;

const LONGEST_REASON: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct DecisionCreate {
    decision: Wish,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Wish {
    Approve,
    Reject,
}

pub(in crate::http) async fn list(
    State(shared): State<Shared>,
    Caller(who): Caller,
) -> Result<Json<Vec<PendingApproval>>, ApiError> {
    Ok(Json(shared.desk.pending_approvals(&who).await?))
}

pub(in crate::http) async fn decide(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids((id, turn, call)): Ids<(ConversationId, TurnId, String)>,
    body: JsonBody<DecisionCreate>,
) -> Result<Json<PendingApproval>, ApiError> {
    let reason = body.value.reason;
    if reason
        .as_ref()
        .is_some_and(|reason| reason.chars().count() > LONGEST_REASON)
    {
        return Err(ApiError::invalid(
            "reason",
            format!("must be at most {LONGEST_REASON} characters long"),
        ));
    }
    // An approver need not see the conversation; a path that does not fit the turn must not work.
    match shared.desk.store().turn(&who, id, turn).await {
        Ok(_) | Err(StoreError::Forbidden) => {}
        Err(other) => return Err(other.into()),
    }
    let decision = match body.value.decision {
        Wish::Approve => Decision::Approved,
        Wish::Reject => Decision::Rejected,
    };
    let decided = shared
        .desk
        .decide(&who, turn, &call, decision, reason)
        .await?;
    Ok(Json(decided))
}
