//! The end of a turn: an answer, or a clear notice that there is none.

use std::time::Duration;

use frontdesk_core::assistant::Limits;
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::message::Message;
use frontdesk_core::model::{Finish, ModelErrorKind, Usage};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::run::Ending;
use frontdesk_core::transcript::Window;
use proptest::prelude::*;
use serde_json::json;

use crate::kit::env::VirtualEnv;
use crate::kit::model::{ScriptedReply, call, calls, says};
use crate::kit::runtime::{Runtime, Workshop, hanna};

fn failed(kind: ModelErrorKind) -> Ending {
    Ending::Over(Outcome::ModelFailed {
        kind,
        retry_after_seconds: None,
    })
}

/// Property 10 of the recruiting design: text without calls passes through unchanged.
#[test]
fn text_of_the_model_is_the_answer() {
    let runtime = Runtime::new();
    let words = says("Good ")
        .text("morning, ")
        .text("Zoë \u{1F44B}\u{1F3FD}\n\n  ");
    assert_eq!(
        runtime.ask("Hello", [words]),
        Ending::Over(Outcome::Answered)
    );
    runtime.saw(
        r#"
        turn.started
        text.delta "Good morning, Zoë 👋🏽\n\n  "
        turn.completed answered
        "#,
    );
    assert_eq!(
        runtime.answer().unwrap(),
        "Good morning, Zoë \u{1F44B}\u{1F3FD}\n\n  "
    );
}

/// A reader of the journal of a very long answer can stop between pieces.
#[test]
fn a_long_answer_is_journalled_in_pieces() {
    const LONGEST: usize = 64 * 1024;
    let piece = "0123456789abcdef".repeat(512);
    let words = (0..40).fold(ScriptedReply::default(), |reply, _| reply.text(&piece));
    let runtime = Runtime::new();
    assert_eq!(runtime.ask("All", [words]), Ending::Over(Outcome::Answered));
    let texts = runtime.texts();
    assert_eq!(texts.concat(), piece.repeat(40));
    assert!(texts.iter().all(|text| text.len() <= LONGEST));
    assert_eq!(texts.len(), 5, "and joined as far as that");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Property 10 of the recruiting design, for any visible text.
    // design: 000 chat final text, property 10
    #[test]
    fn any_text_is_passed_through(text in "\\PC{0,80}[a-zå]\\PC{0,40}[\n ]{0,3}") {
        thread_local! {
            static WORKSHOP: Workshop = Workshop::new(Limits::default());
        }
        let runtime = WORKSHOP.with(|shop| shop.runtime(VirtualEnv::new(), hanna()));
        prop_assert_eq!(runtime.ask("Hello", [says(&text)]), Ending::Over(Outcome::Answered));
        prop_assert_eq!(runtime.answer().unwrap(), text);
    }

    /// Property 5 of the recruiting design, for any history length and any limit.
    // design: 000 property 5, truncation, InMemoryConversationManager
    // design: 001 session rule first message
    #[test]
    fn a_cut_history_begins_with_the_system_prompt(turns in 1..30_usize, max_messages in 2..50_usize) {
        let window = Window { max_messages, ..Limits::default().window };
        let runtime = Runtime::with_limits(Limits { window, messages_a_minute: 100, ..Limits::default() });
        for turn in 0..turns {
            runtime.ask(&format!("Question {turn}"), [says("Answer.")]);
            let messages = runtime.model.asked().pop().unwrap().messages;
            prop_assert!(matches!(messages[0], Message::System { .. }), "{:?}", messages[0]);
            prop_assert_eq!(messages.last(), Some(&Message::user(format!("Question {turn}"))));
            // The prompt, the history and the question.
            prop_assert!(messages.len() <= max_messages + 2);
        }
    }
}

// design: 000 ConversationManager.add_user_message, ConversationManager.add_assistant_message
// design: 000 chat sends
#[test]
fn the_next_turn_has_the_history() {
    let runtime = Runtime::new();
    runtime.ask("I am Hanna", [says("Hello Hanna.")]);
    runtime.ask("Who am I?", [says("Hanna.")]);
    assert_eq!(
        runtime.model.asked()[0].messages,
        [
            Message::system("You are the front desk.\n\nTake the ticket in."),
            Message::user("I am Hanna"),
            Message::assistant("Hello Hanna."),
            Message::user("Who am I?"),
        ]
    );
}

