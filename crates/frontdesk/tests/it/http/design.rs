//! The design document's own lists of tests for conversations, one test each, and its five errors,
//! word for word.

use frontdesk_testkit::model_server::{call, say, status};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::server::{Answer, Person, TestServer};

async fn start(server: &TestServer, who: &Person, more: Value) -> Value {
    let mut new = json!({ "assistant": "planner" });
    for (key, value) in more.as_object().unwrap() {
        new[key] = value.clone();
    }
    let made = server.post(who, "/conversations", new).await;
    assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
    made.body
}

async fn say_in(server: &TestServer, who: &Person, conversation: &Value, text: &str) -> Answer {
    let path = format!(
        "/conversations/{}/messages",
        conversation["id"].as_str().unwrap()
    );
    server.post(who, &path, json!({ "content": text })).await
}

async fn company_of(server: &TestServer, who: &Person) -> Value {
    server.get(who, "/me").await.body["companies"][0]["company"].clone()
}

fn path_of(conversation: &Value) -> String {
    format!("/conversations/{}", conversation["id"].as_str().unwrap())
}

// design: 002 ConversationResponse.id, ConversationResponse.title
// design: 002 ConversationResponse.created_at, create_conversation, table conversations
// design: 002 first phase, unit create_conversation, file conversation model
// design: 001 ConversationSession.created_at
#[tokio::test(flavor = "multi_thread")]
async fn create_conversation_sets_defaults() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let made = start(&server, &paula, json!({})).await;
        let me = server.get(&paula, "/me").await.body;
        for (field, expected) in [
            ("title", json!("New Conversation")),
            ("phase", json!("discovery")),
            ("user_id", me["id"].clone()),
            ("company_id", Value::Null),
            ("metadata", json!({})),
            ("message_count", json!(0)),
            ("last_message_at", Value::Null),
        ] {
            assert_eq!(made[field], expected, "{field}");
        }
        assert_eq!(made["created_at"], made["updated_at"]);
        let created = made["created_at"].as_str().unwrap();
        assert!(chrono::DateTime::parse_from_rfc3339(created).is_ok());
        server.stop().await;
    }
}

// design: 002 can_access, GET /conversations/{id}, unit can_access
#[tokio::test(flavor = "multi_thread")]
async fn can_access_with_owner_and_company_member() {
    for server in TestServer::on_both().await {
        let (paula, pete, quinn) = people(&server);
        let company = company_of(&server, &paula).await;
        let shared = path_of(&start(&server, &paula, json!({ "company_id": company })).await);
        let own = path_of(&start(&server, &paula, json!({})).await);
        for (who, path, expected) in [
            (&paula, &shared, StatusCode::OK),
            (&pete, &shared, StatusCode::OK),
            (&quinn, &shared, StatusCode::FORBIDDEN),
            (&paula, &own, StatusCode::OK),
            (&pete, &own, StatusCode::FORBIDDEN),
        ] {
            assert_eq!(server.get(who, path).await.status, expected, "{path}");
        }
        server.stop().await;
    }
}

fn people(server: &TestServer) -> (Person, Person, Person) {
    let person = |name| server.sign_in(name);
    (person("paula"), person("pete"), person("quinn"))
}

/// Roles and contents of the n-th request to the model, without system messages.
fn sent(server: &TestServer, request: usize) -> Vec<(String, String)> {
    let messages = server.model.request(request).json()["messages"].clone();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    messages
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] != "system")
        .map(|message| (text(&message["role"]), text(&message["content"])))
        .collect()
}

// design: 002 build_context, unit build_context
#[tokio::test(flavor = "multi_thread")]
async fn build_context_reconstructs_history_correctly() {
    for server in TestServer::on_both().await {
        server
            .model
            .script([say("One."), say("Two."), say("Three.")]);
        let paula = server.sign_in("paula");
        let conversation = start(&server, &paula, json!({})).await;
        for text in ["First", "Second", "Third"] {
            say_in(&server, &paula, &conversation, text).await;
        }
        let pairs = [
            ("user", "First"),
            ("assistant", "One."),
            ("user", "Second"),
            ("assistant", "Two."),
            ("user", "Third"),
        ];
        let expected: Vec<(String, String)> = pairs
            .iter()
            .map(|(role, text)| ((*role).to_owned(), (*text).to_owned()))
            .collect();
        assert_eq!(sent(&server, 2), expected);
        server.stop().await;
    }
}

