//! Listeners hear what was committed, once, in order, and of gaps.

use frontdesk_db::{Claims, Db, DbError, Notice};

use crate::support::both;

async fn say(db: &Db, channel: &'static str, payload: String) -> Result<(), DbError> {
    db.write(&Claims::none(), move |tx| {
        Box::pin(async move { tx.notify(channel, &payload).await })
    })
    .await
}

#[tokio::test]
async fn listeners_hear_what_was_committed() {
    for test in both().await {
        let mut first = test.db.listen("News of the day \"quoted\"").await.unwrap();
        let mut second = test.db.listen("News of the day \"quoted\"").await.unwrap();
        let mut other = test.db.listen("other").await.unwrap();
        let undone: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.notify("other", "never").await?;
                    Err(DbError::Statement("changed my mind".to_owned()))
                })
            })
            .await;
        assert!(undone.is_err());
        for n in 0..20 {
            say(
                &test.db,
                "News of the day \"quoted\"",
                format!("{n} ä \u{1f600}"),
            )
            .await
            .unwrap();
        }
        say(&test.db, "other", String::new()).await.unwrap();
        for n in 0..20 {
            let expected = Some(Notice::Said(format!("{n} ä \u{1f600}")));
            assert_eq!(first.next().await, expected);
            assert_eq!(second.next().await, expected);
        }
        assert_eq!(other.next().await, Some(Notice::Said(String::new())));
        test.db.clone().close().await;
        assert_eq!(first.next().await, None);
    }
}

#[tokio::test]
async fn a_slow_listener_is_told_of_the_gap() {
    for test in both().await {
        let mut slow = test.db.listen("busy").await.unwrap();
        let result: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    for n in 0..3000 {
                        tx.notify("busy", &n.to_string()).await?;
                    }
                    Ok(())
                })
            })
            .await;
        result.unwrap();
        let mut last = test.db.listen("end").await.unwrap();
        say(&test.db, "end", "end".to_owned()).await.unwrap();
        assert_eq!(last.next().await, Some(Notice::Said("end".to_owned())));
        assert_eq!(slow.next().await, Some(Notice::Gap));
        assert!(matches!(slow.next().await, Some(Notice::Said(_))));
    }
}

#[tokio::test]
async fn what_postgres_could_not_carry_is_refused_on_both() {
    for test in both().await {
        say(&test.db, "long", "x".repeat(7999)).await.unwrap();
        let refused = say(&test.db, "long", "x".repeat(8000)).await;
        assert!(
            matches!(refused, Err(DbError::BadValue { .. })),
            "{refused:?}"
        );
        assert!(test.db.listen("").await.is_err());
        assert!(test.db.listen(&"x".repeat(64)).await.is_err());
    }
}
