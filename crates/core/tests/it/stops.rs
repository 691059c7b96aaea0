//! Turns that do not come to their end by themselves: cancelled, or out of time.

use std::time::Duration;

use frontdesk_core::message::Message;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::{Cancel, Ending};
use frontdesk_core::store::StoreError;
use frontdesk_core::world::World;
use futures_util::future::join;
use serde_json::json;

use crate::kit::desk::Desk;
use crate::kit::model::{Said, call, calls, says};

const CANCELLED: Ending = Ending::Over(Outcome::Cancelled);
const TIMED_OUT: Ending = Ending::Over(Outcome::TimedOut);

/// Asks, and presses stop after this many milliseconds.
#[track_caller]
fn cancelled_after(desk: &Desk, millis: u64, script: impl IntoIterator<Item = Said>) -> Ending {
    desk.model.will_say(script);
    let opened = desk.open("Go on");
    let began = desk.world.now();
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let (ending, ()) = desk.world.block_on(join(desk.run(opened, cancel), async {
        desk.world.sleep(Duration::from_millis(millis)).await;
        stop.cancel();
    }));
    desk.check_since(began);
    ending.unwrap()
}

#[test]
fn what_was_written_before_a_person_pressed_stop_stays() {
    let desk = Desk::new();
    let slow = says("Once upon ")
        .wait(Duration::from_secs(9))
        .text("a time");
    assert_eq!(cancelled_after(&desk, 1_000, [slow]), CANCELLED);
    desk.saw(
        r#"
        turn.started
        text.delta "Once upon "
        turn.cancelled cancelled
        "#,
    );
    assert_eq!(desk.answer().unwrap(), "Once upon ");
    desk.ask("And then?", [says("They lived.")]);
    let told = desk.model.asked().remove(0).messages;
    assert_eq!(
        told[1..3],
        [Message::user("Go on"), Message::assistant("Once upon")]
    );
}

#[test]
fn a_turn_stopped_before_its_first_word_has_no_answer() {
    let desk = Desk::new();
    assert_eq!(
        cancelled_after(&desk, 1_000, [Said::default().hang()]),
        CANCELLED
    );
    assert_eq!(desk.answer(), None);
}

#[test]
fn reads_are_dropped_and_their_calls_answered() {
    let desk = Desk::new();
    let hang = |id| call(id, "look_up", json!({ "act": "hang" }));
    let script =
        says("Let me look.").calls([hang("a"), hang("b"), call("c", "send_letter", json!({}))]);
    assert_eq!(cancelled_after(&desk, 1_000, [script]), CANCELLED);
    desk.saw(
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
    assert_eq!(desk.answer().unwrap(), "Let me look.");
    // The words stand before the calls already; they are not told twice.
    desk.ask("So?", [says("Hm.")]);
    let told = desk.model.asked().remove(0).messages;
    let words = told
        .iter()
        .filter(|m| m.text() == Some("Let me look."))
        .count();
    assert_eq!(words, 1, "{told:?}");
}

#[test]
fn a_write_that_has_begun_is_carried_through() {
    let desk = Desk::new();
    let script = calls([
        call("a", "send_letter", json!({ "act": "slow" })),
        call("b", "send_letter", json!({})),
    ]);
    assert_eq!(cancelled_after(&desk, 1_000, [script]), CANCELLED);
    desk.saw(
        r#"
        turn.started
        tool.started send_letter {"act":"slow"}
        tool.finished send_letter ok: {"done":null}
        tool.finished send_letter Stopped: Error: send_letter was not run: the turn was stopped
        turn.cancelled cancelled
        "#,
    );
    assert_eq!(desk.lab.effects(), [format!("{}:a", desk.turn())]);
}

/// G8: whenever stop is pressed, the turn has one end and what was shown is what is kept.
#[test]
fn stop_at_every_moment_of_a_turn_gives_one_end() {
    let mut ends = Vec::new();
    for millis in (250..60_000).step_by(500) {
        let desk = Desk::new();
        let script = [
            says("One. ").wait(Duration::from_secs(5)).calls([
                call("a", "look_up", json!({ "act": "slow" })),
                call("b", "send_letter", json!({ "act": "slow" })),
            ]),
            says("Two.").wait(Duration::from_secs(5)),
        ];
        ends.push(cancelled_after(&desk, millis, script));
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
    let desk = Desk::new();
    desk.model.will_say([says("Once ").hang()]);
    let opened = desk.open("Go on");
    let began = desk.world.now();
    assert!(desk.store.cancel(desk.turn()));
    let ending = desk
        .world
        .block_on(desk.run(opened, Cancel::default()))
        .unwrap();
    desk.check_since(began);
    assert_eq!(ending, CANCELLED);
    assert_eq!(
        (desk.world.now() - began).num_seconds(),
        10,
        "a third of the lease"
    );
}

/// G6: a conversation that is erased meanwhile takes its turn with it.
#[test]
fn nothing_reappears_of_a_turn_that_was_erased() {
    let desk = Desk::new();
    let slow = says("Once ").wait(Duration::from_secs(9));
    desk.model
        .will_say([slow.calls([call("a", "send_letter", json!({}))])]);
    let opened = desk.open("Go on");
    let (ending, ()) = desk
        .world
        .block_on(join(desk.run(opened, Cancel::default()), async {
            desk.world.sleep(Duration::from_secs(1)).await;
            let mut state = desk.store.state();
            state.turns.clear();
            state.messages.clear();
        }));
    assert!(matches!(ending, Err(StoreError::NotFound)), "{ending:?}");
    assert_eq!(desk.lab.effects(), [""; 0]);
    let state = desk.store.state();
    assert_eq!(
        (state.messages.len(), state.lines.len(), state.audit.len()),
        (0, 0, 0)
    );
}

// design: promises P4 turns end
#[test]
fn a_model_that_hangs_is_out_of_time_after_two_minutes() {
    let desk = Desk::new();
    let began = desk.world.now();
    assert_eq!(desk.ask("Hello", [says("Well").hang()]), TIMED_OUT);
    assert_eq!((desk.world.now() - began).num_seconds(), 120);
    assert_eq!(desk.answer(), None);
}

#[test]
fn a_read_that_hangs_at_the_end_of_the_turn_is_dropped() {
    let desk = Desk::new();
    let late = Said::default().wait(Duration::from_secs(110));
    let script = [late.calls([call("a", "look_up", json!({ "act": "hang" }))])];
    assert_eq!(desk.ask("Look", script), TIMED_OUT);
}

#[test]
fn a_write_that_hangs_at_the_end_of_the_turn_ends_with_it() {
    let desk = Desk::new();
    let late = || Said::default().wait(Duration::from_secs(110));
    let hang = |tool| [late().calls([call("a", tool, json!({ "act": "hang" }))])];
    assert_eq!(
        desk.ask("Send", hang("send_letter")),
        Ending::Over(Outcome::Interrupted)
    );
    let desk = Desk::new();
    assert_eq!(desk.ask("Note", hang("add_note")), TIMED_OUT);
}
