//! What is said: results, errors, introductions, the shape of answers, streaming.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use frontdesk_core::approval::REJECTED;
use frontdesk_core::message::{Message, ToolCall};
use frontdesk_core::model::{Ask, DeltaSink, Finish, Model, ModelSettings, Prompt};
use serde_json::{Value, json};

use super::super::{MODEL_NAME, OfflineModel};
use super::talk::{MODEL, Talk, joined, reply};
use super::toolboxes;

fn told(toolbox: &str, tool: &str, result: &str, words: &str) -> String {
    let mut talk = Talk::new(toolboxes::named(toolbox));
    talk.will_return(tool, result);
    talk.say(words).text
}

#[test]
fn a_summary_is_said_as_it_is() {
    let result = json!({"summary": "Pass GP-2026-0001 is pending.", "id": 5}).to_string();
    let text = told(
        "admin",
        "get_gate_pass_by_number",
        &result,
        "show GP-2026-0001",
    );
    assert_eq!(text, "Pass GP-2026-0001 is pending.");
}

#[test]
fn a_single_thing_is_told_by_its_fields() {
    let result = json!({"pass_number": "GP-2026-0001", "is_returnable": true, "note": null, "status": "pending"}).to_string();
    let text = told(
        "admin",
        "get_gate_pass_by_number",
        &result,
        "show GP-2026-0001",
    );
    assert_eq!(
        text,
        "- Pass number: GP-2026-0001\n- Status: pending\n- Is returnable: yes"
    );
}

#[test]
fn a_list_is_counted_and_shown_as_a_table() {
    let rows: Vec<Value> = (1..=12)
        .map(|n| json!({"pass_number": format!("GP-2026-{n:04}"), "person_name": "A|B", "status": "pending"}))
        .collect();
    let text = told(
        "admin",
        "list_pending_gate_passes",
        &json!(rows).to_string(),
        "pending passes",
    );
    assert!(text.starts_with("12 found:\n\n| Pass number | Person name | Status |\n| --- | --- | --- |\n| GP-2026-0001 | A\\|B | pending |"), "{text}");
    assert!(
        text.contains("GP-2026-0010") && !text.contains("GP-2026-0011"),
        "{text}"
    );
    assert!(text.ends_with("… and 2 more."), "{text}");
}

#[test]
fn an_empty_list_is_said_in_words() {
    assert_eq!(
        told("admin", "list_pending_gate_passes", "[]", "pending passes"),
        "Nothing was found."
    );
    let none = json!({"query": "x", "results": []}).to_string();
    assert_eq!(
        told("docs", "search_docs", &none, "What is VSLAM?"),
        "I did not find this in the documents."
    );
}

#[test]
fn passages_are_quoted_with_their_sources() {
    let found = json!({"query": "remote work", "results": [
        {"title": "Handbook", "url": "https://example.org/h", "score": 0.9,
         "text": "Lunch is at noon. Remote work is allowed on two days a week. Ask your lead."},
    ]});
    let text = told(
        "docs",
        "search_docs",
        &found.to_string(),
        "How many days of remote work are allowed?",
    );
    assert!(text.starts_with("> "), "{text}");
    assert!(
        text.contains("Remote work is allowed on two days a week."),
        "{text}"
    );
    assert!(
        text.ends_with("**Sources**\n- [Handbook](https://example.org/h)"),
        "{text}"
    );
}

#[test]
fn an_error_is_told_as_guidance_and_ends_the_plan() {
    let mut talk = Talk::new(toolboxes::named("admin"));
    talk.will_return(
        "approve_gate_pass",
        "Error: GP-2026-0007 is already approved; only a pending pass can be approved",
    );
    let turn = talk.say("approve GP-2026-0007 and print it, Omar");
    assert_eq!(turn.calls.len(), 1);
    assert_eq!(
        turn.text,
        "That did not work: GP-2026-0007 is already approved; only a pending pass can be approved\n\nI have not gone on with the rest."
    );
}

#[test]
fn what_somebody_rejected_is_no_failure() {
    for (said, told) in [
        (
            "delete GP-2026-0004, Omar",
            "That was rejected, so nothing was done.",
        ),
        (
            "удали пропуск GP-2026-0004, Omar",
            "Это отклонено, поэтому ничего не сделано.",
        ),
    ] {
        let mut talk = Talk::new(toolboxes::named("admin"));
        talk.will_return(
            "delete_gate_pass",
            &format!("Error: delete_gate_pass{REJECTED}"),
        );
        assert_eq!(talk.say(said).text, told);
    }
}

#[test]
fn what_others_wrote_cannot_speak_markdown() {
    let result =
        json!({"person_name": "![x](https://evil.example/p.png) <img> `a` *b*"}).to_string();
    let text = told(
        "admin",
        "get_gate_pass_by_number",
        &result,
        "show GP-2026-0001",
    );
    assert_eq!(
        text,
        r"- Person name: !\[x\](https://evil.example/p.png) \<img> \`a\` \*b\*"
    );
}

#[test]
fn the_language_is_the_persons() {
    for (words, part) in [
        ("одобри GP-2026-0007", "мне ещё нужно"),
        ("godkänn GP-2026-0007 är du snäll", "behöver jag också"),
        ("kan du godkende GP-2026-0007 for mig", "mangler jeg"),
        (
            "vær så snill å godkjenn GP-2026-0007 nå",
            "trenger jeg også",
        ),
        ("genehmige bitte GP-2026-0007", "brauche ich noch"),
        ("please approve GP-2026-0007", "I still need"),
    ] {
        let text = Talk::new(toolboxes::named("admin")).say(words).text;
        assert!(text.contains(part), "{words}: {text}");
    }
}

