//! A model that may not write proposes a call; the person completes its form and confirms it, and
//! exactly that runs, once. Each test runs on both databases.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::approval::Decision;
use frontdesk_core::message::ToolCall;
use frontdesk_core::model::{Ask, DeltaSink, Model, ModelError, Reply};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::NewDecision;
use frontdesk_testkit::model_server::ModelServer;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{self, BOTH, Backing, TestApp};
use crate::server::{Answer, Person, TestServer, answer, events};

/// Understands half of a request, and reports the result of the call.
struct Proposer;

#[async_trait]
impl Model for Proposer {
    async fn reply(&self, ask: Ask<'_>, _: &mut dyn DeltaSink) -> Result<Reply, ModelError> {
        Ok(match ask.summaries.last() {
            Some(done) => Reply {
                text: done.summary.clone(),
                ..Reply::default()
            },
            None => Reply {
                calls: vec![ToolCall {
                    id: "a".to_owned(),
                    name: "write_plan".to_owned(),
                    arguments: r#"{"title":"Party","steps":"none","colour":"red"}"#.to_owned(),
                }],
                ..Reply::default()
            },
        })
    }

    fn may_write(&self) -> bool {
        false
    }
}

async fn serve(backing: Backing) -> TestServer {
    let test = TestApp::with_model(backing, Arc::new(Proposer)).await;
    let mut tokens = HashMap::new();
    for persona in test.app.runtime.installed().personas() {
        let token = harness::token(&test.app, &persona.name).await;
        tokens.insert(persona.name.to_string(), token);
    }
    TestServer::serve(test, ModelServer::start().await, tokens).await
}

/// Paula's turn that waits with a proposal.
struct Proposed {
    conversation: String,
    turn: String,
    card: Value,
}

impl Proposed {
    async fn make(server: &TestServer, who: &Person) -> Self {
        let new = json!({ "assistant": "planner" });
        let made = server.post(who, "/conversations", new).await;
        let conversation = made.body["id"].as_str().unwrap().to_owned();
        let path = format!("/conversations/{conversation}/messages");
        let asked = server
            .post(who, &path, json!({ "content": "Plan a party" }))
            .await;
        assert_eq!(asked.status, 202, "{asked:?}");
        let turn = &asked.body["turn"];
        Self {
            turn: turn["id"].as_str().unwrap().to_owned(),
            card: turn["approvals"][0].clone(),
            conversation,
        }
    }

    fn path(&self) -> String {
        let Self {
            conversation, turn, ..
        } = self;
        format!("/conversations/{conversation}/turns/{turn}")
    }

    async fn approve(&self, server: &TestServer, who: &Person, arguments: Value) -> Answer {
        let path = format!("{}/approvals/a", self.path());
        let mut body = json!({ "decision": "approve" });
        if !arguments.is_null() {
            body["arguments"] = arguments;
        }
        server.post(who, &path, body).await
    }

    /// Arguments of the calls that were started.
    async fn started(&self, server: &TestServer, who: &Person) -> Vec<Value> {
        let path = format!("{}/events", self.path());
        let seen = events(server.request(Method::GET, &path, Some(who))).await;
        let started = seen
            .into_iter()
            .filter(|event| event.name == "tool.started");
        started
            .map(|event| event.data["arguments"].clone())
            .collect()
    }

    /// Titles of the plans that were written.
    async fn plans(&self, server: &TestServer, who: &Person) -> Vec<String> {
        let path = format!("/conversations/{}/artifacts", self.conversation);
        let mut titles = Vec::new();
        for plan in server.list(who, &path).await {
            let plan = format!("{path}/{}", plan["id"].as_str().unwrap());
            let plan = server.get(who, &plan).await;
            titles.push(plan.body["title"].as_str().unwrap().to_owned());
        }
        titles
    }
}

fn plan(title: &str) -> Value {
    json!({ "title": title, "steps": ["Invite", "Dance"] })
}

async fn waiting(server: &TestServer, who: &Person) -> usize {
    server.list(who, "/approvals").await.len()
}

