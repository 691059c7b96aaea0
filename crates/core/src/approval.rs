//! A decision bound to exactly one call: what a person approves is what runs.

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

/// How long a card may be decided.
pub const APPROVAL_SECONDS: i64 = 600;

/// The hash of tool, canonical arguments, turn, call and requester.
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
            // Length first, so that no two lists of parts read the same.
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hex(&hasher.finalize()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A hash of the arguments, the same for however they are written.
pub fn arguments_hash(arguments: &str) -> String {
    let canonical = match serde_json::from_str(arguments) {
        Ok(Value::Object(map)) => canonical(&map),
        _ => arguments.to_owned(),
    };
    hex(&Sha256::digest(canonical.as_bytes()))
}

/// JSON with sorted keys and no spaces: equal arguments have equal bytes.
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

/// What a person is asked to decide, made by the server from the arguments alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalCard {
    pub call_id: String,
    pub tool: String,
    pub title: String,
    pub arguments: Value,
    pub seal: Seal,
    pub requested_by: ProfileId,
    pub requester: String,
    /// Who may decide; empty means the requester.
    pub approvers: Vec<Role>,
    pub expires_at: DateTime<Utc>,
    /// The decider may change the arguments, and must where some are missing. What they send
    /// is checked like any call.
    #[serde(default)]
    pub editable: bool,
    /// The fields of an editable card, in order.
    #[serde(default)]
    pub form: Vec<Field>,
    /// The words of the button that approves, e.g. "Create the pass"; empty in cards of older
    /// releases.
    #[serde(default)]
    pub confirm: String,
    /// The words of the button that turns it down, e.g. "Don't create the pass".
    #[serde(default)]
    pub decline: String,
    /// What happens when it is approved, in a sentence; may be empty.
    #[serde(default)]
    pub consequence: String,
    /// Something is deleted for good.
    #[serde(default)]
    pub destructive: bool,
    /// The object that is written to, when the arguments name it.
    #[serde(default)]
    pub target: Option<CardTarget>,
    /// Where values came from that the requester did not type in the message that led here.
    #[serde(default)]
    pub origins: Vec<Origin>,
    /// The facts of the object can be loaded.
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
    /// What people call it: "the requirement profile".
    pub words: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardTarget {
    /// The argument that names the object.
    pub argument: String,
    /// Its value, on one line: "GP-2026-0012".
    pub value: String,
}

/// How the answer of a declined call ends, behind what the call is named.
pub const DECLINED: &str = " was declined; it was not run";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Approved,
    Rejected,
    /// Nobody decided in time.
    Expired,
}

/// Why a person may not decide.
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
    /// The same card with these arguments, sealed anew.
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

    /// The same card about the object that these arguments name. The person typed what differs.
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

    /// The sentence about a declined card. `state` is that of the object
    /// at this time, where it could be read.
    pub fn cancelled(&self, by: Option<&str>, state: Option<&str>) -> String {
        let who = match by {
            Some(name) => format!("Cancelled by {name}."),
            None => "Cancelled.".to_owned(),
        };
        // Only an object that can be loaded exists already.
        let object = self.target.as_ref().filter(|_| self.preview);
        match (object, state) {
            (Some(object), Some(state)) => format!("{who} {} is still {state}.", object.value),
            (Some(object), None) => format!("{who} {} is unchanged.", object.value),
            (None, _) => format!("{who} Nothing was changed."),
        }
    }

    /// Whether this person may decide the card now.
    pub fn may_be_decided_by(
        &self,
        principal: &Principal,
        now: DateTime<Utc>,
    ) -> Result<(), DecideError> {
        if self.approvers.is_empty() {
            if principal.profile() != self.requested_by {
                return Err(DecideError::NotTheRequester);
            }
        } else if !principal.holds_any(&self.approvers) {
            let roles: Vec<&str> = self.approvers.iter().map(Role::as_str).collect();
            return Err(DecideError::NotAnApprover(roles.join(" or ")));
        }
        if now > self.expires_at {
            return Err(DecideError::Expired);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "approval_tests.rs"]
mod approval_tests;
