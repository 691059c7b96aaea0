//! Every event comes back from the journal as it went in, field by field.

use frontdesk_core::approval::Decision;
use frontdesk_core::artifact::{ArtifactMark, ArtifactStatus, Author};
use frontdesk_core::event::{Ended, Entry, Event, FileRef, Finished};
use frontdesk_core::grant::RefusalReason;
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Finish, ModelErrorKind, Usage};
use frontdesk_core::outcome::Outcome;
use frontdesk_core::phase::{Phase, PhaseChange};
use frontdesk_core::reply::Extras;
use frontdesk_core::store::{Record, Turns};
use frontdesk_core::tool::{CardField, CardValue, Effect, ObjectCard, Source, ToolErrorKind};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::approvals::card;
use crate::support::{Ground, at, fresh, on_each};

const TEXT: &str = "„ü“ \"quoted\" \\ \u{0} \u{7f} \n\t 🤖 </script>";

fn usage() -> Usage {
    Usage {
        input_tokens: 9_007_199_254_740_993,
        output_tokens: 2,
        cached_tokens: 3,
        estimated: true,
    }
}

fn ended(outcome: Outcome) -> Ended {
    Ended {
        outcome,
        message: Some(fresh()),
        notice: Some(TEXT.to_owned()),
        quick_replies: vec![TEXT.to_owned(), String::new()],
        usage: usage(),
    }
}

fn finished(refused: Option<RefusalReason>, error: Option<ToolErrorKind>) -> Event {
    Event::ToolFinished(Finished {
        call_id: "call_1".to_owned(),
        name: "find".to_owned(),
        ok: refused.is_none(),
        summary: TEXT.to_owned(),
        told: TEXT.to_owned(),
        result: json!({"a": [1, -2.5, 1e16, 1e-7, null, true, {"": TEXT}]}),
        files: vec![FileRef {
            id: fresh(),
            name: TEXT.to_owned(),
            media_type: "image/png".to_owned(),
        }],
        cards: vec![ObjectCard {
            kind: "thing".to_owned(),
            id: "1".to_owned(),
            title: TEXT.to_owned(),
            status: Some(TEXT.to_owned()),
            fields: vec![CardField::new("size", TEXT, CardValue::Number(1.5))],
            path: None,
            actions: Vec::new(),
        }],
        refused,
        error,
        duration_ms: 17,
        usage: None,
    })
}

fn model_timed_out() -> Outcome {
    Outcome::ModelFailed {
        kind: ModelErrorKind::TimedOut,
        retry_after_seconds: Some(3),
    }
}

/// At least one of each kind.
fn events(who: &frontdesk_core::access::Principal) -> Vec<Event> {
    let failed = model_timed_out();
    vec![
        Event::TextDelta {
            text: TEXT.to_owned(),
        },
        Event::TextReset { after: 17 },
        Event::ModelReplied {
            text: TEXT.to_owned(),
            calls: vec![ToolCall {
                id: "call_1".to_owned(),
                name: "find".to_owned(),
                arguments: "{\"broken\": ".to_owned(),
            }],
            finish: Finish::Other("odd".to_owned()),
            usage: usage(),
            model: Some("gpt".to_owned()),
            duration_ms: 12,
            extras: Extras {
                quick_replies: vec![TEXT.to_owned()],
                fields: [("mentioned".to_owned(), json!([TEXT]))]
                    .into_iter()
                    .collect(),
            },
            proposes: true,
        },
        Event::ToolStarted {
            call_id: "call_1".to_owned(),
            name: "find".to_owned(),
            title: TEXT.to_owned(),
            arguments: json!({"z": 1, "a": {"b": [0.1]}}),
            effect: Effect::AtMostOnce,
        },
        Event::ToolProgress {
            call_id: "call_1".to_owned(),
            text: TEXT.to_owned(),
        },
        finished(None, None),
        finished(Some(RefusalReason::Declined), Some(ToolErrorKind::Unknown)),
        Event::ApprovalRequested {
            card: card(who, "call_2", &[]),
        },
        Event::ApprovalDecided {
            call_id: "call_2".to_owned(),
            decision: Decision::Expired,
            by: Some(TEXT.to_owned()),
            reason: Some(TEXT.to_owned()),
            arguments: json!({ TEXT: { "n": 1 } }).as_object().cloned(),
            state: Some(TEXT.to_owned()),
        },
        Event::ArtifactSaved {
            id: fresh(),
            mark: ArtifactMark {
                kind: "report".to_owned(),
                key: TEXT.to_owned(),
                version: u32::MAX,
                status: ArtifactStatus::Confirmed,
            },
            title: TEXT.to_owned(),
        },
        Event::PhaseChanged(PhaseChange {
            from: Phase::named("a"),
            to: Phase::named("b"),
            reason: TEXT.to_owned(),
        }),
        Event::SourceCited {
            source: Source {
                title: TEXT.to_owned(),
                url: "https://example.com/?a=b#c".to_owned(),
                score: 0.123_456_789_012_345_67,
                text: TEXT.to_owned(),
            },
        },
        Event::TurnCompleted(ended(Outcome::Answered)),
        Event::TurnFailed(ended(failed)),
        Event::TurnCancelled(ended(Outcome::Cancelled)),
        Event::TurnInterrupted(ended(Outcome::Interrupted)),
    ]
}

