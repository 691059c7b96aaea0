//! Rules beyond a single call: roles, phases, needs, artifacts, handles and forms.

use frontdesk_core::access::Role;
use frontdesk_core::approval::Decision;
use frontdesk_core::artifact::ArtifactStatus;
use frontdesk_core::env::Env;
use frontdesk_core::event::{Event, Finished};
use frontdesk_core::id::AttachmentId;
use frontdesk_core::message::Message;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::{Cancel, Ending};
use serde_json::{Value, json};

use crate::kit::lab::CLOSING;
use crate::kit::model::{call, calls, says};
use crate::kit::runtime::{Runtime, hanna, person};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

/// C2: the tool of another role is neither offered nor run.
// design: promises compromised model
#[test]
fn a_guard_cannot_approve() {
    let runtime = Runtime::used_by(person("Omar", Role::GATE_USER));
    let script = [
        calls([call("a", "approve_gate_pass", json!({}))]),
        says("Only an admin can approve passes."),
    ];
    assert_eq!(
        runtime.ask("Approve GP-2026-0001, I am Omar.", script),
        ANSWERED
    );
    runtime.saw(
        r#"
        turn.started
        tool.finished approve_gate_pass Role: Error: approve_gate_pass needs the role Admin_User; you are signed in as Gate_User
        text.delta "Only an admin can approve passes."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
    let offered = runtime.model.asked().remove(0).tools;
    assert!(!offered.contains(&"approve_gate_pass".to_owned()));

    let runtime = Runtime::used_by(person("Ada", Role::ADMIN_USER));
    let script = [
        calls([call("a", "approve_gate_pass", json!({}))]),
        says("Approved."),
    ];
    assert_eq!(runtime.ask("Approve it", script), ANSWERED);
    assert_eq!(runtime.lab.effects().len(), 1);
}

#[test]
fn a_new_phase_changes_the_tools_and_the_instructions_at_once() {
    let runtime = Runtime::new();
    let script = [
        calls([
            call("a", "say_goodbye", json!({})),
            call("b", "add_note", json!({ "act": "close" })),
        ]),
        calls([call("c", "say_goodbye", json!({}))]),
        says("Goodbye."),
    ];
    assert_eq!(runtime.ask("That is all", script), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        tool.finished say_goodbye Phase: Error: say_goodbye can be used in the phase closing; this conversation is in intake
        tool.started add_note {"act":"close"}
        phase.changed intake → closing: all is said
        tool.finished add_note ok: {"done":null}
        tool.started say_goodbye {}
        tool.finished say_goodbye ok: {"done":null}
        text.delta "Goodbye."
        turn.completed answered
        "#,
    );
    let asked = runtime.model.asked();
    let offered = |n: usize| asked[n].tools.contains(&"say_goodbye".to_owned());
    assert_eq!((offered(0), offered(1)), (false, true));
    let prompt = |n: usize| asked[n].messages[0].text().unwrap().to_owned();
    assert_eq!(prompt(0), "You are the front desk.\n\nTake the ticket in.");
    assert_eq!(prompt(1), "You are the front desk.\n\nClose the ticket.");
    assert_eq!(runtime.store.state().conversation.phase, CLOSING);
}

/// Property 8 of the recruiting design: missing needs are listed, and nothing runs.
#[test]
fn missing_needs_are_listed_by_name() {
    let runtime = Runtime::new();
    let ad = |id| calls([call(id, "write_ad", json!({}))]);
    let profile = |id, act| calls([call(id, "draft_profile", json!({ "act": act }))]);
    let script = [
        ad("a"),
        profile("b", "draft"),
        profile("d", "confirm"),
        ad("e"),
        says("Done."),
    ];
    assert_eq!(runtime.ask("Write an ad", script), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        tool.finished write_ad Needs: Error: Cannot execute write_ad: requires a requirement profile
        tool.started draft_profile {"act":"draft"}
        artifact.saved profile v1 Draft
        tool.finished draft_profile ok: {"done":null}
        tool.started draft_profile {"act":"confirm"}
        artifact.saved profile v2 Confirmed
        tool.finished draft_profile ok: {"done":null}
        tool.started write_ad {}
        tool.finished write_ad ok: {"done":null}
        text.delta "Done."
        turn.completed answered
        "#,
    );
    let state = runtime.store.state();
    let versions: Vec<_> = state
        .artifacts
        .iter()
        .map(|a| (a.version, a.status))
        .collect();
    assert_eq!(
        versions,
        [(1, ArtifactStatus::Draft), (2, ArtifactStatus::Confirmed)]
    );
    let done = &state.conversation.progress.tools_done;
    assert_eq!(
        done.iter().collect::<Vec<_>>(),
        ["draft_profile", "write_ad"]
    );
}

/// An unconfirmed draft does not refuse a call that builds on it: the person confirms both.
#[test]
fn a_draft_is_confirmed_together_with_what_builds_on_it() {
    let runtime = Runtime::new();
    let draft = calls([call("a", "draft_profile", json!({ "act": "draft" }))]);
    let ad = calls([call("b", "write_ad", json!({}))]);
    let script = [draft, ad, says("Done.")];
    assert_eq!(runtime.ask("Write an ad", script), Ending::AwaitingApproval);
    let Some(Event::ApprovalRequested { card }) = runtime.entries().pop().map(|e| e.event) else {
        panic!("a card is the last thing told");
    };
    assert_eq!(card.title, "Confirm a requirement profile, then: write ad");
    runtime.decide(&hanna(), "b", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    let done = &runtime.store.state().conversation.progress.tools_done;
    assert!(done.contains("write_ad"), "{done:?}");
}

#[test]
fn versions_go_on_counting_in_the_next_turn() {
    let runtime = Runtime::new();
    let draft = || calls([call("a", "draft_profile", json!({ "act": "draft" }))]);
    for _ in 0..3 {
        assert_eq!(runtime.ask("Again", [draft(), says("Done.")]), ANSWERED);
    }
    let state = runtime.store.state();
    assert_eq!(
        state
            .artifacts
            .iter()
            .map(|a| a.version)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
}

fn finished(runtime: &Runtime, call_id: &str) -> Finished {
    let found = runtime
        .finished()
        .into_iter()
        .find(|f| f.call_id == call_id);
    found.unwrap()
}

#[test]
fn a_pasted_text_reaches_the_tool_byte_for_byte() {
    let runtime = Runtime::new();
    let pasted = format!(
        "Zoë:\r\n\"quoted\" \u{200B}\u{E0041}\\ \t{}",
        "line\n".repeat(400)
    );
    let echo = |id, text: &str| call(id, "look_up", json!({ "act": "echo", "text": text }));
    let script = [
        calls([
            echo("a", "text:1"),
            echo("b", " [text:1] "),
            echo("c", "see text:1"),
            echo("d", "text:2"),
        ]),
        says("Read."),
    ];
    assert_eq!(
        runtime.ask(&format!("Summarise this:\n{pasted}"), script),
        ANSWERED
    );
    assert_eq!(finished(&runtime, "a").result, pasted);
    assert_eq!(finished(&runtime, "b").result, pasted);
    assert_eq!(finished(&runtime, "c").result, "see text:1");
    let shown = runtime.model.asked().remove(0).messages.pop().unwrap();
    let characters = pasted.chars().count();
    assert_eq!(
        shown,
        Message::user(format!(
            "Summarise this:\n\n[text:1, {characters} characters]\nZoë:\n\"quoted\" \\ \tline\nline\n[…]\nline\nline\nline"
        ))
    );
    assert_eq!(
        finished(&runtime, "d").told,
        "Error: look_up: `text` names text:2, but this conversation has no such text"
    );
}

#[test]
fn a_file_is_named_by_its_handle() {
    let runtime = Runtime::new();
    let id = AttachmentId::from_uuid(runtime.env.id());
    runtime.store.state().attach(id, "photo.png");
    let photo = |call_id, handle: &str| {
        call(
            call_id,
            "look_up",
            json!({ "act": "photo", "photo": handle }),
        )
    };
    let script = [
        calls([photo("a", "file:1"), photo("b", "file:2")]),
        says("Nice."),
    ];
    assert_eq!(runtime.ask("Look at my photo", script), ANSWERED);
    assert_eq!(finished(&runtime, "a").result, id.to_string());
    assert_eq!(finished(&runtime, "b").result, Value::Null);
}

#[track_caller]
fn fill_in(runtime: &Runtime, tool: &str, arguments: Value) -> Ending {
    runtime.model.will_say([]);
    let opened = runtime.open_form(tool, arguments);
    let began = runtime.env.now();
    let ending = runtime
        .env
        .block_on(runtime.run(opened, Cancel::default()))
        .unwrap();
    runtime.check_since(began);
    ending
}

#[test]
fn a_form_runs_its_tool_and_asks_no_model() {
    let runtime = Runtime::new();
    assert_eq!(
        fill_in(&runtime, "add_note", json!({ "ticket": "T-1" })),
        ANSWERED
    );
    runtime.saw(
        r#"
        turn.started
        tool.started add_note {"ticket":"T-1"}
        tool.finished add_note ok: {"done":"T-1"}
        text.delta "add note is done."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.model.asked().len(), 0);
    assert_eq!(runtime.store.state().applied.len(), 1);
}

#[test]
fn a_form_is_held_to_the_same_rules() {
    let runtime = Runtime::new();
    assert_eq!(fill_in(&runtime, "approve_gate_pass", json!({})), ANSWERED);
    assert_eq!(
        runtime.answer().unwrap(),
        "approve_gate_pass needs the role Admin_User; you are signed in as HR_User"
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
}

#[test]
fn a_form_whose_outcome_is_unknown_is_interrupted() {
    let runtime = Runtime::new();
    let ending = fill_in(&runtime, "send_letter", json!({ "act": "unknown" }));
    assert_eq!(ending, Ending::Over(Outcome::Interrupted));
}
