//! The records of a worker: journal, documents, files, phase, metadata, title and progress,
//! together or not at all.

use frontdesk_core::artifact::{Artifact, ArtifactMark, ArtifactStatus, BuiltFrom};
use frontdesk_core::conversation::Progress;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::phase::{Phase, PhaseChange};
use frontdesk_core::store::{
    Artifacts, Attachments, AuditOutcome, NewAudit, Record, SavedFile, Saves, StoreError, Turns,
};
use serde_json::{Map, Value, json};

use crate::support::{at, delta, fresh, on_each, refused};

fn artifact(conversation: frontdesk_core::id::ConversationId, version: u32) -> Artifact {
    Artifact {
        id: fresh(),
        conversation,
        kind: "report".to_owned(),
        key: "candidate-1".to_owned(),
        version,
        status: ArtifactStatus::Draft,
        title: "Report – „ü“".to_owned(),
        content: json!({"n": 1e16, "exact": 0.1, "nul": "a\u{0}b", "deep": [[{}]]}),
        built_from: vec![BuiltFrom {
            kind: "transcript".to_owned(),
            key: String::new(),
            version: 3,
        }],
        author: None,
        created_at: at(7),
    }
}

fn everything(made: &Artifact, file: &SavedFile, progress: &Progress) -> Saves {
    Saves {
        artifacts: vec![made.clone()],
        changes: Vec::new(),
        files: vec![file.clone()],
        phase: vec![
            PhaseChange {
                from: Phase::named("discovery"),
                to: Phase::named("roi"),
                reason: "enough".to_owned(),
            },
            PhaseChange {
                from: Phase::named("roi"),
                to: Phase::named("selection"),
                reason: "asked".to_owned(),
            },
        ],
        metadata: Map::from_iter([
            ("answers".to_owned(), json!({"sqft": 100})),
            ("gone".to_owned(), Value::Null),
            ("phase_history".to_owned(), json!("forged")),
        ]),
        title: Some("A report".to_owned()),
        progress: Some(progress.clone()),
    }
}

#[tokio::test]
async fn a_record_keeps_everything_that_came_of_calls() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let made = artifact(id, 1);
        let mut progress = Progress::default();
        progress.note_artifact(ArtifactMark {
            kind: made.kind.clone(),
            key: made.key.clone(),
            version: 1,
            status: made.status,
        });
        progress.tools_done.insert("write_report".to_owned());
        let file = SavedFile {
            id: fresh(),
            name: "pass.pdf".to_owned(),
            media_type: "application/pdf".to_owned(),
            bytes: (0..=255).collect::<Vec<u8>>().into(),
        };
        let saves = everything(&made, &file, &progress);
        let record = Record {
            entries: vec![delta(3, "ab"), delta(4, "c")],
            saves,
            now: at(8),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();

        let conversation = ground.store.get(&ann, id).await.unwrap();
        assert_eq!(conversation.title, "A report");
        assert_eq!(conversation.phase.as_str(), "selection");
        assert_eq!(conversation.progress, progress);
        assert_eq!(conversation.updated_at, at(8));
        let moved_at = "2026-09-21T14:13:28.123456Z";
        assert_eq!(
            Value::Object(conversation.metadata),
            json!({"answers": {"sqft": 100}, "phase_history": [
                {"from": "discovery", "to": "roi", "at": moved_at, "by": "assistant", "reason": "enough"},
                {"from": "roi", "to": "selection", "at": moved_at, "by": "assistant", "reason": "asked"},
            ]})
        );
        let latest = ground.store.latest(&ann, id, "report", "candidate-1").await;
        assert_eq!(latest.unwrap(), Some(made));
        let (meta, bytes) = ground.store.attachment(&ann, file.id).await.unwrap();
        assert_eq!(bytes, file.bytes);
        assert_eq!((meta.bytes, meta.conversation_id), (256, id));
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.position, 4);
        let resumed = ground
            .store
            .take_over("n", at(500), std::time::Duration::from_secs(1))
            .await
            .unwrap()
            .unwrap();
        assert!(resumed.handles.files.is_empty(), "made files have no handle");
    })
    .await;
}

