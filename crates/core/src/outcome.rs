//! The outcomes of a turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::model::ModelErrorKind;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, IntoStaticStr)]
#[serde(rename_all = "snake_case", tag = "outcome")]
#[strum(serialize_all = "snake_case")]
pub enum Outcome {
    Answered,
    /// The provider's filter or the model declined.
    Refused,
    OutOfRounds,
    OutOfBudget,
    TimedOut,
    EmptyAnswer,
    /// The provider cut the reply twice.
    CutOff,
    ModelFailed {
        kind: ModelErrorKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_seconds: Option<u64>,
    },
    Cancelled,
    /// A started call has an unknown result, or the turn could not continue.
    Interrupted,
}

/// The state of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TurnState {
    Running,
    AwaitingApproval,
    Completed,
    Failed,
    Cancelled,
    Interrupted,
}

impl TurnState {
    pub fn is_over(self) -> bool {
        match self {
            TurnState::Running | TurnState::AwaitingApproval => false,
            TurnState::Completed
            | TurnState::Failed
            | TurnState::Cancelled
            | TurnState::Interrupted => true,
        }
    }

    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Outcome {
    pub fn state(&self) -> TurnState {
        match self {
            Outcome::Answered | Outcome::Refused => TurnState::Completed,
            Outcome::OutOfRounds
            | Outcome::OutOfBudget
            | Outcome::TimedOut
            | Outcome::EmptyAnswer
            | Outcome::CutOff
            | Outcome::ModelFailed { .. } => TurnState::Failed,
            Outcome::Cancelled => TurnState::Cancelled,
            Outcome::Interrupted => TurnState::Interrupted,
        }
    }

    pub fn as_str(&self) -> &'static str {
        self.into()
    }

    /// Shown to the person if there is no answer.
    pub fn notice(&self) -> Option<&'static str> {
        match self {
            Outcome::Answered => None,
            Outcome::Refused => {
                Some("The model declined to answer this. Try to ask it in another way.")
            }
            Outcome::OutOfRounds => Some(
                "This took more steps than one message may take. Ask for a smaller part of it.",
            ),
            Outcome::OutOfBudget => Some(
                "The token budget for this is used up. Ask for less, or start a new conversation.",
            ),
            Outcome::CutOff => Some(
                "The model's reply was cut off before it was complete, so nothing was done. Try again, or ask for less at once.",
            ),
            Outcome::TimedOut => Some("This took too long and was stopped. Please try again."),
            Outcome::EmptyAnswer => {
                Some("I apologize, but I couldn't generate a response. Please try again.")
            }
            Outcome::ModelFailed {
                kind: ModelErrorKind::RateLimited,
                ..
            } => Some("Too many requests, please wait"),
            Outcome::ModelFailed { .. } => Some("Unable to generate response, please try again"),
            Outcome::Cancelled => Some("Stopped."),
            Outcome::Interrupted => Some(
                "The work was interrupted and it is not known whether the last step was carried out. Check the current state before trying again.",
            ),
        }
    }
}
