//! Pages: complete, in order, without doubles, and useless to anybody else.

use std::collections::BTreeSet;

use frontdesk_core::access::Principal;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::{
    ConversationPatch, ConversationQuery, Page, StoreError, StoredMessage,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::Map;

use crate::support::{Ground, at, new_conversation, on_each, refused};

async fn walk(ground: &Ground, who: &Principal, limit: u32) -> Vec<ConversationId> {
    let mut query = ConversationQuery {
        limit,
        ..ConversationQuery::default()
    };
    let mut found = Vec::new();
    loop {
        let page = ground.store.list(who, query.clone()).await.unwrap();
        assert!(page.items.len() <= limit as usize);
        assert_eq!(page.has_more, page.cursor.is_some());
        found.extend(page.items.iter().map(|item| item.id));
        match page.cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => return found,
        }
    }
}

#[tokio::test]
async fn the_list_has_ones_own_and_ones_companies_latest_first() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        let company = ground.company(&ann, &[&bob]).await;
        let other = ground.company(&ann, &[&bob]).await;
        let own = ground.conversation(&bob).await.id;
        let foreign = ground.conversation(&ann).await.id;
        let shared = ground.conversation_in(&ann, Some(company)).await.id;
        let mine_shared = ground.conversation_in(&bob, Some(company)).await.id;
        let elsewhere = ground.conversation_in(&ann, Some(other)).await.id;
        assert_eq!(
            walk(&ground, &bob, 2).await,
            [elsewhere, mine_shared, shared, own]
        );
        let touched = ConversationPatch {
            title: Some("Touched".to_owned()),
            owner: None,
            phase: None,
            metadata: Map::new(),
            now: at(1000),
        };
        ground.store.update(&bob, own, touched).await.unwrap();
        assert_eq!(
            walk(&ground, &bob, 3).await,
            [own, elsewhere, mine_shared, shared]
        );
        let of_company = ConversationQuery {
            limit: 10,
            company_id: Some(company),
            ..ConversationQuery::default()
        };
        let page = ground.store.list(&bob, of_company).await.unwrap();
        let ids: Vec<_> = page.items.iter().map(|item| item.id).collect();
        assert_eq!(ids, [mine_shared, shared]);
        let of_assistant = ConversationQuery {
            limit: 10,
            assistant: Some("tata".to_owned()),
            ..ConversationQuery::default()
        };
        let page = ground.store.list(&bob, of_assistant).await.unwrap();
        assert!(page.items.is_empty());
        assert!(!walk(&ground, &bob, 10).await.contains(&foreign));
    })
    .await;
}

/// Walks through the list while conversations are renamed and begun between the pages: `changes`
/// has the conversations to rename after each page. Those of the second dozen are renamed by a slow
/// transaction, which began before the walk.
async fn walk_while_changing(
    ground: &Ground,
    who: &Principal,
    limit: u32,
    changes: &[Vec<usize>],
    begun: &[ConversationId],
) -> Vec<ConversationId> {
    let mut query = ConversationQuery {
        limit,
        ..ConversationQuery::default()
    };
    let mut found = Vec::new();
    let mut seconds = 2_000;
    let mut changes = changes.iter();
    let mut changed = BTreeSet::new();
    loop {
        let page = ground.store.list(who, query.clone()).await.unwrap();
        found.extend(page.items.iter().map(|item| item.id));
        for index in changes.next().into_iter().flatten() {
            seconds += 1;
            let place = index % begun.len();
            let is_late = *index >= begun.len() && place + 1 < begun.len();
            let is_first_change = changed.insert(place);
            let now = match is_late && is_first_change {
                true => at(10) + chrono::TimeDelta::milliseconds(seconds - 2_000),
                false => at(seconds),
            };
            let patch = ConversationPatch {
                title: Some(format!("At {seconds}")),
                owner: None,
                phase: None,
                metadata: Map::new(),
                now,
            };
            ground.store.update(who, begun[place], patch).await.unwrap();
            ground.conversation_at(who, at(seconds)).await;
        }
        match page.cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => return found,
        }
    }
}

#[tokio::test]
async fn a_walk_returns_each_conversation_once_whatever_changes_meanwhile() {
    on_each(|ground| async move {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        let changes = proptest::collection::vec(proptest::collection::vec(0..24_usize, 0..5), 0..9);
        for round in 0..25 {
            let (limit, changes) = (1..5_u32, &changes)
                .new_tree(&mut runner)
                .unwrap()
                .current();
            let who = ground.person(&format!("walker {round}")).await;
            let mut begun = Vec::new();
            for second in 0..12 {
                begun.push(ground.conversation_at(&who, at(second)).await.id);
            }
            let found = walk_while_changing(&ground, &who, limit, &changes, &begun).await;
            let mut sorted = found.clone();
            sorted.sort();
            begun.sort();
            assert_eq!(sorted, begun, "pages of {limit}, changes {changes:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_list_of_a_foreign_company_is_refused() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let eve = ground.person("eve").await;
        let company = ground.company(&ann, &[]).await;
        let query = ConversationQuery {
            limit: 10,
            company_id: Some(company),
            ..ConversationQuery::default()
        };
        let foreign = refused(ground.store.list(&eve, query).await);
        assert!(matches!(foreign, StoreError::NotAMember), "{foreign}");
    })
    .await;
}

#[tokio::test]
async fn a_cursor_of_somebody_else_or_of_nobody_is_refused() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let bob = ground.person("bob").await;
        for _ in 0..3 {
            ground.conversation(&ann).await;
            ground.conversation(&bob).await;
        }
        let query = ConversationQuery {
            limit: 1,
            ..ConversationQuery::default()
        };
        let page = ground.store.list(&ann, query.clone()).await.unwrap();
        let cursor = page.cursor.unwrap();
        let mut bad = vec![cursor.clone(), String::new(), "no cursor".to_owned()];
        // Every letter changed in turn: the seal notices each of them.
        for index in 0..cursor.len() {
            let mut changed = cursor.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            if changed != cursor {
                bad.push(changed);
            }
        }
        for cursor in bad {
            let query = ConversationQuery {
                cursor: Some(cursor.clone()),
                ..query.clone()
            };
            let error = refused(ground.store.list(&bob, query).await);
            assert!(matches!(error, StoreError::BadCursor), "{cursor}: {error}");
        }
        let message_cursor = {
            let id = ground.conversation(&ann).await.id;
            ground.talk(&ann, id, "a", "b").await;
            let page = ground.store.messages(&ann, id, None, 1).await.unwrap();
            page.cursor.unwrap()
        };
        let other = ground.conversation(&ann).await.id;
        let error = refused(
            ground
                .store
                .messages(&ann, other, Some(message_cursor), 1)
                .await,
        );
        assert!(matches!(error, StoreError::BadCursor), "{error}");
    })
    .await;
}

