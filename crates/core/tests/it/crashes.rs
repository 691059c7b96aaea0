//! A worker dies between any two steps and another one resumes from the journal.

use std::task::Poll;
use std::time::Duration;

use frontdesk_core::approval::Decision;
use frontdesk_core::assistant::Limits;
use frontdesk_core::env::Env;
use frontdesk_core::event::Event;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::{Cancel, Ending};
use frontdesk_core::store::{Opened, StoreError};
use frontdesk_core::tool::ToolErrorKind;
use serde_json::json;

use crate::kit::env::{Task, VirtualEnv};
use crate::kit::model::{ScriptedReply, call, calls, says};
use crate::kit::runtime::{self, Runtime, Workshop, ada};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);
const INTERRUPTED: Ending = Ending::Over(Outcome::Interrupted);

/// Polls a worker this many times and drops it. Returns its ending if it got that far.
pub(crate) fn run_for(runtime: &Runtime, opened: Opened, polls: usize) -> Option<Ending> {
    let mut worker = Task::new(runtime.run(opened, Cancel::default()));
    for _ in 0..polls {
        while !worker.is_woken() {
            runtime.env.advance_to(runtime.env.next_timer().unwrap());
        }
        if let Poll::Ready(ending) = worker.poll() {
            return Some(ending.unwrap());
        }
    }
    None
}

fn new_desk(workshop: &Workshop) -> Runtime {
    workshop.runtime(VirtualEnv::new(), runtime::hanna())
}

/// Crashes at the first step, then the second, and so on until a worker completes. Each time
/// another worker resumes, and every promise is checked.
#[track_caller]
fn crash_everywhere(script: &[ScriptedReply], mut each: impl FnMut(&Runtime, &Ending)) -> usize {
    let workshop = Workshop::new(Limits::default());
    for polls in 0.. {
        let runtime = new_desk(&workshop);
        runtime.model.will_say(script.to_vec());
        let opened = runtime.open("Go on");
        let untouched = run_for(&runtime, opened, polls).is_some();
        if !runtime.store.state().turns[0].state.is_over() {
            runtime.let_pass(31);
            let ending = runtime.resume();
            each(&runtime, &ending);
        }
        if untouched {
            return polls;
        }
    }
    unreachable!("the loop returns")
}

#[test]
fn an_answer_is_given_again_in_full() {
    let script = says("One, ")
        .wait(Duration::from_secs(1))
        .text("two, ")
        .text("three.");
    let crashes = crash_everywhere(&[script], |runtime, ending| {
        assert_eq!(*ending, ANSWERED);
        assert_eq!(runtime.answer().unwrap(), "One, two, three.");
    });
    assert!(crashes > 10, "{crashes}");
}

#[test]
fn text_of_finished_replies_survives_two_crashes() {
    let workshop = Workshop::new(Limits::default());
    let script = [
        says("First.").calls([call("a", "draft_profile", json!({}))]),
        says("Second.").calls([call("b", "draft_profile", json!({}))]),
        says("Third."),
    ];
    for first in 0..40 {
        for second in 0..40 {
            let runtime = new_desk(&workshop);
            runtime.model.will_say(script.clone());
            let mut ending = run_for(&runtime, runtime.open("Go on"), first);
            for polls in [second, usize::MAX] {
                if ending.is_none() && !runtime.store.state().turns[0].state.is_over() {
                    runtime.let_pass(31);
                    ending = run_for(&runtime, runtime.take_over().unwrap(), polls);
                }
            }
            runtime.check_since(runtime.env.now());
            assert_eq!(
                runtime.answer().unwrap(),
                "First.\n\nSecond.\n\nThird.",
                "{first} {second}"
            );
        }
    }
}

#[test]
fn reads_are_simply_run_again() {
    let read = |id| call(id, "look_up", json!({}));
    let script = [says("Look.").calls([read("a"), read("b")]), says("Seen.")];
    crash_everywhere(&script, |runtime, ending| {
        assert_eq!(*ending, ANSWERED);
        assert_eq!(runtime.answer().unwrap(), "Look.\n\nSeen.");
    });
}

#[test]
fn an_idempotent_call_is_repeated_with_its_key() {
    let script = [calls([call("a", "set_status", json!({}))]), says("Set.")];
    let mut repeated = 0;
    crash_everywhere(&script, |runtime, ending| {
        assert_eq!(*ending, ANSWERED);
        assert_eq!(runtime.lab.effects(), [format!("{}:a", runtime.turn())]);
        repeated += u32::from(runtime.lab.runs(&format!("{}:a", runtime.turn())) > 1);
    });
    assert!(repeated > 1, "{repeated}");
}

