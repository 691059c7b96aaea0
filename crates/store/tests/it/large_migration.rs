//! Migrating a database with a million messages, from the first release to the newest: how long it
//! takes, and how long readers and writers wait meanwhile.

use std::time::{Duration, Instant};

use frontdesk_db::{Db, MigrationSet, PostgresOptions};
use frontdesk_store::Store;
use frontdesk_testkit::postgres::{TestDatabase, TestPostgres};
use tokio::sync::watch;

const ALL: Duration = Duration::from_secs(30);
const LOCKED: Duration = Duration::from_secs(2);

/// 1,000 people with one conversation each, 1,000 messages in each.
const MILLION: &str = "
    INSERT INTO profiles (id, user_id, display_name)
        SELECT gen_random_uuid(), gen_random_uuid(), 'person ' || n FROM generate_series(1, 1000) n;
    INSERT INTO conversations (user_id, scope_id, assistant, title, phase)
        SELECT id, id, 'docs', display_name, 'discovery' FROM profiles;
    INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, scope_id, seq, turn_id, part,
            kind, wire, tokens)
        SELECT gen_random_uuid(), c.id, 'user', repeat('word ', 20), '{}', now(), c.scope_id, n,
            gen_random_uuid(), 'said', 'user', '{\"role\":\"user\"}', 20
        FROM conversations c CROSS JOIN generate_series(1, 1000) n;
    ANALYZE;";

/// Reads and writes the hot tables until the signal to stop, and returns the longest wait.
async fn longest_wait(database: &TestDatabase, mut stop: watch::Receiver<bool>) -> Duration {
    let client = database.connect().await;
    let mut longest = Duration::ZERO;
    while !*stop.borrow_and_update() {
        for sql in [
            "SELECT content FROM messages ORDER BY id LIMIT 1",
            "UPDATE conversations SET updated_at = now() WHERE id = (SELECT id FROM conversations LIMIT 1)",
            "SELECT 1 FROM turns LIMIT 1",
        ] {
            let began = Instant::now();
            client.batch_execute(sql).await.unwrap();
            longest = longest.max(began.elapsed());
        }
        tokio::task::yield_now().await;
    }
    longest
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: fills a database with a million messages"]
async fn a_million_messages_are_migrated_in_30_s_without_a_lock_of_2_s() {
    let database = TestPostgres::database().await;
    let url = database.url.clone().into();
    let db = Db::connect_postgres(&url, PostgresOptions::default())
        .await
        .unwrap();
    let all = Store::migrations();
    let first = MigrationSet {
        steps: all.steps.split_at(1).0,
        ..all
    };
    db.migrate(&[first]).await.unwrap();
    database.execute(MILLION).await;
    let (stop, stopped) = watch::channel(false);
    let began = Instant::now();
    let (migrated, waited) = tokio::join!(
        async {
            let migrated = db.migrate(&[all]).await;
            stop.send_replace(true);
            (migrated, began.elapsed())
        },
        longest_wait(&database, stopped)
    );
    let (migrated, took) = migrated;
    migrated.unwrap();
    println!("migrated in {took:?}; the longest wait was {waited:?}");
    assert!(took < ALL, "the migration took {took:?}");
    assert!(waited < LOCKED, "somebody waited for {waited:?}");
    db.close().await;
}
