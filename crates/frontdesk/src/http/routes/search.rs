//! One search over everything that a person may see.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Caller, Json, JsonResult, Params, Route, check_length, checked_limit, limit_shape};
use crate::text_search::SearchResults;

const LONGEST_QUERY: usize = 200;
const DEFAULT_LIMIT: u32 = 20;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct SearchParams {
    /// Words, or beginnings of words; all of them must be found.
    #[schemars(length(max = 200))]
    q: String,
    #[serde(default)]
    #[schemars(schema_with = "limit_shape")]
    limit: Option<String>,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/search", search)
            .named("search", "conversations", "Search conversations, documents and objects")
            .about("Titles, messages, documents, and the objects of assistants such as gate passes. Finds only what the caller may see now. An assistant that does not answer within 2 seconds is listed in `unavailable`.")
            .query::<SearchParams>()
            .gives::<SearchResults>(200, "The matches, newest first"),
    ]
}

async fn search(
    Caller { state, who }: Caller,
    Params(params): Params<SearchParams>,
) -> JsonResult<SearchResults> {
    check_length("q", &params.q, LONGEST_QUERY)?;
    let limit = checked_limit(params.limit.as_deref(), DEFAULT_LIMIT)?;
    let app = &state.app;
    let found = SearchResults::load(&app.runtime, &app.searches, &who, &params.q, limit).await?;
    Ok(Json(found))
}
