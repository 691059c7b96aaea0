//! One place with what waits for somebody.

use axum::Json;
use axum::extract::State;

use crate::http::AppState;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::route::Route;
use crate::inbox::Inbox;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/inbox", show)
            .named("get_inbox", "approvals", "What waits for me")
            .about("Cards to decide, work that assistants report with the counts of their boards, and what was decided in the last 14 days, by whom and when. An assistant that does not answer within two seconds has a `problem` instead of items.")
            .gives::<Inbox>(200, "What waits, and what was decided"),
    ]
}

pub(in crate::http) async fn show(
    State(state): State<AppState>,
    Caller(who): Caller,
) -> Result<Json<Inbox>, ApiError> {
    let env = state.app.env.as_ref();
    let inbox = Inbox::load(&state.app.runtime, &state.app.inbox, env, &who).await?;
    Ok(Json(inbox))
}