#[test]
fn text_before_a_call_stays_as_its_own_paragraph() {
    let runtime = Runtime::new();
    let script = [
        says("Let me look.").calls([call("a", "look_up", json!({ "ticket": "T-1" }))]),
        says("It is ").text("open."),
    ];
    assert_eq!(
        runtime.ask("Is T-1 open?", script),
        Ending::Over(Outcome::Answered)
    );
    runtime.saw(
        r#"
        turn.started
        text.delta "Let me look."
        tool.started look_up {"ticket":"T-1"}
        tool.finished look_up ok: {"done":"T-1"}
        text.delta "\n\nIt is open."
        turn.completed answered
        "#,
    );
    assert_eq!(runtime.answer().unwrap(), "Let me look.\n\nIt is open.");
}

#[test]
fn text_is_in_the_journal_while_it_still_arrives() {
    let runtime = Runtime::new();
    let slow = says("one ")
        .wait(Duration::from_secs(1))
        .text("two ")
        .wait(Duration::from_secs(1));
    assert_eq!(
        runtime.ask("Count", [slow.text("three")]),
        Ending::Over(Outcome::Answered)
    );
    runtime.saw(
        r#"
        turn.started
        text.delta "one "
        text.delta "two "
        text.delta "three"
        turn.completed answered
        "#,
    );
}

#[test]
fn a_text_that_was_not_streamed_is_shown_all_the_same() {
    let runtime = Runtime::new();
    let ending = runtime.ask("Hello", [ScriptedReply::default().claims("All at once.")]);
    assert_eq!(ending, Ending::Over(Outcome::Answered));
    assert_eq!(runtime.answer().unwrap(), "All at once.");
}

// design: 000 chat empty answer
#[test]
fn an_empty_reply_is_reported() {
    for silence in [ScriptedReply::default(), says(""), says(" \n\u{200B}\t")] {
        let runtime = Runtime::new();
        let ending = runtime.ask("Hello", [silence]);
        assert_eq!(ending, Ending::Over(Outcome::EmptyAnswer));
        let entries = runtime.entries();
        let ended = entries.last().unwrap().event.ended().unwrap();
        let notice = "I apologize, but I couldn't generate a response. Please try again.";
        assert_eq!(ended.notice.as_deref(), Some(notice));
        assert_eq!(runtime.answer(), None);
    }
}

#[test]
fn a_filtered_reply_is_a_refusal_and_no_answer() {
    let runtime = Runtime::new();
    let filtered = says("How to").finish(Finish::ContentFilter);
    assert_eq!(
        runtime.ask("Tell me", [filtered]),
        Ending::Over(Outcome::Refused)
    );
    runtime.saw(
        r#"
        turn.started
        text.delta "How to"
        turn.completed refused
        "#,
    );
    assert_eq!(runtime.answer(), None);
}

#[test]
fn a_reply_that_was_cut_at_its_limit_is_still_an_answer() {
    for finish in [Finish::Length, Finish::Other("weird".to_owned())] {
        let runtime = Runtime::new();
        let ending = runtime.ask("Tell me", [says("Once upon").finish(finish)]);
        assert_eq!(ending, Ending::Over(Outcome::Answered));
    }
}

#[test]
fn a_model_that_fails_before_its_first_word() {
    let runtime = Runtime::new();
    let ending = runtime.ask(
        "Hello",
        [ScriptedReply::default().fail(ModelErrorKind::Unavailable)],
    );
    assert_eq!(ending, failed(ModelErrorKind::Unavailable));
    runtime.saw(
        r"
        turn.started
        turn.failed model_failed
        ",
    );
}

#[test]
fn a_model_that_fails_after_its_first_word_leaves_no_answer() {
    let runtime = Runtime::new();
    let ending = runtime.ask("Hello", [says("Well, ").fail(ModelErrorKind::Interrupted)]);
    assert_eq!(ending, failed(ModelErrorKind::Interrupted));
    runtime.saw(
        r#"
        turn.started
        text.delta "Well, "
        turn.failed model_failed
        "#,
    );
    assert_eq!(runtime.answer(), None);
    runtime.ask("Again", [says("Here.")]);
    let messages = runtime.model.asked().remove(0).messages;
    assert_eq!(
        messages[1..],
        [Message::user("Hello"), Message::user("Again")]
    );
}

