//! Turns that end early: cancelled, or out of time.

use std::time::Duration;

use frontdesk_core::env::Env;
use frontdesk_core::message::Message;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::{Cancel, Ending};
use frontdesk_core::store::StoreError;
use futures_util::future::join;
use serde_json::json;

use crate::kit::model::{ScriptedReply, call, calls, says};
use crate::kit::runtime::Runtime;

const CANCELLED: Ending = Ending::Over(Outcome::Cancelled);
const TIMED_OUT: Ending = Ending::Over(Outcome::TimedOut);

/// Sends a message and cancels after this many milliseconds.
#[track_caller]
fn cancelled_after(
    runtime: &Runtime,
    millis: u64,
    script: impl IntoIterator<Item = ScriptedReply>,
) -> Ending {
    runtime.model.will_say(script);
    let opened = runtime.open("Go on");
    let began = runtime.env.now();
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let (ending, ()) = runtime
        .env
        .block_on(join(runtime.run(opened, cancel), async {
            runtime.env.sleep(Duration::from_millis(millis)).await;
            stop.cancel();
        }));
    runtime.check_since(began);
    ending.unwrap()
}

#[test]
fn text_before_a_cancellation_stays() {
    let runtime = Runtime::new();
    let slow = says("Once upon ")
        .wait(Duration::from_secs(9))
        .text("a time");
    assert_eq!(cancelled_after(&runtime, 1_000, [slow]), CANCELLED);
    runtime.saw(
        r#"
        turn.started
        text.delta "Once upon "
        turn.cancelled cancelled
        "#,
    );
    assert_eq!(runtime.answer().unwrap(), "Once upon ");
    runtime.ask("And then?", [says("They lived.")]);
    let messages = runtime.model.asked().remove(0).messages;
    assert_eq!(
        messages[1..3],
        [Message::user("Go on"), Message::assistant("Once upon")]
    );
}

#[test]
fn a_turn_stopped_before_its_first_word_has_no_answer() {
    let runtime = Runtime::new();
    assert_eq!(
        cancelled_after(&runtime, 1_000, [ScriptedReply::default().hang()]),
        CANCELLED
    );
    assert_eq!(runtime.answer(), None);
}

#[test]
fn reads_are_dropped_and_their_calls_answered() {
    let runtime = Runtime::new();
    let hang = |id| call(id, "look_up", json!({ "act": "hang" }));
    let script =
        says("Let me look.").calls([hang("a"), hang("b"), call("c", "send_letter", json!({}))]);
    assert_eq!(cancelled_after(&runtime, 1_000, [script]), CANCELLED);
    runtime.saw(
        r#"
        turn.started
        text.delta "Let me look."
        tool.started look_up {"act":"hang"}
        tool.started look_up {"act":"hang"}
        tool.finished look_up Stopped: Error: look_up was not run: the turn was stopped
        tool.finished look_up Stopped: Error: look_up was not run: the turn was stopped
        tool.finished send_letter Stopped: Error: send_letter was not run: the turn was stopped
        turn.cancelled cancelled
        "#,
    );
    assert_eq!(runtime.answer().unwrap(), "Let me look.");
    // The text precedes the calls in the history and is not repeated.
    runtime.ask("So?", [says("Hm.")]);
    let messages = runtime.model.asked().remove(0).messages;
    let words = messages
        .iter()
        .filter(|m| m.text() == Some("Let me look."))
        .count();
    assert_eq!(words, 1, "{messages:?}");
}

#[test]
fn a_write_that_has_begun_is_carried_through() {
    let runtime = Runtime::new();
    let script = calls([
        call("a", "send_letter", json!({ "act": "slow" })),
        call("b", "send_letter", json!({})),
    ]);
    assert_eq!(cancelled_after(&runtime, 1_000, [script]), CANCELLED);
    runtime.saw(
        r#"
        turn.started
        tool.started send_letter {"act":"slow"}
        tool.finished send_letter ok: {"done":null}
        tool.finished send_letter Stopped: Error: send_letter was not run: the turn was stopped
        turn.cancelled cancelled
        "#,
    );
    assert_eq!(runtime.lab.effects(), [format!("{}:a", runtime.turn())]);
}

