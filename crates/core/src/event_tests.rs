//! Positions, and the exact rest that a returning reader receives.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Ended, Entry, Event, Finished, Snapshot};
use crate::id::{ConversationId, MessageId, TurnId};
use crate::model::{ModelErrorKind, Usage};
use crate::outcome::{Outcome, TurnState};
use crate::tool::{Effect, Source};

fn delta(text: &str) -> Event {
    Event::TextDelta {
        text: text.to_owned(),
    }
}

/// Numbers the events like a recorder.
fn numbered(events: impl IntoIterator<Item = Event>) -> Vec<Entry> {
    let mut position = 0;
    let number = |event: Event| {
        position += event.advance();
        Entry { position, event }
    };
    events.into_iter().map(number).collect()
}

fn finished(result: Value) -> Finished {
    Finished {
        call_id: "a".to_owned(),
        name: "look_up".to_owned(),
        ok: true,
        summary: "Found.".to_owned(),
        told: "{}".to_owned(),
        result,
        files: Vec::new(),
        cards: Vec::new(),
        refused: None,
        error: None,
        duration_ms: 3,
        usage: None,
    }
}

fn ended(outcome: Outcome) -> Ended {
    Ended {
        outcome,
        message: Some(MessageId::from_uuid(Uuid::from_u128(3))),
        notice: None,
        quick_replies: vec!["Yes".to_owned()],
        usage: Usage::default(),
    }
}

/// Fields of later versions are optional and ignored by this one.
// design: 001 backward compatibility
#[test]
fn events_of_other_versions_can_be_read() {
    #[track_caller]
    fn check(written: Value, expected: Event) {
        let mut newer = written.clone();
        newer["data"]["of_a_later_version"] = json!({ "any": 1 });
        for written in [written, newer] {
            let read: Event = serde_json::from_value(written).unwrap();
            assert_eq!(read, expected);
        }
    }
    check(
        json!({ "event": "tool.finished", "data": {
            "call_id": "a", "name": "look_up", "ok": true, "summary": "Found.", "told": "{}",
            "duration_ms": 3,
        }}),
        Event::ToolFinished(finished(Value::Null)),
    );
    let usage = serde_json::to_value(Usage::default()).unwrap();
    check(
        json!({ "event": "model.replied", "data": {
            "text": "Yes.", "calls": [], "finish": "stop", "usage": usage, "duration_ms": 1,
        }}),
        Event::ModelReplied {
            text: "Yes.".to_owned(),
            calls: Vec::new(),
            finish: crate::model::Finish::Stop,
            usage: Usage::default(),
            model: None,
            duration_ms: 1,
            extras: Default::default(),
            proposes: false,
        },
    );
    let end = Ended {
        quick_replies: Vec::new(),
        message: None,
        ..ended(Outcome::Answered)
    };
    let outcome = serde_json::to_value(&end.outcome).unwrap();
    check(
        json!({ "event": "turn.completed", "data": { "outcome": outcome, "usage": usage } }),
        Event::TurnCompleted(end),
    );
}

#[test]
fn a_reader_gets_the_missing_part_of_an_entry() {
    #[track_caller]
    fn check(entry: &Entry, seen: u64, expected: Option<&str>) {
        let rest = entry.clone().after(seen);
        assert_eq!(
            rest.as_ref().map(|r| r.position),
            expected.map(|_| entry.position)
        );
        let text = rest.map(|rest| flattened([rest]).concat());
        assert_eq!(text.as_deref(), expected, "after {seen}");
    }
    let entries = numbered([Event::TextReset { after: 0 }, delta("Zoë!"), delta("Hi")]);
    let positions: Vec<u64> = entries.iter().map(|entry| entry.position).collect();
    assert_eq!(positions, [1, 6, 8]);

    check(&entries[0], 0, Some("text.reset"));
    check(&entries[0], 1, None);
    check(&entries[1], 0, Some("Zoë!"));
    check(&entries[1], 1, Some("Zoë!"));
    check(&entries[1], 2, Some("oë!"));
    check(&entries[1], 3, Some("ë!"));
    // No position of ours is inside a character: send too much rather than too little.
    check(&entries[1], 4, Some("Zoë!"));
    check(&entries[1], 5, Some("!"));
    check(&entries[1], 6, None);
    check(&entries[1], u64::MAX, None);
    check(&entries[2], 6, Some("Hi"));
}

