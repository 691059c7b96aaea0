//! Attacks on streams, and what ends one that should not go on.

use std::time::Duration;

use frontdesk_testkit::model_server::{Gate, say};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::server::{Person, SseEvent, TestServer, answer, events, parse_events, text_of};

/// A turn that has said "Half of" and waits.
async fn half_said(server: &TestServer, who: &Person, gate: &Gate, new: Value) -> (String, String) {
    server
        .model
        .script([say("Half of").then_wait(gate).then_say(" it.")]);
    let made = server.post(who, "/conversations", new).await;
    let id = made.body["id"].as_str().unwrap().to_owned();
    let mut stream = open(
        server
            .request(
                Method::POST,
                &format!("/conversations/{id}/messages"),
                Some(who),
            )
            .json(&json!({ "content": "Hello" })),
    )
    .await;
    let seen = read_until(&mut stream, |seen| text_of(seen) == "Half of").await;
    let turn = seen[0].data["turn"].as_str().unwrap().to_owned();
    (id, turn)
}

async fn open(request: reqwest::RequestBuilder) -> Response {
    let request = request.header("accept", "text/event-stream");
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    response
}

/// Reads until this is so, or to the end.
async fn read_until(stream: &mut Response, enough: impl Fn(&[SseEvent]) -> bool) -> Vec<SseEvent> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let whole = text.rsplit_once("\n\n").map_or("", |(whole, _)| whole);
        let seen = parse_events(whole);
        if enough(&seen) {
            return seen;
        }
        match stream.chunk().await.unwrap() {
            Some(chunk) => bytes.extend_from_slice(&chunk),
            None => return parse_events(&text),
        }
    }
}

// design: promises H1
#[tokio::test(flavor = "multi_thread")]
async fn positions_of_others_give_nothing_foreign() {
    for server in TestServer::on_both().await {
        server.model.script([say("The first."), say("The second.")]);
        let who = server.sign_in("paula");
        let mut turns = Vec::new();
        for _ in 0..2 {
            let new = json!({ "assistant": "planner" });
            let id = server.post(&who, "/conversations", new).await.body["id"].clone();
            let path = format!("/conversations/{}/messages", id.as_str().unwrap());
            let sent = server
                .post(&who, &path, json!({ "content": "x" }))
                .await
                .body;
            let turn = sent["turn"]["id"].as_str().unwrap().to_owned();
            turns.push((id.as_str().unwrap().to_owned(), turn));
        }
        let (first, second) = (&turns[0], &turns[1]);
        let path = format!("/conversations/{}/turns/{}/events", first.0, first.1);
        for last in [
            "9223372036854775808",
            "18446744073709551615",
            "3",
            "9007199254740993",
        ] {
            let request = server.request(Method::GET, &path, Some(&who));
            let seen = events(request.header("last-event-id", last)).await;
            assert!("The first.".ends_with(&text_of(&seen)), "{last}: {seen:?}");
        }
        for garbage in ["", "x", "-1", "1.5", "99999999999999999999999"] {
            let request = server.request(Method::GET, &path, Some(&who));
            let refused = answer(request.header("last-event-id", garbage)).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{garbage}");
        }
        // A turn of one conversation is not found under another.
        let crossed = format!("/conversations/{}/turns/{}/events", first.0, second.1);
        assert_eq!(
            server.get(&who, &crossed).await.status,
            StatusCode::NOT_FOUND
        );
        server.stop().await;
    }
}

// design: promises H2
#[tokio::test(flavor = "multi_thread")]
async fn an_eleventh_reader_of_a_turn_waits() {
    for server in TestServer::on_both().await {
        let gate = Gate::shut();
        let who = server.sign_in("paula");
        let new = json!({ "assistant": "planner" });
        let (id, turn) = half_said(&server, &who, &gate, new).await;
        let path = format!("/conversations/{id}/turns/{turn}/events");
        let mut readers = Vec::new();
        for _ in 0..10 {
            readers.push(open(server.request(Method::GET, &path, Some(&who))).await);
        }
        let refused = server.get(&who, &path).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{refused:?}");
        assert!(refused.headers.contains_key("retry-after"));
        gate.open();
        for mut reader in readers {
            let seen = read_until(&mut reader, |_| false).await;
            assert_eq!(text_of(&seen), "Half of it.");
        }
        server.stop().await;
    }
}

// design: promises H4
#[tokio::test(flavor = "multi_thread")]
async fn whoever_hangs_up_after_asking_finds_the_answer() {
    for server in TestServer::on_both().await {
        let gate = Gate::shut();
        let who = server.sign_in("paula");
        let new = json!({ "assistant": "planner" });
        // The stream of the message is dropped in the middle of the answer.
        let (id, turn) = half_said(&server, &who, &gate, new).await;
        gate.open();
        let path = format!("/conversations/{id}/turns/{turn}/events");
        let seen = events(server.request(Method::GET, &path, Some(&who))).await;
        assert_eq!(seen.last().unwrap().name, "turn.completed");
        let messages = server
            .get(&who, &format!("/conversations/{id}/messages"))
            .await
            .body;
        assert_eq!(messages["items"][1]["content"], "Half of it.");
        server.stop().await;
    }
}

// design: promises H7
#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_with_the_sign_in_and_goes_on_with_a_new_one() {
    for server in TestServer::on_both().await {
        let gate = Gate::shut();
        let who = server.sign_in("paula");
        let new = json!({ "assistant": "planner" });
        let (id, turn) = half_said(&server, &who, &gate, new).await;
        let path = format!("/conversations/{id}/turns/{turn}/events");
        let brief = server.brief_token("paula", Duration::from_secs(12));
        let mut stream = open(server.request(Method::GET, &path, Some(&brief))).await;
        let seen = read_until(&mut stream, |seen| text_of(seen) == "Half of").await;
        server.clock.advance(Duration::from_secs(12));
        let rest = read_until(&mut stream, |_| false).await;
        assert!(
            rest.iter().all(|event| !event.name.starts_with("turn.")),
            "{rest:?}"
        );
        gate.open();
        let last = seen.last().unwrap().id.to_string();
        let request = server.request(Method::GET, &path, Some(&who));
        let rest = events(request.header("last-event-id", last)).await;
        assert_eq!(text_of(&rest), " it.", "{seen:?} {rest:?}");
        assert_eq!(rest.last().unwrap().name, "turn.completed");
        server.stop().await;
    }
}