/// G8: a turn has one end whenever it is cancelled, and the stored text is the shown one.
#[test]
fn stop_at_every_moment_of_a_turn_gives_one_end() {
    let mut ends = Vec::new();
    for millis in (250..60_000).step_by(500) {
        let runtime = Runtime::new();
        let script = [
            says("One. ").wait(Duration::from_secs(5)).calls([
                call("a", "look_up", json!({ "act": "slow" })),
                call("b", "send_letter", json!({ "act": "slow" })),
            ]),
            says("Two.").wait(Duration::from_secs(5)),
        ];
        ends.push(cancelled_after(&runtime, millis, script));
    }
    assert_eq!(ends.iter().filter(|end| **end == CANCELLED).count(), 100);
    assert!(
        ends[100..]
            .iter()
            .all(|end| *end == Ending::Over(Outcome::Answered))
    );
}

#[test]
fn another_node_passes_the_wish_to_stop_on() {
    let runtime = Runtime::new();
    runtime.model.will_say([says("Once ").hang()]);
    let opened = runtime.open("Go on");
    let began = runtime.env.now();
    assert!(runtime.store.cancel(runtime.turn()));
    let ending = runtime
        .env
        .block_on(runtime.run(opened, Cancel::default()))
        .unwrap();
    runtime.check_since(began);
    assert_eq!(ending, CANCELLED);
    assert_eq!(
        (runtime.env.now() - began).num_seconds(),
        10,
        "a third of the lease"
    );
}

/// G6: erasing a conversation erases its running turn.
#[test]
fn nothing_reappears_of_a_turn_that_was_erased() {
    let runtime = Runtime::new();
    let slow = says("Once ").wait(Duration::from_secs(9));
    runtime
        .model
        .will_say([slow.calls([call("a", "send_letter", json!({}))])]);
    let opened = runtime.open("Go on");
    let (ending, ()) = runtime
        .env
        .block_on(join(runtime.run(opened, Cancel::default()), async {
            runtime.env.sleep(Duration::from_secs(1)).await;
            let mut state = runtime.store.state();
            state.turns.clear();
            state.messages.clear();
        }));
    assert!(matches!(ending, Err(StoreError::NotFound)), "{ending:?}");
    assert_eq!(runtime.lab.effects(), [""; 0]);
    let state = runtime.store.state();
    assert_eq!(
        (state.messages.len(), state.lines.len(), state.audit.len()),
        (0, 0, 0)
    );
}

// design: promises P4 turns end
#[test]
fn a_model_that_hangs_is_out_of_time_after_two_minutes() {
    let runtime = Runtime::new();
    let began = runtime.env.now();
    assert_eq!(runtime.ask("Hello", [says("Well").hang()]), TIMED_OUT);
    assert_eq!((runtime.env.now() - began).num_seconds(), 120);
    assert_eq!(runtime.answer(), None);
}

#[test]
fn a_read_that_hangs_at_the_end_of_the_turn_is_dropped() {
    let runtime = Runtime::new();
    let late = ScriptedReply::default().wait(Duration::from_secs(110));
    let script = [late.calls([call("a", "look_up", json!({ "act": "hang" }))])];
    assert_eq!(runtime.ask("Look", script), TIMED_OUT);
}

#[test]
fn a_write_that_hangs_at_the_end_of_the_turn_ends_with_it() {
    let runtime = Runtime::new();
    let late = || ScriptedReply::default().wait(Duration::from_secs(110));
    let hang = |tool| [late().calls([call("a", tool, json!({ "act": "hang" }))])];
    assert_eq!(
        runtime.ask("Send", hang("send_letter")),
        Ending::Over(Outcome::Interrupted)
    );
    let runtime = Runtime::new();
    assert_eq!(runtime.ask("Note", hang("add_note")), TIMED_OUT);
}
