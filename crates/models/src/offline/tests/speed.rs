//! What a decision costs with twenty tools, and that history does not make it dearer.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use frontdesk_core::message::Message;
use frontdesk_core::toolbox::{Group, Offer, Phrasings};

use super::super::OfflineModel;
use super::talk::{joined, reply, reply_to};
use super::{passes, toolboxes};

/// Some eight hundred sentences, as many as an assistant lists.
fn list(offer: &Offer) -> Phrasings {
    const BEFORE: [&str; 8] = [
        "",
        "please",
        "could you",
        "hi, I need you to",
        "now",
        "ok then",
        "quickly",
        "for me",
    ];
    let groups = offer.tools.iter().map(|tool| Group {
        values: Vec::new(),
        tools: vec![tool.name.to_string()],
        said: BEFORE
            .iter()
            .flat_map(|before| {
                let examples = tool.spec.examples.iter().cycle().take(5);
                examples.map(move |example| format!("{before} {}", example.say))
            })
            .collect(),
    });
    Phrasings {
        groups: groups.collect(),
    }
}

/// Figures for the documentation: `cargo test --release -- --ignored --nocapture speed`.
#[test]
#[ignore = "prints figures, judges nothing"]
fn figures() {
    let mut tools = passes::hr();
    tools.extend(passes::admin());
    tools.extend(passes::gate());
    tools.truncate(20);
    let mut offer = toolboxes::offer(tools);
    offer.phrasings = Arc::new(list(&offer));
    let model = OfflineModel::default();
    let sentences = [
        "approve GP-2026-0007, I am Omar",
        "Create a gate pass for John Smith to visit the bank, he will return",
        "what's the weather like tomorrow?",
        "please show me everything that is still waiting for approval and then print GP-2026-0007",
    ];
    let begun = Instant::now();
    reply(&model, &offer, &[], &[Message::user("hi")], None);
    println!("first reply, with the index: {:?}", begun.elapsed());
    let mut long: Vec<Message> = Vec::new();
    for turn in 0..1_000 {
        long.push(Message::user(format!("show GP-2026-{turn:04}")));
        long.push(Message::assistant("Here it is."));
    }
    println!("history: {} bytes", joined(&long).len());
    for history in [&[][..], &long] {
        let history_bytes = Bytes::from(joined(history));
        for sentence in sentences {
            const ROUNDS: u32 = 50;
            let tail = joined(&[Message::user(sentence)]);
            let begun = Instant::now();
            for _ in 0..ROUNDS {
                reply_to(&model, &offer, &history_bytes, &tail, None);
            }
            println!(
                "{:>5} messages before: {:?} {sentence:?}",
                history.len(),
                begun.elapsed() / ROUNDS
            );
        }
    }
    let paste = "lorem ipsum dolor ".repeat(6_000);
    let begun = Instant::now();
    reply(&model, &offer, &[], &[Message::user(paste)], None);
    println!("100 KB: {:?}", begun.elapsed());
}
