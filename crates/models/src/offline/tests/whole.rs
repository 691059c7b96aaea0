//! All that was said counts: nobody and nothing is passed over, and nothing gets another's place.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::json;

use super::talk::{Talk, calls};
use super::toolboxes::{change_list, named, object, offer, tool};

/// A draft about one machine, or about the first of the list.
fn case_for_machine() -> ToolDef {
    tool(
        "write_case",
        object(
            json!({"machine": {"type": ["string", "null"], "description": "Name of the machine that it is about."}}),
            &[],
        ),
        ToolSpec::transactional("Write the business case for one machine.")
            .title("Write the business case")
            .produces("case")
            .example("write the business case", json!({}))
            .example(
                "write a business case for the Omega One",
                json!({"machine": "Omega One"}),
            ),
    )
}

fn machines() -> Talk {
    Talk::new(offer(vec![change_list(), case_for_machine()]))
}

#[test]
fn one_thing_takes_the_place_of_another() {
    let swapped = json!({"remove": ["Omega One"], "add": ["Delta Max"]});
    for said in [
        "swap the Omega One for the Delta Max on the list",
        "on the list, replace the Omega One with the Delta Max",
        "put the Delta Max on the list instead of the Omega One",
    ] {
        calls(&machines().say(said), &[("change_list", swapped.clone())]);
    }
    calls(&machines().say("replace the Omega One on the list"), &[]);
}

#[test]
fn what_a_call_was_given_is_known_however_it_is_written() {
    let mut talk = machines();
    let added = json!({"add": ["Omega One"]});
    calls(
        &talk.say("put the Omega One on the list"),
        &[("change_list", added)],
    );
    let removed = json!({"remove": ["Omega One"]});
    calls(
        &talk.say("take the omega one off the list again"),
        &[("change_list", removed)],
    );
}

#[test]
fn it_is_what_the_request_before_named() {
    let turn = machines().say("put the Omega One on the list and write the business case about it");
    let added = ("change_list", json!({"add": ["Omega One"]}));
    calls(
        &turn,
        &[added, ("write_case", json!({"machine": "Omega One"}))],
    );
    // Two were named: the person says which.
    let turn = machines().say(
        "put the Omega One and the Delta Max on the list and write the business case about it",
    );
    let both = ("change_list", json!({"add": ["Omega One", "Delta Max"]}));
    calls(&turn, &[both]);
}

#[test]
fn everybody_who_is_named_counts() {
    let mut talk = Talk::new(named("hr"));
    let turn = talk.say(
        "Create gate passes for Maria Conti and Paul Adeyemi to visit the bank, they will return",
    );
    let names = turn
        .calls
        .iter()
        .map(|(_, with)| with["person_name"].clone());
    let names: Vec<_> = names.collect();
    assert_eq!(names, [json!("Maria Conti"), json!("Paul Adeyemi")]);

    let mut talk = Talk::new(named("gig"));
    let decided = |name: &str, decision: &str| {
        let with = json!({"candidate": name, "decision": decision});
        ("set_selection", with)
    };
    calls(
        &talk.say("Пригласи Анну Котову, а Борису Орлову откажи"),
        &[
            decided("Анну Котову", "INVITE"),
            decided("Борису Орлову", "REJECTED"),
        ],
    );
    // Of the second nothing is said that could be done.
    calls(
        &Talk::new(named("gig")).say("Отклони Анну Котову, Борис Орлов в отпуске"),
        &[],
    );
}

#[test]
fn a_word_behind_is_orders_nothing() {
    let mut talk = Talk::new(named("hr"));
    calls(
        &talk.say("The dates are correct, print GP-2026-0003"),
        &[("print_gate_pass", json!({"pass_number": "GP-2026-0003"}))],
    );
    let mut talk = Talk::new(named("recruiting"));
    calls(
        &talk.say("Write the headhunting messages after all"),
        &[("create_headhunting_messages", json!({}))],
    );
}

#[test]
fn a_figure_goes_where_its_words_say() {
    let mut talk = Talk::new(named("recruiting"));
    let report = |positions: u32| {
        let with = json!({
            "job_title": "Data Analyst",
            "number_of_positions": positions,
            "hiring_manager_name": "Nils Dahl",
            "applications_received": 40,
        });
        ("create_funnel_report", with)
    };
    calls(
        &talk.say("funnel report for Data Analyst, two openings, hiring manager Nils Dahl: 40 applications"),
        &[report(2)],
    );
}

#[test]
fn second_thoughts_and_thanks_order_nothing() {
    for (toolbox, said) in [
        (
            "gig",
            "Reject Anna Kotova... hmm, on second thought, leave her be",
        ),
        (
            "gig",
            "Reject Anna Kotova. On second thought, she may still surprise us",
        ),
        (
            "recruiting",
            "Thanks for the job ad yesterday, the manager loved it!",
        ),
        (
            "recruiting",
            "Tack för jobbannonsen i går, chefen blev jättenöjd!",
        ),
    ] {
        let turn = Talk::new(named(toolbox)).say(said);
        assert_eq!(turn.calls, vec![], "{said}");
    }
}

#[test]
fn an_answer_goes_with_all_of_the_request() {
    let mut talk = Talk::new(named("recruiting"));
    let said = "Here is the transcript of my interview with Oliver Grant, can you write the candidate report?\n[text:1, 15230 characters]";
    calls(&talk.say(said), &[]);
    let report = json!({
        "candidate_name": "Oliver Grant",
        "interview_date": "2026-06-03",
        "transcript": "text:1",
    });
    calls(
        &talk.say("The interview was on 3 June 2026"),
        &[("create_candidate_report", report)],
    );
}

#[test]
fn photos_go_by_their_place() {
    let mut talk = Talk::new(named("gate"));
    let said = "GP-2026-0180 is going out (first photo) and GP-2026-0175 just came back (second photo)\n[file:1, out.jpg, image/jpeg, 40000 bytes]\n[file:2, in.jpg, image/jpeg, 40000 bytes]";
    let scanned = |number: &str, photo: &str| json!({"pass_number": number, "photo": photo});
    calls(
        &talk.say(said),
        &[
            ("scan_exit", scanned("GP-2026-0180", "file:1")),
            ("scan_return", scanned("GP-2026-0175", "file:2")),
        ],
    );
}
