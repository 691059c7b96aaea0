//! What is said beside an order: remarks, favours, wishes, what is left out, and whom it is about.

use frontdesk_core::tool::{ToolDef, ToolSpec};
use serde_json::{Value, json};

use super::talk::Talk;
use super::toolboxes::{change_list, docs, object, offer, tool};
use super::understanding::staff;

fn buyer() -> Vec<ToolDef> {
    vec![
        tool(
            "note_facts",
            object(json!({}), &[]),
            ToolSpec::transactional("Note what the person stated about their company.")
                .title("Note what you said")
                .listens(|words| words.contains("courts"))
                .example("we run a club with 6 courts", json!({})),
        ),
        change_list(),
        tool(
            "calculate_savings",
            object(
                json!({"utilization": {"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": "Share of the time in use, from 0 to 1."}}),
                &[],
            ),
            ToolSpec::read("Calculate what a machine saves.")
                .title("Calculate the savings")
                .example("calculate the savings", json!({})),
        ),
    ]
}

fn recruiter() -> Vec<ToolDef> {
    vec![
        tool(
            "write_ad",
            object(
                json!({"include_salary": {"type": ["boolean", "null"], "description": "Whether the salary is told."}}),
                &[],
            ),
            ToolSpec::transactional("Write the ad.")
                .title("Write the ad")
                .example("write the ad", json!({}))
                .example(
                    "write the ad with the salary",
                    json!({"include_salary": true}),
                ),
        ),
        tool(
            "report_figures",
            object(
                json!({
                    "job_title": {"type": "string", "description": "Title of the job."},
                    "hm_interviews": {"type": ["integer", "null"], "minimum": 0, "description": "Interviews with the hiring manager."},
                    "case_interviews": {"type": ["integer", "null"], "minimum": 0, "description": "Interviews about a case."},
                }),
                &["job_title"],
            ),
            ToolSpec::transactional("Report the figures of a search.")
                .title("Report figures")
                .example(
                    "report figures, job title: Sales Lead, 4 case interviews",
                    json!({"job_title": "Sales Lead", "case_interviews": 4}),
                ),
        ),
    ]
}

#[track_caller]
fn comes_to(tools: Vec<ToolDef>, words: &str, wanted: &[(&str, Value)]) {
    let turn = Talk::new(offer(tools)).say(words);
    let calls: Vec<(&str, Value)> = turn
        .calls
        .iter()
        .map(|(name, arguments)| (name.as_str(), arguments.clone()))
        .collect();
    assert_eq!(calls, wanted, "{words}: {}", turn.text);
}

#[test]
fn courtesies_favours_and_repeats_are_no_facts() {
    comes_to(buyer(), "we have 8 courts", &[("note_facts", json!({}))]);
    for words in [
        "thank you, that was really helpful",
        "thanks, that was what I was looking for",
        "good morning, hope you had a nice weekend",
        "ok great, thanks a lot, I'll think about it",
        "could you book me a flight to Denver",
        "don't add anything yet",
    ] {
        comes_to(buyer(), words, &[]);
    }
    let order = [("calculate_savings", json!({}))];
    comes_to(
        buyer(),
        "that's all we have, now calculate the savings",
        &order,
    );
}

#[test]
fn a_change_that_nothing_is_told_of_is_asked_about() {
    comes_to(buyer(), "remove it", &[]);
    let taken = json!({"remove": ["Sigma Plus"]});
    comes_to(
        buyer(),
        "Take the Sigma Plus off the list",
        &[("change_list", taken)],
    );
    comes_to(buyer(), "show the list", &[("change_list", json!({}))]);
}

#[test]
fn one_is_put_on_and_another_taken_off() {
    let wanted = [(
        "change_list",
        json!({"add": ["Omega Plus"], "remove": ["Sigma Plus"]}),
    )];
    let words = "put the Omega Plus on the list and take the Sigma Plus off the list";
    comes_to(buyer(), words, &wanted);
}

#[test]
fn per_cent_of_something_from_nought_to_one() {
    let share = json!({"utilization": 0.6});
    comes_to(
        buyer(),
        "calculate the savings with 60% utilization",
        &[("calculate_savings", share)],
    );
}

#[test]
fn what_is_left_out_is_left_out() {
    for words in [
        "write the ad but leave the salary out",
        "write the ad, leave out the salary",
        "write the ad and skip the salary",
    ] {
        comes_to(
            recruiter(),
            words,
            &[("write_ad", json!({"include_salary": false}))],
        );
    }
    let kept = json!({"include_salary": true});
    comes_to(
        recruiter(),
        "write the ad with the salary",
        &[("write_ad", kept)],
    );
}

#[test]
fn letters_stand_for_the_words_they_begin() {
    let figures = json!({"job_title": "Data Lead", "hm_interviews": 6});
    comes_to(
        recruiter(),
        "report figures, job title: Data Lead, 6 hiring manager interviews",
        &[("report_figures", figures)],
    );
}

#[test]
fn a_question_behind_a_remark_is_the_question() {
    let skilled = json!({"with_skill": "Excel"});
    comes_to(
        staff(),
        "I'm back at my desk, who knows Excel?",
        &[("find_people", skilled)],
    );
    let words = "i changed a few pages in our folder, how do i get the index updated";
    comes_to(docs(), words, &[("search_docs", json!({"query": words}))]);
    comes_to(docs(), "don't search for anything yet", &[]);
}

#[test]
fn somebody_who_was_just_looked_at_is_meant() {
    let mut talk = Talk::new(offer(staff()));
    talk.will_return("show_person", r#"{"text":"Boris Kim, 54 of 100"}"#);
    talk.say("tell me about Boris Kim");
    let turn = talk.say("fine, invite him to a meeting");
    let invited = json!({"person": "Boris Kim", "decision": "INVITE"});
    assert_eq!(
        turn.calls,
        [("decide".to_owned(), invited)],
        "{}",
        turn.text
    );
    // Nobody was spoken of.
    comes_to(staff(), "invite him to a meeting", &[]);
}

#[test]
fn a_number_behind_a_name_belongs_to_it() {
    let wanted = [("change_list", json!({"add": ["Omega 2", "Sigma B 50"]}))];
    comes_to(
        buyer(),
        "put the Omega 2 and the Sigma B 50 on the list",
        &wanted,
    );
}

#[test]
fn per_cent_may_be_written_out() {
    let share = [("calculate_savings", json!({"utilization": 0.6}))];
    comes_to(
        buyer(),
        "calculate the savings with 60 percent utilization",
        &share,
    );
}

#[test]
fn hesitations_are_no_names_and_no_facts() {
    let taken = [("change_list", json!({"remove": ["Sigma Plus"]}))];
    comes_to(buyer(), "Hang on, take the Sigma Plus off the list", &taken);
}

#[test]
fn both_is_two_of_them() {
    let figures = json!({"job_title": "Buyer", "case_interviews": 2});
    let words = "report the figures for the job Buyer, both case interviews are done";
    comes_to(recruiter(), words, &[("report_figures", figures)]);
}
