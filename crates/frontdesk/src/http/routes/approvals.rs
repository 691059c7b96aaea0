//! Lists and decides pending approvals.

use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::preview::Preview;
use frontdesk_core::store::{NewDecision, PendingApproval, StoreError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    ApiError, AppState, Caller, Ids, Json, JsonBody, JsonResult, ListResponse, ListResult, Route,
    check_length,
};
use crate::runtime::RuntimeError;

const LONGEST_REASON: usize = 500;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct DecisionCreate {
    decision: Wish,
    #[serde(default)]
    #[schemars(length(max = 500))]
    reason: Option<String>,
    /// Approves the card with these arguments instead of its own. Must contain all arguments, not
    /// only changed ones. Only for an `editable` card.
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
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
            .named("list_approvals", SUBJECT, "List approvals that wait for me")
            .gives::<ListResponse<PendingApproval>>(200, "Cards that the caller may decide, oldest first"),
        Route::get(
            "/conversations/{id}/turns/{turn}/approvals/{call}/preview",
            preview,
        )
        .named("preview_approval", SUBJECT, "Preview the object of a pending approval")
        .about("Reads the object now, with the rights of the caller, who must be allowed to decide the card. If the read fails or takes longer than 5 seconds, the response has a `problem`; the card can still be decided.")
        .gives::<Preview>(200, "Facts about the object")
        .refuses(&[403, 409, 410]),
        Route::post(
            "/conversations/{id}/turns/{turn}/approvals/{call}",
            decide,
        )
        .named("decide_approval", SUBJECT, "Approve or reject a call")
        .about("The card lists who may decide; an approver needs no access to the conversation. The first decision counts. The requester may change the arguments of an editable card while approving it: they are validated like any call, and exactly these arguments run. If an argument is missing or invalid, the response is 422, `details` names each field, and the card stays open.")
        .takes::<DecisionCreate>()
        .gives::<PendingApproval>(200, "The decided card")
        .refuses(&[403, 409, 410, 422]),
    ]
}

async fn list(Caller { state, who }: Caller) -> ListResult<PendingApproval> {
    let pending = state.runtime().pending_approvals(&who).await?;
    Ok(Json(ListResponse::complete(pending)))
}

async fn preview(
    Caller { state, who }: Caller,
    Ids((id, turn, call)): Ids<(ConversationId, TurnId, String)>,
) -> JsonResult<Preview> {
    check_path(&state, &who, id, turn).await?;
    let shown = state.runtime().preview(&who, turn, &call).await;
    Ok(Json(shown.map_err(no_such_card)?))
}

/// The turn is there; a call of it that never waited is not.
fn no_such_card(error: RuntimeError) -> ApiError {
    if matches!(error, RuntimeError::Store(StoreError::NotFound)) {
        ApiError::not_found("Card")
    } else {
        error.into()
    }
}

/// An approver may lack access to the conversation, so the path must match the turn.
async fn check_path(
    state: &AppState,
    who: &Principal,
    id: ConversationId,
    turn: TurnId,
) -> Result<(), ApiError> {
    match state.store().turn(who, id, turn).await {
        Ok(_) | Err(StoreError::Forbidden) => Ok(()),
        Err(other) => Err(other.into()),
    }
}

async fn decide(
    Caller { state, who }: Caller,
    Ids((id, turn, call)): Ids<(ConversationId, TurnId, String)>,
    body: JsonBody<DecisionCreate>,
) -> JsonResult<PendingApproval> {
    let reason = body.value.reason;
    check_length(
        "reason",
        reason.as_deref().unwrap_or_default(),
        LONGEST_REASON,
    )?;
    check_path(&state, &who, id, turn).await?;
    let decision = NewDecision {
        decision: match body.value.decision {
            Wish::Approve => Decision::Approved,
            Wish::Reject => Decision::Rejected,
        },
        reason,
        arguments: body.value.arguments,
        state: None,
    };
    let decided = state.runtime().decide(&who, turn, &call, decision).await;
    Ok(Json(decided.map_err(no_such_card)?))
}
