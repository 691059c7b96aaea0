//! The checker detects each fault that a test injects into a consistent run.

use frontdesk_core::event::Event;
use serde_json::{Value, json};
use uuid::Uuid;

use super::check::violations;
use super::clients::Ack;
use super::effects::Done;
use super::facts::{Audited, Entry, Facts, StoredLine, StoredTurn};

struct Story {
    acks: Vec<Ack>,
    facts: Facts,
    done: Vec<Done>,
}

const TURN: Uuid = Uuid::from_u128(1);
const ASKED: Uuid = Uuid::from_u128(2);
const ANSWERED: Uuid = Uuid::from_u128(3);
const TALK: Uuid = Uuid::from_u128(4);

fn line(id: Uuid, said: bool, content: &str, wire: Value) -> StoredLine {
    StoredLine {
        id,
        conversation: TALK,
        role: wire["role"].as_str().unwrap().to_owned(),
        content: content.to_owned(),
        said,
        wire: Some(wire),
    }
}

fn journal() -> Vec<Entry> {
    let usage =
        json!({ "input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "estimated": false });
    let events = [
        json!({ "event": "model.replied", "data": { "text": "", "calls": [{ "id": "c", "function": { "name": "send", "arguments": "{}" } }],
            "finish": "tool_calls", "usage": usage, "model": null, "duration_ms": 0 } }),
        json!({ "event": "tool.started", "data": { "call_id": "c", "name": "send", "title": "Send",
            "arguments": { "tag": "t" }, "effect": "at_most_once" } }),
        json!({ "event": "tool.finished", "data": { "call_id": "c", "name": "send", "ok": true,
            "summary": "", "told": "", "duration_ms": 0 } }),
        json!({ "event": "text.delta", "data": { "text": "Done" } }),
        json!({ "event": "turn.completed", "data": { "outcome": { "outcome": "answered" },
            "message": ANSWERED, "notice": null, "usage": usage } }),
    ];
    let entries = events.into_iter().enumerate().map(|(index, event)| Entry {
        position: index as i64 + 1,
        epoch: 0,
        event: serde_json::from_value::<Event>(event).unwrap(),
    });
    entries.collect()
}

fn consistent_run() -> Story {
    let call = json!({ "role": "assistant", "tool_calls": [{ "id": "c" }] });
    let result = json!({ "role": "tool", "tool_call_id": "c" });
    Story {
        acks: vec![Ack {
            person: 0,
            conversation: TALK,
            turn: TURN,
            message: ASKED,
            content: "t send".to_owned(),
            seen: Vec::new(),
        }],
        facts: Facts {
            messages: vec![
                line(ASKED, true, "t send", json!({ "role": "user" })),
                line(Uuid::from_u128(5), false, "", call),
                line(Uuid::from_u128(6), false, "", result),
                line(ANSWERED, true, "Done", json!({ "role": "assistant" })),
            ],
            turns: vec![StoredTurn {
                id: TURN,
                state: "completed".to_owned(),
                user_message: ASKED,
                agent_message: Some(ANSWERED),
                journal: journal(),
            }],
            audit: vec![Audited {
                turn: Some(TURN),
                call_id: "c".to_owned(),
                tool: "send".to_owned(),
                outcome: "executed".to_owned(),
            }],
            notes: Vec::new(),
        },
        done: vec![Done {
            tool: "send".to_owned(),
            key: format!("{TURN}:c"),
            tag: "t".to_owned(),
        }],
    }
}

fn found(change: impl FnOnce(&mut Story)) -> Vec<String> {
    let mut story = consistent_run();
    change(&mut story);
    violations(&story.acks, &story.facts, &story.done)
}

#[test]
fn a_consistent_run_has_no_violations() {
    assert_eq!(found(|_| {}), Vec::<String>::new());
}

// design: promises P4 valid requests, P20
#[test]
fn each_fault_is_detected() {
    type Fault = (&'static str, fn(&mut Story));
    let faults: [Fault; 12] = [
        ("lost message", |s| drop(s.facts.messages.remove(0))),
        ("doubled message", |s| {
            let mut twin = s.facts.messages[0].clone();
            twin.id = Uuid::from_u128(9);
            s.facts.messages.push(twin);
        }),
        ("lost turn", |s| s.facts.turns.clear()),
        ("stuck turn", |s| {
            s.facts.turns[0].state = "running".to_owned();
            s.facts.turns[0].journal.pop();
        }),
        ("other text than was said", |s| {
            s.facts.messages[3].content = "Doné".to_owned()
        }),
        ("positions out of order", |s| {
            s.facts.turns[0].journal[2].position = 2
        }),
        ("effect done twice", |s| s.done.push(s.done[0].clone())),
        ("effect never done", |s| s.done.clear()),
        ("effect nobody began", |s| s.done[0].key = "x:c".to_owned()),
        ("no audit", |s| s.facts.audit.clear()),
        ("other audit", |s| {
            s.facts.audit[0].outcome = "unknown".to_owned()
        }),
        ("call without a result", |s| {
            drop(s.facts.messages.remove(2))
        }),
    ];
    for (fault, make) in faults {
        assert_ne!(found(make), Vec::<String>::new(), "{fault} went unnoticed");
    }
}
