//! The answer to a message while it is written.

use std::sync::Arc;

use frontdesk_core::access::Principal;
use frontdesk_core::conversation_api::{ConversationApiError, TurnEvents};
use frontdesk_core::event::Event;
use frontdesk_core::id::{ConversationId, TurnId};
use frontdesk_core::store::{IdempotencyKey, StoreError};
use futures_util::stream::{self, Stream, StreamExt};
use serde::Serialize;
use uuid::Uuid;

use super::chat::{Chat, ChatReply, Failure, reply};
use super::domain::language::Language;

/// A message that is being answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StartedMessage {
    pub(super) session_id: ConversationId,
    pub(super) turn_id: TurnId,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum AnswerEvent {
    /// The next part of the text.
    Text { text: String },
    /// The whole text so far; earlier parts are void.
    Replace { text: String },
    /// A tool starts.
    Step { title: String },
    /// The whole answer, or the approval that it waits for. The last event.
    Reply(ChatReply),
    /// The model failed. The last event; sending the message again retries it.
    Failed { code: &'static str, message: String },
}

/// An event and the position to resume from.
pub(super) type AnswerItem = Result<(u64, AnswerEvent), Failure>;

impl Chat {
    /// Sends a message without waiting for the answer.
    pub(super) async fn start_message(
        &self,
        who: &Principal,
        gig: Uuid,
        message: String,
        key: Option<IdempotencyKey>,
    ) -> Result<StartedMessage, Failure> {
        let session_id = self.open_for_message(who, gig, &message).await?;
        let started = self.conversation_api.begin(who, session_id, message, key);
        Ok(StartedMessage {
            session_id,
            turn_id: started.await?,
        })
    }

    /// The events of an answer after a position.
    pub(super) async fn watch_answer(
        self: &Arc<Self>,
        who: &Principal,
        gig: Uuid,
        turn: TurnId,
        after: u64,
        language: Language,
    ) -> Result<impl Stream<Item = AnswerItem> + use<>, Failure> {
        let session = self.readable_session(who, gig).await?;
        let session = session.ok_or(Failure::NoTurn)?;
        let api = &self.conversation_api;
        api.turn(who, session, turn).await.map_err(no_turn)?;
        let events = api.watch(who, session, turn, after).await?;
        let (chat, who) = (Arc::clone(self), who.clone());
        let last = async move { chat.last_event(&who, session, turn, language).await };
        Ok(shown(events).chain(stream::once(last)))
    }

    async fn last_event(
        &self,
        who: &Principal,
        session: ConversationId,
        turn: TurnId,
        language: Language,
    ) -> AnswerItem {
        let status = self.conversation_api.turn(who, session, turn).await?;
        let position = status.position;
        let last = match reply(status) {
            Ok(reply) => AnswerEvent::Reply(reply),
            // Not an error of the stream: a tRPC client would reconnect for ever.
            Err(failure) => AnswerEvent::Failed {
                code: failure.code(),
                message: failure.words(language),
            },
        };
        Ok((position, last))
    }
}

fn no_turn(error: ConversationApiError) -> Failure {
    if matches!(error, ConversationApiError::Store(StoreError::NotFound)) {
        return Failure::NoTurn;
    }
    error.into()
}

/// The events that a client sees.
fn shown(events: TurnEvents) -> impl Stream<Item = AnswerItem> {
    events.filter_map(async |entry| match entry {
        Ok(entry) => event(entry.event).map(|event| Ok((entry.position, event))),
        Err(error) => Some(Err(ConversationApiError::from(error).into())),
    })
}

fn event(event: Event) -> Option<AnswerEvent> {
    match event {
        Event::TextDelta { text } => Some(AnswerEvent::Text { text }),
        Event::TextReset { .. } => Some(AnswerEvent::Replace {
            text: String::new(),
        }),
        Event::Snapshot(snapshot) => Some(AnswerEvent::Replace {
            text: snapshot.text,
        }),
        Event::ToolStarted { title, .. } => Some(AnswerEvent::Step { title }),
        Event::TurnStarted { .. }
        | Event::ModelReplied { .. }
        | Event::ToolProgress { .. }
        | Event::DraftDelta { .. }
        | Event::ToolFinished(_)
        | Event::ApprovalRequested { .. }
        | Event::ApprovalDecided { .. }
        | Event::ArtifactSaved { .. }
        | Event::PhaseChanged(_)
        | Event::SourceCited { .. }
        | Event::TurnCompleted(_)
        | Event::TurnFailed(_)
        | Event::TurnCancelled(_)
        | Event::TurnInterrupted(_) => None,
    }
}
