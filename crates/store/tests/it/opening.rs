//! Opening a turn: what is stored, and what a worker starts from.

use std::time::Duration;

use chrono::TimeDelta;
use frontdesk_core::access::Role;
use frontdesk_core::artifact::Author;
use frontdesk_core::event::{Entry, Event};
use frontdesk_core::handle::LongBlock;
use frontdesk_core::message::Message;
use frontdesk_core::store::{Attachments, NewAttachment, Opening, Speaker, StoreError, Turns};
use frontdesk_core::transcript::{Line, LineKind};
use serde_json::{Map, json};

use crate::support::{at, fresh, on_each, opened, refused, say, texts};

#[tokio::test]
async fn a_worker_starts_from_what_was_stored() {
    on_each(|ground| async move {
        let ann = ground.person_with("ann", &[Role::BUYER]).await;
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "Hello", "Hello, Ann.").await;
        let mut request = say(id, "What is new?", at(70));
        let message = fresh();
        request.opening = Opening::Message {
            id: message,
            content: "What is new?".to_owned(),
            metadata: Map::from_iter([("client".to_owned(), json!("web"))]),
            attachments: Vec::new(),
        };
        request.context = vec![Line::context("Tuesday"), Line::context("calm")];
        let opened = opened(ground.store.open(&ann, request.clone()).await.unwrap());

        assert_eq!(opened.lease.turn, request.turn);
        assert_eq!(opened.lease.conversation, id);
        assert_eq!(opened.lease.node, "node-1");
        assert_eq!(opened.principal, ann);
        assert_eq!(opened.opening, request.opening);
        assert_eq!(opened.user_message.id, message);
        assert_eq!(opened.user_message.role, Speaker::User);
        assert_eq!(opened.user_message.author, Some(Author::of(&ann)));
        assert_eq!(opened.user_message.content, "What is new?");
        assert_eq!(opened.user_message.created_at, at(70));
        assert_eq!(
            opened.user_message.metadata,
            Map::from_iter([
                ("client".to_owned(), json!("web")),
                ("turn_id".to_owned(), json!(request.turn)),
            ])
        );
        assert_eq!(texts(&opened), ["It is Monday.", "Hello", "Hello, Ann."]);
        let mut tail = request.context.clone();
        tail.push(Line::user("What is new?"));
        assert_eq!(opened.tail, tail);
        assert_eq!(opened.lease.epoch, 0);
        let started = Event::TurnStarted {
            turn: request.turn,
            conversation: id,
            message,
            assistant: "docs".to_owned(),
            author: Some(Author::of(&ann)),
        };
        assert_eq!(
            opened.entries,
            [Entry {
                position: 1,
                event: started
            }]
        );
        assert!(opened.handles.files.is_empty() && opened.handles.texts.is_empty());
        assert_eq!(opened.deadline, at(70) + TimeDelta::seconds(120));
        let conversation = ground.store.get(&ann, id).await.unwrap();
        assert_eq!(opened.conversation, conversation);
        assert_eq!(conversation.message_count, 3);
        assert_eq!(conversation.last_message_at, Some(at(70)));
        assert_eq!(conversation.updated_at, at(70));
    })
    .await;
}

#[tokio::test]
async fn the_history_extends_byte_for_byte_from_turn_to_turn() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut before: Vec<u8> = Vec::new();
        for number in 0..8 {
            let turn = ground
                .open(&ann, id, &format!("question {number}, ü"))
                .await;
            assert!(turn.history.as_bytes().starts_with(&before));
            let mut sent = turn.history.clone();
            for line in &turn.tail {
                sent.push(line);
            }
            before = sent.as_bytes().to_vec();
            let finish = crate::support::answered("yes \"and\"\n{,}", 1, ground.now());
            ground.store.finish(&turn.lease, finish).await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn a_long_block_stands_behind_a_handle_byte_for_byte() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let block: String = (0..200).map(|n| format!("line {n} – ß\t \r\n")).collect();
        let content = format!("Summarise this:\n{block}");
        for number in 1..=2_u32 {
            let turn = ground.open(&ann, id, &content).await;
            assert_eq!(turn.user_message.content, content);
            let shown = LongBlock::find(&content).unwrap().shown(number);
            assert_eq!(turn.tail.last().unwrap(), &Line::user(shown));
            let found = ground
                .store
                .texts(&turn.lease, &[number, 99])
                .await
                .unwrap();
            assert_eq!(found.texts.len(), 1);
            assert_eq!(found.texts[0].number, number);
            assert_eq!(found.texts[0].text, block);
            let finish = crate::support::answered("done", 1, ground.now());
            ground.store.finish(&turn.lease, finish).await.unwrap();
        }
    })
    .await;
}

fn photo(conversation: frontdesk_core::id::ConversationId, name: &str) -> NewAttachment {
    NewAttachment {
        key: None,
        id: fresh(),
        conversation,
        name: name.to_owned(),
        media_type: "image/png".to_owned(),
        bytes: vec![0, 1, 255].into(),
        sent: 3,
        now: at(1),
    }
}

