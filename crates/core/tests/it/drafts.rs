//! A tool drafts a document with the model: watched, counted, cancelled, repeated after a crash.

use std::task::Poll;
use std::time::Duration;

use frontdesk_core::env::Env;
use frontdesk_core::event::Event;
use frontdesk_core::model::ModelErrorKind;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::{Cancel, Ending};
use frontdesk_core::tool::ToolErrorKind;
use futures_util::future::join;
use serde_json::{Value, json};

use crate::kit::env::Task;
use crate::kit::model::{ScriptedReply, call, calls, says};
use crate::kit::runtime::Runtime;

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

fn note() -> Value {
    json!({ "text": "The door opens at 9.", "quotes": [{ "quote": "opens at 9", "source": "paper" }] })
}

fn wanted() -> [ScriptedReply; 2] {
    let arguments = json!({ "act": "write", "text": "Our door opens at 9, always." });
    [calls([call("a", "add_note", arguments)]), says("Done.")]
}

#[test]
fn a_draft_is_stored_and_its_tokens_count_for_the_turn() {
    let runtime = Runtime::new();
    runtime
        .model
        .will_draft([says(&note().to_string()).tokens(700, 90)]);
    assert_eq!(runtime.ask("Write it", wanted()), ANSWERED);
    runtime.saw(
        r#"
        turn.started
        tool.started add_note {"act":"write","text":"Our door opens at 9, always."}
        tool.progress a: Writing the note…
        artifact.saved note v1 Confirmed
        tool.finished add_note ok: {"note":{"text":"The door opens at 9.","quotes":[{"quote":"opens at 9","source":"paper"}]},"left_out":[]}
        text.delta "Done."
        turn.completed answered
        "#,
    );
    let usage = runtime.finished()[0].usage.unwrap();
    assert_eq!(usage.total(), 790);
    let ended = runtime
        .entries()
        .last()
        .unwrap()
        .event
        .ended()
        .unwrap()
        .usage;
    assert!(ended.total() >= 790, "{ended:?}");
}

#[test]
fn watchers_see_the_document_grow_and_the_journal_keeps_none_of_it() {
    let runtime = Runtime::new();
    let text = note().to_string();
    let (first, second) = text.split_at(60);
    let slow = says(first).wait(Duration::from_secs(3)).text(second);
    runtime.model.will_draft([slow]);
    runtime.ask("Write it", wanted());
    let seen: Vec<String> = runtime
        .watchers
        .seen(runtime.turn())
        .into_iter()
        .filter_map(|entry| {
            let Event::DraftDelta { text, .. } = entry.event else {
                return None;
            };
            Some(text)
        })
        .collect();
    assert!(seen.concat().contains("The door opens at 9."), "{seen:?}");
    let journalled = runtime.entries().into_iter();
    assert!(
        !journalled
            .into_iter()
            .any(|entry| entry.event.is_display_only())
    );
}

#[test]
fn stopping_a_turn_stops_its_draft_and_stores_nothing() {
    let runtime = Runtime::new();
    runtime.model.will_draft([says("{\"text\": \"The").hang()]);
    runtime.model.will_say(wanted());
    let opened = runtime.open("Write it");
    let began = runtime.env.now();
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let (ending, ()) = runtime
        .env
        .block_on(join(runtime.run(opened, cancel), async {
            runtime.env.sleep(Duration::from_secs(5)).await;
            stop.cancel();
        }));
    assert_eq!(ending.unwrap(), Ending::Over(Outcome::Cancelled));
    runtime.check_since(began);
    assert_eq!((runtime.env.now() - began).num_seconds(), 5);
    assert!(runtime.store.state().artifacts.is_empty());
}

#[test]
fn a_worker_that_dies_anywhere_leaves_one_document() {
    for polls in 0.. {
        let runtime = Runtime::new();
        runtime.model.will_draft([says(&note().to_string())]);
        runtime.model.will_say(wanted());
        let opened = runtime.open("Write it");
        let mut worker = Task::new(runtime.run(opened, Cancel::default()));
        let mut over = false;
        for _ in 0..polls {
            while !worker.is_woken() {
                runtime.env.advance_to(runtime.env.next_timer().unwrap());
            }
            if let Poll::Ready(ending) = worker.poll() {
                assert_eq!(ending.unwrap(), ANSWERED);
                over = true;
                break;
            }
        }
        drop(worker);
        if !runtime.store.state().turns[0].state.is_over() {
            runtime.let_pass(31);
            assert_eq!(runtime.resume(), ANSWERED);
        }
        assert_eq!(
            runtime.store.state().artifacts.len(),
            1,
            "after {polls} polls"
        );
        if over {
            assert!(polls > 8);
            return;
        }
    }
}

#[test]
fn a_model_that_fails_or_writes_nonsense_fails_the_call_and_not_the_turn() {
    for drafts in [
        vec![says("").fail(ModelErrorKind::Unavailable)],
        vec![says("I would rather not."), says("No.")],
    ] {
        let runtime = Runtime::new();
        runtime.model.will_draft(drafts);
        assert_eq!(runtime.ask("Write it", wanted()), ANSWERED);
        let finished = &runtime.finished()[0];
        assert_eq!(finished.error, Some(ToolErrorKind::Failed));
        assert!(
            finished.told.to_lowercase().contains("nothing was"),
            "{}",
            finished.told
        );
        assert!(!finished.told.contains("sk-secret"));
        assert!(runtime.store.state().artifacts.is_empty());
    }
}
