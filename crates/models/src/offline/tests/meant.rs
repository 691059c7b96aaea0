//! Writes that are not made because they were not meant so: taken back, with something left out, or
//! about somebody who may be another.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::{Value, json};

use super::talk::{Talk, calls};
use super::toolboxes::{named, object, offer, tool};

#[test]
fn what_is_taken_back_is_not_done() {
    for (toolbox, said) in [
        (
            "hr",
            "Make a pass for Omar Said to visit the bank, he will return... oh wait, he quit. Scrap that.",
        ),
        (
            "hr",
            "Create a gate pass for Lena Fox, airport pickup, she won't return. On second thought, let's not",
        ),
        (
            "recruiting",
            "write the job ad in Danish, hold on, no, not yet",
        ),
        ("recruiting", "Skriv jobbannonsen. Nej vänta, strunta i det"),
        ("recruiting", "skriv jobannoncen, nej vent, glem det"),
        (
            "recruiting",
            "Schreib die Stellenanzeige. Ach nein, lieber doch nicht",
        ),
        ("gig", "Отклони Анну Котову. Хотя нет, не надо"),
        ("gig", "пригласи Бориса… стой, я передумал"),
        ("gig", "Отклони Анну Котову. Отбой. Спасибо, Мария"),
    ] {
        let mut talk = Talk::new(named(toolbox));
        let turn = talk.say(said);
        assert_eq!(turn.calls, vec![], "{said}");
        // Nothing is left open either, which a "yes" would carry out.
        assert_eq!(talk.say("yes").calls, vec![], "{said}");
    }
}

#[test]
fn what_is_put_right_is_done() {
    let pass = |name: &str| json!({"person_name": name, "description": "visit the bank", "is_returnable": true});
    let mut talk = Talk::new(named("hr"));
    let said =
        "Create a gate pass for Ali Khan, sorry, Omar Said to visit the bank, he will return";
    calls(&talk.say(said), &[("create_gate_pass", pass("Omar Said"))]);
    let mut talk = Talk::new(named("hr"));
    let print = |number: &str| ("print_gate_pass", json!({"pass_number": number}));
    let turn = talk.say("print GP-2026-0003, no wait, GP-2026-0004");
    calls(&turn, &[print("GP-2026-0004")]);
}

#[test]
fn only_what_is_ordered_instead_is_done() {
    let mut talk = Talk::new(named("recruiting"));
    let turn = talk.say("Write the job ad. Forget that, create the headhunting messages");
    calls(&turn, &[("create_headhunting_messages", json!({}))]);
}

#[test]
fn what_is_said_of_oneself_is_not_taken_back_by_not_yet() {
    let listening = tool(
        "record_facts",
        object(json!({}), &[]),
        ToolSpec::transactional("Keep what the person tells about their company.")
            .title("Note facts")
            .listens(|said| said.contains("floors"))
            .example("we have three floors", json!({})),
    );
    let mut talk = Talk::new(offer(vec![listening]));
    let turn = talk.say("We have four floors and no lifts, not yet");
    calls(&turn, &[("record_facts", json!({}))]);
}

fn briefs() -> Vec<ToolDef> {
    let text = |what: &str| json!({"type": "string", "x-handle": "text", "description": what});
    let free =
        |what: &str| json!({"type": ["string", "null"], "x-handle": "text", "description": what});
    vec![tool(
        "create_brief",
        object(
            json!({
                "minutes": text("Minutes of the kick-off."),
                "client_name": {"type": "string", "description": "Name of the client."},
                "old_contract": free("The contract of the year before."),
                "price_list": free("Prices that were agreed."),
            }),
            &["minutes", "client_name"],
        ),
        ToolSpec::transactional("Create a brief for a client from the minutes of the kick-off.")
            .title("Client brief")
            .example(
                "create a brief for Acme Foods from these minutes",
                json!({"minutes": "text:1", "client_name": "Acme Foods"}),
            ),
    )]
}

const TWO: &str = "\n[text:1, 900 characters]\n[text:2, 800 characters]";

#[test]
fn each_text_goes_where_its_words_say() {
    let mut talk = Talk::new(offer(briefs()));
    let said = "Create a brief for Nordic Rail. The first is the contract we had, the second is my minutes";
    let wanted =
        json!({"minutes": "text:2", "client_name": "Nordic Rail", "old_contract": "text:1"});
    calls(
        &talk.say(&format!("{said}{TWO}")),
        &[("create_brief", wanted)],
    );
}

#[test]
fn a_text_that_nobody_named_is_asked_about() {
    let mut talk = Talk::new(offer(briefs()));
    let turn = talk.say(&format!("Create a brief for Nordic Rail from these{TWO}"));
    calls(&turn, &[]);
    let wanted = json!({"minutes": "text:1", "client_name": "Nordic Rail", "price_list": "text:2"});
    calls(
        &talk.say("that's the price list"),
        &[("create_brief", wanted)],
    );
}

