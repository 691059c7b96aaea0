//! The state machine of a pass: one pure function decides for all callers.

use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

/// The status of a pass. These five words are part of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub(crate) enum Status {
    Pending,
    Approved,
    Rejected,
    Exited,
    Returned,
}

/// A requested action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
pub(crate) enum Action {
    Approve,
    Reject,
    Delete,
    ScanExit,
    ScanReturn,
    Print,
}

/// The effect of an allowed action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Becomes(Status),
    Deletes,
    LeavesAsIs,
}

impl Status {
    pub(crate) const ALL: [Status; 5] = [
        Status::Pending,
        Status::Approved,
        Status::Rejected,
        Status::Exited,
        Status::Returned,
    ];
}

impl Action {
    pub(crate) const ALL: [Action; 6] = [
        Action::Approve,
        Action::Reject,
        Action::Delete,
        Action::ScanExit,
        Action::ScanReturn,
        Action::Print,
    ];

    /// The participle for "it cannot be …".
    pub(crate) fn participle(self) -> &'static str {
        match self {
            Action::Approve => "approved",
            Action::Reject => "rejected",
            Action::Delete => "deleted",
            Action::ScanExit => "scanned out",
            Action::ScanReturn => "scanned back in",
            Action::Print => "printed",
        }
    }

    /// The states from which the action is possible, for a returnable pass.
    pub(crate) fn allowed_from(self) -> Vec<Status> {
        Status::ALL
            .into_iter()
            .filter(|status| decide(*status, true, self).is_some())
            .collect()
    }
}

/// The state machine: the effect of `action` on a pass in `status`, or `None` if not
/// allowed.
pub(crate) fn decide(status: Status, is_returnable: bool, action: Action) -> Option<Effect> {
    use Status::{Approved, Exited, Pending, Rejected, Returned};
    let (from, effect): (&[Status], Effect) = match action {
        Action::Approve => (&[Pending], Effect::Becomes(Approved)),
        Action::Reject => (&[Pending], Effect::Becomes(Rejected)),
        // After an exit a pass is a record and must stay.
        Action::Delete => (&[Pending, Approved, Rejected], Effect::Deletes),
        Action::ScanExit => (&[Approved], Effect::Becomes(Exited)),
        Action::ScanReturn if !is_returnable => return None,
        Action::ScanReturn => (&[Exited], Effect::Becomes(Returned)),
        Action::Print => (&[Approved, Rejected, Exited, Returned], Effect::LeavesAsIs),
    };
    from.contains(&status).then_some(effect)
}

/// All allowed actions in this state.
pub(crate) fn allowed_actions(status: Status, is_returnable: bool) -> Vec<Action> {
    Action::ALL
        .into_iter()
        .filter(|action| decide(status, is_returnable, *action).is_some())
        .collect()
}
