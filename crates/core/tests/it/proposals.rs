//! A model that may not write: what it asks for is a form that a person completes, and what
//! the person confirms is what runs.

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::Event;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::Ending;
use serde_json::{Value, json};

use crate::crashes::run_for;
use crate::kit::desk::{Desk, ada, hanna};
use crate::kit::model::{Said, call, calls, raw_call, says};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

/// A desk whose model may not write.
fn proposing() -> Desk {
    let desk = Desk::new();
    desk.model.set_may_write(false);
    desk
}

fn script(tool: &str, arguments: Value) -> [Said; 2] {
    [calls([call("a", tool, arguments)]), says("It is settled.")]
}

#[track_caller]
fn card(desk: &Desk) -> ApprovalCard {
    let mut cards = desk.entries().into_iter().filter_map(|entry| {
        let Event::ApprovalRequested { card } = entry.event else {
            return None;
        };
        Some(card)
    });
    cards.next_back().expect("a card")
}

/// Each write that an ordinary model would run at once.
#[test]
fn a_write_becomes_a_card_with_its_form() {
    for tool in ["set_status", "add_note", "send_letter"] {
        let desk = proposing();
        let ending = desk.ask("Go on", script(tool, json!({ "ticket": "T-1" })));
        assert_eq!(ending, Ending::AwaitingApproval, "{tool}");
        let card = card(&desk);
        assert!(card.editable && card.approvers.is_empty());
        assert_eq!(card.arguments, json!({ "ticket": "T-1" }));
        assert_eq!(card.confirm, tool.replace('_', " "));
        let names: Vec<&str> = card.form.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["act", "ticket", "text", "photo", "refuse"]);
        assert_eq!(desk.lab.effects(), [""; 0]);

        desk.decide(&hanna(), "a", Decision::Approved).unwrap();
        assert_eq!(desk.resume(), ANSWERED);
        assert!(desk.finished()[0].ok, "{tool}");
    }
}

#[test]
fn reads_drafts_and_forms_run_at_once() {
    let desk = proposing();
    for tool in ["look_up", "draft_profile"] {
        assert_eq!(desk.ask("Go on", script(tool, json!({}))), ANSWERED);
        assert!(desk.finished().iter().all(|finished| finished.ok));
    }
    let opened = desk.open_form("send_letter", json!({}));
    let ending = desk.world.block_on(desk.run(opened, Default::default()));
    assert_eq!(ending.unwrap(), ANSWERED);
    assert_eq!(desk.lab.effects().len(), 2);
}