#[test]
fn it_says_what_it_is_once_and_whenever_asked() {
    let mut talk = Talk::new(toolboxes::named("admin"));
    assert!(talk.say("hello").text.contains("built-in offline model"));
    assert!(!talk.say("thanks").text.contains("offline model"));
    assert!(
        talk.say("are you a human?")
            .text
            .contains("built-in offline model")
    );
}

#[test]
fn help_lists_what_this_person_can_do() {
    let text = Talk::new(toolboxes::named("gate"))
        .say("what can you do?")
        .text;
    assert!(
        text.contains("- Record an exit: Record a person's exit from the facility"),
        "{text}"
    );
    assert!(!text.contains("Approve"), "{text}");
}

#[test]
fn reads_go_together_and_a_write_goes_alone() {
    let offer = toolboxes::named("admin");
    let both = reply(
        &MODEL,
        &offer,
        &[],
        &[Message::user("show GP-2026-0001 and print GP-2026-0002")],
        None,
    );
    assert_eq!(both.calls.len(), 2);
    let one = reply(
        &MODEL,
        &offer,
        &[],
        &[Message::user("approve GP-2026-0001 and print it, Omar")],
        None,
    );
    let names: Vec<&str> = one.calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["approve_gate_pass"]);
    assert_eq!(one.finish, Finish::ToolCalls);
}

#[test]
fn call_ids_differ_between_turns_and_rounds() {
    let offer = toolboxes::named("admin");
    let user = Message::user("show GP-2026-0001");
    let first = reply(&MODEL, &offer, &[], std::slice::from_ref(&user), None)
        .calls
        .remove(0);
    let history = [user.clone(), Message::assistant("Here.")];
    let second = reply(&MODEL, &offer, &history, &[user], None)
        .calls
        .remove(0);
    assert_ne!(first.id, second.id);
    assert_eq!(first.name, second.name);
}

#[test]
fn a_reply_schema_changes_nothing_in_its_words() {
    let schema = json!({"type": "object", "properties": {
        "message": {"type": "string"},
        "kind": {"type": "string", "enum": ["answer", "question"]},
    }, "required": ["message", "kind"]});
    let offer = toolboxes::named("gate");
    let tail = [Message::user("GP-2026-0300 [file:1]")];
    let answer = reply(&MODEL, &offer, &[], &tail, Some(&schema));
    assert!(answer.text.starts_with("Which of these"), "{}", answer.text);
    assert_eq!(answer.quick_replies[0], "Record an exit");
    assert_eq!(answer, reply(&MODEL, &offer, &[], &tail, None));
}

#[test]
fn a_choice_is_taken_by_place_or_by_words() {
    for answer in ["the first one", "1", "record an exit", "exit please"] {
        let mut talk = Talk::new(toolboxes::named("gate"));
        let asked = talk.say("GP-2026-0300 [file:1]");
        assert!(
            asked.text.starts_with("Which of these do you mean?\n- "),
            "{}",
            asked.text
        );
        let turn = talk.say(answer);
        assert_eq!(turn.calls.len(), 1, "{answer}: {}", turn.text);
        assert_eq!(
            turn.calls[0].1,
            json!({"pass_number": "GP-2026-0300", "photo": "file:1"})
        );
    }
}

#[test]
fn an_answer_in_the_middle_of_a_turn_is_not_taken_for_a_new_one() {
    let offer = toolboxes::named("admin");
    let call = ToolCall {
        id: "c1".to_owned(),
        name: "get_gate_pass_by_number".to_owned(),
        arguments: r#"{"pass_number":"GP-2026-0001"}"#.to_owned(),
    };
    let tail = [
        Message::user("show GP-2026-0001"),
        Message::calls(None, vec![call]),
        Message::tool("c1", "get_gate_pass_by_number", r#"{"status":"pending"}"#),
    ];
    let answer = reply(&MODEL, &offer, &[], &tail, None);
    assert!(answer.calls.is_empty());
    assert_eq!(answer.text, "- Status: pending");
    assert_eq!(answer.model.as_deref(), Some(MODEL_NAME));
}

struct Chunks(Vec<String>);

impl DeltaSink for Chunks {
    fn text(&mut self, delta: &str) {
        self.0.push(delta.to_owned());
    }
}

/// Polls by hand, so that each word is seen to be a place where the reply can be stopped.
#[test]
fn words_come_one_by_one_and_can_be_stopped_between() {
    let model = OfflineModel::default();
    let offer = toolboxes::named("gate");
    let (system, history) = (Bytes::new(), Bytes::new());
    let tail = joined(&[Message::user("hello")]);
    let settings = ModelSettings {
        model: "offline".to_owned(),
        temperature: None,
        max_tokens: None,
    };
    let ask = Ask {
        assistant: "test",
        prompt: Prompt {
            system: &system,
            history: &history,
            tail: &tail,
        },
        offer: &offer,
        settings: &settings,
        reply_schema: None,
        summaries: &[],
    };
    let mut chunks = Chunks(Vec::new());
    let mut context = Context::from_waker(Waker::noop());
    let mut polls = 0;
    let whole = {
        let mut future = pin!(model.reply(ask, &mut chunks));
        loop {
            polls += 1;
            if let Poll::Ready(done) = future.as_mut().poll(&mut context) {
                break done.expect("a reply");
            }
        }
    };
    assert_eq!(chunks.0.concat(), whole.text);
    assert!(chunks.0.len() > 20);
    assert_eq!(polls, chunks.0.len() + 1);
    let mut stopped = Chunks(Vec::new());
    {
        let mut future = pin!(model.reply(ask, &mut stopped));
        assert!(future.as_mut().poll(&mut context).is_pending());
    }
    assert_eq!(stopped.0.len(), 1);
}