// design: promises accepting
#[tokio::test]
async fn a_record_that_fails_leaves_nothing() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let record = |position| Record {
            entries: vec![delta(position, "abc")],
            saves: Saves {
                artifacts: vec![artifact(id, 1)],
                title: Some(format!("title {position}")),
                ..Saves::default()
            },
            audit: vec![NewAudit {
                call_id: "c".to_owned(),
                tool: "t".to_owned(),
                target: Some("h".to_owned()),
                outcome: AuditOutcome::Executed,
                approver: None,
            }],
            now: at(9),
            ..Record::default()
        };
        ground.store.record(&lease, record(4)).await.unwrap();
        // The same version of a document again: all or nothing.
        let error = refused(ground.store.record(&lease, record(7)).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
        let status = ground.store.turn(&ann, id, lease.turn).await.unwrap();
        assert_eq!(status.position, 4);
        assert_eq!(ground.store.get(&ann, id).await.unwrap().title, "title 4");
        let entries = ground.store.entries(&ann, id, lease.turn, 0).await.unwrap();
        assert_eq!(entries.len(), 2);
        let audited = ground
            .count("SELECT count(*) AS n FROM audit_log", vec![])
            .await;
        assert_eq!(audited, 1);
    })
    .await;
}

#[tokio::test]
async fn a_member_s_turn_does_not_rename_the_owner_s_conversation() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        let lease = ground.open(&bob, id, "Go").await.lease;
        let record = Record {
            saves: Saves {
                title: Some("Bob's".to_owned()),
                metadata: Map::from_iter([("seen".to_owned(), json!(true))]),
                ..Saves::default()
            },
            now: at(9),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        let conversation = ground.store.get(&ann, id).await.unwrap();
        assert_eq!(conversation.title, "New Conversation");
        assert_eq!(conversation.metadata.get("seen"), Some(&json!(true)));
    })
    .await;
}

#[tokio::test]
async fn a_reader_gets_exactly_what_it_has_not_seen() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        for (position, text) in [(6, "Hello"), (8, "ü"), (13, "world")] {
            let record = Record {
                entries: vec![delta(position, text)],
                now: at(9),
                ..Record::default()
            };
            ground.store.record(&lease, record).await.unwrap();
        }
        let whole = "Helloüworld";
        for seen in 0..=14_u64 {
            let entries = ground
                .store
                .entries(&ann, id, lease.turn, seen)
                .await
                .unwrap();
            let text: String = entries
                .iter()
                .filter_map(|entry| {
                    let Event::TextDelta { text } = &entry.event else {
                        return None;
                    };
                    Some(text.as_str())
                })
                .collect();
            let cut = usize::try_from(seen.saturating_sub(1)).unwrap();
            // A position inside a character is not one of ours: the character comes whole.
            let expected = whole
                .get(cut.min(whole.len())..)
                .unwrap_or("üworld")
                .to_owned();
            assert_eq!(text, expected, "after {seen}");
            assert_eq!(entries.first().is_some_and(|e| e.position == 1), seen == 0);
        }
        let error = refused(ground.store.entries(&bob, id, lease.turn, 0).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(ground.store.entries(&ann, id, fresh(), 0).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
        let beyond = ground.store.entries(&ann, id, lease.turn, u64::MAX).await;
        assert!(beyond.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn nul_characters_of_tools_and_models_are_no_obstacle() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let lease = ground.open(&ann, id, "Go").await.lease;
        let entry = Entry {
            position: 4,
            event: Event::TextDelta {
                text: "a\u{0}b".to_owned(),
            },
        };
        let record = Record {
            entries: vec![entry.clone()],
            now: at(9),
            ..Record::default()
        };
        ground.store.record(&lease, record).await.unwrap();
        let entries = ground.store.entries(&ann, id, lease.turn, 1).await.unwrap();
        assert_eq!(entries, [entry]);
        let finish = crate::support::answered("a\u{0}b", 4, at(10));
        ground.store.finish(&lease, finish).await.unwrap();
        let page = ground.store.messages(&ann, id, None, 9).await.unwrap();
        assert_eq!(page.items[1].content, "a\u{FFFD}b");
    })
    .await;
}
