//! Data of every earlier release: after the migration it is listed, read, found and continued.

use frontdesk_core::store::{ConversationQuery, SearchWords, Turns};
use frontdesk_db::{
    Claims, Db, DbError, MigrationSet, PostgresHooks, PostgresOptions, SqliteOptions,
};
use frontdesk_store::{Appliers, Store};
use frontdesk_testkit::postgres::TestPostgres;
use uuid::Uuid;

use crate::support::{account, answered, at, opened, principal, say};

/// The tables of a release.
fn release(version: usize) -> MigrationSet {
    let newest = Store::migrations();
    MigrationSet {
        steps: newest.steps.split_at(version).0,
        hooks: newest.hooks.map(|hooks| PostgresHooks {
            indexes: &[],
            ..hooks
        }),
        ..newest
    }
}

/// A person with a conversation and a message, written as the first release did.
async fn fill(db: &Db, subject: Uuid) {
    let [profile, conversation, message] = [Uuid::now_v7(), Uuid::now_v7(), Uuid::now_v7()];
    let done: Result<(), DbError> = db
        .write(&Claims::system("test"), move |tx| {
            Box::pin(async move {
                tx.execute(
                    "INSERT INTO profiles (id, user_id, display_name, created_at, updated_at) VALUES ($1, $2, 'Ann', $3, $3)",
                    &[profile.into(), subject.into(), at(0).into()],
                )
                .await?;
                tx.execute(
                    "INSERT INTO conversations (id, user_id, scope_id, assistant, title, message_count, next_seq, \
                         created_at, updated_at) VALUES ($1, $2, $2, 'docs', 'Pickups', 1, 2, $3, $3)",
                    &[conversation.into(), profile.into(), at(1).into()],
                )
                .await?;
                tx.execute(
                    "INSERT INTO messages (id, conversation_id, role, content, created_at, scope_id, seq, turn_id, part, \
                         kind, wire) \
                     VALUES ($1, $2, 'user', 'Where is GP-2026-0014?', $4, $3, 1, $1, 'said', 'user', \
                         '{\"role\":\"user\",\"text\":\"Where is GP-2026-0014?\"}')",
                    &[message.into(), conversation.into(), profile.into(), at(1).into()],
                )
                .await?;
                Ok(())
            })
        })
        .await;
    done.unwrap();
}

async fn works(db: Db, version: usize) {
    db.migrate(&[release(version)]).await.unwrap();
    let subject = Uuid::now_v7();
    fill(&db, subject).await;
    db.migrate(&[Store::migrations()]).await.unwrap();
    let store = Store::new(db.clone(), Appliers::default());
    let (profile, _) = store.sign_in(account(subject, "Ann")).await.unwrap();
    let ann = principal(&profile);
    let query = ConversationQuery {
        limit: 10,
        ..ConversationQuery::default()
    };
    let page = store.list(&ann, query).await.unwrap();
    let [conversation] = page.items.as_slice() else {
        panic!("after {version}: {:?}", page.items);
    };
    assert_eq!(conversation.title, "Pickups", "after {version}");
    for words in ["pickups", "gp-2026-0014"] {
        let words = SearchWords::of(words).unwrap();
        let found = store.find_texts(&ann, &words, 5).await.unwrap();
        assert_eq!(found.len(), 1, "after {version}: {words:?}");
    }
    let id = conversation.id;
    let turn = opened(store.open(&ann, say(id, "Hello", at(2))).await.unwrap());
    store
        .finish(&turn.lease, answered("Hi", 1, at(3)))
        .await
        .unwrap();
    let messages = store.messages(&ann, id, None, 10).await.unwrap().items;
    let contents: Vec<&str> = messages.iter().map(|m| m.content.as_str()).collect();
    assert_eq!(
        contents,
        ["Where is GP-2026-0014?", "Hello", "Hi"],
        "after {version}"
    );
    db.close().await;
}

#[tokio::test]
async fn data_of_every_earlier_release_is_kept_by_the_migration() {
    for version in 1..=Store::migrations().steps.len() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("frontdesk.db");
        let options = SqliteOptions::default();
        works(Db::open_sqlite(&file, options).await.unwrap(), version).await;
        let database = TestPostgres::database().await;
        let url = database.url.clone().into();
        let options = PostgresOptions::default();
        works(Db::connect_postgres(&url, options).await.unwrap(), version).await;
    }
}