#[test]
fn one_more_text_comes_to_those_that_are_there() {
    let mut talk = Talk::new(offer(briefs()));
    let first = "create a brief for Nordic Rail from these minutes\n[text:1, 900 characters]";
    let before = json!({"minutes": "text:1", "client_name": "Nordic Rail"});
    calls(&talk.say(first), &[("create_brief", before)]);
    let turn =
        talk.say("I forgot the Contract, please redo it with that\n[text:2, 800 characters]");
    // Another write is asked about first.
    calls(&turn, &[]);
    let turn = talk.say("yes");
    let wanted =
        json!({"minutes": "text:1", "client_name": "Nordic Rail", "old_contract": "text:2"});
    calls(&turn, &[("create_brief", wanted)]);
}

#[test]
fn what_was_handed_over_before_stays_when_something_else_changes() {
    let mut talk = Talk::new(offer(briefs()));
    talk.say("create a brief for Nordic Rail from these minutes\n[text:1, 900 characters]");
    let turn = talk.say("and for Baltic Ferries too");
    let wanted = json!({"minutes": "text:1", "client_name": "Baltic Ferries"});
    calls(&turn, &[("create_brief", wanted)]);
}

#[test]
fn somebody_who_may_be_another_is_asked_about() {
    let mut talk = Talk::new(named("gig"));
    talk.say("tell me about Anna Kotova");
    talk.say("tell me about Boris Lapin");
    let turn = talk.say("invite him");
    calls(&turn, &[]);
    assert!(turn.text.contains("Anna Kotova"), "{}", turn.text);
    assert_eq!(talk.quick_replies, ["Boris Lapin", "Anna Kotova"]);
    let wanted = json!({"candidate": "Anna Kotova", "decision": "INVITE"});
    calls(&talk.say("Anna Kotova"), &[("set_selection", wanted)]);
}

#[test]
fn the_only_one_spoken_of_is_meant() {
    let mut talk = Talk::new(named("gig"));
    talk.say("tell me about Anna Kotova");
    let wanted = json!({"candidate": "Anna Kotova", "decision": "INVITE"});
    calls(&talk.say("invite her"), &[("set_selection", wanted)]);
}

#[test]
fn a_number_alone_names_another_one() {
    let mut talk = Talk::new(named("admin"));
    talk.say("approve GP-2026-0041, I am Omar Farooq");
    let turn = talk.say("and reject 0042");
    calls(&turn, &[]);
    assert!(!turn.text.contains("Pass number"), "{}", turn.text);
    let rejected = json!({"pass_number": "GP-2026-0042", "name": "Omar Farooq"});
    calls(&talk.say("Omar Farooq"), &[("reject_gate_pass", rejected)]);
}

#[test]
fn figures_that_end_no_code_are_asked_about() {
    let mut talk = Talk::new(named("admin"));
    talk.say("approve GP-2026-0041, I am Omar Farooq");
    let turn = talk.say("and reject 420042");
    calls(&turn, &[]);
    assert!(turn.text.contains("Pass number"), "{}", turn.text);
}

#[test]
fn sentences_about_one_thing_each_are_requests_of_their_own() {
    let mut talk = Talk::new(named("gate"));
    let turn = talk.say("Show me GP-2026-0041. I need the QR code of GP-2026-0042 as well.");
    let numbers: Vec<&str> = turn
        .calls
        .iter()
        .filter_map(|(_, arguments)| arguments.as_object()?.values().next()?.as_str())
        .collect();
    assert_eq!(numbers, ["GP-2026-0041", "GP-2026-0042"], "{}", turn.text);
}

#[test]
fn what_stands_in_another_sentence_is_not_decided_with_the_first() {
    let mut talk = Talk::new(named("admin"));
    let turn = talk.say("Approve GP-2026-0041, I am Omar Farooq. GP-2026-0042 waits, no hurry.");
    let others = |(_, arguments): &&(String, Value)| arguments["pass_number"] != "GP-2026-0041";
    assert_eq!(turn.calls.iter().filter(others).count(), 0, "{}", turn.text);
}

#[test]
fn how_something_is_orders_nothing() {
    for words in ["Profilen är bekräftad", "Das Profil ist bestätigt"] {
        let turn = Talk::new(named("recruiting")).say(words);
        calls(&turn, &[]);
    }
}

#[test]
fn who_takes_leave_does_not_agree() {
    let mut talk = Talk::new(named("admin"));
    let asked = talk.say("Omar Farooq wants to approve GP-2026-0041");
    calls(&asked, &[]);
    calls(&talk.say("ok, no problem, have a nice day!"), &[]);
}