/// What does not fit is left out of the form instead of being refused.
#[test]
fn arguments_need_not_be_right_to_prefill_a_form() {
    for (given, kept) in [
        (r#"{"ticket":"no. 7","act":"ok"}"#, json!({ "act": "ok" })),
        (r#"{"act":7,"colour":"red"}"#, json!({})),
        (
            r#"{"text":"text:9","ticket":"T-1"}"#,
            json!({ "ticket": "T-1" }),
        ),
        ("not JSON", json!({})),
    ] {
        let desk = proposing();
        let said = [calls([raw_call("a", "send_letter", given)]), says("Done.")];
        assert_eq!(desk.ask("Go on", said), Ending::AwaitingApproval);
        assert_eq!(card(&desk).arguments, kept, "{given}");
        desk.decide(&hanna(), "a", Decision::Approved).unwrap();
        assert_eq!(desk.resume(), ANSWERED);
        assert_eq!(desk.lab.effects().len(), 1, "{given}");
    }
}

#[test]
fn edited_arguments_are_what_runs_once() {
    for may_write in [false, true] {
        let desk = Desk::new();
        desk.model.set_may_write(may_write);
        desk.ask(
            "Archive T-1",
            script("archive_ticket", json!({ "ticket": "T-1" })),
        );
        let edited = json!({ "ticket": "T-2" });
        desk.approve_edited(&hanna(), "a", &edited).unwrap();
        desk.decide(&hanna(), "a", Decision::Approved).unwrap_err();
        // The worker that takes over has another model, which changes nothing.
        desk.model.set_may_write(!may_write);
        assert_eq!(desk.resume(), ANSWERED);
        desk.saw(
            r#"
            turn.started
            approval.requested archive_ticket {"ticket":"T-1"}
            approval.decided a: Approved by Hanna
            tool.started archive_ticket {"ticket":"T-2"}
            tool.finished archive_ticket ok: {"done":"T-2"}
            text.delta "It is settled."
            turn.completed answered
            "#,
        );
        assert_eq!(desk.store.state().applied.len(), 1);
    }
}

/// Whatever stands in the journal, arguments that break the schema do not run.
#[test]
fn edited_arguments_are_checked_again_when_they_run() {
    let desk = proposing();
    desk.ask("Archive T-1", script("archive_ticket", json!({})));
    let edited = json!({ "ticket": "everything" });
    desk.approve_edited(&hanna(), "a", &edited).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    assert_eq!(desk.store.state().applied.len(), 0);
    let told = &desk.finished()[0].told;
    assert!(told.contains("is not what was approved"), "{told}");
}

#[test]
fn a_proposal_that_is_turned_down_changes_nothing_and_says_so() {
    let desk = proposing();
    desk.ask("Send it", script("send_letter", json!({})));
    desk.decide(&hanna(), "a", Decision::Rejected).unwrap();
    assert_eq!(desk.resume(), ANSWERED);
    assert_eq!(desk.lab.effects(), [""; 0]);
    assert_eq!(
        desk.finished()[0].summary,
        "Cancelled by Hanna. Nothing was changed."
    );
}

/// Rights come before the card.
#[test]
fn what_the_person_may_not_do_is_refused_and_not_proposed() {
    let desk = proposing();
    let ending = desk.ask("Approve it", script("approve_gate_pass", json!({})));
    assert_eq!(ending, ANSWERED);
    let told = &desk.finished()[0].told;
    assert!(told.contains("needs the role Admin_User"), "{told}");
}

/// A second person approves what was asked, whole: nobody completes it for the requester.
#[test]
fn what_others_approve_is_complete_and_not_edited() {
    let desk = proposing();
    let ending = desk.ask(
        "Delete",
        script("delete_ticket", json!({ "ticket": "T-1" })),
    );
    assert_eq!(ending, Ending::AwaitingApproval);
    let asked = card(&desk);
    assert!(!asked.editable && asked.form.is_empty());
    desk.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(desk.resume(), ANSWERED);

    let desk = proposing();
    let wrong = script("delete_ticket", json!({ "ticket": "number one" }));
    assert_eq!(desk.ask("Delete", wrong), ANSWERED);
    assert_eq!(desk.lab.effects(), [""; 0]);
}

/// The decision is in the journal when the worker dies, at every step after it.
#[test]
fn a_crash_after_the_decision_runs_the_edited_arguments_once() {
    for steps in 0..40 {
        let desk = proposing();
        desk.ask("Note T-1", script("add_note", json!({ "ticket": "T-1" })));
        desk.approve_edited(&hanna(), "a", &json!({ "ticket": "T-5" }))
            .unwrap();
        let opened = desk.take_over().expect("a decided turn");
        run_for(&desk, opened, steps);
        if !desk.store.state().turns[0].state.is_over() {
            desk.let_pass(60);
            assert_eq!(desk.resume(), ANSWERED);
        }
        assert_eq!(desk.store.state().applied.len(), 1, "after {steps} steps");
        let started = desk.entries().into_iter().find_map(|entry| {
            let Event::ToolStarted { arguments, .. } = entry.event else {
                return None;
            };
            Some(arguments)
        });
        assert_eq!(started, Some(json!({ "ticket": "T-5" })));
    }
}