#[test]
fn the_budget_stops_a_turn_after_the_reply_that_used_it_up() {
    let runtime = Runtime::with_limits(Limits {
        tokens_a_turn: 1_000,
        ..Limits::default()
    });
    let look = || calls([call("", "look_up", json!({}))]);
    let script = [
        look().tokens(400, 100),
        look().tokens(400, 100),
        says("never asked"),
    ];
    assert_eq!(
        runtime.ask("Look", script),
        Ending::Over(Outcome::OutOfBudget)
    );
    assert_eq!(runtime.model.asked().len(), 2);
}

#[test]
fn a_model_that_does_not_count_is_counted_for() {
    let runtime = Runtime::new();
    let look = calls([call("a", "look_up", json!({ "ticket": "T-1" }))]);
    runtime.ask("Look", [look, says("It is open.")]);
    let entries = runtime.entries();
    let Usage {
        input_tokens,
        output_tokens,
        estimated,
        ..
    } = entries.last().unwrap().event.ended().unwrap().usage;
    assert!(estimated);
    assert!(
        input_tokens > 100,
        "the tools alone are more than {input_tokens} tokens"
    );
    assert!(output_tokens > 5, "{output_tokens}");

    let runtime = Runtime::with_limits(Limits {
        tokens_a_turn: 300,
        ..Limits::default()
    });
    let look = || calls([call("", "look_up", json!({}))]);
    assert_eq!(
        runtime.ask("Look", (0..9).map(|_| look())),
        Ending::Over(Outcome::OutOfBudget)
    );
}

#[test]
fn quick_replies_are_few_short_and_plain() {
    let runtime = Runtime::new();
    let suggest = calls([call("a", "look_up", json!({ "act": "suggest" }))]);
    let look = calls([call("b", "look_up", json!({}))]);
    runtime.ask("Help", [suggest, look, says("Choose.")]);
    let replies = || {
        let entries = runtime.entries();
        entries
            .last()
            .unwrap()
            .event
            .ended()
            .unwrap()
            .quick_replies
            .clone()
    };
    assert_eq!(replies(), ["Reply 1", "Reply 2", "Reply 3", "Reply 4"]);

    let long = calls([call("a", "look_up", json!({ "act": "suggest_long" }))]);
    runtime.ask("Help", [long, says("Choose.")]);
    assert_eq!(replies(), [format!("<b>{}", "x".repeat(77))]);

    // A model's own suggestions are the newest.
    let suggest = calls([call("a", "look_up", json!({ "act": "suggest" }))]);
    let own = ["Yes", " ", "No", "3", "4", "5"];
    runtime.ask("Help", [suggest, says("Choose.").suggests(&own)]);
    assert_eq!(replies(), ["Yes", "No", "3", "4"]);
}

/// The missing part of a cut reply may revoke its calls.
#[test]
fn a_cut_reply_is_never_acted_on() {
    let close = || calls([call("a", "close_ticket", json!({ "ticket": "T-7" }))]);
    let delete = || calls([call("b", "delete_ticket", json!({ "ticket": "T-7" }))]);
    let cuts = || [Finish::Length, Finish::Other("max_output".to_owned())];
    for finish in cuts() {
        // The model is asked once more, and the complete reply counts.
        let runtime = Runtime::new();
        let script = [close().finish(finish.clone()), close(), says("Closed.")];
        assert_eq!(
            runtime.ask("Close T-7", script),
            Ending::Over(Outcome::Answered)
        );
        assert_eq!(
            (runtime.lab.effects().len(), runtime.model.asked().len()),
            (1, 3)
        );
        assert_eq!(runtime.finished()[0].refused, Some(RefusalReason::CutOff));
    }
    for finish in cuts() {
        // It causes neither a write nor a card, even the second time.
        let runtime = Runtime::new();
        let script = [close().finish(finish.clone()), delete().finish(finish)];
        assert_eq!(
            runtime.ask("Close T-7", script),
            Ending::Over(Outcome::CutOff)
        );
        assert_eq!(runtime.lab.effects(), [""; 0]);
        let notice = runtime
            .entries()
            .last()
            .unwrap()
            .event
            .ended()
            .unwrap()
            .notice
            .clone();
        assert!(notice.unwrap().contains("nothing was done"));
    }
    let runtime = Runtime::new();
    let filtered = [close().finish(Finish::ContentFilter)];
    assert_eq!(
        runtime.ask("Close T-7", filtered),
        Ending::Over(Outcome::Refused)
    );
    assert_eq!(runtime.lab.effects(), [""; 0]);
}
