//! Limits as clients and operators see them: rates in headers, budgets, figures.

use std::collections::HashMap;
use std::time::Duration;

use frontdesk_testkit::model_server::{Gate, ModelServer, call, say};
use serde_json::json;

use super::somebody;
use crate::harness::{Backing, TestApp};
use crate::server::{Answer, Person, TestServer};

async fn message(server: &TestServer, who: &Person) -> Answer {
    let id = server.conversation(who).await;
    server
        .post(
            who,
            &format!("/conversations/{id}/messages"),
            json!({ "content": "Hello" }),
        )
        .await
}

async fn limited(backing: Backing, settings: &[(&'static str, &str)]) -> TestServer {
    let model = ModelServer::start().await;
    let test = TestApp::with_settings(backing, &model.url(), settings).await;
    TestServer::serve(test, model, HashMap::new()).await
}

fn figure(page: &str, line: &str) -> f64 {
    page.lines()
        .find_map(|found| found.strip_prefix(line)?.strip_prefix(' '))
        .unwrap_or_else(|| panic!("{line} is not in\n{page}"))
        .parse()
        .unwrap()
}

async fn figures(server: &TestServer) -> String {
    let response = server
        .client
        .get(format!("{}/metrics", server.url))
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 200);
    response.text().await.unwrap()
}

// design: promises K1
#[tokio::test(flavor = "multi_thread")]
async fn the_rate_is_told_before_it_is_used_up() {
    for server in TestServer::on_both().await {
        let ann = somebody(&server, "ann");
        server.model.otherwise(say("Yes."));
        for left in (0..20).rev() {
            let taken = message(&server, &ann).await;
            assert_eq!(taken.status, 201, "{taken:?}");
            assert_eq!(taken.headers["x-ratelimit-limit"], "20");
            assert_eq!(taken.headers["x-ratelimit-remaining"], left.to_string());
            let reset: u64 = taken.headers["x-ratelimit-reset"]
                .to_str()
                .unwrap()
                .parse()
                .unwrap();
            assert!((1..=60).contains(&reset), "{reset}");
        }
        let refused = message(&server, &ann).await;
        assert_eq!(refused.status, 429);
        assert_eq!(refused.body["error"]["code"], "RATE_LIMITED");
        let wait: u64 = refused.headers["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        server.clock.advance(Duration::from_secs(wait));
        assert_eq!(message(&server, &ann).await.status, 201);
        server.stop().await;
    }
}

/// K4: a used-up budget is refused before a model is asked, and starts anew at midnight.
// design: promises K4
#[tokio::test(flavor = "multi_thread")]
async fn a_used_up_budget_asks_no_model() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let server = limited(backing, &[("limits.tokens_a_person_and_day", "5000")]).await;
        let ann = somebody(&server, "ann");
        server
            .model
            .script([say("One.").usage(4_900, 50), say("Two.").usage(100, 10)]);
        assert_eq!(message(&server, &ann).await.status, 201);
        assert_eq!(message(&server, &ann).await.status, 201);
        let refused = message(&server, &ann).await;
        assert_eq!(refused.status, 429, "{refused:?}");
        assert_eq!(refused.body["error"]["code"], "BUDGET_EXHAUSTED");
        let wait: u64 = refused.headers["retry-after"]
            .to_str()
            .unwrap()
            .parse()
            .unwrap();
        // It is nine in the morning.
        assert!((14 * 3600..=15 * 3600).contains(&wait), "{wait}");
        // Deleting what was said wins nothing back, and others are not in the way.
        let listed = server.get(&ann, "/conversations").await;
        let id = listed.body["items"][0]["id"].as_str().unwrap();
        let path = format!("/conversations/{id}");
        server
            .send(reqwest::Method::DELETE, &path, Some(&ann), None)
            .await;
        assert_eq!(message(&server, &ann).await.status, 429);
        server.model.script([say("Bob's."), say("A new day.")]);
        assert_eq!(
            message(&server, &somebody(&server, "bob")).await.status,
            201
        );
        server.clock.advance(Duration::from_secs(wait));
        assert_eq!(
            message(&server, &somebody(&server, "ann")).await.status,
            201
        );
        assert_eq!(
            figure(
                &figures(&server).await,
                r#"frontdesk_limit_hits_total{limit="token_budget"}"#
            ),
            2.0
        );
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_limit_has_its_figure() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let server = limited(backing, &[("limits.turns_in_flight", "1")]).await;
        let ann = somebody(&server, "ann");
        server.model.script([say("Yes.").usage(300, 20)]);
        assert_eq!(message(&server, &ann).await.status, 201);
        let id = server.conversation(&ann).await;
        let path = format!("/conversations/{id}/messages");
        assert_eq!(
            server
                .post(&ann, &path, json!({ "content": "x".repeat(8_001) }))
                .await
                .status,
            422
        );
        assert_eq!(
            server
                .post(&ann, &path, json!({ "content": "x".repeat(1_000_001) }))
                .await
                .status,
            413
        );
        assert_eq!(server.get(&ann, "/nowhere-of-ours").await.status, 404);
        let page = figures(&server).await;
        for (line, value) in [
            (r#"frontdesk_limit_hits_total{limit="message_length"}"#, 1.0),
            (r#"frontdesk_limit_hits_total{limit="body_size"}"#, 1.0),
            (r#"frontdesk_limit_hits_total{limit="rate"}"#, 0.0),
            (
                r#"frontdesk_limit_hits_total{limit="turns_in_flight"}"#,
                0.0,
            ),
            (r#"frontdesk_limit{limit="turns_in_flight"}"#, 1.0),
            (
                r#"frontdesk_limit{limit="tokens_a_person_and_day"}"#,
                1_000_000.0,
            ),
            (
                r#"frontdesk_turns_ended_total{assistant="notes",outcome="answered"}"#,
                1.0,
            ),
            (r#"frontdesk_tokens_total{kind="input"}"#, 300.0),
            ("frontdesk_turns_running", 0.0),
            (
                r#"frontdesk_http_requests_total{method="POST",route="/api/v1/conversations/{id}/messages",status="201"}"#,
                1.0,
            ),
        ] {
            assert_eq!(figure(&page, line), value, "{line}");
        }
        assert!(figure(&page, "frontdesk_connections_open") >= 1.0);
        // L4: nothing that people wrote is in a label.
        assert!(!page.contains("nowhere") && !page.contains(&id), "{page}");
        server.stop().await;
    }
}

/// K-like: more connections than are served are turned away, and counted.
#[tokio::test(flavor = "multi_thread")]
async fn connections_beyond_the_limit_are_turned_away() {
    let server = limited(Backing::Sqlite, &[("limits.connections", "3")]).await;
    let address = server.url.strip_prefix("http://").unwrap();
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(tokio::net::TcpStream::connect(address).await.unwrap());
    }
    // Wait until all three are counted: the fourth then finds no room.
    let mut turned_away = tokio::net::TcpStream::connect(address).await.unwrap();
    let mut byte = [0];
    let read = tokio::io::AsyncReadExt::read(&mut turned_away, &mut byte);
    let read = tokio::time::timeout(Duration::from_secs(5), read)
        .await
        .expect("it was let in");
    assert!(matches!(read, Ok(0) | Err(_)));
    drop(held);
    let page = loop {
        if let Ok(response) = server
            .client
            .get(format!("{}/metrics", server.url))
            .send()
            .await
        {
            break response.text().await.unwrap();
        }
    };
    assert!(figure(&page, r#"frontdesk_limit_hits_total{limit="connections"}"#) >= 1.0);
    server.stop().await;
}

/// What waits for a person is worked on by nobody: it holds none of the places.
// design: promises P16 turns at once
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_an_approval_holds_no_place() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let settings = [("limits.turns_in_flight", "1")];
        let server = TestServer::start_with(backing, &settings).await;
        let paula = server.sign_in("paula");
        let start = || async {
            let new = json!({ "assistant": "planner" });
            let made = server.post(&paula, "/conversations", new).await;
            made.body["id"].as_str().unwrap().to_owned()
        };
        let say_in = |id: &str| {
            let path = format!("/conversations/{id}/messages");
            let (server, paula) = (&server, paula.clone());
            async move { server.post(&paula, &path, json!({ "content": "Go" })).await }
        };
        server.model.script([
            call("publish_plan", json!({})),
            call("publish_plan", json!({})),
        ]);
        let mut cards = Vec::new();
        for _ in 0..2 {
            let id = start().await;
            let waits = say_in(&id).await;
            assert_eq!(waits.status, 202, "{waits:?}");
            let turn = &waits.body["turn"];
            cards.push(format!(
                "/conversations/{id}/turns/{}/approvals/{}",
                turn["id"].as_str().unwrap(),
                turn["approvals"][0]["call_id"].as_str().unwrap()
            ));
        }
        server.model.script([say("Here I am.")]);
        let other = start().await;
        let answered = say_in(&other).await;
        assert_eq!(answered.status, 201, "{answered:?}");
        // A turn that runs holds its place, also against one that is about to.
        let gate = Gate::shut();
        server.model.script([say("Slowly.").after(&gate)]);
        let running = {
            let request = server
                .request(
                    reqwest::Method::POST,
                    &format!("/conversations/{other}/messages"),
                    Some(&paula),
                )
                .json(&json!({ "content": "Again" }));
            tokio::spawn(crate::server::answer(request))
        };
        server.model.requested(4).await;
        let refused = say_in(&start().await).await;
        assert_eq!(refused.status, 429, "{refused:?}");
        gate.open();
        assert_eq!(running.await.unwrap().status, 201);
        // What waited goes on when it is decided.
        server.model.script([say("Published."), say("Published.")]);
        for card in cards {
            let decided = server
                .post(&paula, &card, json!({ "decision": "approve" }))
                .await;
            assert_eq!(decided.status, 200, "{decided:?}");
        }
        server.model.requested(6).await;
        server.stop().await;
    }
}

/// A turn that goes on calling the model stops when the day's budget is used up: it goes
/// beyond it by one call at most.
// design: promises K4
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_goes_beyond_the_budget_by_one_call_at_most() {
    for backing in [Backing::Sqlite, Backing::Postgres] {
        let server = limited(backing, &[("limits.tokens_a_person_and_day", "5000")]).await;
        let ann = somebody(&server, "ann");
        server.model.script([
            call("list_notes", json!({})).usage(2_900, 100),
            call("list_notes", json!({})).usage(2_900, 100),
        ]);
        let ended = message(&server, &ann).await;
        assert_eq!(ended.status, 503, "{ended:?}");
        assert_eq!(server.model.request_count(), 2, "a third call was made");
        let listed = server.get(&ann, "/conversations").await;
        let id = listed.body["items"][0]["id"].as_str().unwrap();
        let history = server
            .get(&ann, &format!("/conversations/{id}/messages"))
            .await;
        let turn = history.body["items"][0]["metadata"]["turn_id"].as_str();
        let turn = format!("/conversations/{id}/turns/{}", turn.unwrap());
        let turn = server.get(&ann, &turn).await.body;
        assert_eq!(turn["outcome"], "out_of_budget", "{turn}");
        let refused = message(&server, &ann).await;
        assert_eq!(refused.body["error"]["code"], "BUDGET_EXHAUSTED");
        server.stop().await;
    }
}
