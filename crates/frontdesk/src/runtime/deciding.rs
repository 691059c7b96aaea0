//! Decisions about calls that wait for a person, and the check of what they confirm.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::grant::{self, Grounds, Unconfirmed};
use frontdesk_core::handle;
use frontdesk_core::id::TurnId;
use frontdesk_core::message::ToolCall;
use frontdesk_core::store::{
    Approvals, Conversations, DecidedApproval, NewDecision, PendingApproval, StoreError,
};
use serde_json::{Map, Value};

use super::{Runtime, RuntimeError};

impl Runtime {
    /// Cards that were decided since then and concern this person.
    pub async fn decided_approvals(
        &self,
        who: &Principal,
        since: DateTime<Utc>,
    ) -> Result<Vec<DecidedApproval>, RuntimeError> {
        Ok(self.inner.store.decided(who, since).await?)
    }

    /// Decides a card and lets the turn go on.
    pub async fn decide(
        &self,
        who: &Principal,
        turn: TurnId,
        call_id: &str,
        mut decision: NewDecision,
    ) -> Result<PendingApproval, RuntimeError> {
        let now = self.inner.env.now();
        let store = &self.inner.store;
        let awaiting = store.awaiting(who, turn, call_id, now).await?;
        if decision.decision == Decision::Approved {
            decision.arguments = self.confirm(who, awaiting, decision.arguments).await?;
        } else {
            // Nothing runs, whatever was entered.
            decision.arguments = None;
            decision.state = self.state_of_object(who, &awaiting).await;
        }
        let decided = store.decide(who, turn, call_id, decision, now).await?;
        self.go_on().await;
        Ok(decided)
    }

    /// The arguments that are approved instead of the card's, checked by the rules for any
    /// call; `None` when they are the card's own.
    async fn confirm(
        &self,
        who: &Principal,
        awaiting: PendingApproval,
        edited: Option<Map<String, Value>>,
    ) -> Result<Option<Map<String, Value>>, RuntimeError> {
        let card = awaiting.card;
        if !card.editable {
            return match edited {
                None => Ok(None),
                Some(_) => Err(RuntimeError::Invalid {
                    field: "arguments",
                    problem: "this can be approved or rejected as it is, and not be changed"
                        .to_owned(),
                }),
            };
        }
        let was_edited = edited.is_some();
        let asked = card.arguments.as_object().cloned().unwrap_or_default();
        let arguments = edited.unwrap_or_else(|| asked.clone());
        let assistant = self.assistant(who, &awaiting.assistant)?;
        let store = &self.inner.store;
        let conversation = store.get(who, awaiting.conversation_id).await?;
        let call = ToolCall {
            id: card.call_id,
            name: card.tool,
            arguments: Value::Object(arguments.clone()).to_string(),
        };
        let texts = match assistant.toolbox.get(&call.name) {
            Some(def) => handle::mentioned_texts(&def.parameters, &call),
            None => Vec::new(),
        };
        let handles = store.handles(who, conversation.id, &texts).await?;
        let grounds = Grounds {
            toolbox: &assistant.toolbox,
            principal: who,
            phase: &conversation.phase,
            progress: &conversation.progress,
            handles: &handles,
            message: &String::new,
            own_form: true,
            foreign_text: false,
            untrusted_text: false,
            may_write: true,
        };
        match grant::confirm(&call.name, arguments, &grounds) {
            Ok(granted) if *granted.arguments() == asked => Ok(None),
            Ok(granted) => Ok(Some(granted.arguments().clone())),
            Err(Unconfirmed::Fields(problems)) => Err(RuntimeError::Fields(problems)),
            // The turn refuses the call and says why.
            Err(Unconfirmed::Refused(_)) if !was_edited => Ok(None),
            Err(Unconfirmed::Refused(_)) => Err(RuntimeError::Store(StoreError::Conflict(
                "this cannot be done any more; ask for it again".to_owned(),
            ))),
        }
    }
}
