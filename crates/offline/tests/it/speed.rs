//! Time to train and to decide at 20 tools and 800 sentences. Figures hold for optimised builds.

use std::time::Instant;

use frontdesk_core::tool::ToolSpec;
use serde_json::json;

use super::support::{Chat, offer_of, tool};

const TOOLS: usize = 20;
const SENTENCES: usize = 40;
const TRAINING_MS: u128 = 200;
const DECISION_MS: u128 = 5;

fn large() -> Chat {
    let subjects = [
        "invoice", "order", "ticket", "room", "parcel", "contract", "machine", "visitor", "course",
        "budget",
    ];
    let endings = [
        "please",
        "for the team",
        "as soon as you can",
        "of last week",
        "before Friday",
    ];
    let verbs = ["show", "create"];
    let openings = [
        "could you",
        "I want to",
        "please",
        "we need to",
        "can somebody",
        "time to",
        "do",
        "now",
    ];
    let mut tools = Vec::new();
    let mut phrasings = String::new();
    for at in 0..TOOLS {
        let (subject, verb) = (subjects[at % subjects.len()], verbs[at / subjects.len()]);
        let name = format!("{verb}_{subject}");
        let spec =
            ToolSpec::read(format!("{verb} a {subject}.")).title(format!("{verb} a {subject}"));
        let parameters = json!({ "type": "object", "properties": {
            "status": { "type": "string", "enum": ["open", "closed"] },
            "limit": { "type": "integer", "description": "How many" } }, "required": [] });
        tools.push(tool(&name, parameters, spec));
        phrasings.push_str(&format!("[{name}]\n"));
        for line in 0..SENTENCES {
            let (opening, ending) = (
                openings[line % openings.len()],
                endings[line / openings.len()],
            );
            phrasings.push_str(&format!(
                "{opening} {verb} the {subject} number {line} {ending}\n"
            ));
        }
    }
    Chat::with(offer_of(tools, Vec::new(), &phrasings))
}

#[test]
#[ignore = "a measurement for `cargo test --release`"]
fn training_and_decisions_are_fast() {
    let mut chat = large();
    let began = Instant::now();
    let first = chat.say("could you show the parcel of last week");
    let training = began.elapsed();
    assert_eq!(first.calls.len(), 1, "{first:?}");
    let began = Instant::now();
    const TIMES: u32 = 200;
    for _ in 0..TIMES {
        chat.ask("please create the contract number 7 before Friday, and show the open invoice");
    }
    let decision = began.elapsed() / TIMES;
    println!("training {training:?}, decision {decision:?}");
    assert!(training.as_millis() < TRAINING_MS, "{training:?}");
    assert!(decision.as_millis() <= DECISION_MS, "{decision:?}");
}
