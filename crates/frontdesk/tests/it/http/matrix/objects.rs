//! Every kind of object that a request can name, each with a canary word that nobody else may read.

use frontdesk_core::env::Env;
use frontdesk_core::id::ConversationId;
use frontdesk_core::phase::Phase;
use frontdesk_core::store::NewConversation;
use frontdesk_testkit::model_server::{Answer as ModelAnswer, Request, call, say};
use reqwest::multipart::{Form, Part};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::cast::{Cast, Who};
use super::rows::{Body, Row};
use crate::server::{Answer, TestServer, answer};

pub const CANARY: &str = "CANARY-7f3a";
const PUBLISH: &str = "Publish it";
pub const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ownership {
    /// Visible to the owner only.
    Private,
    /// Shared with the owner's company.
    Shared,
    /// Does not exist.
    Missing,
}

impl Ownership {
    pub const ALL: [Ownership; 3] = [Ownership::Private, Ownership::Shared, Ownership::Missing];

    /// The word that only people with access to these objects may read.
    pub fn canary(self) -> String {
        format!("{CANARY} {self:?}")
    }
}

/// A conversation and its objects, by id.
#[derive(Clone, Debug)]
pub struct Objects {
    pub conversation: String,
    pub turn: String,
    pub message: String,
    /// The owner's message that it answers.
    pub question: String,
    pub attachment: String,
    pub artifact: String,
    /// A second conversation, in which a step waits for the owner's decision.
    pub waiting: String,
    pub waiting_turn: String,
    pub call: String,
    pub company: String,
    /// The owner's profile.
    pub profile: String,
    pub assistant: &'static str,
}

impl Objects {
    fn missing() -> Self {
        let nowhere = || NOWHERE.to_owned();
        Self {
            conversation: nowhere(),
            turn: nowhere(),
            message: nowhere(),
            question: nowhere(),
            attachment: nowhere(),
            artifact: nowhere(),
            waiting: nowhere(),
            waiting_turn: nowhere(),
            call: "none".to_owned(),
            company: nowhere(),
            profile: nowhere(),
            assistant: "nobody",
        }
    }
}

pub struct Stage<'a> {
    server: &'a TestServer,
    cast: &'a Cast,
    private: Objects,
    shared: Objects,
}

impl<'a> Stage<'a> {
    pub async fn set(server: &'a TestServer, cast: &'a Cast) -> Self {
        server.model.otherwise_with(reply);
        Self {
            server,
            cast,
            private: make(server, cast, Ownership::Private).await,
            shared: make(server, cast, Ownership::Shared).await,
        }
    }

    /// Uses existing objects.
    pub fn of(server: &'a TestServer, cast: &'a Cast, private: Objects, shared: Objects) -> Self {
        Self {
            server,
            cast,
            private,
            shared,
        }
    }

    /// Replaces the objects after a request that was allowed to change them.
    pub async fn renew(&mut self, ownership: Ownership) {
        self.cast.join(self.server).await;
        // A waiting turn counts towards the person's limit of open turns.
        let waiting = format!("/conversations/{}", self.objects(ownership).waiting);
        let owner = self.cast.person(Who::Owner);
        let server = self.server;
        server.send(Method::DELETE, &waiting, owner, None).await;
        match ownership {
            Ownership::Private => self.private = make(self.server, self.cast, ownership).await,
            Ownership::Shared => self.shared = make(self.server, self.cast, ownership).await,
            Ownership::Missing => {}
        }
    }

    pub fn objects(&self, ownership: Ownership) -> Objects {
        match ownership {
            Ownership::Private => self.private.clone(),
            Ownership::Shared => self.shared.clone(),
            Ownership::Missing => Objects::missing(),
        }
    }

    pub async fn ask(&self, row: &Row, cast: &Cast, who: Who, ownership: Ownership) -> Answer {
        let objects = self.objects(ownership);
        let (method, path) = row.operation.split_once(' ').unwrap();
        let method: Method = method.parse().unwrap();
        let path = (row.path)(path, &objects);
        let url = format!("{}{path}", self.server.url);
        let mut request = self.server.client.request(method, url);
        if let Some(person) = cast.person(who) {
            request = request.bearer_auth(&person.token);
        }
        match (row.body)(&objects, ownership) {
            Body::None => {}
            Body::Json(body) => request = request.json(&body),
            Body::File { conversation } => {
                let form = Form::new()
                    .text("conversation_id", conversation)
                    .part("file", Part::bytes(b"plain".to_vec()).file_name("a.txt"));
                request = request.multipart(form);
            }
        }
        if row.endless {
            let response = request.send().await.unwrap();
            let (status, headers) = (response.status(), response.headers().clone());
            if status == StatusCode::OK {
                return Answer {
                    status,
                    headers,
                    body: Value::Null,
                };
            }
            let body = response.json().await.unwrap();
            return Answer {
                status,
                headers,
                body,
            };
        }
        answer(request).await
    }