#[tokio::test]
async fn messages_come_oldest_first_page_by_page() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        for number in 0..5 {
            ground
                .talk(&ann, id, &format!("q{number}"), &format!("a{number}"))
                .await;
        }
        let mut contents = Vec::new();
        let mut cursor = None;
        loop {
            let page = ground.store.messages(&ann, id, cursor, 3).await.unwrap();
            contents.extend(page.items.into_iter().map(|item| item.content));
            assert_eq!(page.has_more, page.cursor.is_some());
            cursor = page.cursor;
            if cursor.is_none() {
                break;
            }
        }
        let expected: Vec<String> = (0..5)
            .flat_map(|number| [format!("q{number}"), format!("a{number}")])
            .collect();
        assert_eq!(contents, expected);
    })
    .await;
}

#[tokio::test]
async fn the_newest_messages_come_first_when_asked_for() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        for number in 0..5 {
            ground
                .talk(&ann, id, &format!("q{number}"), &format!("a{number}"))
                .await;
        }
        let store = &ground.store;
        let first = store.newest_messages(&ann, id, None, 3).await.unwrap();
        let contents = |page: &Page<StoredMessage>| -> Vec<String> {
            page.items.iter().map(|item| item.content.clone()).collect()
        };
        // Each page is oldest first, as it is read.
        assert_eq!(contents(&first), ["a3", "q4", "a4"]);
        let cursor = first.cursor.unwrap();
        // A cursor leads in the direction it was given for, and no other.
        let error = refused(store.messages(&ann, id, Some(cursor.clone()), 3).await);
        assert!(matches!(error, StoreError::BadCursor), "{error}");
        let second = store
            .newest_messages(&ann, id, Some(cursor), 3)
            .await
            .unwrap();
        assert_eq!(contents(&second), ["q2", "a2", "q3"]);
        let rest = store
            .newest_messages(&ann, id, second.cursor, 100)
            .await
            .unwrap();
        assert_eq!(contents(&rest), ["q0", "a0", "q1", "a1"]);
        assert!(!rest.has_more && rest.cursor.is_none());
    })
    .await;
}

/// Conversations with these times of change (ties on purpose), read in pages of this size,
/// while new ones arrive between the pages.
async fn pages_are_complete(ground: &Ground, times: &[i64], limit: u32, arrivals: &[i64]) {
    let who = ground.person("reader").await;
    let mut expected = Vec::new();
    for seconds in times {
        let made = ground
            .store
            .create(&who, new_conversation(at(*seconds)))
            .await
            .unwrap();
        expected.push((made.updated_at, made.id));
    }
    expected.sort_by(|a, b| b.cmp(a));
    let mut arrivals = arrivals.iter();
    let mut late = BTreeSet::new();
    let mut found = Vec::new();
    let mut query = ConversationQuery {
        limit,
        ..ConversationQuery::default()
    };
    loop {
        let page = ground.store.list(&who, query.clone()).await.unwrap();
        found.extend(page.items.iter().map(|item| (item.updated_at, item.id)));
        if let Some(seconds) = arrivals.next() {
            let made = ground
                .store
                .create(&who, new_conversation(at(*seconds)))
                .await
                .unwrap();
            late.insert(made.id);
        }
        match page.cursor {
            Some(cursor) => query.cursor = Some(cursor),
            None => break,
        }
    }
    let sorted = found.windows(2).all(|pair| pair[0] > pair[1]);
    assert!(sorted, "in order and without doubles: {found:?}");
    found.retain(|(_, id)| !late.contains(id));
    assert_eq!(found, expected, "complete");
}

#[test]
fn pages_are_complete_in_order_and_without_doubles_under_ties_and_arrivals() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let grounds = runtime.block_on(async {
        [
            Ground::sqlite(Default::default()).await,
            Ground::postgres(Default::default()).await,
        ]
    });
    let cases = (
        proptest::collection::vec(0..4_i64, 0..12),
        1..5_u32,
        proptest::collection::vec(0..4_i64, 0..4),
    );
    let config = ProptestConfig::with_cases(100);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner
        .run(&cases, |(times, limit, arrivals)| {
            for ground in &grounds {
                runtime.block_on(pages_are_complete(ground, &times, limit, &arrivals));
            }
            Ok(())
        })
        .unwrap();
}
