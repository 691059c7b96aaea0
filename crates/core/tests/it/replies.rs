//! Structured answers: people read the text while the object arrives, and its other fields are
//! stored, even if a worker dies at any step.

use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::env::Env;
use frontdesk_core::message::Message;
use frontdesk_core::outcome::Outcome;
use frontdesk_core::reply::{CheckReply, Extras, FinalAnswer as Answered, ReplySchema};
use frontdesk_core::run::{Cancel, Ending};
use futures_util::future::join;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::kit::env::{Task, VirtualEnv};
use crate::kit::model::{ScriptedReply, call, says};
use crate::kit::runtime::{Runtime, Workshop, hanna};

const ANSWERED: Ending = Ending::Over(Outcome::Answered);

/// Accepts two known people; panics if the text contains PANIC.
struct OnlyKnown;

#[async_trait]
impl CheckReply for OnlyKnown {
    async fn check(&self, answer: &Answered<'_>, mut extras: Extras) -> Extras {
        assert!(!answer.text.contains("PANIC"), "as asked");
        if let Some(Value::Array(named)) = extras.fields.get_mut("candidatesMentioned") {
            named.retain(|name| name == "ann" || name == "bob");
        }
        extras
    }
}

fn schema() -> ReplySchema {
    ReplySchema::new(json!({
        "type": "object",
        "properties": {
            "message": { "type": "string" },
            "quickReplies": { "type": "array", "items": { "type": "string" } },
            "candidatesMentioned": { "type": "array", "items": { "type": "string" } },
            "analysisType": { "type": "string", "enum": ["ranking", "general"] },
        },
        "required": ["message", "quickReplies", "candidatesMentioned", "analysisType"],
        "additionalProperties": false,
    }))
    .unwrap()
    .checked_by(Arc::new(OnlyKnown))
}

fn runtime() -> Runtime {
    Workshop::answering(schema()).runtime(VirtualEnv::new(), hanna())
}

fn reply() -> String {
    json!({
        "message": "Ann, then Bob \u{1F44D}\n**why**: \"both\" fit",
        "quickReplies": ["Invite Ann", "Compare", "3", "4", "5"],
        "candidatesMentioned": ["ann", "mallory", "bob"],
        "analysisType": "ranking",
    })
    .to_string()
}

const WORDS: &str = "Ann, then Bob \u{1F44D}\n**why**: \"both\" fit";

/// The stored extras of the newest answer.
fn stored_extras(runtime: &Runtime) -> Value {
    let state = runtime.store.state();
    let answer = state.turns.last().unwrap().answer.clone().unwrap();
    let mut extras = json!({});
    for name in ["quick_replies", "candidatesMentioned", "analysisType"] {
        if let Some(value) = answer.metadata.get(name) {
            extras[name] = value.clone();
        }
    }
    extras
}

fn whole() -> Value {
    json!({
        "quick_replies": ["Invite Ann", "Compare", "3", "4"],
        "candidatesMentioned": ["ann", "bob"],
        "analysisType": "ranking",
    })
}

/// A reply in pieces of this many characters, with a pause after each.
fn in_pieces(reply: &str, size: usize) -> ScriptedReply {
    let characters: Vec<char> = reply.chars().collect();
    characters
        .chunks(size)
        .fold(ScriptedReply::default(), |answer, piece| {
            answer
                .text(&piece.iter().collect::<String>())
                .wait(Duration::from_millis(100))
        })
}

#[test]
fn only_the_message_is_shown_and_the_rest_is_stored() {
    let runtime = runtime();
    assert_eq!(runtime.ask("Who?", [in_pieces(&reply(), 7)]), ANSWERED);
    assert_eq!(runtime.answer().unwrap(), WORDS);
    assert_eq!(stored_extras(&runtime), whole());
    assert_eq!(runtime.texts().concat(), WORDS);
    let ended = runtime.entries().last().unwrap().event.clone();
    assert_eq!(
        ended.ended().unwrap().quick_replies,
        ["Invite Ann", "Compare", "3", "4"]
    );
}

#[test]
fn the_model_sees_of_its_answers_what_was_shown() {
    let runtime = runtime();
    runtime.ask("Who?", [says(&reply())]);
    runtime.ask("Why?", [says(&reply())]);
    let asked = &runtime.model.asked()[0].messages;
    assert_eq!(
        asked[1..],
        [
            Message::user("Who?"),
            Message::assistant(WORDS),
            Message::user("Why?"),
        ]
    );
    let Message::System { content } = &asked[0] else {
        panic!("{asked:?}");
    };
    assert!(content.contains("one JSON object"), "{content}");
    assert!(content.contains("analysisType"), "{content}");
}

#[test]
fn plain_words_with_suggestions_of_their_own_reach_the_person() {
    let runtime = runtime();
    runtime.ask(
        "Who?",
        [says("Ann.\n\nThen Bob.").suggests(&["Invite Ann"])],
    );
    assert_eq!(runtime.answer().unwrap(), "Ann.\n\nThen Bob.");
    assert_eq!(
        stored_extras(&runtime),
        json!({"quick_replies": ["Invite Ann"]})
    );
}