// design: 002 get_system_prompt, unit get_system_prompt
#[tokio::test(flavor = "multi_thread")]
async fn get_system_prompt_returns_phase_appropriate_prompt() {
    for server in TestServer::on_both().await {
        server.model.otherwise(say("Yes."));
        let paula = server.sign_in("paula");
        let conversation = start(&server, &paula, json!({})).await;
        for (request, (phase, words)) in [
            ("discovery", "Current phase: discovery."),
            ("roi", "Current phase: ROI."),
            ("selection", "Current phase: selection."),
        ]
        .into_iter()
        .enumerate()
        {
            let patch = json!({ "phase": phase });
            let path = path_of(&conversation);
            server
                .send(Method::PATCH, &path, Some(&paula), Some(patch))
                .await;
            say_in(&server, &paula, &conversation, "Hello").await;
            let system = server.model.request(request).json()["messages"][0].clone();
            assert_eq!(system["role"], "system");
            assert!(
                system["content"].as_str().unwrap().contains(words),
                "{system}"
            );
        }
        server.stop().await;
    }
}

// design: 002 ConversationCreate, get_conversation, POST /conversations, integration create
#[tokio::test(flavor = "multi_thread")]
async fn post_conversations_creates_conversation() {
    for server in TestServer::on_both().await {
        let paula = server.sign_in("paula");
        let company = company_of(&server, &paula).await;
        let new = json!({
            "title": "Courts", "company_id": company, "metadata": { "courts": 6 },
        });
        let made = start(&server, &paula, new).await;
        assert_eq!(made["title"], "Courts");
        assert_eq!(made["company_id"], company);
        assert_eq!(made["metadata"], json!({ "courts": 6 }));
        assert_eq!(server.get(&paula, &path_of(&made)).await.body, made);
        server.stop().await;
    }
}

// design: 002 list_conversations, GET /conversations, integration list
#[tokio::test(flavor = "multi_thread")]
async fn get_conversations_returns_users_conversations() {
    for server in TestServer::on_both().await {
        let (paula, pete, quinn) = people(&server);
        let company = company_of(&server, &paula).await;
        let own = start(&server, &paula, json!({})).await;
        let shared = start(&server, &paula, json!({ "company_id": company })).await;
        let colleague = start(&server, &pete, json!({ "company_id": company })).await;
        let ids = |list: Value| -> Vec<Value> {
            let items = list["items"].as_array().unwrap();
            items.iter().map(|item| item["id"].clone()).collect()
        };
        let seen = |who: Person, query: &'static str| {
            let server = &server;
            async move {
                ids(server
                    .get(&who, &format!("/conversations{query}"))
                    .await
                    .body)
            }
        };
        let (own, shared, colleague) = (&own["id"], &shared["id"], &colleague["id"]);
        assert_eq!(
            seen(paula.clone(), "").await,
            [colleague, shared, own].map(Clone::clone)
        );
        assert_eq!(seen(pete, "").await, [colleague, shared].map(Clone::clone));
        assert_eq!(seen(quinn, "").await, Vec::<Value>::new());
        let of_company = format!("/conversations?company_id={}", company.as_str().unwrap());
        let listed = ids(server.get(&paula, &of_company).await.body);
        assert_eq!(listed, [colleague, shared].map(Clone::clone));
        assert_eq!(seen(paula, "?assistant=notes").await, Vec::<Value>::new());
        server.stop().await;
    }
}

