//! The object of a card, loaded for its approver: with their rights, and without delaying the
//! decision.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{BOTH, Backing};
use crate::server::{Answer, Person, TestServer, events};

/// A card of Paula's about retracting the plan of this title.
struct Card {
    path: String,
    card: Value,
}

impl Card {
    async fn of(server: &TestServer, paula: &Person, title: &str) -> Self {
        let me = server.get(paula, "/me").await;
        let company = &me.body["companies"][0]["company"];
        let new = json!({ "assistant": "planner", "company_id": company });
        let made = server.post(paula, "/conversations", new).await;
        assert_eq!(made.status, 201, "{made:?}");
        let conversation = format!("/conversations/{}", made.body["id"].as_str().unwrap());
        let form = json!({ "tool": "retract_plan", "arguments": { "title": title } });
        let asked = server
            .post(paula, &format!("{conversation}/forms"), form)
            .await;
        let turn = &asked.body["turn"];
        assert_eq!(asked.status, 202, "{asked:?}");
        Self {
            path: format!("{conversation}/turns/{}", turn["id"].as_str().unwrap()),
            card: turn["approvals"][0].clone(),
        }
    }

    fn own_path(&self) -> String {
        let call = self.card["call_id"].as_str().unwrap();
        format!("{}/approvals/{call}", self.path)
    }

    async fn preview(&self, server: &TestServer, who: &Person) -> Answer {
        server
            .get(who, &format!("{}/preview", self.own_path()))
            .await
    }

    async fn decide(&self, server: &TestServer, who: &Person, decision: &str) -> Answer {
        let body = json!({ "decision": decision });
        server.post(who, &self.own_path(), body).await
    }

    /// Events of this name.
    async fn seen(&self, server: &TestServer, who: &Person, name: &str) -> Vec<Value> {
        let path = format!("{}/events", self.path);
        let seen = events(server.request(Method::GET, &path, Some(who))).await;
        let seen = seen.into_iter().filter(|event| event.name == name);
        seen.map(|event| event.data).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_object_is_read_with_the_approvers_rights() {
    for backing in BOTH {
        let server = TestServer::start(backing).await;
        let (paula, pete) = (server.sign_in("paula"), server.sign_in("pete"));
        let card = Card::of(&server, &paula, "Party").await;
        assert_eq!(card.card["title"], "Retract the plan Party");
        assert_eq!(card.card["decline"], "Don't retract");
        for (who, name) in [(&paula, "Paula Planner"), (&pete, "Pete Planner")] {
            let shown = card.preview(&server, who).await;
            assert_eq!(shown.status, 200, "{shown:?}");
            assert_eq!(
                shown.body,
                json!({
                    "title": "Retract the plan Party for everybody", "subject": "everybody",
                    "state": "published", "problem": null,
                    "facts": [{ "name": "reader", "label": "Read by", "value": name }],
                })
            );
        }
        let stranger = card.preview(&server, &server.sign_in("quinn")).await;
        assert_eq!(stranger.status, 403, "{stranger:?}");
        assert!(!stranger.body.to_string().contains("Party"), "{stranger:?}");
        server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_fails_is_one_sentence_and_the_card_is_still_decided() {
    let server = TestServer::start(Backing::Sqlite).await;
    let paula = server.sign_in("paula");
    for title in ["Fail", "Panic", "Odd"] {
        let card = Card::of(&server, &paula, title).await;
        let shown = card.preview(&server, &paula).await;
        assert_eq!(shown.status, 200, "{shown:?}");
        assert_eq!(shown.body["facts"], json!([]));
        assert_eq!(
            shown.body["problem"],
            "The details could not be loaded. Check them before you decide."
        );
        assert!(!shown.body.to_string().contains("hunter2"), "{shown:?}");
        let decided = card.decide(&server, &paula, "approve").await;
        assert_eq!(decided.status, 200, "{decided:?}");
        let again = card.decide(&server, &paula, "approve").await;
        assert_eq!(again.status, 409, "{again:?}");
        let started = card.seen(&server, &paula, "tool.started").await;
        assert_eq!(started.len(), 1, "{title}: the effect happens once");
        let late = card.preview(&server, &paula).await;
        assert_eq!(late.status, 409, "{late:?}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_hangs_is_given_up_and_the_card_is_still_decided() {
    let server = TestServer::start(Backing::Sqlite).await;
    let paula = server.sign_in("paula");
    let card = Card::of(&server, &paula, "Hang").await;
    let clock = server.clock.clone();
    let hurry = tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            clock.advance(Duration::from_secs(1));
        }
    });
    let shown = card.preview(&server, &paula).await;
    assert_eq!(shown.status, 200, "{shown:?}");
    assert!(shown.body["problem"].is_string(), "{shown:?}");
    let declined = card.decide(&server, &paula, "reject").await;
    hurry.abort();
    assert_eq!(declined.status, 200, "{declined:?}");
    let finished = card.seen(&server, &paula, "tool.finished").await;
    assert_eq!(
        finished[0]["summary"],
        "Cancelled by Paula Planner. Hang is unchanged."
    );
    assert!(
        card.seen(&server, &paula, "tool.started").await.is_empty(),
        "nothing ran"
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decline_names_the_approver_and_the_objects_state() {
    for backing in BOTH {
        let server = TestServer::start(backing).await;
        let (paula, pete) = (server.sign_in("paula"), server.sign_in("pete"));
        let card = Card::of(&server, &paula, "Party").await;
        let declined = card.decide(&server, &pete, "reject").await;
        assert_eq!(declined.status, 200, "{declined:?}");
        let decided = card.seen(&server, &paula, "approval.decided").await;
        assert_eq!(
            (&decided[0]["by"], &decided[0]["state"]),
            (&json!("Pete Planner"), &json!("published"))
        );
        let finished = card.seen(&server, &paula, "tool.finished").await;
        assert_eq!(
            finished[0]["summary"],
            "Cancelled by Pete Planner. Party is still published."
        );
        server.stop().await;
    }
}