#[test]
fn a_fence_or_a_mistake_in_the_object_costs_no_words() {
    let runtime = runtime();
    for reply in [
        format!("```json\n{}\n```", reply()),
        reply().replace("\\\"", "\"").replace("}", ",}"),
        reply().replace("\\n", "\n"),
    ] {
        assert_eq!(runtime.ask("Who?", [in_pieces(&reply, 5)]), ANSWERED);
        assert_eq!(runtime.answer().unwrap(), WORDS, "{reply}");
        assert_eq!(stored_extras(&runtime), whole(), "{reply}");
    }
}

#[test]
fn an_object_without_words_is_no_answer() {
    let runtime = runtime();
    let ending = runtime.ask("Who?", [says(r#"{"message": "", "quickReplies": ["A"]}"#)]);
    assert_eq!(ending, Ending::Over(Outcome::EmptyAnswer));
}

#[test]
fn text_before_a_call_may_be_an_object_too() {
    let runtime = runtime();
    let first = says(r#"{"message": "Let me look.", "analysisType": "general"}"#);
    let script = [
        first.calls([call("a", "look_up", json!({}))]),
        says(&reply()),
    ];
    assert_eq!(runtime.ask("Who?", script), ANSWERED);
    assert_eq!(
        runtime.answer().unwrap(),
        format!("Let me look.\n\n{WORDS}")
    );
    assert_eq!(stored_extras(&runtime), whole());
}

#[test]
fn a_check_that_panics_costs_the_extras_and_not_the_answer() {
    let runtime = runtime();
    let reply = json!({"message": "PANIC", "analysisType": "general"}).to_string();
    assert_eq!(runtime.ask("Who?", [says(&reply)]), ANSWERED);
    assert_eq!(runtime.answer().unwrap(), "PANIC");
    assert_eq!(stored_extras(&runtime), json!({}));
}

#[test]
fn text_before_a_cancellation_stays_text() {
    let runtime = runtime();
    let half = says(r#"{"message": "Ann, th"#).hang();
    runtime.model.will_say([half]);
    let opened = runtime.open("Who?");
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let (ending, ()) = runtime
        .env
        .block_on(join(runtime.run(opened, cancel), async {
            runtime.env.sleep(Duration::from_secs(1)).await;
            stop.cancel();
        }));
    let ending = ending.unwrap();
    assert_eq!(ending, Ending::Over(Outcome::Cancelled));
    assert_eq!(runtime.answer().unwrap(), "Ann, th");
}

/// A worker dies after any number of steps; another one ends with the same text and extras.
#[test]
fn a_crash_at_any_step_changes_nothing_of_the_answer() {
    let workshop = Workshop::answering(schema());
    let mut crashes = 0;
    for polls in 0.. {
        let runtime = workshop.runtime(VirtualEnv::new(), hanna());
        runtime.model.will_say([in_pieces(&reply(), 9)]);
        let mut worker = Task::new(runtime.run(runtime.open("Who?"), Cancel::default()));
        let mut untouched = false;
        for _ in 0..polls {
            while !worker.is_woken() {
                runtime.env.advance_to(runtime.env.next_timer().unwrap());
            }
            if let Poll::Ready(ending) = worker.poll() {
                ending.unwrap();
                untouched = true;
                break;
            }
        }
        drop(worker);
        if !runtime.store.state().turns[0].state.is_over() {
            runtime.let_pass(31);
            assert_eq!(runtime.resume(), ANSWERED);
            crashes += 1;
        }
        assert_eq!(runtime.answer().unwrap(), WORDS, "after {polls} steps");
        assert_eq!(stored_extras(&runtime), whole(), "after {polls} steps");
        if untouched {
            break;
        }
    }
    assert!(crashes > 20, "{crashes}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// The deltas add up, byte for byte, to the stored message, which equals the object's text.
    #[test]
    fn deltas_add_up_to_the_message(
        text in "\\PC{0,40}[a-zå]\\PC{0,40}",
        quick in prop::collection::vec("[a-z]{1,9}", 0..7),
        size in 1usize..12,
    ) {
        thread_local! {
            static WORKSHOP: Workshop = Workshop::answering(schema());
        }
        let runtime = WORKSHOP.with(|shop| shop.runtime(VirtualEnv::new(), hanna()));
        let reply = json!({
            "message": text, "quickReplies": quick, "candidatesMentioned": [], "analysisType": "general",
        });
        prop_assert_eq!(runtime.ask("Who?", [in_pieces(&reply.to_string(), size)]), ANSWERED);
        prop_assert_eq!(runtime.answer().unwrap(), text);
        let few: Vec<&String> = quick.iter().take(4).collect();
        let extras = stored_extras(&runtime);
        if few.is_empty() {
            prop_assert_eq!(extras.get("quick_replies"), None);
        } else {
            prop_assert_eq!(&extras["quick_replies"], &json!(few));
        }
    }
}