// design: 002 MessageCreate, MessageResponse, MessageWithAgentResponse
// design: 002 POST /conversations/{id}/messages, table messages, integration messages
// design: 002 file message model
#[tokio::test(flavor = "multi_thread")]
async fn post_messages_stores_and_returns_messages() {
    for server in TestServer::on_both().await {
        server.model.script([say("Good day.")]);
        let paula = server.sign_in("paula");
        let conversation = start(&server, &paula, json!({})).await;
        let path = format!("{}/messages", path_of(&conversation));
        let body = json!({ "content": "Hello", "metadata": { "channel": "web" } });
        let answer = server.post(&paula, &path, body).await;
        assert_eq!(answer.status, StatusCode::CREATED);
        let (user, agent) = (&answer.body["user_message"], &answer.body["agent_message"]);
        for (message, role, content) in [(user, "user", "Hello"), (agent, "assistant", "Good day.")]
        {
            assert_eq!(message["role"], role);
            assert_eq!(message["content"], content);
            assert_eq!(message["conversation_id"], conversation["id"]);
        }
        assert_eq!(user["metadata"]["channel"], "web");
        let stored = server.get(&paula, &path).await.body;
        assert_eq!(stored["items"], json!([user, agent]));
        assert_eq!(stored["has_more"], false);
        server.stop().await;
    }
}

// design: 002 OpenAI client, ConversationResponse.message_count, generate_response
// design: 002 integration response, file OpenAI client, file agent service
#[tokio::test(flavor = "multi_thread")]
async fn agent_response_is_generated_and_stored() {
    for server in TestServer::on_both().await {
        let plan = json!({ "title": "Plan", "steps": ["a"] });
        server
            .model
            .script([call("write_plan", plan), say("Written.")]);
        let paula = server.sign_in("paula");
        let conversation = start(&server, &paula, json!({})).await;
        let answer = say_in(&server, &paula, &conversation, "Plan it").await;
        let agent = &answer.body["agent_message"];
        assert_eq!(agent["content"], "Written.");
        assert_eq!(agent["metadata"]["tool_calls"][0]["name"], "write_plan");
        let now = server.get(&paula, &path_of(&conversation)).await.body;
        assert_eq!(now["message_count"], 2);
        assert_eq!(now["last_message_at"], agent["created_at"]);
        server.stop().await;
    }
}

// design: 002 delete_conversation, DELETE /conversations/{id}
#[tokio::test(flavor = "multi_thread")]
async fn company_conversation_access() {
    for server in TestServer::on_both().await {
        server.model.otherwise(say("Yes."));
        let (paula, pete, quinn) = people(&server);
        let company = company_of(&server, &paula).await;
        let shared = start(&server, &paula, json!({ "company_id": company })).await;
        assert_eq!(
            say_in(&server, &pete, &shared, "May I?").await.status,
            StatusCode::CREATED
        );
        assert_eq!(
            say_in(&server, &quinn, &shared, "May I?").await.status,
            StatusCode::FORBIDDEN
        );
        let delete = |who: Person| {
            let (server, path) = (&server, path_of(&shared));
            async move {
                server
                    .send(Method::DELETE, &path, Some(&who), None)
                    .await
                    .status
            }
        };
        assert_eq!(
            delete(pete).await,
            StatusCode::FORBIDDEN,
            "members do not delete"
        );
        assert_eq!(delete(quinn).await, StatusCode::FORBIDDEN);
        assert_eq!(delete(paula).await, StatusCode::NO_CONTENT);
        server.stop().await;
    }
}

// design: 002 layers, GET /conversations/{id}/messages, end to end flow
// design: 002 file conversation service
// design: 001 ConversationSession.messages, ConversationSession.get_message_history
#[tokio::test(flavor = "multi_thread")]
async fn complete_conversation_flow() {
    for server in TestServer::on_both().await {
        server
            .model
            .script([say("How many courts?"), say("Six, then.")]);
        let paula = server.sign_in("paula");
        let conversation = start(&server, &paula, json!({ "title": "Courts" })).await;
        for (text, reply) in [
            ("We need a robot", "How many courts?"),
            ("Six", "Six, then."),
        ] {
            let answer = say_in(&server, &paula, &conversation, text).await;
            assert_eq!(answer.body["agent_message"]["content"], reply);
        }
        let path = format!("{}/messages?limit=3", path_of(&conversation));
        let first = server.get(&paula, &path).await.body;
        assert_eq!(first["has_more"], true);
        let path = format!("{path}&cursor={}", first["cursor"].as_str().unwrap());
        let second = server.get(&paula, &path).await.body;
        let texts: Vec<Value> = [first, second]
            .iter()
            .flat_map(|page| page["items"].as_array().unwrap().clone())
            .map(|message| message["content"].clone())
            .collect();
        assert_eq!(
            texts,
            ["We need a robot", "How many courts?", "Six", "Six, then."]
        );
        server.stop().await;
    }
}

