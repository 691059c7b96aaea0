//! One place with what waits for somebody.

use axum::Json;
use axum::extract::State;

use crate::http::Shared;
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
    State(shared): State<Shared>,
    Caller(who): Caller,
) -> Result<Json<Inbox>, ApiError> {
    let world = shared.world.as_ref();
    let inbox = Inbox::load(&shared.desk, &shared.inbox, world, &who).await?;
    Ok(Json(inbox))
}