    /// Asserts that the owner's objects are unchanged.
    pub async fn still_there(&self) {
        let owner = self.cast.person(Who::Owner).unwrap();
        for objects in [&self.private, &self.shared] {
            let path = format!("/conversations/{}", objects.conversation);
            let found = self.server.get(owner, &path).await;
            assert_eq!(found.status, StatusCode::OK);
            assert!(found.body["title"].as_str().unwrap().contains(CANARY));
            assert_eq!(found.body["message_count"], 2);
        }
    }
}

/// The scripted answer depends only on the request, so that turns can run concurrently.
pub fn reply(request: &Request) -> ModelAnswer {
    let messages = request.json()["messages"].clone();
    let last = messages.as_array().and_then(|all| all.last()).cloned();
    let last = last.unwrap_or_default();
    let content = last["content"].as_str().unwrap_or_default();
    if last["role"] == "user" && content.starts_with(CANARY) {
        call(
            "write_plan",
            json!({ "title": content, "steps": [content] }),
        )
    } else if last["role"] == "user" && content == PUBLISH {
        call("publish_plan", json!({}))
    } else {
        say("Yes.")
    }
}

async fn make(server: &TestServer, cast: &Cast, ownership: Ownership) -> Objects {
    begin(server, cast, Who::Owner, ownership, None).await
}

/// Objects created by one of the cast, in the company or about a subject there.
pub async fn begin(
    server: &TestServer,
    cast: &Cast,
    maker: Who,
    ownership: Ownership,
    subject: Option<&str>,
) -> Objects {
    let owner = cast.person(maker).unwrap();
    let company = cast.company.to_string();
    let start = || async {
        if let Some(subject) = subject {
            return begin_about(server, cast, maker, subject).await;
        }
        let mut new = json!({ "assistant": "planner", "title": ownership.canary() });
        if ownership == Ownership::Shared {
            new["company_id"] = json!(company);
        }
        let made = server.post(owner, "/conversations", new).await;
        assert_eq!(made.status, StatusCode::CREATED, "{made:?}");
        text(&made.body["id"])
    };
    let conversation = start().await;
    let messages = format!("/conversations/{conversation}/messages");
    let said = server
        .post(owner, &messages, json!({ "content": ownership.canary() }))
        .await;
    assert_eq!(said.status, StatusCode::CREATED, "{said:?}");
    let artifacts = format!("/conversations/{conversation}/artifacts");
    let artifacts = server.list(owner, &artifacts).await;
    let form = Form::new()
        .text("conversation_id", conversation.clone())
        .part(
            "file",
            Part::bytes(ownership.canary().into_bytes()).file_name("a.txt"),
        );
    let request = server.request(Method::POST, "/attachments", Some(owner));
    let attached = answer(request.multipart(form)).await;

    let waiting = start().await;
    let messages = format!("/conversations/{waiting}/messages");
    let asked = server
        .post(owner, &messages, json!({ "content": PUBLISH }))
        .await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{asked:?}");
    let turn = &asked.body["turn"];
    Objects {
        conversation,
        turn: text(&said.body["turn"]["id"]),
        message: text(&said.body["agent_message"]["id"]),
        question: text(&said.body["user_message"]["id"]),
        attachment: text(&attached.body["id"]),
        artifact: text(&artifacts[0]["id"]),
        waiting,
        waiting_turn: text(&turn["id"]),
        call: text(&turn["approvals"][0]["call_id"]),
        company,
        profile: cast.profile(server, maker).await.to_string(),
        assistant: "planner",
    }
}

/// Uses the store directly: the planner has no subjects of its own.
async fn begin_about(server: &TestServer, cast: &Cast, maker: Who, subject: &str) -> String {
    let new = NewConversation {
        key: None,
        id: ConversationId::from_uuid(Uuid::now_v7()),
        assistant: "planner".to_owned(),
        title: Ownership::Shared.canary(),
        company_id: Some(cast.company),
        subject: Some(subject.to_owned()),
        phase: Phase::named("discovery"),
        metadata: serde_json::Map::new(),
        now: server.clock.now(),
    };
    let who = cast.principal(server, maker).await;
    let made = server.store.create(&who, new).await.unwrap();
    made.id.to_string()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
