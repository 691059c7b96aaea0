//! Conversations: who may make, see, change and erase them.

use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{ConversationId, Id};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::phase::{Phase, PhaseChange};
use frontdesk_core::store::{ConversationPatch, NewConversation, Record, StoreError, Turns};
use frontdesk_db::Dialect;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::support::{Ground, at, delta, new_conversation, on_each, refused};

fn patch(title: Option<&str>, metadata: Value) -> ConversationPatch {
    let Value::Object(metadata) = metadata else {
        panic!("metadata is an object");
    };
    ConversationPatch {
        title: title.map(str::to_owned),
        owner: None,
        phase: None,
        metadata,
        now: at(50),
    }
}

fn to_phase(from: &'static str, to: &'static str) -> ConversationPatch {
    ConversationPatch {
        title: None,
        owner: None,
        phase: Some(PhaseChange {
            from: Phase::named(from),
            to: Phase::named(to),
            reason: "enough is known".to_owned(),
        }),
        metadata: Map::new(),
        now: at(60),
    }
}

fn missing() -> ConversationId {
    Id::from_uuid(Uuid::new_v4())
}

#[tokio::test]
async fn a_conversation_is_found_as_it_was_made() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&bob, &[&ann]).await;
        let new = NewConversation {
            key: None,
            title: "Robots – „Grüße“ 🤖".to_owned(),
            company_id: Some(company),
            subject: Some("gig-7".to_owned()),
            metadata: Map::from_iter([("a".to_owned(), json!({"b": [1, 2.5, null]}))]),
            ..new_conversation(at(3))
        };
        let made = ground.store.create(&ann, new.clone()).await.unwrap();
        let expected = Conversation {
            id: new.id,
            user_id: ann.profile(),
            company_id: Some(company),
            assistant: new.assistant,
            subject: new.subject,
            title: new.title,
            phase: new.phase,
            metadata: new.metadata,
            progress: frontdesk_core::conversation::Progress::default(),
            message_count: 0,
            last_message_at: None,
            created_at: at(3),
            updated_at: at(3),
        };
        assert_eq!(made, expected);
        assert_eq!(ground.store.get(&ann, new.id).await.unwrap(), expected);
    })
    .await;
}

#[tokio::test]
async fn only_a_member_makes_a_company_conversation() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&bob, &[]).await;
        for company in [company, Id::from_uuid(Uuid::new_v4())] {
            let mut new = new_conversation(at(1));
            new.company_id = Some(company);
            let error = refused(ground.store.create(&ann, new).await);
            assert!(matches!(error, StoreError::NotAMember), "{error}");
        }
        ground
            .store
            .add_member(
                company,
                ann.profile(),
                frontdesk_core::access::CompanyRole::Member,
                at(2),
            )
            .await
            .unwrap();
        ground.conversation_in(&ann, Some(company)).await;
    })
    .await;
}

/// The rights of each person on a company conversation of Ann's.
// design: 001 extension user
#[tokio::test]
async fn owner_member_stranger_and_former_member_have_their_rights() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let former = ground.person("former").await;
        let stranger = ground.person("stranger").await;
        let company = ground.company(&ann, &[&bob, &former]).await;
        let id = ground.conversation_in(&ann, Some(company)).await.id;
        ground.store.get(&former, id).await.unwrap();
        ground
            .store
            .remove_member(company, former.profile())
            .await
            .unwrap();

        for foreign in [&stranger, &former] {
            check_foreign(&ground, foreign, id).await;
        }
        ground.store.get(&bob, id).await.unwrap();
        ground.store.messages(&bob, id, None, 10).await.unwrap();
        for edit in [
            patch(Some("Bob's"), json!({})),
            patch(None, json!({"x": 1})),
        ] {
            let error = refused(ground.store.update(&bob, id, edit).await);
            assert!(matches!(error, StoreError::Forbidden), "{error}");
        }
        let error = refused(ground.store.delete(&bob, id).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let error = refused(ground.store.reset(&bob, id).await);
        assert!(matches!(error, StoreError::Forbidden), "{error}");
        let moved = ground
            .store
            .update(&bob, id, to_phase("discovery", "roi"))
            .await
            .unwrap();
        assert_eq!(moved.phase.as_str(), "roi");
        ground.talk(&bob, id, "May I?", "You may.").await;
        assert_eq!(ground.store.get(&ann, id).await.unwrap().message_count, 2);
        ground.store.delete(&ann, id).await.unwrap();
        let error = refused(ground.store.get(&ann, id).await);
        assert!(matches!(error, StoreError::NotFound), "{error}");
    })
    .await;
}

async fn check_foreign(ground: &Ground, foreign: &Principal, id: ConversationId) {
    for (id, expected) in [(id, "no access"), (missing(), "not found")] {
        let store = &ground.store;
        let edit = patch(Some("mine"), json!({}));
        let errors = [
            refused(store.get(foreign, id).await),
            refused(store.update(foreign, id, edit).await),
            refused(
                store
                    .update(foreign, id, to_phase("discovery", "roi"))
                    .await,
            ),
            refused(store.delete(foreign, id).await),
            refused(store.reset(foreign, id).await),
            refused(store.messages(foreign, id, None, 10).await),
            refused(
                store
                    .open(foreign, crate::support::say(id, "hello", at(9)))
                    .await,
            ),
        ];
        for error in errors {
            assert_eq!(error.to_string(), expected);
        }
    }
}

