//! Usage: tokens and their cost by day, person, company and assistant.

use chrono::{NaiveDate, TimeDelta};
use frontdesk_core::id::CompanyId;
use frontdesk_core::model::Usage;
use frontdesk_core::store::{UsageQuery, UsageRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{ApiError, Caller, Json, JsonResult, Naming, Params, Route};
use crate::price::Prices;

const DEFAULT_DAYS: i64 = 30;
const MAX_DAYS: i64 = 366;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/usage", usage)
            .named("list_usage", "records", "Get token usage")
            .about("Tokens and their cost by day (UTC), person, company and assistant; the last 30 days by default. Counts come from the provider, except for `estimated_turns`.")
            .query::<UsageParams>()
            .gives::<UsageResponse>(200, "Usage and totals")
            .refuses(&[403, 404]),
    ]
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct UsageParams {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    company_id: Option<CompanyId>,
    assistant: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct UsageResponse {
    pub(crate) from: NaiveDate,
    pub(crate) to: NaiveDate,
    pub(crate) items: Vec<UsageEntry>,
    /// Null: the rows of a period are on one page.
    pub(crate) cursor: Option<String>,
    pub(crate) has_more: bool,
    pub(crate) total: UsageTotal,
    /// Usage by day, including days without any.
    pub(crate) by_day: Vec<UsageGroup>,
    /// Usage by assistant, most tokens first.
    pub(crate) by_assistant: Vec<UsageGroup>,
    /// Usage by company, most tokens first. Personal usage has no name.
    pub(crate) by_company: Vec<UsageGroup>,
}

impl UsageResponse {
    pub(crate) fn of(from: NaiveDate, to: NaiveDate, items: Vec<UsageEntry>) -> Self {
        let days = from.iter_days().take_while(|day| *day <= to);
        let by_day = days.map(|day| {
            let on_it = items.iter().filter(|item| item.row.day == day);
            UsageGroup::of(Some(day.to_string()), on_it)
        });
        Self {
            from,
            to,
            total: UsageTotal::of(&items),
            by_day: by_day.collect(),
            by_assistant: grouped(&items, |row| Some(row.assistant.clone())),
            by_company: grouped(&items, |row| row.company_id.map(|id| id.to_string())),
            items,
            cursor: None,
            has_more: false,
        }
    }
}

/// The total usage of one day, assistant or company.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct UsageGroup {
    pub(crate) name: Option<String>,
    #[serde(flatten)]
    pub(crate) total: UsageTotal,
}

impl UsageGroup {
    fn of<'a>(name: Option<String>, entries: impl Iterator<Item = &'a UsageEntry>) -> Self {
        let total = UsageTotal::of(entries);
        Self { name, total }
    }
}

fn grouped(items: &[UsageEntry], by: impl Fn(&UsageRow) -> Option<String>) -> Vec<UsageGroup> {
    let names: BTreeSet<Option<String>> = items.iter().map(|item| by(&item.row)).collect();
    let mut groups: Vec<UsageGroup> = names
        .into_iter()
        .map(|name| {
            let its = items.iter().filter(|item| by(&item.row) == name);
            UsageGroup::of(name.clone(), its)
        })
        .collect();
    groups.sort_by_key(|group| Reverse(group.total.input_tokens + group.total.output_tokens));
    groups
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct UsageEntry {
    #[serde(flatten)]
    pub(crate) row: UsageRow,
    /// In the operator's currency; absent without prices.
    pub(crate) cost: Option<f64>,
}

impl UsageEntry {
    pub(crate) fn of(row: UsageRow, prices: &Prices) -> Self {
        let cost = prices.of(Usage {
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            cached_tokens: row.cached_tokens,
            estimated: row.estimated_turns > 0,
        });
        Self { row, cost }
    }
}

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub(crate) struct UsageTotal {
    pub(crate) turns: u64,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    pub(crate) cached_tokens: u64,
    /// Turns with estimated token counts, because the provider did not report them.
    pub(crate) estimated_turns: u64,
    pub(crate) cost: Option<f64>,
}

impl UsageTotal {
    pub(crate) fn of<'a>(entries: impl IntoIterator<Item = &'a UsageEntry>) -> Self {
        let mut total = UsageTotal::default();
        for UsageEntry { row, cost } in entries {
            total.turns += row.turns;
            total.input_tokens += row.input_tokens;
            total.output_tokens += row.output_tokens;
            total.cached_tokens += row.cached_tokens;
            total.estimated_turns += row.estimated_turns;
            if let Some(cost) = cost {
                total.cost = Some(total.cost.unwrap_or_default() + cost);
            }
        }
        total
    }
}

async fn usage(
    Caller { state, who }: Caller,
    Params(params): Params<UsageParams>,
) -> JsonResult<UsageResponse> {
    let to = params.to.unwrap_or_else(|| state.now().date_naive());
    let from = params
        .from
        .unwrap_or(to - TimeDelta::days(DEFAULT_DAYS - 1));
    if from > to || to - from >= TimeDelta::days(MAX_DAYS) {
        return Err(ApiError::invalid(
            "from",
            format!("must be at most {MAX_DAYS} days before `to`, and not after it"),
        ));
    }
    let query = UsageQuery {
        from,
        to,
        company: params.company_id,
        assistant: params.assistant,
    };
    let found = state.store().usage(&who, query).await;
    let items: Vec<UsageEntry> = found
        .naming("company")?
        .into_iter()
        .map(|row| UsageEntry::of(row, &state.app.config.model.prices))
        .collect();
    Ok(Json(UsageResponse::of(from, to, items)))
}