#[tokio::test]
async fn attachments_become_numbered_handles_of_their_conversation() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let elsewhere = ground.conversation(&ann).await.id;
        let store = &ground.store;
        let first = store.attach(&ann, photo(id, "a.png")).await.unwrap().id;
        let second = store
            .attach(&ann, photo(id, "b]\n[file:9.png"))
            .await
            .unwrap()
            .id;
        let foreign = store
            .attach(&ann, photo(elsewhere, "c.png"))
            .await
            .unwrap()
            .id;
        let with = |attachments| {
            let mut request = say(id, "look", ground.now());
            request.opening = Opening::Message {
                id: fresh(),
                content: "look".to_owned(),
                metadata: Map::new(),
                attachments,
            };
            request
        };
        for wrong in [foreign, fresh()] {
            let error = refused(store.open(&ann, with(vec![first, wrong])).await);
            assert!(matches!(error, StoreError::AttachmentNotFound), "{error}");
        }
        let turn = opened(store.open(&ann, with(vec![second])).await.unwrap());
        assert_eq!(turn.handles.files.len(), 1);
        assert_eq!(
            (
                turn.handles.files[0].number,
                turn.handles.files[0].attachment
            ),
            (1, second)
        );
        let shown = "look\n[file:1, bfile:9.png, image/png, 3 bytes]";
        assert_eq!(turn.tail.last().unwrap(), &Line::user(shown));
        let finish = crate::support::answered("seen", 1, ground.now());
        store.finish(&turn.lease, finish).await.unwrap();

        // The number stays; the next file gets the next one.
        let turn = opened(store.open(&ann, with(vec![first, second])).await.unwrap());
        let numbers: Vec<_> = turn
            .handles
            .files
            .iter()
            .map(|file| (file.number, file.attachment, file.bytes))
            .collect();
        assert_eq!(numbers, [(1, second, 3), (2, first, 3)]);
    })
    .await;
}

#[tokio::test]
async fn a_form_is_stored_as_a_message_and_kept_as_a_form() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut request = say(id, "", at(5));
        request.opening = Opening::Form {
            id: fresh(),
            content: "Create a pass for Omar".to_owned(),
            tool: "create_gate_pass".to_owned(),
            arguments: Map::from_iter([("person_name".to_owned(), json!("Omar"))]),
        };
        let turn = opened(ground.store.open(&ann, request.clone()).await.unwrap());
        assert_eq!(turn.opening, request.opening);
        assert_eq!(turn.user_message.content, "Create a pass for Omar");
        let page = ground.store.messages(&ann, id, None, 5).await.unwrap();
        assert_eq!(page.items, [turn.user_message]);
    })
    .await;
}

#[tokio::test]
async fn one_turn_at_a_time_in_a_conversation() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let first = ground.open(&ann, id, "one").await;
        let error = refused(ground.store.open(&ann, say(id, "two", ground.now())).await);
        assert!(
            matches!(error, StoreError::TurnInProgress { turn } if turn == first.lease.turn),
            "{error}"
        );
        let page = ground.store.messages(&ann, id, None, 5).await.unwrap();
        assert_eq!(page.items.len(), 1);
        ground.conversation(&ann).await;
        let finish = crate::support::answered("1", 1, ground.now());
        ground.store.finish(&first.lease, finish).await.unwrap();
        ground.open(&ann, id, "two").await;
    })
    .await;
}

// design: promises P4 valid requests
#[tokio::test]
async fn a_call_and_its_results_stay_together_in_the_history() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let turn = ground.open(&ann, id, "find it").await;
        let result = Message::Tool {
            tool_call_id: "c1".to_owned(),
            name: Some("find".to_owned()),
            content: "{\"n\":1}".to_owned(),
        };
        let calls = Message::Assistant {
            content: None,
            tool_calls: vec![frontdesk_core::message::ToolCall {
                id: "c1".to_owned(),
                name: "find".to_owned(),
                arguments: "{}".to_owned(),
            }],
        };
        let mut finish = crate::support::answered("Found.", 1, ground.now());
        finish.lines.insert(0, Line::new(LineKind::Calls, &calls));
        finish.lines.insert(1, Line::new(LineKind::Result, &result));
        ground.store.finish(&turn.lease, finish).await.unwrap();
        let page = ground.store.messages(&ann, id, None, 5).await.unwrap();
        let said: Vec<_> = page.items.iter().map(|m| m.content.as_str()).collect();
        assert_eq!(said, ["find it", "Found."]);
        let next = ground.open(&ann, id, "and?").await;
        assert!(next.history.has_results());
        assert_eq!(next.history.messages()[2..4], [calls, result]);
    })
    .await;
}

#[tokio::test]
async fn leases_and_deadlines_far_away_are_no_error() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut request = say(id, "slow", ground.now());
        request.lease_for = Duration::from_secs(86_400 * 365);
        request.turn_for = Duration::from_secs(86_400 * 365);
        opened(ground.store.open(&ann, request).await.unwrap());
    })
    .await;
}
