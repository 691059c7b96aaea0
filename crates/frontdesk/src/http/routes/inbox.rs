//! Everything that waits for a person.

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
            .named("get_inbox", "approvals", "Get my inbox")
            .about("Cards to decide, work reported by assistants with its counts, and decisions of the last 14 days with their time and approver. An assistant that does not answer within 2 seconds has a `problem` instead of items.")
            .gives::<Inbox>(200, "Waiting items and recent decisions"),
    ]
}

pub(in crate::http) async fn show(
    State(state): State<AppState>,
    Caller(who): Caller,
) -> Result<Json<Inbox>, ApiError> {
    let env = state.app.env.as_ref();
    let inbox = Inbox::load(state.runtime(), &state.app.inbox, env, &who).await?;
    Ok(Json(inbox))
}
