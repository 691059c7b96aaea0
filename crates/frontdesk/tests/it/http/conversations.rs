//! Conversations over HTTP: the design's unit and integration lists.

use frontdesk_core::message::Message;
use frontdesk_testkit::model_server::say;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

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

// design: 002 ConversationListResponse
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

/// A tool has a title, and its availability depends on the conversation's phase.
#[tokio::test(flavor = "multi_thread")]
async fn tools_are_listed_with_titles_and_current_availability() {
    for server in TestServer::on_both().await {
        let (paula, quinn) = (server.sign_in("paula"), server.sign_in("quinn"));
        let new = json!({ "assistant": "planner" });
        let made = server.post(&paula, "/conversations", new).await;
        let id = made.body["id"].as_str().unwrap();
        let start = "/assistants/planner/tools".to_owned();
        let here = format!("{start}?conversation_id={id}");
        let tools = async |path: &str| {
            let tools = server.list(&paula, path).await;
            let tools = tools.iter().map(|tool| {
                assert_eq!(tool["type"], "function");
                assert!(tool["function"]["parameters"].is_object(), "{tool}");
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                (
                    text(&tool["function"]["name"]),
                    text(&tool["title"]),
                    tool["usable"].as_bool().unwrap(),
                )
            });
            tools.collect::<Vec<_>>()
        };
        let tool = |name: &str, title: &str, usable| (name.to_owned(), title.to_owned(), usable);
        let expected = |roi: bool| {
            [
                tool("write_plan", "Write a plan", true),
                tool("advance", "advance", true),
                tool("publish_plan", "Publish the plan", true),
                tool("reckon", "Reckon what it saves", roi),
                tool("show_plan", "Show a plan", true),
                tool("retract_plan", "Retract a plan", true),
            ]
        };
        assert_eq!(tools(&start).await, expected(false));
        assert_eq!(tools(&here).await, expected(false));
        let path = format!("/conversations/{id}");
        let moved = json!({ "phase": "roi" });
        let moved = server
            .send(Method::PATCH, &path, Some(&paula), Some(moved))
            .await;
        assert_eq!(moved.status, StatusCode::OK, "{moved:?}");
        assert_eq!(tools(&here).await, expected(true));
        assert_eq!(tools(&start).await, expected(false));
        // The conversation belongs to a person and uses this assistant.
        assert_eq!(
            server.get(&quinn, &here).await.status,
            StatusCode::FORBIDDEN
        );
        let both = server.token_with("paula", |claims| {
            claims["app_metadata"]["roles"] = json!(["Buyer", "Reader"]);
        });
        let notes = server.conversation(&both).await;
        let other = format!("{start}?conversation_id={notes}");
        let other = server.get(&both, &other).await;
        assert_eq!(other.status, StatusCode::UNPROCESSABLE_ENTITY, "{other:?}");
        assert_eq!(
            other.body["error"]["details"][0]["field"],
            "conversation_id"
        );
        for wrong in ["x", "00000000-0000-4000-8000-000000000000"] {
            let path = format!("{start}?conversation_id={wrong}");
            let refused = server.get(&paula, &path).await.status.as_u16();
            assert!([404, 422].contains(&refused), "{wrong}: {refused}");
        }
        server.stop().await;
    }
}

// design: 000 ConversationManager.clear
#[tokio::test(flavor = "multi_thread")]
async fn a_cleared_conversation_restarts_with_its_instructions() {
    for server in TestServer::on_both().await {
        server.model.script([say("Hello."), say("Here.")]);
        let paula = server.sign_in("paula");
        let planner = json!({ "assistant": "planner" });
        let made = server.post(&paula, "/conversations", planner).await;
        let base = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        for (path, body) in [
            ("messages", json!({ "content": "First" })),
            ("reset", json!({})),
            ("messages", json!({ "content": "Second" })),
        ] {
            let answer = server.post(&paula, &format!("{base}/{path}"), body).await;
            assert!(answer.status.is_success(), "{answer:?}");
        }
        let told = server.model.request(1).messages();
        assert!(matches!(told[0], Message::System { .. }), "{told:?}");
        assert_eq!(told[1..], [Message::user("Second")]);
        server.stop().await;
    }
}
