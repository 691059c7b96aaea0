//! The design's chat tables as read-only views on both databases, each limited to the person's own
//! rows.

use chrono::{DateTime, Utc};
use frontdesk_db::{Claims, DbError};
use frontdesk_testkit::model_server::say;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{join, recruiter, scene};
use crate::harness::{BOTH, Backing};

// design: 004 table gig_chat_sessions, table gig_chat_messages, message metadata
#[tokio::test(flavor = "multi_thread")]
async fn the_views_show_the_designs_columns() {
    for backing in BOTH {
        check(backing).await;
    }
}

const SESSIONS: &str = "SELECT id, gig_id, user_id, message_count, last_message_at, created_at, updated_at FROM gig_chat_sessions";
const MESSAGES: &str = "SELECT id, session_id, CAST(role AS text) AS role, content, quick_replies, metadata, created_at FROM gig_chat_messages ORDER BY created_at, CAST(role AS text) DESC";

async fn check(backing: Backing) {
    let scene = scene(backing, 1).await;
    let app = &scene.test.app;
    let colleague = recruiter(app, "colleague").await;
    join(app, scene.workspace, &colleague).await;
    let stranger = recruiter(app, "stranger").await;
    let (db, who, gig) = (app.db.clone(), scene.who.clone(), scene.gig);
    let (server, _) = scene.serve(&[]).await;
    server.model.script([say("Ответ").usage(10, 5)]);
    let sent = server
        .post(
            &server.sign_in("rita"),
            &format!("/gigs/{gig}/chat"),
            json!({ "message": "Вопрос" }),
        )
        .await;
    assert!(sent.status.is_success(), "{sent:?}");

    let read = async |subject: Uuid, sql: &'static str| {
        db.read::<_, DbError, _>(&Claims::subject(subject), move |tx| {
            Box::pin(async move { tx.rows(sql, &[]).await })
        })
        .await
        .unwrap()
    };
    let found = read(who.subject(), SESSIONS).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].get::<Uuid>("gig_id").unwrap(), gig);
    assert_eq!(
        found[0].get::<String>("user_id").unwrap(),
        who.profile().to_string()
    );
    assert_eq!(found[0].get::<i64>("message_count").unwrap(), 2);
    assert!(
        found[0]
            .get::<Option<chrono::DateTime<chrono::Utc>>>("last_message_at")
            .unwrap()
            .is_some()
    );

    let rows = read(who.subject(), MESSAGES).await;
    let told: Vec<(String, String)> = rows
        .iter()
        .map(|row| (row.get("role").unwrap(), row.get("content").unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("user".to_owned(), "Вопрос".to_owned()),
            ("assistant".to_owned(), "Ответ".to_owned())
        ]
    );
    assert_eq!(
        rows[1].get::<Uuid>("session_id").unwrap(),
        found[0].get::<Uuid>("id").unwrap()
    );
    let metadata: Value = rows[1].get("metadata").unwrap();
    assert_eq!(metadata["tokensUsed"], 15);
    assert!(metadata["latencyMs"].is_number());

    let members = read(who.subject(), "SELECT user_id, workspace_id, role FROM workspace_members WHERE role IN ('owner', 'member')").await;
    assert!(members.len() >= 2);
    if backing == Backing::Postgres {
        for sql in [
            SESSIONS,
            MESSAGES,
            "SELECT id FROM gigs",
            "SELECT id FROM gig_responses",
            "SELECT user_id FROM workspace_members",
        ] {
            assert_eq!(read(stranger.subject(), sql).await.len(), 0, "{sql}");
        }
        assert_eq!(
            read(colleague.subject(), "SELECT id FROM gigs").await.len(),
            1
        );
    }
    server.stop().await;
}

