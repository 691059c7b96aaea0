//! A message that arrives while a card waits. "Yes", "no" or the card's verb decides the card;
//! any other message must wait for the decision.

use frontdesk_core::access::Principal;
use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::TurnId;
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::{NewDecision, StoreError, TurnViews};
use frontdesk_offline::ShortReply;

use super::{Runtime, RuntimeError, Started, Watch};

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
        self.decide(who, turn, &card.call_id, decision).await?;
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

/// The decision expressed by a whole message. A card's verb that also means "no" is ambiguous and
/// decides nothing.
fn parse_decision(message: &str, card: &ApprovalCard) -> Option<Decision> {
    let message = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    let message = message.replace('’', "'");
    if !message.is_empty() && message == card.decline.to_lowercase() {
        return Some(Decision::Rejected);
    }
    let verb = card.confirm.to_lowercase();
    let is_verb = message == verb || verb.split_whitespace().next() == Some(&message);
    match (ShortReply::of(&message), is_verb) {
        (Some(ShortReply::Yes), _) | (None, true) => Some(Decision::Approved),
        (Some(ShortReply::No | ShortReply::Cancel), false) => Some(Decision::Rejected),
        (Some(_), _) | (None, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(confirm: &str, decline: &str) -> ApprovalCard {
        serde_json::from_value(serde_json::json!({
            "call_id": "a", "tool": "t", "title": "T", "arguments": {}, "seal": "s",
            "requested_by": "00000000-0000-0000-0000-000000000001", "requester": "Omar",
            "approvers": [], "expires_at": "2026-09-01T09:00:00Z",
            "confirm": confirm, "decline": decline,
        }))
        .unwrap()
    }

    #[test]
    fn only_a_whole_message_decides() {
        let check = |message: &str, verb: &str, expected: Option<Decision>| {
            let card = card(verb, "Don't reject");
            assert_eq!(parse_decision(message, &card), expected, "{message:?}");
        };
        let verb = "Reject the pass";
        check("Yes.", verb, Some(Decision::Approved));
        check("да", verb, Some(Decision::Approved));
        check("reject the pass", verb, Some(Decision::Approved));
        check("Reject!", verb, Some(Decision::Approved));
        check("no", verb, Some(Decision::Rejected));
        check("Don’t reject", verb, Some(Decision::Rejected));
        check("Nein danke", verb, Some(Decision::Rejected));
        check("cancel", verb, Some(Decision::Rejected));
        check("yes, but change the date", verb, None);
        check("reject it and list the others", verb, None);
        check("thanks", verb, None);
        check("cancel", "Cancel the meeting", None);
        check("", verb, None);
    }
}
