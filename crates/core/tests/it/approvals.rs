//! Calls that wait for a person: the approved call runs once, or nothing runs.

use chrono::Duration;
use frontdesk_core::access::Role;
use frontdesk_core::approval::{DecideError, Decision};
use frontdesk_core::env::Env;
use frontdesk_core::event::Event;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::run::Ending;
use frontdesk_core::store::StoreError;
use serde_json::json;

use crate::kit::env::VirtualEnv;
use crate::kit::model::{ScriptedReply, call, calls, says};
use crate::kit::runtime::{Runtime, ada, hanna, person_until};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

fn delete() -> [ScriptedReply; 2] {
    [
        calls([call("a", "delete_ticket", json!({ "ticket": "T-1" }))]),
        says("It is settled."),
    ]
}

/// C9: nothing runs before a decision.
#[test]
fn an_approved_call_runs_once_as_it_was_shown() {
    let runtime = Runtime::new();
    assert_eq!(
        runtime.ask("Delete T-1", delete()),
        Ending::AwaitingApproval
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
    assert_eq!(
        runtime.store.state().turns[0].state,
        TurnState::AwaitingApproval
    );
    assert!(
        runtime.take_over().is_none(),
        "there is nothing to do until somebody decides"
    );

    runtime.let_pass(500);
    runtime.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Approved by Ada
        tool.started delete_ticket {"ticket":"T-1"}
        tool.finished delete_ticket ok: {"done":"T-1"}
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.lab.effects(), [format!("{}:a", runtime.turn())]);
}

#[test]
fn the_card_says_what_will_run_and_who_may_decide() {
    let runtime = Runtime::new();
    let asked = runtime.env.now();
    runtime.ask("Delete T-1", delete());
    let Some(Event::ApprovalRequested { card }) = runtime.entries().pop().map(|e| e.event) else {
        panic!("a card is the last thing told");
    };
    assert_eq!(
        (card.tool.as_str(), card.title.as_str(), &card.arguments),
        (
            "delete_ticket",
            "delete ticket",
            &json!({ "ticket": "T-1" })
        )
    );
    assert_eq!(
        (card.requested_by, card.requester.as_str()),
        (hanna().profile(), "Hanna")
    );
    assert_eq!(card.approvers, [Role::ADMIN_USER]);
    assert_eq!((card.expires_at - asked).num_seconds(), 600);
}

#[test]
fn a_rejected_call_is_answered_and_not_run() {
    let runtime = Runtime::new();
    runtime.ask("Delete T-1", delete());
    runtime.decide(&ada(), "a", Decision::Rejected).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Rejected by Ada
        tool.finished delete_ticket Declined: Error: delete_ticket was declined; it was not run
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
    // The notice names the card's title.
    let summary = &runtime.finished()[0].summary;
    assert_eq!(summary, "Cancelled by Ada. Nothing was changed.");
}

#[test]
fn a_card_that_nobody_decides_expires_after_ten_minutes() {
    let runtime = Runtime::new();
    runtime.ask("Delete T-1", delete());
    runtime.let_pass(600);
    assert!(runtime.take_over().is_none());
    runtime.let_pass(1);
    let late = runtime.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(
        late,
        Err(StoreError::Undecidable(DecideError::Expired))
    ));
    assert_eq!(runtime.resume(), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Expired by nobody
        tool.finished delete_ticket Expired: Error: nobody decided about delete_ticket in time; it was not run
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
}

/// C11: an approval covers these arguments only.
// design: promises P9
#[test]
fn arguments_that_changed_after_the_approval_are_denied() {
    let runtime = Runtime::new();
    runtime.ask("Delete T-1", delete());
    for entry in &mut runtime.store.state().turns[0].entries {
        if let Event::ModelReplied { calls, .. } = &mut entry.event {
            calls[0].arguments = r#"{"ticket":"T-2"}"#.to_owned();
        }
    }
    runtime.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Approved by Ada
        tool.finished delete_ticket Declined: Error: delete_ticket is not what was approved; it was not run
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
}

