//! The audit log: every attempt to change something.

use chrono::{DateTime, Utc};
use frontdesk_core::id::{CompanyId, ConversationId, ProfileId, TurnId};
use frontdesk_core::store::{AuditOutcome, AuditQuery, AuditRow};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Caller, Json, ListResponse, ListResult, Params, Route, checked_limit, limit_shape};

const DEFAULT_LIMIT: u32 = 50;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct AuditParams {
    /// Cursor of the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    company_id: Option<CompanyId>,
    conversation_id: Option<ConversationId>,
    turn_id: Option<TurnId>,
    /// Only actions of this person.
    profile_id: Option<ProfileId>,
    tool: Option<String>,
    outcome: Option<AuditOutcome>,
    /// Start of the period, inclusive.
    since: Option<DateTime<Utc>>,
    /// End of the period, exclusive.
    until: Option<DateTime<Utc>>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/audit", audit)
            .named("list_audit", "records", "List the audit log")
            .about("Every attempt to change something: the caller's own and those in companies they manage; all of them for an Operator. Newest first. Parameters can be combined.")
            .query::<AuditParams>()
            .gives::<ListResponse<AuditRow>>(200, "A page of records")
            .refuses(&[403, 404]),
    ]
}

/// The caller's own rows and those of companies they manage; all rows for an Operator.
async fn audit(
    Caller { state, who }: Caller,
    Params(params): Params<AuditParams>,
) -> ListResult<AuditRow> {
    let query = AuditQuery {
        cursor: params.cursor,
        limit: checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?,
        company: params.company_id,
        conversation: params.conversation_id,
        tool: params.tool,
        profile: params.profile_id,
        turn: params.turn_id,
        outcome: params.outcome,
        since: params.since,
        until: params.until,
    };
    let page = state.store().audit(&who, query).await?;
    Ok(Json(ListResponse::of(page)))
}
