//! A message that arrives while a card waits. "Yes", "no" or the card's verb decides the card;
//! any other message must wait for the decision.

use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, DecideError};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{NewDecision, StoreError};

use super::{Runtime, RuntimeError, Started, Watch};
use crate::card_words::parse_decision;

impl Runtime {
    /// Decides the only card of the waiting turn and returns that turn, which continues. The
    /// message is stored as the reason of the decision.
    pub(super) async fn answer_card(
        &self,
        who: &Principal,
        conversation: &Conversation,
        turn: TurnId,
        message: &str,
    ) -> Result<Started, RuntimeError> {
        let status = self.inner.store.turn(who, conversation.id, turn).await?;
        let card = match &status.approvals[..] {
            _ if status.state != TurnState::AwaitingApproval => {
                return Err(StoreError::TurnInProgress { turn }.into());
            }
            [card] => card,
            cards => return Err(waiting(turn, cards)),
        };
        let decision = NewDecision {
            decision: parse_decision(message, card)
                .ok_or_else(|| waiting(turn, &status.approvals))?,
            reason: Some(message.trim().to_owned()),
            arguments: None,
            state: None,
        };
        match self.decide(who, turn, &card.call_id, decision).await {
            // A colleague's "yes" is a message like any other.
            Err(RuntimeError::Store(StoreError::Undecidable(
                DecideError::NotTheRequester | DecideError::NotAnApprover(_),
            ))) => return Err(waiting(turn, &status.approvals)),
            decided => decided?,
        };
        Ok(Started {
            turn,
            state: TurnState::Running,
            user_message: status.user_message,
            replayed: true,
            rate: None,
            watch: Watch::from_journal(self, who, conversation.id, turn, 0),
        })
    }
}

fn waiting(turn: TurnId, cards: &[ApprovalCard]) -> RuntimeError {
    let titles: Vec<String> = cards
        .iter()
        .map(|card| format!("“{}”", card.title))
        .collect();
    RuntimeError::CardWaits {
        turn,
        titles: titles.join(", "),
    }
}
