//! Migrating a database with a million messages, from the first release to the newest: how long it
//! takes, and how long readers and writers wait meanwhile and while the indexes are built.

use std::time::{Duration, Instant};

use frontdesk_core::store::SearchWords;
use frontdesk_db::{Db, MigrationSet, PostgresOptions};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::{PrivateCluster, Version};
use tokio::sync::watch;
use tokio_postgres::Client;
use uuid::Uuid;

use crate::support::{account, principal};

const ALL: Duration = Duration::from_secs(30);
const LOCKED: Duration = Duration::from_secs(2);
const INDEXED: Duration = Duration::from_mins(8);

/// 1,000 people with one conversation each, 1,000 messages of 20 different words in each.
const MILLION: &str = "
    INSERT INTO profiles (id, user_id, display_name)
        SELECT gen_random_uuid(), gen_random_uuid(), 'person ' || n FROM generate_series(1, 1000) n;
    INSERT INTO conversations (user_id, scope_id, assistant, title, phase)
        SELECT id, id, 'docs', display_name, 'discovery' FROM profiles;
    INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, scope_id, seq, turn_id, part,
            kind, wire, tokens)
        SELECT gen_random_uuid(), c.id, 'user', 'Order GP-2026-' || n || ' ' || w.words, '{}', now(), c.scope_id, n,
            gen_random_uuid(), 'said', 'user', '{\"role\":\"user\"}', 20
        FROM conversations c CROSS JOIN generate_series(1, 1000) n CROSS JOIN LATERAL (
            SELECT string_agg(substr(md5((n * 31 + g)::text || c.id), 1, 2 + (n * g) % 7), ' ') AS words
            FROM generate_series(1, 18) g) w;
    ANALYZE;";

/// Statements like those of requests, on the hot tables.
const TRAFFIC: [&str; 5] = [
    "SELECT content FROM messages ORDER BY id LIMIT 1",
    "INSERT INTO messages (id, conversation_id, role, content, metadata, created_at, scope_id, seq, turn_id, part, \
         kind, wire, tokens) \
     SELECT gen_random_uuid(), c.id, 'user', 'Hello', '{}', now(), c.scope_id, \
         (SELECT max(m.seq) + 1 FROM messages m WHERE m.conversation_id = c.id), gen_random_uuid(), 'said', 'user', \
         '{\"role\":\"user\"}', 1 \
     FROM (SELECT id, scope_id FROM conversations LIMIT 1) c",
    "UPDATE messages SET content = 'Hello again' WHERE id = (SELECT id FROM messages ORDER BY id LIMIT 1)",
    "UPDATE conversations SET updated_at = now() WHERE id = (SELECT id FROM conversations LIMIT 1)",
    "SELECT 1 FROM turns LIMIT 1",
];

/// The longest wait until the signal to stop.
async fn longest_wait(client: Client, mut stop: watch::Receiver<bool>) -> Duration {
    let mut longest = Duration::ZERO;
    while !*stop.borrow_and_update() {
        for sql in TRAFFIC {
            let began = Instant::now();
            client.batch_execute(sql).await.unwrap();
            longest = longest.max(began.elapsed());
        }
        tokio::task::yield_now().await;
    }
    longest
}

async fn connect(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

/// Waits until no index is missing or invalid.
async fn indexed(client: &Client) {
    let sql = "SELECT count(*) FROM pg_index WHERE indisvalid AND indexrelid::regclass::text IN \
         ('idx_messages_words', 'idx_messages_aside', 'idx_messages_version_of')";
    let began = Instant::now();
    loop {
        let built: i64 = client.query_one(sql, &[]).await.unwrap().get(0);
        if built == 3 {
            return;
        }
        assert!(began.elapsed() < INDEXED, "{built} of 3 indexes are built");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// The messages that a person finds by one word of theirs.
async fn found(db: &Db, client: &Client) -> usize {
    let row = client
        .query_one("SELECT user_id FROM profiles LIMIT 1", &[])
        .await;
    let subject: Uuid = row.unwrap().get(0);
    let store = Store::new(db.clone(), Appliers::default());
    let (profile, _) = store.sign_in(account(subject, "ann")).await.unwrap();
    let words = SearchWords::of("order gp-2026-777").unwrap();
    let found = store.find_texts(&principal(&profile), &words, 50).await;
    found.unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: fills a database with a million messages"]
async fn a_million_messages_are_migrated_in_30_s_without_a_lock_of_2_s() {
    for version in [Version::System, Version::Newest] {
        let cluster =
            tokio::task::spawn_blocking(move || PrivateCluster::start_version(version)).await;
        let cluster = cluster.unwrap();
        let url = cluster.url.clone().into();
        let db = Db::connect_postgres(&url, PostgresOptions::default())
            .await
            .unwrap();
        let all = Store::migrations();
        let first = MigrationSet {
            steps: all.steps.split_at(1).0,
            hooks: all.hooks.map(|hooks| frontdesk_db::PostgresHooks {
                indexes: &[],
                ..hooks
            }),
            ..all
        };
        db.migrate(&[first]).await.unwrap();
        let client = connect(&cluster.url).await;
        client.batch_execute(MILLION).await.unwrap();
        let (stop, stopped) = watch::channel(false);
        let began = Instant::now();
        let traffic = connect(&cluster.url).await;
        let waiting = tokio::spawn(longest_wait(traffic, stopped));
        db.migrate(&[all]).await.unwrap();
        let took = began.elapsed();
        let before = found(&db, &client).await;
        indexed(&client).await;
        let indexed = began.elapsed();
        let after = found(&db, &client).await;
        stop.send_replace(true);
        let waited = waiting.await.unwrap();
        println!(
            "{version:?}: migrated in {took:?}, indexes after {indexed:?}, longest wait {waited:?}"
        );
        assert!(took < ALL, "the migration took {took:?}");
        assert!(waited < LOCKED, "somebody waited for {waited:?}");
        assert!(before == 0 && after > 0, "found {before}, then {after}");
        db.close().await;
    }
}
