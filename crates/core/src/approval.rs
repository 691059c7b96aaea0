//! Approvals. A decision is bound to exactly one call: the approved call is the one that runs.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::access::{Principal, Role};
use crate::form::Field;
use crate::id::{ProfileId, TurnId};
use crate::origin::Origin;
use crate::preview;

/// Seconds until a card expires.
pub const APPROVAL_SECONDS: i64 = 600;

/// A hash of tool, canonical arguments, turn, call and requester.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seal(String);

impl Seal {
    pub fn over(
        tool: &str,
        arguments: &Map<String, Value>,
        turn: TurnId,
        call_id: &str,
        requester: ProfileId,
    ) -> Self {
        let mut hasher = Sha256::new();
        for part in [
            tool,
            &canonical(arguments),
            &turn.to_string(),
            call_id,
            &requester.to_string(),
        ] {
            // The length prefix keeps different part lists from hashing alike.
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hex(&hasher.finalize()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A hash that ignores key order and whitespace.
pub fn arguments_hash(arguments: &str) -> String {
    let canonical = match serde_json::from_str(arguments) {
        Ok(Value::Object(map)) => canonical(&map),
        _ => arguments.to_owned(),
    };
    hex(&Sha256::digest(canonical.as_bytes()))
}

/// JSON with sorted keys and no whitespace: equal arguments have equal bytes.
fn canonical(arguments: &Map<String, Value>) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(map) => {
                let mut entries: Vec<_> = map.iter().collect();
                entries.sort_by(|a, b| a.0.cmp(b.0));
                Value::Object(
                    entries
                        .into_iter()
                        .map(|(k, v)| (k.clone(), sorted(v)))
                        .collect(),
                )
            }
            Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
        }
    }
    sorted(&Value::Object(arguments.clone())).to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A decision that a person is asked to make. The server builds it from the arguments alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalCard {
    pub call_id: String,
    pub tool: String,
    pub title: String,
    pub arguments: Value,
    pub seal: Seal,
    pub requested_by: ProfileId,
    pub requester: String,
    /// Roles that may decide; empty means the requester.
    pub approvers: Vec<Role>,
    pub expires_at: DateTime<Utc>,
    /// The decider may change the arguments, and must complete missing ones. Changed arguments are
    /// validated like those of any call.
    #[serde(default)]
    pub editable: bool,
    /// The fields of an editable card, in order.
    #[serde(default)]
    pub form: Vec<Field>,
    /// Label of the approve button, e.g. "Create the pass"; empty in cards of older releases.
    #[serde(default)]
    pub confirm: String,
    /// Label of the decline button, e.g. "Don't create the pass".
    #[serde(default)]
    pub decline: String,
    /// The effect of an approval, in one sentence; may be empty.
    #[serde(default)]
    pub consequence: String,
    /// The call deletes something permanently.
    #[serde(default)]
    pub destructive: bool,
    /// The object that the call changes, if the arguments name it.
    #[serde(default)]
    pub target: Option<CardTarget>,
    /// Sources of the values that the requester did not type in the current message.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// Details of the object can be loaded.
    #[serde(default)]
    pub preview: bool,
    /// Drafts that the decider agrees with by approving.
    #[serde(default)]
    pub confirms: Vec<CardDraft>,
}

/// A draft that a call builds on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardDraft {
    pub kind: String,
    /// Its name for people: "the requirement profile".
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardTarget {
    /// The argument that names the object.
    pub argument: String,
    /// Its value, on one line: "GP-2026-0012".
    pub value: String,
}

/// Ends the answer of a declined call, after the call's title.
pub const DECLINED: &str = " was declined; it was not run";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approved,
    Rejected,
    /// No decision was made in time.
    Expired,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecideError {
    #[error("only somebody with the role {0} may decide this")]
    NotAnApprover(String),
    #[error("only the person who asked may decide this")]
    NotTheRequester,
    #[error("this request has expired; ask for it again")]
    Expired,
}

impl ApprovalCard {
    /// Replaces the arguments and computes a new seal.
    pub fn with_arguments(self, turn: TurnId, arguments: Map<String, Value>) -> Self {
        let seal = Seal::over(
            &self.tool,
            &arguments,
            turn,
            &self.call_id,
            self.requested_by,
        );
        let card = self.naming(&arguments);
        Self {
            arguments: Value::Object(arguments),
            seal,
            ..card
        }
    }

    /// Renames the card's object. Changed values lose their origin, because the person typed them.
    fn naming(mut self, arguments: &Map<String, Value>) -> Self {
        self.origins.retain(|origin| {
            self.arguments.get(&origin.argument) == arguments.get(&origin.argument)
        });
        if let Some(target) = &mut self.target
            && let Some(Value::String(value)) = arguments.get(&target.argument)
        {
            let value = preview::short(value);
            self.title = self.title.replace(&target.value, &value);
            target.value = value;
        }
        self
    }

    /// The notice of a declined card. `state` is the object's current state, if it could be read.
    pub fn cancelled(&self, by: Option<&str>, state: Option<&str>) -> String {
        let who = match by {
            Some(name) => format!("Cancelled by {name}."),
            None => "Cancelled.".to_owned(),
        };
        // Only an object that can be loaded already exists.
        let object = self.target.as_ref().filter(|_| self.preview);
        match (object, state) {
            (Some(object), Some(state)) => format!("{who} {} is still {state}.", object.value),
            (Some(object), None) => format!("{who} {} is unchanged.", object.value),
            (None, _) => format!("{who} Nothing was changed."),
        }
    }

    pub fn may_be_decided_by(
        &self,
        principal: &Principal,
        now: DateTime<Utc>,
    ) -> Result<(), DecideError> {
        self.is_decided_by(principal.profile(), principal.roles())?;
        if now > self.expires_at {
            return Err(DecideError::Expired);
        }
        Ok(())
    }

    /// Whether the card is for a person with this profile and these roles.
    pub fn is_decided_by(
        &self,
        profile: ProfileId,
        roles: &BTreeSet<Role>,
    ) -> Result<(), DecideError> {
        if self.approvers.is_empty() {
            return match profile == self.requested_by {
                true => Ok(()),
                false => Err(DecideError::NotTheRequester),
            };
        }
        if self.approvers.iter().any(|role| roles.contains(role)) {
            return Ok(());
        }
        let approvers: Vec<&str> = self.approvers.iter().map(Role::as_str).collect();
        Err(DecideError::NotAnApprover(approvers.join(" or ")))
    }
}

#[cfg(test)]
#[path = "approval_tests.rs"]
mod approval_tests;
