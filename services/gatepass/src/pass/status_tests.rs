//! The state machine against the contract's table, transition by transition.

use proptest::prelude::*;

use super::status::{Action, Effect, Status, allowed_actions, decide};

fn statuses() -> impl Strategy<Value = Status> {
    proptest::sample::select(Status::ALL.to_vec())
}

fn actions() -> impl Strategy<Value = Action> {
    proptest::sample::select(Action::ALL.to_vec())
}

// design: 003 GatePass.status
#[test]
fn the_table_of_transitions_is_exactly_the_contract() {
    use Action::*;
    use Effect::*;
    use Status::*;
    let allowed = [
        (Pending, Approve, Becomes(Approved)),
        (Pending, Reject, Becomes(Rejected)),
        (Pending, Delete, Deletes),
        (Approved, ScanExit, Becomes(Exited)),
        (Approved, Delete, Deletes),
        (Approved, Print, LeavesAsIs),
        (Rejected, Delete, Deletes),
        (Rejected, Print, LeavesAsIs),
        (Exited, ScanReturn, Becomes(Returned)),
        (Exited, Print, LeavesAsIs),
        (Returned, Print, LeavesAsIs),
    ];
    for status in Status::ALL {
        for action in Action::ALL {
            let expected = allowed
                .iter()
                .find(|(from, what, _)| *from == status && *what == action)
                .map(|(_, _, effect)| *effect);
            assert_eq!(
                decide(status, true, action),
                expected,
                "{status:?} {action:?}"
            );
        }
    }
}

#[test]
fn a_non_returnable_pass_ends_at_the_gate() {
    assert_eq!(decide(Status::Exited, false, Action::ScanReturn), None);
    assert_eq!(
        allowed_actions(Status::Exited, false),
        vec![Action::Print],
        "only its record may be printed"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Under any sequence of actions a pass follows pending → approved → exited → returned,
    /// or pending → rejected.
    #[test]
    fn any_sequence_of_actions_follows_the_state_machine(
        returnable: bool,
        tried in proptest::collection::vec(actions(), 0..30),
    ) {
        let mut walked = vec![Status::Pending];
        for action in tried {
            let now = walked[walked.len() - 1];
            match decide(now, returnable, action) {
                Some(Effect::Becomes(next)) => walked.push(next),
                Some(Effect::Deletes) => break,
                Some(Effect::LeavesAsIs) | None => {}
            }
        }
        use Status::*;
        let longest: &[Status] = if walked.contains(&Rejected) {
            &[Pending, Rejected]
        } else if returnable {
            &[Pending, Approved, Exited, Returned]
        } else {
            &[Pending, Approved, Exited]
        };
        prop_assert!(longest.starts_with(&walked), "{walked:?}");
    }

    /// `allowed_actions` and `decide` always agree.
    #[test]
    fn allowed_actions_are_exactly_those_decided(status in statuses(), returnable: bool, action in actions()) {
        prop_assert_eq!(
            allowed_actions(status, returnable).contains(&action),
            decide(status, returnable, action).is_some()
        );
        prop_assert_eq!(action.allowed_from().contains(&status), decide(status, true, action).is_some());
    }
}