#[tokio::test]
async fn metadata_is_merged_and_null_removes_a_key() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let mut new = new_conversation(at(0));
        new.metadata = Map::from_iter([
            ("keep".to_owned(), json!({"deep": 1})),
            ("drop".to_owned(), json!("x")),
            ("change".to_owned(), json!({"old": true})),
        ]);
        let id = ground.store.create(&ann, new).await.unwrap().id;
        let edit = patch(
            Some("Renamed"),
            json!({"drop": null, "absent": null, "change": {"new": 2}}),
        );
        let changed = ground.store.update(&ann, id, edit).await.unwrap();
        assert_eq!(changed, ground.store.get(&ann, id).await.unwrap());
        assert_eq!(
            Value::Object(changed.metadata),
            json!({"keep": {"deep": 1}, "change": {"new": 2}})
        );
        assert_eq!(
            (changed.title.as_str(), changed.updated_at),
            ("Renamed", at(50))
        );
        let forged = patch(None, json!({"phase_history": []}));
        let error = refused(ground.store.update(&ann, id, forged).await);
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    })
    .await;
}

#[tokio::test]
async fn every_move_of_the_phase_is_written_down() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground
            .store
            .update(&ann, id, to_phase("discovery", "roi"))
            .await
            .unwrap();
        let moved = ground
            .store
            .update(&ann, id, to_phase("roi", "selection"))
            .await
            .unwrap();
        assert_eq!(moved.phase.as_str(), "selection");
        let by = ann.profile().to_string();
        let at = "2026-09-21T14:14:20.123456Z";
        assert_eq!(
            moved.metadata.get("phase_history"),
            Some(&json!([
                {"from": "discovery", "to": "roi", "at": at, "by": by, "reason": "enough is known"},
                {"from": "roi", "to": "selection", "at": at, "by": by, "reason": "enough is known"},
            ]))
        );
        // Somebody else moved it first.
        let error = refused(
            ground
                .store
                .update(&ann, id, to_phase("roi", "discovery"))
                .await,
        );
        assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    })
    .await;
}

// design: 000 ConversationManager.clear
#[tokio::test]
async fn a_reset_clears_everything_and_ends_the_running_turn() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground
            .store
            .update(&ann, id, to_phase("discovery", "roi"))
            .await
            .unwrap();
        ground.talk(&ann, id, "one", "two").await;
        let running = ground.open(&ann, id, &"long ".repeat(500)).await;
        let record = Record {
            entries: vec![delta(4, "abc")],
            now: ground.now(),
            ..Record::default()
        };
        ground.store.record(&running.lease, record).await.unwrap();

        let cleared = ground.store.reset(&ann, id).await.unwrap();
        assert_eq!(cleared, ground.store.get(&ann, id).await.unwrap());
        assert_eq!(cleared.message_count, 0);
        assert_eq!(cleared.last_message_at, None);
        assert_eq!(cleared.metadata, Map::new());
        assert_eq!(cleared.phase.as_str(), "discovery");
        let page = ground.store.messages(&ann, id, None, 10).await.unwrap();
        assert!(page.items.is_empty());

        // Watchers see an end; the worker can add nothing; nothing reappears.
        let turn = running.lease.turn;
        let status = ground.store.turn(&ann, id, turn).await.unwrap();
        assert_eq!(status.state, TurnState::Cancelled);
        assert_eq!(status.user_message.content, "");
        let entries = ground.store.entries(&ann, id, turn, 4).await.unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].event.name(), "turn.cancelled");
        let finish = crate::support::answered("late", 5, at(99));
        let error = refused(ground.store.finish(&running.lease, finish).await);
        assert!(matches!(error, StoreError::Fenced), "{error}");

        let next = ground.open(&ann, id, "afresh").await;
        assert!(next.history.is_empty());
        assert_eq!(next.conversation.message_count, 1);
    })
    .await;
}

// design: 002 table messages
#[tokio::test]
async fn a_deleted_conversation_leaves_nothing_but_its_ids_in_the_audit() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "one", "two").await;
        let running = ground.open(&ann, id, &"long ".repeat(500)).await;
        ground.store.delete(&ann, id).await.unwrap();
        for sql in [
            "SELECT count(*) AS n FROM messages",
            "SELECT count(*) AS n FROM texts",
            "SELECT count(*) AS n FROM turns",
            "SELECT count(*) AS n FROM journal",
            "SELECT count(*) AS n FROM conversations",
        ] {
            assert_eq!(ground.count(sql, vec![]).await, 0, "{sql}");
        }
        let sql = "SELECT count(*) AS n FROM audit_log WHERE outcome = 'erased' \
             AND conversation_id = $1";
        assert_eq!(ground.count(sql, vec![id.uuid().into()]).await, 1);
        let finish = crate::support::answered("late", 1, at(99));
        let error = refused(ground.store.finish(&running.lease, finish).await);
        assert!(matches!(error, StoreError::Fenced), "{error}");
    })
    .await;
}

/// Rows that another program writes by the design's own columns get the design's defaults.
// design: 002 table conversations defaults
#[tokio::test]
async fn a_bare_row_has_the_designs_defaults() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let (id, times) = match ground.db.dialect() {
            Dialect::Sqlite => (
                "'01890000-0000-7000-8000-000000000001'",
                (", created_at, updated_at", ", 1, 1"),
            ),
            Dialect::Postgres => ("gen_random_uuid()", ("", "")),
        };
        let who = ann.profile().uuid();
        ground
            .script(&format!(
                "INSERT INTO conversations (id, user_id, scope_id, assistant, title{})
                 VALUES ({id}, '{who}', '{who}', 'autopilot', 'Robots'{})",
                times.0, times.1
            ))
            .await;
        let sql = "SELECT count(*) AS n FROM conversations WHERE phase = 'discovery' \
             AND metadata = '{}' AND created_at IS NOT NULL AND updated_at IS NOT NULL";
        assert_eq!(ground.count(sql, vec![]).await, 1, "{}", ground.name());
    })
    .await;
}