#[test]
fn a_change_of_our_own_happens_exactly_once() {
    let script = [calls([call("a", "add_note", json!({}))]), says("Noted.")];
    crash_everywhere(&script, |runtime, ending| {
        assert_eq!(*ending, ANSWERED);
        assert_eq!(runtime.store.state().applied.len(), 1);
    });
}

#[test]
fn a_letter_that_may_have_been_sent_is_not_sent_again() {
    let script = [calls([call("a", "send_letter", json!({}))]), says("Sent.")];
    let mut unknown = 0;
    crash_everywhere(&script, |runtime, ending| {
        let letters = runtime.lab.effects().len();
        if *ending == INTERRUPTED {
            unknown += 1;
        } else {
            assert_eq!((ending, letters), (&ANSWERED, 1));
        }
        assert!(letters <= 1);
    });
    assert!(unknown > 2, "{unknown}");
}

#[test]
fn all_four_kinds_in_one_reply() {
    let script = [
        calls([
            call("a", "look_up", json!({})),
            call("b", "set_status", json!({})),
            call("c", "add_note", json!({})),
            call("d", "send_letter", json!({})),
        ]),
        says("Done."),
    ];
    crash_everywhere(&script, |runtime, ending| {
        if *ending == ANSWERED {
            assert_eq!(
                runtime.lab.effects().len() + runtime.store.state().applied.len(),
                3
            );
        }
    });
}

/// Cancels a turn whose worker died at each step; the next worker finds the cancellation.
#[test]
fn a_crash_and_then_stop() {
    let workshop = Workshop::new(Limits::default());
    let script = [
        calls([
            call("a", "set_status", json!({})),
            call("b", "send_letter", json!({})),
        ]),
        says("Sent."),
    ];
    for polls in 0..60 {
        let runtime = new_desk(&workshop);
        runtime.model.will_say(script.clone());
        let opened = runtime.open("Send it");
        if run_for(&runtime, opened, polls).is_some() || !runtime.store.cancel(runtime.turn()) {
            break;
        }
        let effects = runtime.lab.effects().len();
        runtime.let_pass(31);
        let ending = runtime.resume();
        assert!(matches!(
            ending,
            Ending::Over(Outcome::Cancelled | Outcome::Interrupted)
        ));
        assert_eq!(
            runtime.lab.effects().len(),
            effects,
            "nothing begins after stop"
        );
    }
}

/// The turn's deadline has passed when the next worker starts.
#[test]
fn a_crash_and_then_nobody_for_ten_minutes() {
    let workshop = Workshop::new(Limits::default());
    let script = [
        calls([
            call("a", "set_status", json!({})),
            call("b", "send_letter", json!({})),
        ]),
        says("Sent."),
    ];
    for polls in 0..60 {
        let runtime = new_desk(&workshop);
        runtime.model.will_say(script.clone());
        let opened = runtime.open("Send it");
        if run_for(&runtime, opened, polls).is_some()
            || runtime.store.state().turns[0].state.is_over()
        {
            break;
        }
        runtime.let_pass(600);
        let ending = runtime.resume();
        assert!(matches!(
            ending,
            Ending::Over(Outcome::TimedOut | Outcome::Interrupted)
        ));
    }
}

// design: promises P3 started call
#[test]
fn a_started_call_is_unknown_even_if_it_would_not_be_allowed_now() {
    let runtime = Runtime::used_by(ada());
    runtime.model.will_say([calls([call(
        "a",
        "approve_gate_pass",
        json!({ "act": "hang_after" }),
    )])]);
    let opened = runtime.open("Approve");
    assert_eq!(run_for(&runtime, opened, 12), None);
    assert_eq!(runtime.lab.effects().len(), 1);
    runtime.let_pass(31);
    let mut opened = runtime.take_over().unwrap();
    opened.principal = runtime::hanna();
    let ending = runtime
        .env
        .block_on(runtime.run(opened, Cancel::default()))
        .unwrap();
    runtime.check_since(runtime.env.now());
    assert_eq!(ending, INTERRUPTED);
}

