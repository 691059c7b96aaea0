//! Conversations over HTTP: the design's unit and integration lists.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::server::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn post_conversations_creates_one_with_defaults() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let me = server.get(&who, "/me").await.body;
        let created = server
            .post(&who, "/conversations", json!({ "assistant": "notes" }))
            .await;
        assert_eq!(created.status, StatusCode::CREATED);
        let body = created.body;
        assert_eq!(body["title"], "New Conversation");
        assert_eq!(body["phase"], "default");
        assert_eq!(body["user_id"], me["id"]);
        assert_eq!(body["company_id"], json!(null));
        assert_eq!(body["message_count"], 0);
        assert_eq!(body["last_message_at"], json!(null));
        assert_eq!(body["created_at"], body["updated_at"]);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_conversations_lists_the_most_recently_updated_first() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(server.conversation(&who).await);
        }
        let renamed = server
            .send(
                Method::PATCH,
                &format!("/conversations/{}", ids[0]),
                Some(&who),
                Some(json!({ "title": "Renamed" })),
            )
            .await;
        assert_eq!(renamed.body["title"], "Renamed", "{renamed:?}");

        let mut seen = Vec::new();
        let mut path = "/conversations?limit=2".to_owned();
        loop {
            let page = server.get(&who, &path).await.body;
            for item in page["items"].as_array().unwrap() {
                seen.push(item["id"].as_str().unwrap().to_owned());
            }
            if page["has_more"] == false {
                assert_eq!(page["cursor"], json!(null));
                break;
            }
            path = format!(
                "/conversations?limit=2&cursor={}",
                page["cursor"].as_str().unwrap()
            );
        }
        let expected: Vec<String> = [0, 4, 3, 2, 1].map(|i| ids[i].clone()).to_vec();
        assert_eq!(seen, expected);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_is_shown_and_deleted() {
    for server in TestServer::on_both().await {
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}");
        assert_eq!(server.get(&who, &path).await.body["id"], json!(id));
        let deleted = server.send(Method::DELETE, &path, Some(&who), None).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(server.get(&who, &path).await.status, StatusCode::NOT_FOUND);
        server.stop().await;
    }
}
