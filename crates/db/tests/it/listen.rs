//! Listeners get committed notices once and in order, and learn of gaps.

use frontdesk_db::{Claims, Db, DbError, Notice, PostgresOptions};

use crate::support::both;

async fn say(db: &Db, channel: &'static str, payload: String) -> Result<(), DbError> {
    db.write(&Claims::none(), move |tx| {
        Box::pin(async move { tx.notify(channel, &payload) })
    })
    .await
}

#[tokio::test]
async fn listeners_get_committed_notices() {
    for test in both().await {
        let mut first = test.db.listen("News of the day \"quoted\"").await.unwrap();
        let mut second = test.db.listen("News of the day \"quoted\"").await.unwrap();
        let mut other = test.db.listen("other").await.unwrap();
        let undone: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.notify("other", "never")?;
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
            let expected = Some(Notice::Message(format!("{n} ä \u{1f600}")));
            assert_eq!(first.next().await, expected);
            assert_eq!(second.next().await, expected);
        }
        assert_eq!(other.next().await, Some(Notice::Message(String::new())));
        test.db.clone().close().await;
        assert_eq!(first.next().await, None);
    }
}

#[tokio::test]
async fn a_slow_listener_gets_a_gap() {
    for test in both().await {
        let mut slow = test.db.listen("busy").await.unwrap();
        let result: Result<(), DbError> = test
            .db
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    for n in 0..3000 {
                        tx.notify("busy", &n.to_string())?;
                    }
                    Ok(())
                })
            })
            .await;
        result.unwrap();
        let mut last = test.db.listen("end").await.unwrap();
        say(&test.db, "end", "end".to_owned()).await.unwrap();
        assert_eq!(last.next().await, Some(Notice::Message("end".to_owned())));
        assert_eq!(slow.next().await, Some(Notice::Gap));
        assert!(matches!(slow.next().await, Some(Notice::Message(_))));
    }
}

#[tokio::test]
async fn the_limits_of_postgres_apply_to_both() {
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

/// A notice sent just before closing still reaches the other nodes.
#[tokio::test]
async fn notices_sent_before_closing_reach_other_nodes() {
    let test = crate::support::postgres().await;
    let other = crate::support::connect(&test.server().url, PostgresOptions::default())
        .await
        .unwrap();
    let mut heard = other.listen("news").await.unwrap();
    for n in 0..100 {
        say(&test.db, "news", n.to_string()).await.unwrap();
    }
    test.db.clone().close().await;
    for n in 0..100 {
        assert_eq!(heard.next().await, Some(Notice::Message(n.to_string())));
    }
    other.close().await;
}

/// Commits of many writers do not queue behind each other's notices.
#[tokio::test]
async fn a_notice_is_not_part_of_its_transaction() {
    let test = crate::support::postgres().await;
    let held = test.db.clone();
    let second = std::sync::Arc::new(tokio::sync::Barrier::new(2));
    let first = second.clone();
    let slow = tokio::spawn(async move {
        let done: Result<(), DbError> = held
            .write(&Claims::none(), |tx| {
                Box::pin(async move {
                    tx.execute("SELECT 1", &[]).await?;
                    tx.notify("news", "slow")?;
                    first.wait().await;
                    first.wait().await;
                    Ok(())
                })
            })
            .await;
        done
    });
    second.wait().await;
    let mut heard = test.db.listen("news").await.unwrap();
    say(&test.db, "news", "quick".to_owned()).await.unwrap();
    assert_eq!(
        heard.next().await,
        Some(Notice::Message("quick".to_owned()))
    );
    second.wait().await;
    slow.await.unwrap().unwrap();
    assert_eq!(heard.next().await, Some(Notice::Message("slow".to_owned())));
}
