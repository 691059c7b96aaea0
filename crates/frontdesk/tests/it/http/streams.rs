//! Streams: a view of durable events, resumable at any position.

use std::time::Duration;

use frontdesk_testkit::model_server::{Gate, call, say};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::harness::BOTH;
use crate::server::{SseEvent, TestServer, events, text_of};

const ANSWER: &str = "The printer — «принтер» 🖨 — is broken.\n\ndata: not an event\nevent: x";

async fn streamed(server: &TestServer, who: &crate::server::Person, id: &str) -> Vec<SseEvent> {
    let request = server
        .request(
            Method::POST,
            &format!("/conversations/{id}/messages"),
            Some(who),
        )
        .json(&json!({ "content": "What do my notes say?" }));
    events(request).await
}

// design: 001 extension streaming
// design: 002 streaming
// design: promises P5 stream, H5
#[tokio::test(flavor = "multi_thread")]
async fn deltas_add_up_to_the_stored_message_byte_for_byte() {
    for server in TestServer::on_both().await {
        server
            .model
            .script([call("list_notes", json!({})), say(ANSWER).deltas_of(3)]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let seen = streamed(&server, &who, &id).await;

        let names: Vec<&str> = seen
            .iter()
            .map(|event| event.name.as_str())
            .filter(|name| *name != "text.delta")
            .collect();
        assert_eq!(
            names,
            [
                "turn.started",
                "tool.started",
                "tool.finished",
                "turn.completed"
            ]
        );
        assert!(
            seen.windows(2).all(|pair| pair[0].id < pair[1].id),
            "{seen:?}"
        );
        assert_eq!(text_of(&seen), ANSWER);
        let page = server
            .get(&who, &format!("/conversations/{id}/messages"))
            .await;
        assert_eq!(page.body["items"][1]["content"], ANSWER);
        server.stop().await;
    }
}

// design: promises P5 stream
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_comes_back_gets_exactly_the_rest() {
    for server in TestServer::on_both().await {
        server
            .model
            .script([call("list_notes", json!({})), say(ANSWER).deltas_of(2)]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let seen = streamed(&server, &who, &id).await;
        let turn = seen[0].data["turn"].as_str().unwrap().to_owned();
        let path = format!("/conversations/{id}/turns/{turn}/events");

        let all = events(server.request(Method::GET, &path, Some(&who))).await;
        assert_eq!(text_of(&all), ANSWER);
        for cut in 0..seen.len() {
            let last = seen[cut].id;
            let request = server
                .request(Method::GET, &path, Some(&who))
                .header("last-event-id", last.to_string());
            let rest = events(request).await;
            let whole = format!("{}{}", text_of(&seen[..=cut]), text_of(&rest));
            assert_eq!(whole, ANSWER, "after {last}");
            assert!(rest.iter().all(|event| event.id > last));
            let others = |list: &[SseEvent]| {
                list.iter()
                    .filter(|e| e.name != "text.delta")
                    .cloned()
                    .collect::<Vec<_>>()
            };
            assert_eq!(others(&rest), others(&seen[cut + 1..]), "after {last}");
        }
        for garbage in ["x", "-1", "99999999999999999999999"] {
            let request = server
                .request(Method::GET, &path, Some(&who))
                .header("last-event-id", garbage);
            assert_eq!(
                request.send().await.unwrap().status(),
                StatusCode::BAD_REQUEST
            );
        }
        server.stop().await;
    }
}

/// P5: all events for at least 15 minutes after the end, later one snapshot.
// design: promises P5 snapshot
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_comes_too_late_gets_one_snapshot() {
    for backing in BOTH {
        let settings = [("server.replay_minutes", "15")];
        let server = TestServer::start_with(backing, &settings).await;
        server
            .model
            .script([call("list_notes", json!({})), say(ANSWER).deltas_of(2)]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let ask = || {
            let path = format!("/conversations/{id}/messages");
            server
                .request(Method::POST, &path, Some(&who))
                .header("idempotency-key", "once")
                .json(&json!({ "content": "What do my notes say?" }))
        };
        let seen = events(ask()).await;
        let turn = seen[0].data["turn"].as_str().unwrap().to_owned();
        let path = format!("/conversations/{id}/turns/{turn}/events");
        let from = |last: u64| {
            let request = server.request(Method::GET, &path, Some(&who));
            events(request.header("last-event-id", last.to_string()))
        };

        server.clock.advance(Duration::from_secs(14 * 60));
        let all = from(0).await;
        assert_eq!(text_of(&all), ANSWER);
        assert!(all.iter().all(|event| event.name != "snapshot"));

        server.clock.advance(Duration::from_secs(3 * 60));
        // The server does this by itself, some time after 15 minutes.
        let late = loop {
            let late = from(0).await;
            if late.len() == 1 {
                break late;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let end = seen.last().unwrap();
        assert_eq!(late[0].name, "snapshot", "{backing:?}");
        assert_eq!(late[0].id, end.id);
        assert_eq!(late[0].data["state"], "completed");
        assert_eq!(text_of(&late), ANSWER);
        let told: Vec<(&str, &Value)> = late[0].data["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|event| (event["event"].as_str().unwrap(), &event["data"]))
            .collect();
        let expected: Vec<(&str, &Value)> = seen
            .iter()
            .filter(|event| event.name != "text.delta")
            .map(|event| (event.name.as_str(), &event.data))
            .collect();
        assert_eq!(told, expected, "{backing:?}");
        for cut in &seen[..seen.len() - 1] {
            assert_eq!(from(cut.id).await, late, "after {}", cut.id);
        }
        assert_eq!(from(end.id).await, [], "who saw the end misses nothing");
        // A repeated request gets the same answer, whole or as a stream.
        assert_eq!(events(ask()).await, late);
        let again = ask().send().await.unwrap();
        assert_eq!(again.status(), StatusCode::CREATED);
        let body: Value = again.json().await.unwrap();
        assert_eq!(body["agent_message"]["content"], ANSWER);
        server.stop().await;
    }
}

// design: promises P5 stream
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_leaves_does_not_stop_the_turn() {
    for server in TestServer::on_both().await {
        let gate = Gate::shut();
        server
            .model
            .script([say("Slowly").then_wait(&gate).then_say(" but surely.")]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        let response = server
            .request(Method::POST, &path, Some(&who))
            .header("accept", "text/event-stream")
            .json(&json!({ "content": "Hello" }))
            .send()
            .await
            .unwrap();
        server.model.requested(1).await;
        drop(response);
        gate.open();
        let page = loop {
            let page = server.get(&who, &path).await.body;
            if page["items"].as_array().unwrap().len() == 2 {
                break page;
            }
            tokio::task::yield_now().await;
        };
        assert_eq!(page["items"][1]["content"], "Slowly but surely.");
        server.stop().await;
    }
}

// design: promises P5 stream
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_joins_in_the_middle_misses_nothing() {
    for server in TestServer::on_both().await {
        for _ in 0..3 {
            let gate = Gate::shut();
            server
                .model
                .script([say("Half of").then_wait(&gate).then_say(" it.")]);
            let who = server.sign_in("reader");
            let id = server.conversation(&who).await;
            let mut first = server
                .request(
                    Method::POST,
                    &format!("/conversations/{id}/messages"),
                    Some(&who),
                )
                .header("accept", "text/event-stream")
                .json(&json!({ "content": "Hello" }))
                .send()
                .await
                .unwrap();
            let mut text = String::new();
            while text_of(&complete_events(&text)) != "Half of" {
                let chunk = first.chunk().await.unwrap().unwrap();
                text.push_str(&String::from_utf8_lossy(&chunk));
            }
            // Events that the first reader received may not be journalled yet.
            let turn = complete_events(&text)[0].data["turn"]
                .as_str()
                .unwrap()
                .to_owned();
            let path = format!("/conversations/{id}/turns/{turn}/events");
            let request = server.request(Method::GET, &path, Some(&who));
            let second = request.send().await.unwrap();
            gate.open();
            let second = crate::server::parse_events(&second.text().await.unwrap());
            assert_eq!(text_of(&second), "Half of it.", "{second:?}");
            drop(first);
        }
        server.stop().await;
    }
}

/// Events that arrived completely.
fn complete_events(text: &str) -> Vec<SseEvent> {
    match text.rsplit_once("\n\n") {
        Some((whole, _)) => crate::server::parse_events(whole),
        None => Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_turn_keeps_what_was_written() {
    for server in TestServer::on_both().await {
        let gate = Gate::shut();
        server
            .model
            .script([say("Half of").then_wait(&gate).then_say(" it.")]);
        let who = server.sign_in("reader");
        let id = server.conversation(&who).await;
        let path = format!("/conversations/{id}/messages");
        let mut response = server
            .request(Method::POST, &path, Some(&who))
            .header("accept", "text/event-stream")
            .json(&json!({ "content": "Hello" }))
            .send()
            .await
            .unwrap();
        let mut text = String::new();
        while text_of(&complete_events(&text)) != "Half of" {
            text.push_str(&String::from_utf8_lossy(
                &response.chunk().await.unwrap().unwrap(),
            ));
        }
        let turn = crate::server::parse_events(&text)[0].data["turn"]
            .as_str()
            .unwrap()
            .to_owned();
        let busy = server.post(&who, &path, json!({ "content": "And?" })).await;
        assert_eq!(busy.status, StatusCode::CONFLICT);
        assert_eq!(busy.body["error"]["code"], "TURN_IN_PROGRESS");
        let cancelled = server
            .post(
                &who,
                &format!("/conversations/{id}/turns/{turn}/cancel"),
                json!({}),
            )
            .await;
        assert_eq!(cancelled.body["cancelling"], true);
        while let Some(chunk) = response.chunk().await.unwrap() {
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
        let seen = crate::server::parse_events(&text);
        assert_eq!(seen.last().unwrap().name, "turn.cancelled");
        let page = server.get(&who, &path).await.body;
        assert_eq!(page["items"][1]["content"], "Half of");
        server.model.abandon_script();
        server.stop().await;
    }
}
