//! Facts read from a message, each with the words it came from.

use proptest::prelude::*;
use serde::Deserialize;

use super::super::discovery::Discovery;
use super::super::keys::Key;
use super::{is_said, read};

/// A message and exactly the facts that it states.
#[derive(Deserialize)]
struct Case {
    say: String,
    /// The questions before, if that matters.
    #[serde(default)]
    asked: Vec<String>,
    #[serde(default)]
    facts: std::collections::BTreeMap<String, String>,
    /// Keys whose answer cannot be kept.
    #[serde(default)]
    refused: Vec<String>,
    #[serde(default)]
    skipped: Vec<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

fn cases() -> Vec<Case> {
    let cases: Cases = toml::from_str(include_str!("../data/messages.toml")).unwrap();
    cases.case
}

fn asked(names: &[String]) -> Discovery {
    let keys = names.iter().map(|name| Key::named(name).unwrap());
    Discovery {
        asked: keys.collect(),
        ..Discovery::default()
    }
}

#[test]
fn every_message_says_exactly_its_facts() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} messages", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let reading = read(&case.say, &asked(&case.asked));
        let found: std::collections::BTreeMap<String, String> = reading
            .found
            .iter()
            .map(|found| (found.key.name().to_owned(), found.value.clone()))
            .collect();
        let refused: Vec<&str> = reading.problems.iter().map(|(key, _)| key.name()).collect();
        let skipped: Vec<&str> = reading.skipped.iter().map(|key| key.name()).collect();
        if found != case.facts || refused != case.refused || skipped != case.skipped {
            wrong.push(format!(
                "{:?}\n   found {found:?} refused {:?} skipped {skipped:?}\n   wanted {:?}",
                case.say, reading.problems, case.facts
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} wrong:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_fact_is_quoted_word_for_word() {
    for case in cases() {
        for found in read(&case.say, &asked(&case.asked)).found {
            assert!(
                case.say.contains(&found.quote),
                "{:?} is not in {:?}",
                found.quote,
                case.say
            );
        }
    }
}

#[test]
fn what_no_fact_has_is_named() {
    for (message, left) in [
        (
            "We scrub 900 m² daily. Also oil spills.",
            vec!["Also oil spills."],
        ),
        ("We are a hotel with 120 rooms", vec!["120 rooms"]),
        ("18,000 square metres of vinyl, 26 dollars an hour", vec![]),
        ("4 floors of 650 m2 each, vacuumed", vec![]),
        ("Does it pay off? We mop.", vec![]),
    ] {
        assert_eq!(
            read(message, &Discovery::default()).not_used,
            left,
            "{message}"
        );
    }
}

#[test]
fn pay_for_an_hour_is_no_cost_of_a_month() {
    let asked = asked(&["monthly_spend".to_owned()]);
    let reading = read("he earns 19/h", &asked);
    assert_eq!(reading.labor_rate.unwrap().dollars_an_hour, 19.0);
    assert!(reading.found.is_empty() && reading.problems.is_empty());
}

#[test]
fn a_question_answers_none_of_ours() {
    for key in Key::ALL {
        let known = Discovery {
            asked: vec![key],
            ..Discovery::default()
        };
        for question in [
            "So does a robot pay off?",
            "Lohnt sich das?",
            "And Avidbots?",
        ] {
            assert!(
                read(question, &known).found.is_empty(),
                "{key:?} {question}"
            );
        }
    }
}

#[test]
fn what_was_not_said_is_not_a_quote() {
    let words = vec![
        "We run a 6-court pickleball club!".to_owned(),
        "It is <4".to_owned(),
    ];
    assert!(is_said("6-court pickleball club", &words));
    assert!(is_said("we run a 6 court", &words));
    assert!(is_said("<4", &words));
    assert!(
        !is_said("8 courts", &words)
            && !is_said("ickleball", &words)
            && !is_said("", &words)
            && !is_said("!!", &words)
    );
}

proptest! {
    #[test]
    fn nothing_is_made_up_from_noise(message in "\\PC{0,200}", which in 0_usize..26) {
        let known = Discovery { asked: vec![Key::ALL[which]], ..Discovery::default() };
        for found in read(&message, &known).found {
            prop_assert!(message.contains(&found.quote), "{:?}", found);
        }
    }

    #[test]
    fn a_question_states_nothing(courts in 1_u32..99) {
        let message = format!("Would {courts} courts at a tennis club be too many to vacuum in 2 hours for $3,000 a month?");
        prop_assert!(read(&message, &Discovery::default()).found.is_empty());
    }
}