#[tokio::test]
async fn every_kind_of_event_comes_back_as_it_went_in() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let turn = ground.open(&ann, id, "Go").await;
        let mut position = 1;
        let mut entries = vec![Entry {
            position,
            event: Event::TurnStarted {
                turn: turn.lease.turn,
                conversation: id,
                message: turn.user_message.id,
                assistant: "docs".to_owned(),
                author: Some(Author::of(&ann)),
            },
        }];
        for event in events(&ann) {
            position += event.advance();
            entries.push(Entry { position, event });
        }
        let record = Record {
            entries: entries[1..].to_vec(),
            now: at(9),
            ..Record::default()
        };
        ground.store.record(&turn.lease, record).await.unwrap();
        let found = ground.store.entries(&ann, id, turn.lease.turn, 0).await;
        assert_eq!(found.unwrap(), entries);
        let resumed = ground
            .store
            .take_over("n", at(500), std::time::Duration::from_secs(9))
            .await
            .unwrap()
            .unwrap();
        assert_eq!(resumed.entries, entries);
    })
    .await;
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has no others", |number| number.is_finite())
            .prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

#[test]
fn any_result_of_a_tool_comes_back_exactly() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let grounds = runtime.block_on(async {
        let mut grounds = Vec::new();
        for ground in [
            Ground::sqlite(Default::default()).await,
            Ground::postgres(Default::default()).await,
        ] {
            let ann = ground.person("ann").await;
            let id = ground.conversation(&ann).await.id;
            let lease = ground.open(&ann, id, "Go").await.lease;
            grounds.push((ground, ann, lease));
        }
        grounds
    });
    let position = std::cell::Cell::new(1);
    let config = ProptestConfig::with_cases(100);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner
        .run(&(any_json(), ".{0,40}"), |(result, text)| {
            let before = position.get();
            position.set(before + 1);
            let Event::ToolFinished(mut finished) = finished(None, None) else {
                panic!("not a finished call");
            };
            finished.result = result;
            finished.told = text;
            let entry = Entry {
                position: before + 1,
                event: Event::ToolFinished(finished),
            };
            for (ground, ann, lease) in &grounds {
                let record = Record {
                    entries: vec![entry.clone()],
                    now: at(9),
                    ..Record::default()
                };
                let found = runtime.block_on(async {
                    ground.store.record(lease, record).await.unwrap();
                    ground
                        .store
                        .entries(ann, lease.conversation, lease.turn, before)
                        .await
                        .unwrap()
                });
                assert_eq!(found, std::slice::from_ref(&entry));
            }
            Ok(())
        })
        .unwrap();
}
