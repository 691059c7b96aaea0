//! Answers name the numbers, conditions and statements that nothing took, and robots are found by their names.

use serde_json::{Value, json};

use super::kit::Kit;

#[tokio::test]
async fn a_number_or_condition_that_changes_no_value_is_named() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    for (said, arguments, named) in [
        ("What if we clean it 3x a week?", json!({}), "“3x a week”"),
        (
            "And with the doors closed on Mondays, if the lobby is rented out?",
            json!({}),
            "“the lobby is rented out”",
        ),
        (
            "What if it runs 60 percent and the wage is 31?",
            json!({ "utilization": 0.6 }),
            "“31”",
        ),
    ] {
        talk.words.push(said.to_owned());
        let done = talk.done("calculate_roi", arguments).await;
        let sentence = format!("I did not use {named}: the figures are without it.");
        assert!(done.summary.contains(&sentence), "{}", done.summary);
        assert_eq!(done.result["not_used"].as_array().unwrap().len(), 1);
    }
    for (said, arguments) in [
        ("What if it runs 60 percent?", json!({ "utilization": 0.6 })),
        ("What if the wage is 31?", json!({ "labor_rate": 31 })),
        ("Does it pay with our $3,500 and the 6 courts?", json!({})),
        ("What does the CC1 save?", json!({ "robots": ["CC1"] })),
    ] {
        talk.words.push(said.to_owned());
        let done = talk.done("calculate_roi", arguments).await;
        assert_eq!(done.result.get("not_used"), None, "{said}");
    }
}

#[tokio::test]
async fn a_robot_that_the_message_names_is_meant() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    talk.interviewed().await;
    talk.words.push("what about the gausium ones".to_owned());
    let both = talk.done("calculate_roi", json!({})).await;
    let names = |output: &Value| -> Vec<String> {
        let found = output["estimates"].as_array().unwrap().iter();
        found
            .map(|one| one["robot"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        names(&both.result),
        ["Gausium Phantas", "Gausium Vacuum 40"]
    );
    talk.words.push("the vacuum 40 then".to_owned());
    let one = talk.done("calculate_roi", json!({})).await;
    assert_eq!(names(&one.result), ["Gausium Vacuum 40"]);
    talk.words.push("write it up".to_owned());
    let case = talk.done("make_business_case", json!({})).await;
    assert!(
        case.summary.contains("Business case: Gausium Vacuum 40"),
        "{}",
        case.summary
    );
    let same = talk.done("update_shortlist", json!({})).await;
    assert!(
        same.summary
            .contains("The shortlist is empty. Name the robots")
            && same.outbox.quick_replies == ["Shortlist the Gausium Vacuum 40"],
        "{}",
        same.summary
    );
}

#[tokio::test]
async fn a_statement_without_a_fact_is_named() {
    let kit = Kit::new().await;
    let mut talk = kit.talk();
    let done = talk
        .says("We run a hotel of 900 m2. There is a fountain with 3 fish.")
        .await;
    assert!(
        done.summary
            .contains("I noted nothing from “There is a fountain with 3 fish.”."),
        "{}",
        done.summary
    );
    talk.words
        .push("We run a hotel with 120 beds and 900 m2".to_owned());
    let fact = json!({ "key": "company_type", "value": "Hotel", "quote": "a hotel" });
    let done = talk.done("record_facts", json!({ "facts": [fact] })).await;
    assert_eq!(done.result["not_used"], json!(["120 beds and"]));
}
