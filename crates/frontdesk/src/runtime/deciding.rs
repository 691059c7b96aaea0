//! Decisions on calls that wait for a person, and validation of confirmed arguments.

use chrono::{DateTime, Utc};
use frontdesk_core::access::Principal;
use frontdesk_core::approval::Decision;
use frontdesk_core::grant::{self, Grounds, Unconfirmed};
use frontdesk_core::handle;
use frontdesk_core::id::TurnId;
use frontdesk_core::message::ToolCall;
use frontdesk_core::store::{DecidedApproval, NewDecision, PendingApproval, StoreError};
use serde_json::{Map, Value};

use super::{Runtime, RuntimeError};

impl Runtime {
    /// Cards that concern this person and were decided since then.
    pub async fn decided_approvals(
        &self,
        who: &Principal,
        since: DateTime<Utc>,
    ) -> Result<Vec<DecidedApproval>, RuntimeError> {
        Ok(self.inner.store.decided(who, since).await?)
    }

    /// Decides a card and resumes the turn.
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
            // A rejected call does not run, so edited arguments are dropped.
            decision.arguments = None;
            decision.state = self.state_of_object(who, &awaiting).await;
        }
        let decided = store.decide(who, turn, call_id, decision, now).await?;
        self.go_on().await;
        Ok(decided)
    }

    /// Validates the arguments that replace the card's, by the rules for any call. `None` if they
    /// are unchanged.
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
                    problem: "this card cannot be edited; approve or reject it as it is".to_owned(),
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
            // The turn refuses the call with a reason.
            Err(Unconfirmed::Refused(_)) if !was_edited => Ok(None),
            Err(Unconfirmed::Refused(_)) => Err(RuntimeError::Store(StoreError::Conflict(
                "this is no longer possible; ask for it again".to_owned(),
            ))),
        }
    }
}
