//! Everything that waits for a person.

use super::{Caller, Json, JsonResult, Route};
use crate::inbox::Inbox;

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/inbox", show)
            .named("get_inbox", "approvals", "Get my inbox")
            .about("Cards to decide, work reported by assistants with its counts, and decisions of the last 14 days with their time and approver. An assistant that does not answer within 2 seconds has a `problem` instead of items.")
            .gives::<Inbox>(200, "Waiting items and recent decisions"),
    ]
}

async fn show(Caller { state, who }: Caller) -> JsonResult<Inbox> {
    let env = state.app.env.as_ref();
    let inbox = Inbox::load(state.runtime(), &state.app.inbox, env, &who).await?;
    Ok(Json(inbox))
}