// design: 004 table gig_chat_sessions, index gig_chat_session_gig_idx
// design: 004 index gig_chat_session_user_idx, table gig_chat_messages, message metadata
// design: 004 index gig_chat_message_session_idx, index gig_chat_message_session_created_idx
// design: 004 enum gig_chat_message_role, session id
#[tokio::test(flavor = "multi_thread")]
async fn the_views_show_replies_mentions_and_times_and_lose_them_with_the_session() {
    for backing in BOTH {
        let scene = scene(backing, 1).await;
        let (db, who, gig) = (scene.test.app.db.clone(), scene.who.clone(), scene.gig);
        let (server, _) = scene.serve(&[]).await;
        let rita = server.sign_in("rita");
        let read = async |sql: &'static str| {
            db.read::<_, DbError, _>(&Claims::subject(who.subject()), move |tx| {
                Box::pin(async move { tx.rows(sql, &[]).await })
            })
            .await
            .unwrap()
        };
        let path = format!("/gigs/{gig}/candidates");
        let candidates = server.get(&rita, &path).await.body;
        let named = &candidates["items"][0]["id"];
        let reply =
            json!({ "message": "Ответ", "quickReplies": ["Ещё"], "candidatesMentioned": [named] });
        server.model.script([say(reply.to_string())]);
        let question = json!({ "message": "Вопрос" });
        server
            .post(&rita, &format!("/gigs/{gig}/chat"), question)
            .await;

        let session = &read(SESSIONS).await[0];
        let answer = &read(MESSAGES).await[1];
        assert_eq!(
            answer.get::<Value>("quick_replies").unwrap(),
            json!(["Ещё"])
        );
        let metadata: Value = answer.get("metadata").unwrap();
        assert_eq!(metadata["candidatesMentioned"], json!([named]));
        for row in [session, answer] {
            assert_eq!(row.get::<Uuid>("id").unwrap().get_version_num(), 7);
        }
        let time = |row: &frontdesk_db::Row, name| row.get::<DateTime<Utc>>(name).unwrap();
        assert!(time(session, "created_at") <= time(answer, "created_at"));
        assert!(time(answer, "created_at") <= time(session, "updated_at"));

        let indexes = match backing {
            Backing::Postgres => "SELECT indexname AS name FROM pg_indexes",
            Backing::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'index'",
        };
        let indexes: Vec<String> = read(indexes)
            .await
            .iter()
            .map(|row| row.get("name").unwrap())
            .collect();
        for index in [
            "gig_chat_session_gig_idx",
            "gig_chat_session_user_idx",
            "gig_chat_message_session_idx",
            "gig_chat_message_session_created_idx",
        ] {
            assert!(indexes.iter().any(|name| name == index), "{index}");
        }

        if backing == Backing::Postgres {
            let roles =
                "SELECT CAST(unnest(enum_range(NULL::gig_chat_message_role)) AS text) AS name";
            let roles = read(roles).await;
            let roles: Vec<String> = roles.iter().map(|row| row.get("name").unwrap()).collect();
            assert_eq!(roles, ["user", "assistant"]);
        }

        let path = format!("/conversations/{}", session.get::<Uuid>("id").unwrap());
        let deleted = server.send(Method::DELETE, &path, Some(&rita), None).await;
        assert!(deleted.status.is_success(), "{deleted:?}");
        assert_eq!(
            (read(SESSIONS).await.len(), read(MESSAGES).await.len()),
            (0, 0)
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_another_version_replaced_is_not_in_the_view() {
    for backing in BOTH {
        let scene = scene(backing, 1).await;
        let (db, who, gig) = (scene.test.app.db.clone(), scene.who.clone(), scene.gig);
        let (server, _) = scene.serve(&[]).await;
        let rita = server.sign_in("rita");
        server.model.script([say("Ответ"), say("Иначе")]);
        let chat = format!("/gigs/{gig}/chat");
        let sent = server.post(&rita, &chat, json!({ "message": "Вопрос" }));
        let session = sent.await.body["metadata"]["sessionId"].clone();
        let messages = format!("/conversations/{}/messages", session.as_str().unwrap());
        let question = server.list(&rita, &messages).await[0]["id"].clone();
        let versions = format!("{messages}/{}/versions", question.as_str().unwrap());
        let again = json!({ "content": "Другой вопрос" });
        let revised = server.post(&rita, &versions, again).await;
        assert_eq!(revised.status, 201, "{revised:?}");
        let claims = Claims::subject(who.subject());
        let rows = db.read::<_, DbError, _>(&claims, move |tx| {
            Box::pin(async move { tx.rows(MESSAGES, &[]).await })
        });
        let shown: Vec<String> = rows
            .await
            .unwrap()
            .iter()
            .map(|row| row.get("content").unwrap())
            .collect();
        assert_eq!(shown, ["Другой вопрос", "Иначе"], "{backing:?}");
        server.stop().await;
    }
}
