//! What waits for a decision, and deciding it.

use axum::Json;
use axum::extract::State;
use frontdesk_core::approval::Decision;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::store::{PendingApproval, StoreError, TurnViews};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::http::Shared;
use crate::http::body::JsonBody;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;
use crate::http::route::Route;

const LONGEST_REASON: usize = 500;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct DecisionCreate {
    decision: Wish,
    #[serde(default)]
    #[schemars(length(max = 500))]
    reason: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Wish {
    Approve,
    Reject,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "approvals";
    vec![
        Route::get("/approvals", list)
            .named("list_approvals", SUBJECT, "What waits for my decision")
            .gives::<Vec<PendingApproval>>(200, "Cards that this person may decide, oldest first"),
        Route::post(
            "/conversations/{id}/turns/{turn}/approvals/{call}",
            decide,
        )
        .named("decide_approval", SUBJECT, "Approve or reject a step")
        .about("Who may decide stands on the card; it need not be somebody who sees the conversation. The first decision counts.")
        .takes::<DecisionCreate>()
        .gives::<PendingApproval>(200, "What was decided")
        .refuses(&[403, 409, 410]),
    ]
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
