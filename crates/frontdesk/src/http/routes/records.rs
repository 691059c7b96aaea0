//! What was done and what it used: the audit and the usage, each for those it concerns.

use axum::Json;
use axum::extract::State;
use chrono::{NaiveDate, TimeDelta};
use frontdesk_core::id::{CompanyId, ConversationId};
use frontdesk_core::store::{Audit, AuditQuery, AuditRow, Consumption, ConsumptionQuery, UsageRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::Shared;
use crate::http::caller::Caller;
use crate::http::error::{ApiError, Naming};
use crate::http::input::{Params, checked_limit, limit_shape};
use crate::http::route::Route;
use crate::http::wire::ListResponse;

const DEFAULT_LIMIT: u32 = 50;
const DEFAULT_DAYS: i64 = 30;
const MAX_DAYS: i64 = 366;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct AuditParams {
    /// From the previous page.
    cursor: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
    company_id: Option<CompanyId>,
    conversation_id: Option<ConversationId>,
    tool: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "records";
    vec![
        Route::get("/audit", audit)
            .named("list_audit", SUBJECT, "Every attempt to change the world")
            .about("One's own, those of companies one runs, and for the Operator all; newest first.")
            .query::<AuditParams>()
            .gives::<ListResponse<AuditRow>>(200, "A page of records")
            .refuses(&[403, 404]),
        Route::get("/usage", usage)
            .named("list_usage", SUBJECT, "What was used")
            .about("Tokens by day (UTC), person, company and assistant; the last 30 days when no days are given.")
            .query::<UsageParams>()
            .gives::<UsageResponse>(200, "What was used, and the total")
            .refuses(&[403, 404]),
    ]
}

/// One's own rows, those of companies one runs, and for the Operator all.
pub(in crate::http) async fn audit(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Params(params): Params<AuditParams>,
) -> Result<Json<ListResponse<AuditRow>>, ApiError> {
    let query = AuditQuery {
        cursor: params.cursor,
        limit: checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?,
        company: params.company_id,
        conversation: params.conversation_id,
        tool: params.tool,
    };
    let page = shared.desk.store().audit(&who, query).await?;
    Ok(Json(ListResponse::of(page)))
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct UsageParams {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    company_id: Option<CompanyId>,
    assistant: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::http) struct UsageResponse {
    from: NaiveDate,
    to: NaiveDate,
    items: Vec<UsageRow>,
    total: UsageTotal,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(in crate::http) struct UsageTotal {
    turns: u64,
    input_tokens: u64,
    output_tokens: u64,
    cached_tokens: u64,
}

/// Tokens by day, person, company and assistant; days are UTC.
pub(in crate::http) async fn usage(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Params(params): Params<UsageParams>,
) -> Result<Json<UsageResponse>, ApiError> {
    let to = params.to.unwrap_or_else(|| shared.world.now().date_naive());
    let from = params
        .from
        .unwrap_or(to - TimeDelta::days(DEFAULT_DAYS - 1));
    if from > to || to - from >= TimeDelta::days(MAX_DAYS) {
        return Err(ApiError::invalid(
            "from",
            format!("must be at most {MAX_DAYS} days before `to`, and not after it"),
        ));
    }
    let query = ConsumptionQuery {
        from,
        to,
        company: params.company_id,
        assistant: params.assistant,
    };
    let found = shared.desk.store().consumption(&who, query).await;
    let items = found.naming("company")?;
    let mut total = UsageTotal::default();
    for row in &items {
        total.turns += row.turns;
        total.input_tokens += row.input_tokens;
        total.output_tokens += row.output_tokens;
        total.cached_tokens += row.cached_tokens;
    }
    Ok(Json(UsageResponse {
        from,
        to,
        items,
        total,
    }))
}
