//! A model that may not write: what it asks for is a form that a person completes, and what
//! the person confirms is what runs.

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::Event;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::Ending;
use serde_json::{Value, json};

use crate::crashes::run_for;
use crate::kit::model::{ScriptedReply, call, calls, raw_call, says};
use crate::kit::runtime::{Runtime, ada, hanna};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

/// A desk whose model may not write.
fn proposing() -> Runtime {
    let runtime = Runtime::new();
    runtime.model.set_may_write(false);
    runtime
}

fn script(tool: &str, arguments: Value) -> [ScriptedReply; 2] {
    [calls([call("a", tool, arguments)]), says("It is settled.")]
}

#[track_caller]
fn card(runtime: &Runtime) -> ApprovalCard {
    let mut cards = runtime.entries().into_iter().filter_map(|entry| {
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
        let runtime = proposing();
        let ending = runtime.ask("Go on", script(tool, json!({ "ticket": "T-1" })));
        assert_eq!(ending, Ending::AwaitingApproval, "{tool}");
        let card = card(&runtime);
        assert!(card.editable && card.approvers.is_empty());
        assert_eq!(card.arguments, json!({ "ticket": "T-1" }));
        assert_eq!(card.confirm, tool.replace('_', " "));
        let names: Vec<&str> = card.form.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["act", "ticket", "text", "photo", "refuse"]);
        assert_eq!(runtime.lab.effects(), [""; 0]);

        runtime.decide(&hanna(), "a", Decision::Approved).unwrap();
        assert_eq!(runtime.resume(), ANSWERED);
        assert!(runtime.finished()[0].ok, "{tool}");
    }
}

#[test]
fn reads_drafts_and_forms_run_at_once() {
    let runtime = proposing();
    for tool in ["look_up", "draft_profile"] {
        assert_eq!(runtime.ask("Go on", script(tool, json!({}))), ANSWERED);
        assert!(runtime.finished().iter().all(|finished| finished.ok));
    }
    let opened = runtime.open_form("send_letter", json!({}));
    let ending = runtime
        .env
        .block_on(runtime.run(opened, Default::default()));
    assert_eq!(ending.unwrap(), ANSWERED);
    assert_eq!(runtime.lab.effects().len(), 2);
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
        let runtime = proposing();
        let said = [calls([raw_call("a", "send_letter", given)]), says("Done.")];
        assert_eq!(runtime.ask("Go on", said), Ending::AwaitingApproval);
        assert_eq!(card(&runtime).arguments, kept, "{given}");
        runtime.decide(&hanna(), "a", Decision::Approved).unwrap();
        assert_eq!(runtime.resume(), ANSWERED);
        assert_eq!(runtime.lab.effects().len(), 1, "{given}");
    }
}

#[test]
fn edited_arguments_are_what_runs_once() {
    for may_write in [false, true] {
        let runtime = Runtime::new();
        runtime.model.set_may_write(may_write);
        runtime.ask(
            "Archive T-1",
            script("archive_ticket", json!({ "ticket": "T-1" })),
        );
        let edited = json!({ "ticket": "T-2" });
        runtime.approve_edited(&hanna(), "a", &edited).unwrap();
        runtime
            .decide(&hanna(), "a", Decision::Approved)
            .unwrap_err();
        // The worker that takes over has another model, which changes nothing.
        runtime.model.set_may_write(!may_write);
        assert_eq!(runtime.resume(), ANSWERED);
        runtime.saw(
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
        assert_eq!(runtime.store.state().applied.len(), 1);
    }
}

/// Whatever stands in the journal, arguments that break the schema do not run.
#[test]
fn edited_arguments_are_checked_again_when_they_run() {
    let runtime = proposing();
    runtime.ask("Archive T-1", script("archive_ticket", json!({})));
    let edited = json!({ "ticket": "everything" });
    runtime.approve_edited(&hanna(), "a", &edited).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    assert_eq!(runtime.store.state().applied.len(), 0);
    let told = &runtime.finished()[0].told;
    assert!(told.contains("is not what was approved"), "{told}");
}

#[test]
fn a_proposal_that_is_turned_down_changes_nothing_and_says_so() {
    let runtime = proposing();
    runtime.ask("Send it", script("send_letter", json!({})));
    runtime.decide(&hanna(), "a", Decision::Rejected).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    assert_eq!(runtime.lab.effects(), [""; 0]);
    assert_eq!(
        runtime.finished()[0].summary,
        "Cancelled by Hanna. Nothing was changed."
    );
}

/// Rights come before the card.
#[test]
fn what_the_person_may_not_do_is_refused_and_not_proposed() {
    let runtime = proposing();
    let ending = runtime.ask("Approve it", script("approve_gate_pass", json!({})));
    assert_eq!(ending, ANSWERED);
    let told = &runtime.finished()[0].told;
    assert!(told.contains("needs the role Admin_User"), "{told}");
}

/// A second person approves what was asked, whole: nobody completes it for the requester.
#[test]
fn what_others_approve_is_complete_and_not_edited() {
    let runtime = proposing();
    let ending = runtime.ask(
        "Delete",
        script("delete_ticket", json!({ "ticket": "T-1" })),
    );
    assert_eq!(ending, Ending::AwaitingApproval);
    let asked = card(&runtime);
    assert!(!asked.editable && asked.form.is_empty());
    runtime.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);

    let runtime = proposing();
    let wrong = script("delete_ticket", json!({ "ticket": "number one" }));
    assert_eq!(runtime.ask("Delete", wrong), ANSWERED);
    assert_eq!(runtime.lab.effects(), [""; 0]);
}

/// The decision is in the journal when the worker dies, at every step after it.
#[test]
fn a_crash_after_the_decision_runs_the_edited_arguments_once() {
    for steps in 0..40 {
        let runtime = proposing();
        runtime.ask("Note T-1", script("add_note", json!({ "ticket": "T-1" })));
        runtime
            .approve_edited(&hanna(), "a", &json!({ "ticket": "T-5" }))
            .unwrap();
        let opened = runtime.take_over().expect("a decided turn");
        run_for(&runtime, opened, steps);
        if !runtime.store.state().turns[0].state.is_over() {
            runtime.let_pass(60);
            assert_eq!(runtime.resume(), ANSWERED);
        }
        assert_eq!(
            runtime.store.state().applied.len(),
            1,
            "after {steps} steps"
        );
        let started = runtime.entries().into_iter().find_map(|entry| {
            let Event::ToolStarted { arguments, .. } = entry.event else {
                return None;
            };
            Some(arguments)
        });
        assert_eq!(started, Some(json!({ "ticket": "T-5" })));
    }
}
