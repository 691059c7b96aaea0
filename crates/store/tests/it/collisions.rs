//! Transactions that collide are run again: whoever waits for them hears nothing of it.

use frontdesk_core::store::Turns;
use frontdesk_db::{Db, PostgresOptions};
use frontdesk_store::{Appliers, Store};
use futures_util::future::join_all;

use crate::support::{Ground, answered, new_conversation, opened, say};

/// The strictest isolation makes Postgres refuse what it cannot put into an order.
// design: promises P14 database
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_collide_are_all_accepted() {
    const PEOPLE: usize = 12;
    let ground = Ground::postgres(Appliers::default()).await;
    let url = &ground.test_database().unwrap().url;
    let strict = format!("{url}?options=-c%20default_transaction_isolation%3Dserializable");
    let options = PostgresOptions {
        pool_size: 8,
        app_role: Some("fd_app".to_owned()),
        system_role: Some("fd_worker".to_owned()),
        ..PostgresOptions::default()
    };
    let db = Db::connect_postgres(&strict.into(), options).await.unwrap();
    let store = Store::new(db, Appliers::default());
    let mut people = Vec::new();
    for number in 0..PEOPLE {
        people.push(ground.person(&format!("person-{number}")).await);
    }
    for _ in 0..4 {
        let turns = people.iter().map(|who| async {
            let id = store.create(who, new_conversation(ground.now())).await;
            let request = say(id.unwrap().id, "Hello", ground.now());
            opened(store.open(who, request).await.unwrap()).lease
        });
        let leases = join_all(turns).await;
        // Workers repeat what they record until it is kept.
        for lease in leases {
            while store
                .finish(&lease, answered("Hi", 1, ground.now()))
                .await
                .is_err()
            {}
        }
    }
    let sql = "SELECT count(*) AS n FROM turns WHERE state = 'completed'";
    assert_eq!(ground.count(sql, vec![]).await, 4 * PEOPLE as i64);
}
