//! How many messages of one person are worked on at once: counted over all processes, also
//! after one of them died.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::clients::{ClientLog, Person};
use super::effects::Point;
use super::kills::check;
use super::place::{Place, until};
use crate::harness::{BOTH, Backing};

const IN_FLIGHT: usize = 20;

async fn the_twenty_first(backing: Backing) {
    let place = Place::new(backing).await;
    let mut nodes = vec![place.start().await];
    if backing == Backing::Postgres {
        nodes.push(place.start().await);
    }
    let log = ClientLog::default();
    let person = Person::new(0, &log);
    let mut gates = Vec::new();
    let mut people = JoinSet::new();
    for number in 0..IN_FLIGHT {
        let tag = format!("t{number}");
        gates.push(place.holds.arm(&tag, Point::AfterResult));
        let url = nodes[number % nodes.len()].url.clone();
        let person = person.clone();
        people.spawn(async move {
            let conversation = person.conversation(&url, "effects").await.unwrap();
            person.say(&url, conversation, &format!("{tag} put")).await
        });
    }
    place.holds.reached(IN_FLIGHT).await;
    until("all are taken", || log.count() >= IN_FLIGHT).await;
    for node in &nodes {
        refused(&person, &node.url).await;
    }
    // Somebody else is not concerned.
    let other = Person::new(1, &log);
    let url = &nodes[0].url;
    let conversation = other.conversation(url, "effects").await.unwrap();
    other.say(url, conversation, "other say").await;
    // A process that dies takes no place with it: its turns end elsewhere.
    nodes.remove(0).kill().await;
    nodes.push(place.start().await);
    for gate in &gates {
        gate.open();
    }
    while people.join_next().await.is_some() {}
    let db = place.db().await;
    place.settled(&db).await;
    db.close().await;
    let url = &nodes[0].url;
    let conversation = person.conversation(url, "effects").await.unwrap();
    let sent = person.say(url, conversation, "last say").await;
    assert_eq!(sent, super::clients::SendResult::Accepted { whole: true });
    let last = nodes.remove(0);
    for node in nodes {
        node.stop().await;
    }
    check(&place, last, &log).await;
}

async fn refused(person: &Person, url: &str) {
    let conversation = person.conversation(url, "effects").await.unwrap();
    let path = format!("/conversations/{conversation}/messages");
    let answer = person
        .request(url, Method::POST, &path)
        .json(&json!({ "content": "more say" }))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.headers().contains_key("retry-after"));
    let body: Value = answer.json().await.unwrap();
    assert_eq!(body["error"]["code"], "RATE_LIMITED");
    assert_eq!(
        body["error"]["message"],
        "20 messages are being answered already; wait until one of them is done"
    );
}

// design: promises P16 turns at once
#[tokio::test(flavor = "multi_thread")]
async fn the_twenty_first_message_at_once_waits() {
    for backing in BOTH {
        the_twenty_first(backing).await;
    }
}
