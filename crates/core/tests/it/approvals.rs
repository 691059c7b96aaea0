//! Calls that wait for a person: what is approved is what runs, once, or nothing does.

use chrono::Duration;
use frontdesk_core::access::Role;
use frontdesk_core::approval::{DecideError, Decision};
use frontdesk_core::event::Event;
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::run::Ending;
use frontdesk_core::store::StoreError;
use frontdesk_core::world::World;
use serde_json::json;

use crate::kit::desk::{Desk, ada, hanna, person_until};
use crate::kit::model::{Said, call, calls, says};
use crate::kit::world::VirtualWorld;

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

fn delete() -> [Said; 2] {
    [
        calls([call("a", "delete_ticket", json!({ "ticket": "T-1" }))]),
        says("It is settled."),
    ]
}

/// C9: nothing runs before somebody has decided.
#[test]
fn an_approved_call_runs_once_as_it_was_shown() {
    let desk = Desk::new();
    assert_eq!(desk.ask("Delete T-1", delete()), Ending::AwaitingApproval);
    assert_eq!(desk.lab.effects(), [""; 0]);
    assert_eq!(
        desk.store.state().turns[0].state,
        TurnState::AwaitingApproval
    );
    assert!(
        desk.take_over().is_none(),
        "there is nothing to do until somebody decides"
    );

    desk.let_pass(500);
    desk.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    desk.saw(
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
    assert_eq!(desk.lab.effects(), [format!("{}:a", desk.turn())]);
}

#[test]
fn the_card_says_what_will_run_and_who_may_decide() {
    let desk = Desk::new();
    let asked = desk.world.now();
    desk.ask("Delete T-1", delete());
    let Some(Event::ApprovalRequested { card }) = desk.entries().pop().map(|e| e.event) else {
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
    let desk = Desk::new();
    desk.ask("Delete T-1", delete());
    desk.decide(&ada(), "a", Decision::Rejected).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    desk.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Rejected by Ada
        tool.finished delete_ticket Declined: Error: delete_ticket was declined; it was not run
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(desk.lab.effects(), [""; 0]);
    // People are told of what they were asked about.
    let summary = &desk.finished()[0].summary;
    assert_eq!(summary, "Cancelled by Ada. Nothing was changed.");
}

#[test]
fn a_card_that_nobody_decides_expires_after_ten_minutes() {
    let desk = Desk::new();
    desk.ask("Delete T-1", delete());
    desk.let_pass(600);
    assert!(desk.take_over().is_none());
    desk.let_pass(1);
    let late = desk.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(
        late,
        Err(StoreError::Undecidable(DecideError::Expired))
    ));
    assert_eq!(desk.resume(), ANSWERED);
    desk.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Expired by nobody
        tool.finished delete_ticket Expired: Error: nobody decided about delete_ticket in time; it was not run
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(desk.lab.effects(), [""; 0]);
}

/// C11: an approval is for these arguments and no others.
// design: promises P9
#[test]
fn arguments_that_changed_after_the_approval_are_denied() {
    let desk = Desk::new();
    desk.ask("Delete T-1", delete());
    for entry in &mut desk.store.state().turns[0].entries {
        if let Event::ModelReplied { calls, .. } = &mut entry.event {
            calls[0].arguments = r#"{"ticket":"T-2"}"#.to_owned();
        }
    }
    desk.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    desk.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        approval.decided a: Approved by Ada
        tool.finished delete_ticket Declined: Error: delete_ticket is not what was approved; it was not run
        text.delta "It is settled."
        turn.completed answered
        "#,
    );
    assert_eq!(desk.lab.effects(), [""; 0]);
}

/// C10, G7: the wrong person, the second click and the replay change nothing.
#[test]
fn only_the_right_person_decides_and_only_once() {
    let desk = Desk::new();
    desk.ask("Delete T-1", delete());
    let requester = desk.decide(&hanna(), "a", Decision::Approved);
    assert!(matches!(
        requester,
        Err(StoreError::Undecidable(DecideError::NotAnApprover(_)))
    ));
    desk.decide(&ada(), "a", Decision::Rejected).unwrap();
    let again = desk.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(again, Err(StoreError::Conflict(_))));
    assert_eq!(desk.resume(), ANSWERED);
    let replay = desk.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(replay, Err(StoreError::Conflict(_))));
    assert_eq!(desk.lab.effects(), [""; 0]);
}

#[test]
fn without_approvers_the_requester_decides_and_nobody_else() {
    let desk = Desk::new();
    let script = [
        calls([call("a", "archive_ticket", json!({}))]),
        says("Archived."),
    ];
    assert_eq!(desk.ask("Archive it", script), Ending::AwaitingApproval);
    let other = desk.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(
        other,
        Err(StoreError::Undecidable(DecideError::NotTheRequester))
    ));
    desk.decide(&hanna(), "a", Decision::Approved).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    assert_eq!(desk.store.state().applied.len(), 1);
}

#[test]
fn three_requests_in_a_turn_and_no_more() {
    let desk = Desk::new();
    let ask = |id: &str| call(id, "delete_ticket", json!({}));
    let script = [
        calls([ask("a"), ask("b")]),
        calls([ask("c"), ask("d"), ask("e")]),
        says("Done."),
    ];
    assert_eq!(desk.ask("Delete all", script), Ending::AwaitingApproval);
    desk.decide(&ada(), "a", Decision::Approved).unwrap();
    assert!(desk.take_over().is_none(), "one decision is still missing");
    desk.decide(&ada(), "b", Decision::Rejected).unwrap();
    assert_eq!(desk.resume(), Ending::AwaitingApproval);
    desk.decide(&ada(), "c", Decision::Approved).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    desk.saw(
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
    let desk = Desk::new();
    desk.ask("Delete T-1", delete());
    assert!(desk.store.cancel(desk.turn()));
    assert_eq!(desk.resume(), Ending::Over(Outcome::Cancelled));
    desk.saw(
        r#"
        turn.started
        approval.requested delete_ticket {"ticket":"T-1"}
        tool.finished delete_ticket Stopped: Error: delete_ticket was not run: the turn was stopped
        turn.cancelled cancelled
        "#,
    );
    let late = desk.decide(&ada(), "a", Decision::Approved);
    assert!(matches!(late, Err(StoreError::Conflict(_))));
}

/// P9: whoever asked must still be who they were when it runs.
#[test]
fn rights_are_looked_at_again_when_the_call_runs() {
    let check = |signed_in_for: i64, runs: bool| {
        let expires = VirtualWorld::new().now() + Duration::seconds(signed_in_for);
        let desk = Desk::used_by(person_until("Eve", Role::ADMIN_USER, Some(expires)));
        let script = [
            calls([call("a", "fire_somebody", json!({}))]),
            says("Done."),
        ];
        assert_eq!(desk.ask("Fire them", script), Ending::AwaitingApproval);
        desk.let_pass(300);
        desk.decide(&ada(), "a", Decision::Approved).unwrap();
        assert_eq!(desk.resume(), ANSWERED);
        assert_eq!(desk.lab.effects().len(), usize::from(runs));
        let [only] = desk.finished().try_into().unwrap();
        let gone = "Error: fire_somebody needs the role Admin_User; your sign-in has run out, sign in again";
        assert_eq!(only.told == gone, !runs, "{}", only.told);
    };
    check(3_600, true);
    check(200, false);
}