// design: promises P9
#[tokio::test(flavor = "multi_thread")]
async fn a_completed_proposal_runs_exactly_once() {
    for backing in BOTH {
        let server = serve(backing).await;
        let paula = server.sign_in("paula");
        let proposed = Proposed::make(&server, &paula).await;
        let card = &proposed.card;
        assert_eq!(card["editable"], true, "{card}");
        assert_eq!(card["confirm"], "Write a plan");
        assert_eq!(card["arguments"], json!({ "title": "Party" }));
        assert_eq!(card["form"][1]["name"], "steps");
        assert_eq!(
            card["form"][1]["input"],
            json!({ "kind": "list", "of": { "kind": "text" } })
        );

        let incomplete = proposed.approve(&server, &paula, Value::Null).await;
        assert_eq!(incomplete.status, 422, "{incomplete:?}");
        let error = &incomplete.body["error"];
        assert_eq!(error["message"], "Steps: This is needed.");
        assert_eq!(
            error["details"],
            json!([{ "field": "steps", "label": "Steps", "problem": "This is needed." }])
        );
        let wrong = json!({ "title": 7, "steps": [], "colour": "red" });
        let wrong = proposed.approve(&server, &paula, wrong).await;
        assert_eq!(wrong.status, 422, "{wrong:?}");
        let named: Vec<&str> = wrong.body["error"]["details"]
            .as_array()
            .unwrap()
            .iter()
            .map(|problem| problem["field"].as_str().unwrap())
            .collect();
        assert!(
            named.contains(&"title") && named.contains(&"colour"),
            "{named:?}"
        );
        assert_eq!(waiting(&server, &paula).await, 1, "it stays undecided");

        let decided = proposed.approve(&server, &paula, plan("Ball")).await;
        assert_eq!(decided.status, 200, "{decided:?}");
        assert_eq!(decided.body["card"]["arguments"], plan("Ball"));
        assert_ne!(decided.body["card"]["seal"], card["seal"]);
        let again = proposed.approve(&server, &paula, plan("Wake")).await;
        assert_eq!(again.status, 409, "{again:?}");
        assert_eq!(proposed.started(&server, &paula).await, [plan("Ball")]);
        assert_eq!(proposed.plans(&server, &paula).await, ["Ball"]);
        assert_eq!(waiting(&server, &paula).await, 0);
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_that_is_cancelled_changes_nothing_and_says_so() {
    for backing in BOTH {
        let server = serve(backing).await;
        let paula = server.sign_in("paula");
        let proposed = Proposed::make(&server, &paula).await;
        let path = format!("{}/approvals/a", proposed.path());
        let rejected = server
            .post(&paula, &path, json!({ "decision": "reject" }))
            .await;
        assert_eq!(rejected.status, 200, "{rejected:?}");
        assert!(proposed.started(&server, &paula).await.is_empty());
        assert!(proposed.plans(&server, &paula).await.is_empty());
        let path = format!("/conversations/{}/messages", proposed.conversation);
        let messages = server.get(&paula, &path).await;
        let said = messages.body["items"].as_array().unwrap();
        assert!(
            said.iter()
                .any(|message| message["content"]
                    == "Cancelled by Paula Planner. Nothing was changed."),
            "{messages:?}"
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_completes_a_proposal_and_nobody_does_too_late() {
    for backing in BOTH {
        let server = serve(backing).await;
        let paula = server.sign_in("paula");
        let proposed = Proposed::make(&server, &paula).await;
        for other in ["pete", "quinn"] {
            let other = server.sign_in(other);
            let foreign = proposed.approve(&server, &other, plan("Raid")).await;
            assert_eq!(foreign.status, 403, "{foreign:?}");
        }
        server.clock.advance(Duration::from_secs(601));
        let late = proposed.approve(&server, &paula, plan("Ball")).await;
        assert_eq!(late.status, 410, "{late:?}");
        assert!(proposed.plans(&server, &paula).await.is_empty());
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_concurrent_edits_one_runs() {
    for backing in BOTH {
        let server = serve(backing).await;
        let paula = server.sign_in("paula");
        let proposed = Proposed::make(&server, &paula).await;
        let path = format!("{}/approvals/a", proposed.path());
        let mut tabs = JoinSet::new();
        for number in 0..8 {
            let title = format!("Plan {number}");
            let body = json!({ "decision": "approve", "arguments": plan(&title) });
            let request = server
                .request(Method::POST, &path, Some(&paula))
                .json(&body);
            tabs.spawn(async move { (title, answer(request).await.status.as_u16()) });
        }
        let mut won = Vec::new();
        for (title, status) in tabs.join_all().await {
            match status {
                200 => won.push(title),
                409 => {}
                other => panic!("{other}"),
            }
        }
        assert_eq!(won.len(), 1, "{won:?}");
        assert_eq!(proposed.started(&server, &paula).await, [plan(&won[0])]);
        assert_eq!(proposed.plans(&server, &paula).await, won);
        server.stop().await;
    }
}

/// The server dies after the decision is stored and before the call runs.
// design: promises P9
#[tokio::test(flavor = "multi_thread")]
async fn a_decision_stored_before_a_crash_runs_unchanged() {
    for backing in BOTH {
        let server = serve(backing).await;
        let paula = server.sign_in("paula");
        let proposed = Proposed::make(&server, &paula).await;
        let keep = server.stop_and_keep().await;

        let test = TestApp::again_with_model(keep, Arc::new(Proposer)).await;
        let who = test.person("paula").await;
        let turn = proposed.turn.parse().unwrap();
        let conversation = proposed.conversation.parse().unwrap();
        let edited = NewDecision {
            arguments: plan("Ball").as_object().cloned(),
            ..Decision::Approved.into()
        };
        let store = test.app.runtime.store().clone();
        let now = test.app.env.now();
        store.decide(&who, turn, "a", edited, now).await.unwrap();
        let keep = test.keep;
        test.app.close().await;

        let test = TestApp::again_with_model(keep, Arc::new(Proposer)).await;
        assert_eq!(test.app.runtime.take_over_abandoned().await.unwrap(), 1);
        let store = test.app.runtime.store();
        while store.turn(&who, conversation, turn).await.unwrap().state == TurnState::Running {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut tokens = HashMap::new();
        tokens.insert("paula".to_owned(), harness::token(&test.app, "paula").await);
        let server = TestServer::serve(test, ModelServer::start().await, tokens).await;
        let paula = server.sign_in("paula");
        assert_eq!(proposed.started(&server, &paula).await, [plan("Ball")]);
        assert_eq!(proposed.plans(&server, &paula).await, ["Ball"]);
        server.stop().await;
    }
}
