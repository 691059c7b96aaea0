//! Cost does not grow with the conversation: the window is read from a floor that moves.

use frontdesk_core::access::Principal;
use frontdesk_core::id::ConversationId;
use frontdesk_core::store::Turns;
use frontdesk_core::transcript::Window;
use frontdesk_db::Dialect;

use crate::support::{Ground, answered, on_each, opened, say};

const SMALL: Window = Window {
    max_messages: 20,
    max_tokens: 100_000,
    last_texts: None,
};

#[tokio::test]
async fn what_is_read_stays_inside_the_window_and_is_cut_by_half() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let id = ground.conversation(&ann).await.id;
        let mut cuts = 0;
        let mut before = 0;
        for number in 0..40 {
            let mut request = say(id, &format!("q{number}"), ground.now());
            request.window = SMALL;
            let turn = opened(ground.store.open(&ann, request).await.unwrap());
            let length = turn.history.len();
            assert!(length <= 20, "{length}");
            if length < before {
                cuts += 1;
                assert!(length <= 10, "{length}");
                assert_eq!(turn.history.messages()[0].text(), Some("It is Monday."));
            }
            before = length;
            // The cut is stored: what was left out is not read again.
            let read = ground
                .count(
                    "SELECT count(*) AS n FROM messages m JOIN conversations c \
                     ON c.id = m.conversation_id WHERE m.seq >= c.floor_seq",
                    vec![],
                )
                .await;
            assert_eq!(read, i64::try_from(length + turn.tail.len()).unwrap());
            let finish = answered("yes", 1, ground.now());
            ground.store.finish(&turn.lease, finish).await.unwrap();
        }
        assert!(cuts >= 5, "{cuts}");
    })
    .await;
}

/// Statements (SQLite) or round trips (Postgres) of whole turns.
async fn cost(ground: &Ground, ann: &Principal, id: ConversationId) -> Vec<u64> {
    let mut costs = Vec::new();
    for number in 0..24 {
        let mut request = say(id, &format!("q{number}"), ground.now());
        request.window = SMALL;
        let start = ground.db.round_trips();
        let turn = opened(ground.store.open(ann, request).await.unwrap());
        assert!(turn.history.len() <= 20);
        let finish = answered("yes", 1, ground.now());
        ground.store.finish(&turn.lease, finish).await.unwrap();
        costs.push(ground.db.round_trips() - start);
    }
    costs
}

#[tokio::test]
async fn a_conversation_of_five_thousand_messages_opens_with_constant_work() {
    on_each(|ground| async move {
        let ann = ground.person("ann").await;
        let long = ground.conversation(&ann).await.id;
        ground.talk(&ann, long, "first", "one").await;
        // The rows of 2,500 turns, with the floor still at the beginning.
        let id = match ground.db.dialect() {
            Dialect::Sqlite => "printf('01890000-0000-7000-8000-%012d', n)",
            Dialect::Postgres => "('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid",
        };
        ground
            .script(&format!(
                "WITH RECURSIVE numbers (n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5001)
                 INSERT INTO messages (id, conversation_id, role, content, metadata, created_at,
                     scope_id, seq, turn_id, part, kind, wire, tokens)
                 SELECT {id}, m.conversation_id, 'user', 'seeded', '{{}}', m.created_at, m.scope_id, n,
                     m.turn_id, 'said', 'user', m.wire, m.tokens
                 FROM numbers JOIN messages m ON m.seq = 2"
            ))
            .await;
        ground
            .script("UPDATE conversations SET next_seq = 5002, message_count = 5000")
            .await;
        let fresh = ground.conversation(&ann).await.id;
        let expected = cost(&ground, &ann, fresh).await;
        let costs = cost(&ground, &ann, long).await;
        assert_eq!(costs[4..], expected[4..]);
        let read = ground
            .count(
                "SELECT count(*) AS n FROM messages m JOIN conversations c \
                 ON c.id = m.conversation_id WHERE m.seq >= c.floor_seq AND c.message_count > 5000",
                vec![],
            )
            .await;
        assert!(read <= 24, "{read}");
    })
    .await;
}

/// G12: what a turn waits for on Postgres, with everything durable and the identity set.
// design: promises accepting
#[tokio::test]
async fn a_turn_costs_two_round_trips_to_open_and_one_for_each_record() {
    let ground = Ground::postgres(frontdesk_store::Appliers::default()).await;
    let ann = ground.person("ann").await;
    // The first times on a connection also prepare the statements.
    for _ in 0..3 {
        let id = ground.conversation(&ann).await.id;
        ground.talk(&ann, id, "warm", "up").await;
    }
    let id = ground.conversation(&ann).await.id;
    ground.talk(&ann, id, "warm", "up").await;
    let request = say(id, "Hello", ground.now());
    let start = ground.db.round_trips();
    let turn = opened(ground.store.open(&ann, request).await.unwrap());
    assert_eq!(ground.db.round_trips() - start, 2);
    let record = |position| frontdesk_core::store::Record {
        entries: vec![crate::support::delta(position, "abc")],
        now: ground.now(),
        ..Default::default()
    };
    ground.store.record(&turn.lease, record(4)).await.unwrap();
    let start = ground.db.round_trips();
    ground.store.record(&turn.lease, record(7)).await.unwrap();
    assert_eq!(ground.db.round_trips() - start, 1);
    let finish = answered("abcabc", 7, ground.now());
    let start = ground.db.round_trips();
    ground.store.finish(&turn.lease, finish).await.unwrap();
    assert_eq!(ground.db.round_trips() - start, 1);
}

/// No statement scans a table, however full it is.
#[tokio::test]
async fn a_turn_walks_through_no_table() {
    let ground = Ground::sqlite(frontdesk_store::Appliers::default()).await;
    let ann = ground.person("ann").await;
    let id = ground.conversation(&ann).await.id;
    for number in 0..30 {
        ground.talk(&ann, id, &format!("q{number}"), "a").await;
    }
    let before = ground.db.rows_scanned();
    ground.talk(&ann, id, "And now?", "The same.").await;
    let scanned = ground.db.rows_scanned() - before;
    assert_eq!(scanned, 0);
    // That it counts at all.
    ground
        .count(
            "SELECT count(*) AS n FROM turns WHERE node = 'nobody'",
            vec![],
        )
        .await;
    assert!(ground.db.rows_scanned() - before >= 30);
}