// design: 002 update_phase, PATCH phase, end to end phases
#[tokio::test(flavor = "multi_thread")]
async fn phase_progression_through_conversation() {
    for server in TestServer::on_both().await {
        server.model.script([
            call("advance", json!({ "phase": "roi" })),
            say("On to the figures."),
        ]);
        let paula = server.sign_in("paula");
        let conversation = start(&server, &paula, json!({})).await;
        say_in(&server, &paula, &conversation, "Enough said").await;
        let now = server.get(&paula, &path_of(&conversation)).await.body;
        assert_eq!(now["phase"], "roi");
        let first = &now["metadata"]["phase_history"][0];
        assert_eq!(
            (&first["from"], &first["to"]),
            (&json!("discovery"), &json!("roi"))
        );
        let patch = |phase: &'static str| {
            let (server, paula, path) = (&server, &paula, path_of(&conversation));
            async move {
                let body = Some(json!({ "phase": phase }));
                server.send(Method::PATCH, &path, Some(paula), body).await
            }
        };
        assert_eq!(patch("greenlight").await.body["phase"], "selection");
        let refused = patch("completed").await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert_eq!(refused.body["error"]["details"][0]["field"], "phase");
        let listed = server.get(&paula, "/conversations").await.body;
        assert_eq!(listed["items"][0]["phase"], "selection");
        server.stop().await;
    }
}

/// Compares the whole error except its request id, which must be present.
#[track_caller]
fn check_error(answer: &Answer, status: StatusCode, code: &str, message: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    let mut error = answer.body["error"].clone();
    let id = error.as_object_mut().unwrap().remove("request_id").unwrap();
    assert_eq!(id, answer.headers["x-request-id"].to_str().unwrap());
    assert_eq!(error, json!({ "code": code, "message": message }));
}

// design: 002 error 1, error 2, error 3, error 4, error 5
// design: 000 strategy 1
#[tokio::test(flavor = "multi_thread")]
async fn the_five_errors_are_the_designs_word_for_word() {
    for server in TestServer::on_both().await {
        let (paula, _, quinn) = people(&server);
        let conversation = start(&server, &paula, json!({})).await;

        let missing = "/conversations/00000000-0000-4000-8000-000000000000";
        let answer = server.get(&paula, missing).await;
        check_error(
            &answer,
            StatusCode::NOT_FOUND,
            "NOT_FOUND",
            "Conversation not found",
        );

        let answer = server.get(&quinn, &path_of(&conversation)).await;
        let words = "You don't have access to this conversation";
        check_error(&answer, StatusCode::FORBIDDEN, "FORBIDDEN", words);

        server.model.script([status(400)]);
        let answer = say_in(&server, &paula, &conversation, "Hello").await;
        let words = "Unable to generate response, please try again";
        check_error(
            &answer,
            StatusCode::SERVICE_UNAVAILABLE,
            "AGENT_ERROR",
            words,
        );

        server.model.script([status(429).retry_after("120")]);
        let answer = say_in(&server, &paula, &conversation, "Hello again").await;
        let words = "Too many requests, please wait";
        check_error(
            &answer,
            StatusCode::TOO_MANY_REQUESTS,
            "RATE_LIMITED",
            words,
        );
        assert_eq!(answer.headers["retry-after"], "120");

        let company = company_of(&server, &paula).await;
        let new = json!({ "assistant": "planner", "company_id": company });
        let answer = server.post(&quinn, "/conversations", new).await;
        let words = "You're not a member of this company";
        check_error(&answer, StatusCode::FORBIDDEN, "FORBIDDEN", words);
        server.stop().await;
    }
}
