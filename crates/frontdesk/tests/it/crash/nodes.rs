//! Three processes on one Postgres: one dies and another takes over, one sleeps past its lease and
//! can no longer write.

use super::clients::{ClientLog, Person};
use super::effects::Point;
use super::facts;
use super::kills::check;
use super::place::{Place, Target, number, until};
use crate::harness::Backing;

async fn three_nodes() -> (Place, [Target; 3]) {
    let place = Place::new(Backing::Postgres).await;
    let nodes = [
        place.start().await,
        place.start().await,
        place.start().await,
    ];
    (place, nodes)
}

/// A turn that is held at a point on the first node.
async fn stopped_at(
    place: &Place,
    node: &Target,
    log: &ClientLog,
    content: &str,
    point: Point,
) -> frontdesk_testkit::model_server::Gate {
    let (tag, _) = content.split_once(' ').unwrap();
    let gate = place.holds.arm(tag, point);
    let person = Person::new(log.count(), log);
    let conversation = person.conversation(&node.url, "effects").await.unwrap();
    let (url, content, before) = (node.url.clone(), content.to_owned(), log.count());
    tokio::spawn(async move { person.say(&url, conversation, &content).await });
    place.holds.reached(before + 1).await;
    until("it is taken", || log.count() > before).await;
    gate
}

// design: promises P4 turns end
#[tokio::test(flavor = "multi_thread")]
async fn another_process_resumes_the_turn_of_a_dead_one() {
    let (place, [first, second, third]) = three_nodes().await;
    let log = ClientLog::default();
    stopped_at(&place, &first, &log, "a put", Point::DuringEffect).await;
    stopped_at(&place, &first, &log, "b send", Point::DuringEffect).await;
    stopped_at(&place, &first, &log, "c keep", Point::AfterResult).await;
    // A reader on another process receives the turn to its end.
    let ack = log.acks()[0].clone();
    let person = Person::new(ack.person, &log);
    first.kill().await;
    let rest = person.rest(&third.url, &ack).await;
    assert_eq!(rest.last().unwrap().name, "turn.completed", "{rest:?}");
    let db = place.db().await;
    place.settled(&db).await;
    let states: Vec<String> = facts::read(&db)
        .await
        .turns
        .into_iter()
        .map(|turn| turn.state)
        .collect();
    assert_eq!(states, ["completed", "interrupted", "completed"]);
    db.close().await;
    third.stop().await;
    check(&place, second, &log).await;
}

// design: promises P3 fenced
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_slept_past_its_lease_cannot_write() {
    let (place, [first, second, third]) = three_nodes().await;
    let log = ClientLog::default();
    let mut gates = Vec::new();
    for (content, point) in [
        ("a put", Point::DuringEffect),
        ("b send", Point::AfterEffect),
        ("c keep", Point::AfterEffect),
        ("d say", Point::BeforeEnd),
        ("e look", Point::AfterResult),
    ] {
        gates.push(stopped_at(&place, &first, &log, content, point).await);
    }
    first.signal("STOP");
    let db = place.db().await;
    place.settled(&db).await;
    let before = facts::read(&db).await;
    // The process wakes up, and everything it waited for is available.
    for gate in &gates {
        gate.open();
    }
    first.signal("CONT");
    let fenced = || {
        place
            .log()
            .matches("another worker took the turn over")
            .count()
    };
    until("it noticed that it was replaced", || {
        fenced() >= gates.len()
    })
    .await;
    let after = facts::read(&db).await;
    assert_eq!(format!("{before:?}"), format!("{after:?}"));
    let taken = number(&db, "SELECT count(*) AS n FROM turns WHERE epoch > 0").await;
    assert_eq!(taken, 5);
    db.close().await;
    first.stop().await;
    second.stop().await;
    check(&place, third, &log).await;
}