/// C10, G7: a wrong person, a second click and a replay change nothing.
#[test]
fn only_the_right_person_decides_and_only_once() {
    let runtime = Runtime::new();
    runtime.ask("Delete T-1", delete());
    let requester = runtime.decide(&hanna(), "a", Decision::Approved);
    assert!(matches!(
        requester,
        Err(StoreError::Undecidable(DecideError::NotAnApprover(_)))
    ));
    runtime.decide(&ada(), "a", Decision::Rejected).unwrap();
    let again = runtime.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(again, Err(StoreError::Conflict(_))));
    assert_eq!(runtime.resume(), ANSWERED);
    let replay = runtime.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(replay, Err(StoreError::Conflict(_))));
    assert_eq!(runtime.lab.effects(), [""; 0]);
}

#[test]
fn without_approvers_the_requester_decides_and_nobody_else() {
    let runtime = Runtime::new();
    let script = [
        calls([call("a", "archive_ticket", json!({}))]),
        says("Archived."),
    ];
    assert_eq!(runtime.ask("Archive it", script), Ending::AwaitingApproval);
    let other = runtime.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(
        other,
        Err(StoreError::Undecidable(DecideError::NotTheRequester))
    ));
    runtime.decide(&hanna(), "a", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    assert_eq!(runtime.store.state().applied.len(), 1);
}

#[test]
fn three_requests_in_a_turn_and_no_more() {
    let runtime = Runtime::new();
    let ask = |id: &str| call(id, "delete_ticket", json!({}));
    let script = [
        calls([ask("a"), ask("b")]),
        calls([ask("c"), ask("d"), ask("e")]),
        says("Done."),
    ];
    assert_eq!(runtime.ask("Delete all", script), Ending::AwaitingApproval);
    runtime.decide(&ada(), "a", Decision::Approved).unwrap();
    assert!(
        runtime.take_over().is_none(),
        "one decision is still missing"
    );
    runtime.decide(&ada(), "b", Decision::Rejected).unwrap();
    assert_eq!(runtime.resume(), Ending::AwaitingApproval);
    runtime.decide(&ada(), "c", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        approval.requested delete_ticket {}
        approval.requested delete_ticket {}
        approval.decided a: Approved by Ada
        approval.decided b: Rejected by Ada
        tool.started delete_ticket {}
        tool.finished delete_ticket ok: {"done":null}
        tool.finished delete_ticket Declined: Error: delete_ticket was declined; it was not run
        approval.requested delete_ticket {}
        approval.decided c: Approved by Ada
        tool.started delete_ticket {}
        tool.finished delete_ticket ok: {"done":null}
        tool.finished delete_ticket Limit: Error: delete_ticket: limit of 3 requests for approval in one turn reached
        tool.finished delete_ticket Limit: Error: delete_ticket: limit of 3 requests for approval in one turn reached
        text.delta "Done."
        turn.completed answered
        "#,
    );
}

#[test]
fn a_turn_that_waits_can_be_cancelled() {
    let runtime = Runtime::new();
    runtime.ask("Delete T-1", delete());
    assert!(runtime.store.cancel(runtime.turn()));
    assert_eq!(runtime.resume(), Ending::Over(Outcome::Cancelled));
    runtime.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        tool.finished delete_ticket Stopped: Error: delete_ticket was not run: the turn was stopped
        turn.cancelled cancelled
        "#,
    );
    let late = runtime.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(late, Err(StoreError::Conflict(_))));
}

/// P9: the requester must still have their rights when the call runs.
#[test]
fn rights_are_checked_again_when_the_call_runs() {
    let check = |signed_in_for: i64, runs: bool| {
        let expires = VirtualEnv::new().now() + Duration::seconds(signed_in_for);
        let runtime = Runtime::used_by(person_until("Eve", Role::ADMIN_USER, Some(expires)));
        let script = [
            calls([call("a", "fire_somebody", json!({}))]),
            says("Done."),
        ];
        assert_eq!(runtime.ask("Fire them", script), Ending::AwaitingApproval);
        runtime.let_pass(300);
        runtime.decide(&ada(), "a", Decision::Approved).unwrap();
        assert_eq!(runtime.resume(), ANSWERED);
        assert_eq!(runtime.lab.effects().len(), usize::from(runs));
        let [only] = runtime.finished().try_into().unwrap();
        let gone = "Error: fire_somebody needs the role Admin_User; your sign-in has run out, sign in again";
        assert_eq!(only.told == gone, !runs, "{}", only.told);
    };
    check(3_600, true);
    check(200, false);
}