/// A later release lacks the assistant: its turn ends, nothing runs, and a letter that may have
/// been sent is reported as unknown.
// design: promises P3 started call
#[test]
fn a_crash_and_then_the_assistant_is_gone() {
    let workshop = Workshop::new(Limits::default());
    let script = [
        says("Sending.").calls([
            call("a", "look_up", json!({})),
            call("b", "send_letter", json!({})),
        ]),
        says("Sent."),
    ];
    let (mut plain, mut unknown) = (0, 0);
    for polls in 0..60 {
        let runtime = new_desk(&workshop);
        runtime.model.will_say(script.clone());
        let opened = runtime.open("Send it");
        if run_for(&runtime, opened, polls).is_some()
            || runtime.store.state().turns[0].state.is_over()
        {
            break;
        }
        let letters = runtime.lab.effects().len();
        runtime.let_pass(31);
        assert_eq!(runtime.resume_without_assistant(), INTERRUPTED);
        assert_eq!(runtime.lab.effects().len(), letters, "nothing is run");
        let in_doubt = runtime
            .finished()
            .iter()
            .any(|call| call.error == Some(ToolErrorKind::Unknown));
        let entries = runtime.entries();
        let notice = entries.last().unwrap().event.ended().unwrap();
        let notice = notice.notice.as_deref().unwrap();
        assert_eq!(in_doubt, notice.contains("it is not known"), "{notice}");
        assert_eq!(!in_doubt, notice.contains("not installed any more"));
        assert!(in_doubt || letters == 0 || runtime.finished().iter().any(|call| call.ok));
        plain += u32::from(!in_doubt);
        unknown += u32::from(in_doubt);
    }
    assert!(plain > 2 && unknown > 2, "{plain} {unknown}");
}

#[test]
fn a_crash_after_an_approval_voids_what_was_shown() {
    let workshop = Workshop::new(Limits::default());
    for decision in [Decision::Approved, Decision::Rejected] {
        for polls in 0..40 {
            let runtime = new_desk(&workshop);
            let script = [
                says("May I?").calls([call("a", "delete_ticket", json!({}))]),
                says("It ").text("is ").text("settled."),
            ];
            assert_eq!(runtime.ask("Delete it", script), Ending::AwaitingApproval);
            runtime.decide(&ada(), "a", decision).unwrap();
            let ending = run_for(&runtime, runtime.take_over().unwrap(), polls);
            if ending.is_none() && !runtime.store.state().turns[0].state.is_over() {
                runtime.let_pass(31);
                runtime.resume();
            }
            runtime.check_since(runtime.env.now());
            assert!(runtime.lab.effects().len() <= 1);
        }
    }
}

#[test]
fn a_clean_stop_for_an_approval_needs_no_reset() {
    let runtime = Runtime::new();
    let script = [
        says("May I?").calls([call("a", "delete_ticket", json!({}))]),
        says("Deleted."),
    ];
    runtime.ask("Delete it", script);
    runtime.decide(&ada(), "a", Decision::Approved).unwrap();
    assert_eq!(runtime.resume(), ANSWERED);
    assert_eq!(runtime.answer().unwrap(), "May I?\n\nDeleted.");
    let resets = runtime
        .entries()
        .iter()
        .filter(|e| matches!(e.event, Event::TextReset { .. }))
        .count();
    assert_eq!(resets, 0);
}

/// A worker that was paused beyond its lease resumes and writes nothing.
// design: promises P3 fenced
#[test]
fn a_zombie_is_fenced_wherever_it_was_paused() {
    let workshop = Workshop::new(Limits::default());
    let script = [
        says("One.").calls([
            call("a", "add_note", json!({})),
            call("b", "send_letter", json!({})),
        ]),
        says("Two."),
    ];
    for polls in 1..60 {
        let runtime = new_desk(&workshop);
        runtime.model.will_say(script.clone());
        let opened = runtime.open("Go on");
        let mut zombie = Task::new(runtime.run(opened, Cancel::default()));
        let over = (0..polls).any(|_| {
            while !zombie.is_woken() {
                runtime.env.advance_to(runtime.env.next_timer().unwrap());
            }
            zombie.poll().is_ready()
        });
        if over || runtime.store.state().turns[0].state.is_over() {
            continue;
        }
        runtime.let_pass(31);
        runtime.resume();
        let before = runtime.entries();
        let woken = runtime.env.finish(&mut zombie);
        assert!(
            matches!(woken, Err(StoreError::Fenced)),
            "{polls}: {woken:?}"
        );
        assert_eq!(runtime.entries(), before, "{polls}");
        runtime.check_since(runtime.env.now());
    }
}
