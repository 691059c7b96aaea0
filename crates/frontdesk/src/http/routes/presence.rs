//! Presence: colleagues see who else has a conversation of their company open.

use frontdesk_core::change_notice::ChangeNotice;
use frontdesk_core::id::ConversationId;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ApiError, Caller, Content, Ids, JsonBody, NoContent, Route};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::http) struct PresenceUpdate {
    /// `false` when the conversation was closed.
    present: bool,
    /// Asks colleagues who are present to announce themselves.
    #[serde(default)]
    asks: bool,
}

pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::post("/conversations/{id}/presence", announce)
            .named("announce_presence", "conversations", "Say that I have a conversation open")
            .about("Colleagues get a `presence` event. Nothing is stored: repeat it every 20 seconds; readers forget a person after a minute. No effect in a conversation of one's own.")
            .takes::<PresenceUpdate>()
            .gives_content(204, "Colleagues were told", Content::Nothing)
            .refuses(&[403]),
    ]
}

async fn announce(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
    body: JsonBody<PresenceUpdate>,
) -> Result<NoContent, ApiError> {
    let conversation = state.store().get(&who, id).await?;
    // A conversation about a subject is private, although it belongs to a company.
    if let (Some(company), None) = (conversation.company_id, conversation.subject) {
        state.store().publish(&ChangeNotice::Presence {
            conversation: id,
            profile: who.profile(),
            company,
            present: body.value.present,
            asks: body.value.asks,
        });
    }
    Ok(NoContent)
}
