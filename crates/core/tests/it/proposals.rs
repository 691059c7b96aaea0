//! A model that may not write: its calls become forms, and the call that the person confirms runs.

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::Event;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::Ending;
use serde_json::{Value, json};

use crate::crashes::run_for;
use crate::kit::model::{ScriptedReply, call, calls, raw_call, says};
use crate::kit::runtime::{Runtime, ada, hanna};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

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

/// Covers each write that an ordinary model would run at once.
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

/// Invalid arguments are dropped from the form instead of refusing the call.
#[test]
fn arguments_need_not_be_right_to_prefill_a_form() {
    for (given, prefilled) in [
        (r#"{"ticket":"no. 7","act":"ok"}"#, json!({ "act": "ok" })),
        (r#"{"act":7,"colour":"red"}"#, json!({})),
        (
            r#"{"text":"text:9","ticket":"T-1"}"#,
            json!({ "ticket": "T-1" }),
        ),
        ("not JSON", json!({})),
    ] {
        let runtime = proposing();
        let script = [calls([raw_call("a", "send_letter", given)]), says("Done.")];
        assert_eq!(runtime.ask("Go on", script), Ending::AwaitingApproval);
        assert_eq!(card(&runtime).arguments, prefilled, "{given}");
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
        // The next worker has another model, which changes nothing.
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

/// Invalid arguments do not run, even if they are journalled.
#[test]
fn edited_arguments_are_checked_again_when_they_run() {
    let runtime = proposing();
    runtime.ask("Archive T-1", script("archive_ticket", json!({})));
    let edited = json!({ "ticket": "everything" });
    runtime.approve_edited(&hanna(), "a", &edited).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    assert_eq!(runtime.store.state().applied.len(), 0);
    let result = &runtime.finished()[0].told;
    assert!(result.contains("is not what was approved"), "{result}");
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

/// Rights are checked before a card is made.
#[test]
fn a_forbidden_call_is_refused_and_not_proposed() {
    let runtime = proposing();
    let ending = runtime.ask("Approve it", script("approve_gate_pass", json!({})));
    assert_eq!(ending, ANSWERED);
    let result = &runtime.finished()[0].told;
    assert!(result.contains("needs the role Admin_User"), "{result}");
}

/// A second person approves a complete call: nobody completes it for the requester.
#[test]
fn a_call_that_others_approve_is_complete_and_not_editable() {
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

/// The worker dies at every step after the journalled decision.
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
