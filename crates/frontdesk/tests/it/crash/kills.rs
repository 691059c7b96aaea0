//! Repeated kill -9 of the server under load.

use std::collections::HashMap;
use std::time::Duration;

use frontdesk_db::Db;
use futures_util::StreamExt;

use super::check::violations;
use super::clients::{Ack, ClientLog, Person};
use super::facts;
use super::load::Load;
use super::model;
use super::place::{Place, Target, in_time, number, until};
use super::progress::Progress;
use super::seed::Seed;
use crate::harness::Backing;
use crate::server::text_of;

const WRITERS: usize = 8;
/// Streams that are reread concurrently.
const READERS: usize = 8;

/// The longest time between two kills, shorter than most turns.
const LIFE: Duration = Duration::from_millis(80);

/// After a run: restarts the server, waits until every turn has ended, and runs the checker.
pub async fn check(place: &Place, target: Target, log: &ClientLog) {
    check_at(place, &target.url, log).await;
    target.stop().await;
}

/// The same for a server that is still running.
pub async fn check_at(place: &Place, url: &str, log: &ClientLog) {
    let db = place.db().await;
    place.settled(&db).await;
    let mut people = HashMap::new();
    for ack in log.acks() {
        let new = || Person::new(ack.person, log);
        people.entry(ack.person).or_insert_with(new);
    }
    let streams = log.acks().into_iter().map(|ack| {
        let (person, db) = (&people[&ack.person], &db);
        async move { streams_are_whole(person, url, &ack, db).await }
    });
    futures_util::stream::iter(streams)
        .buffer_unordered(READERS)
        .collect::<()>()
        .await;
    place.nothing_left_open(&db).await;
    let facts = facts::read(&db).await;
    let found = violations(&log.acks(), &facts, &place.effects.done());
    assert!(found.is_empty(), "{}", found.join("\n"));
    model::check_requests(&place.model);
    db.close().await;
}

/// The events a reader received and the ones it gets on reconnecting add up to the stored answer.
async fn streams_are_whole(person: &Person, url: &str, ack: &Ack, db: &Db) {
    let mut seen = ack.seen.clone();
    seen.extend(person.rest(url, ack).await);
    let rising = seen.windows(2).all(|pair| pair[0].id < pair[1].id);
    assert!(rising, "positions do not rise: {seen:?}");
    let last = seen
        .last()
        .expect("a turn that was accepted says something");
    let Some(answer) = last.data["message"].as_str() else {
        assert_ne!(last.name, "turn.completed", "{seen:?}");
        return;
    };
    let stored = facts::content(db, answer.parse().unwrap()).await;
    assert_eq!(text_of(&seen), stored, "{seen:#?}");
}

/// Kills only while an effect has happened and is not journalled. Each kill leaves many turns
/// behind, so a run has few kills and ends with the full check.
async fn kill_during_effects(backing: Backing, kills: usize, own_seed: u64) {
    const TOOLS: &[&str] = &["put", "keep", "send", "all"];
    const LINGER: Duration = Duration::from_millis(20);
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Place::new(backing).await;
    place.effects.linger(LINGER);
    let mut target = place.start().await;
    let load = Load::of(TOOLS, WRITERS, &mut seed, &target.url);
    let what = format!("kills during effects on {backing:?}, seed {own_seed}");
    let mut progress = Progress::of(what, kills);
    for _ in 0..kills {
        // A new client must have been served: otherwise the same few turns would die repeatedly.
        until("somebody is served", || load.log.in_flight() > 0).await;
        in_time("something is being done", place.effects.under_way()).await;
        tokio::time::sleep(seed.up_to(LINGER / 2)).await;
        in_time("something is being done", place.effects.under_way()).await;
        target.kill().await;
        target = place.start().await;
        load.moved(&target.url);
        progress.step(&load.log);
    }
    let log = load.end().await;
    let done = place.effects.done().len();
    assert!(done >= kills, "only {done} effects in {kills} kills");
    let db = place.db().await;
    place.settled(&db).await;
    let unknown = number(
        &db,
        "SELECT count(*) AS n FROM audit_log WHERE outcome = 'unknown'",
    )
    .await;
    assert!(unknown > 0, "no kill hit a write that cannot be repeated");
    db.close().await;
    check(&place, target, &log).await;
}

/// Kills repeatedly until this many messages were accepted.
async fn kill_under_load(backing: Backing, kills: usize, messages: usize, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Place::new(backing).await;
    let mut target = place.start().await;
    let load = Load::start(WRITERS, &mut seed, &target.url);
    let mut progress = Progress::of(format!("kills on {backing:?}"), kills);
    for _ in 0..kills {
        let life = seed.up_to(LIFE);
        // At least one accepted message must still wait for its answer.
        until("somebody is served", || load.log.in_flight() > 0).await;
        tokio::time::sleep(life).await;
        until("somebody is served", || load.log.in_flight() > 0).await;
        target.kill().await;
        target = place.start().await;
        load.moved(&target.url);
        progress.step(&load.log);
    }
    until("enough messages are taken", || load.log.count() >= messages).await;
    let log = load.end().await;
    check(&place, target, &log).await;
}

// design: promises P1 server killed
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_by_60_kills_on_sqlite() {
    kill_under_load(Backing::Sqlite, 60, 60, 1).await;
}

// design: promises P1 server killed
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_by_60_kills_on_postgres() {
    kill_under_load(Backing::Postgres, 60, 60, 2).await;
}

// design: promises P3 killed
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_twice_by_20_kills_during_effects() {
    kill_during_effects(Backing::Sqlite, 10, 13).await;
    kill_during_effects(Backing::Postgres, 10, 14).await;
}

// design: promises P3 killed
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn nothing_is_done_twice_by_250_kills_during_effects_on_sqlite() {
    for round in 0..5 {
        kill_during_effects(Backing::Sqlite, 50, 150 + round).await;
    }
}

// design: promises P3 killed
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn nothing_is_done_twice_by_250_kills_during_effects_on_postgres() {
    for round in 0..5 {
        kill_during_effects(Backing::Postgres, 50, 160 + round).await;
    }
}

// design: promises P1 server killed
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn nothing_of_10_000_messages_is_lost_or_doubled_by_150_kills_on_sqlite() {
    for round in 0..5 {
        kill_under_load(Backing::Sqlite, 30, 2_000, 130 + round).await;
    }
}

// design: promises P1 server killed
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn nothing_of_10_000_messages_is_lost_or_doubled_by_150_kills_on_postgres() {
    for round in 0..5 {
        kill_under_load(Backing::Postgres, 30, 2_000, 140 + round).await;
    }
}