#[test]
fn names_on_the_stream_are_the_names_in_the_journal() {
    let turn = TurnId::from_uuid(Uuid::from_u128(1));
    let events = [
        Event::TurnStarted {
            turn,
            conversation: ConversationId::from_uuid(Uuid::from_u128(2)),
            message: MessageId::from_uuid(Uuid::from_u128(3)),
            assistant: "desk".to_owned(),
            author: None,
        },
        delta("Hi\n\ndata: x"),
        Event::TextReset { after: 7 },
        Event::ToolStarted {
            call_id: "a".to_owned(),
            name: "look_up".to_owned(),
            title: "look up".to_owned(),
            arguments: json!({ "x": "\u{0}" }),
            effect: Effect::Read,
        },
        Event::ToolProgress {
            call_id: "a".to_owned(),
            text: "again".to_owned(),
        },
        Event::ToolFinished(finished(json!([1, 2]))),
        Event::ToolFinished(finished(Value::Null)),
        Event::SourceCited {
            source: Source {
                title: "T".to_owned(),
                url: "https://example.org".to_owned(),
                score: 0.123_456_789,
                text: "…".to_owned(),
            },
        },
        Event::Snapshot(Snapshot::of(
            TurnState::Completed,
            [delta("Hi"), Event::TurnCompleted(ended(Outcome::Answered))],
        )),
        Event::TurnCompleted(ended(Outcome::Answered)),
        Event::TurnFailed(ended(Outcome::ModelFailed {
            kind: ModelErrorKind::RateLimited,
            retry_after_seconds: Some(7),
        })),
        Event::TurnCancelled(ended(Outcome::Cancelled)),
        Event::TurnInterrupted(ended(Outcome::Interrupted)),
    ];
    for event in events {
        let stored = serde_json::to_value(&event).unwrap();
        assert_eq!(stored["event"], event.name());
        assert_eq!(serde_json::from_value::<Event>(stored).unwrap(), event);
    }
}

#[test]
fn a_terminal_event_has_its_outcome() {
    let event = Event::TurnFailed(ended(Outcome::OutOfRounds));
    assert_eq!(
        serde_json::to_value(&event).unwrap(),
        json!({ "event": "turn.failed", "data": {
            "outcome": { "outcome": "out_of_rounds" },
            "message": "00000000-0000-0000-0000-000000000003",
            "notice": null,
            "quick_replies": ["Yes"],
            "usage": { "input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "estimated": false }
        } })
    );
    assert_eq!(
        event.ended().map(|e| &e.outcome),
        Some(&Outcome::OutOfRounds)
    );
    assert_eq!(delta("x").ended(), None);
}

// design: promises P5 snapshot
#[test]
fn a_snapshot_has_the_final_state_without_single_deltas() {
    let end = Event::TurnCompleted(ended(Outcome::Answered));
    let step = Event::ToolFinished(finished(json!({ "n": 1 })));
    let progress = Event::ToolProgress {
        call_id: "a".to_owned(),
        text: "again".to_owned(),
    };
    let events = [
        delta("void"),
        Event::TextReset { after: 1 },
        delta("Zo"),
        progress,
        step.clone(),
        delta("ë"),
        end.clone(),
    ];
    let snapshot = Snapshot::of(TurnState::Completed, events);
    assert_eq!(snapshot.text, "Zoë");
    assert_eq!(snapshot.events, [step, end.clone()]);
    let event = Event::Snapshot(snapshot.clone());
    assert_eq!(event.ended(), end.ended());
    assert!(event.is_public());
    // Folding is idempotent, and a reader at the end lacks nothing.
    assert_eq!(
        Snapshot::of(TurnState::Completed, [event.clone()]),
        snapshot
    );
    let entry = Entry { position: 9, event };
    assert_eq!(entry.clone().after(9), None);
    assert_eq!(entry.clone().after(3), Some(entry));
}

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => prop::collection::vec(any::<char>(), 1..12)
            .prop_map(|chars| delta(&String::from_iter(chars))),
        1 => Just(Event::TextReset { after: 0 }),
        2 => Just(Event::ToolFinished(finished(Value::Null))),
    ];
    prop::collection::vec(event, 0..24)
}

/// A reader's final state: each character and each other event, in order.
fn flattened(entries: impl IntoIterator<Item = Entry>) -> Vec<String> {
    let split = |entry: Entry| {
        if let Event::TextDelta { text } = &entry.event {
            return text.chars().map(String::from).collect();
        }
        vec![entry.event.name().to_owned()]
    };
    entries.into_iter().flat_map(split).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// P5: a reader at any character receives exactly the rest.
    // design: promises P5 stream, P5 end
    #[test]
    fn any_cut_of_a_journal_yields_exactly_the_missing_suffix(
        events in any_events(),
        at in any::<prop::sample::Index>(),
    ) {
        let entries = numbered(events);
        let all = flattened(entries.clone());
        let cut = at.index(all.len() + 1);
        let before: u64 = all[..cut]
            .iter()
            .map(|letter| if letter.contains('.') && letter.len() > 4 { 1 } else { letter.len() as u64 })
            .sum();
        let rest = entries.into_iter().filter_map(|entry| entry.after(before));
        prop_assert_eq!(flattened(rest), all[cut..].to_vec());
    }

    /// The journal may join deltas; live positions stay valid.
    #[test]
    fn joined_deltas_have_the_positions_of_their_parts(
        parts in prop::collection::vec("\\PC{1,6}", 1..12),
        at in any::<prop::sample::Index>(),
    ) {
        let live = numbered(parts.iter().map(|part| delta(part)));
        let joined = numbered([delta(&parts.concat())]);
        let seen = at.index(live.len());
        let rest = joined.into_iter().filter_map(|entry| entry.after(live[seen].position));
        prop_assert_eq!(flattened(rest), flattened(live[seen + 1..].to_vec()));
    }
}
