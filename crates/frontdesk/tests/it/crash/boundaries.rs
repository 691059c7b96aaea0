//! kill -9 exactly at each boundary of the journal, for each kind of effect.

use std::collections::HashMap;

use frontdesk_core::event::Event;
use frontdesk_core::tool::{Effect, ToolErrorKind};
use tokio::task::JoinSet;

use super::clients::{ClientLog, Person};
use super::effects::{POINTS, Point};
use super::facts::{self, Facts};
use super::kills::check;
use super::place::{Place, in_time, until};
use super::progress::Progress;
use super::seed::Seed;
use crate::harness::Backing;

const KINDS: [(&str, Effect); 4] = [
    ("look", Effect::Read),
    ("put", Effect::Idempotent),
    ("keep", Effect::Transactional),
    ("send", Effect::AtMostOnce),
];

/// Expected result of a call killed at a point: how often its effect happens, and whether the turn
/// reports an unknown outcome.
fn expected(effect: Effect, point: Point) -> (usize, bool) {
    match (effect, point) {
        (Effect::AtMostOnce, Point::AfterIntent) => (0, true),
        (Effect::AtMostOnce, Point::DuringEffect | Point::AfterEffect) => (1, true),
        (Effect::AtMostOnce, Point::BeforeIntent | Point::AfterResult | Point::BeforeEnd)
        | (Effect::Read | Effect::Idempotent | Effect::Transactional, _) => (1, false),
    }
}

struct Case {
    content: String,
    tag: String,
    tool: &'static str,
    effect: Effect,
    point: Point,
}

fn cases(round: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for (tool, effect) in KINDS {
        for point in POINTS {
            let tag = format!("r{round}-{tool}-{point:?}");
            cases.push(Case {
                content: format!("{tag} {tool}"),
                tag,
                tool,
                effect,
                point,
            });
        }
    }
    cases
}

/// Stops every case at its point, kills the process there, and checks the result after a restart.
async fn kill_at_every_boundary(backing: Backing, rounds: usize) {
    let (_, _told) = Seed::of_run(0);
    let place = Place::new(backing).await;
    let log = ClientLog::default();
    let mut target = place.start().await;
    let mut all = Vec::new();
    let mut progress = Progress::of(format!("kills at boundaries on {backing:?}"), rounds);
    for round in 0..rounds {
        let cases = cases(round);
        let mut people = JoinSet::new();
        for (number, case) in cases.iter().enumerate() {
            place.holds.arm(&case.tag, case.point);
            let person = Person::new(number, &log);
            let (url, content) = (target.url.clone(), case.content.clone());
            people.spawn(async move {
                let conversation = person.conversation(&url, "effects").await.unwrap();
                person.say(&url, conversation, &content).await
            });
        }
        let reached = place.holds.reached((round + 1) * cases.len());
        in_time("all are where they are to be stopped", reached).await;
        // Each sender has received its acknowledgement.
        let all_taken = || log.count() >= (round + 1) * cases.len();
        until("all are taken", all_taken).await;
        target.kill().await;
        while people.join_next().await.is_some() {}
        target = place.start().await;
        all.extend(cases);
        progress.step(&log);
    }
    let db = place.db().await;
    place.settled(&db).await;
    let facts = facts::read(&db).await;
    let mut done: HashMap<(String, String), Vec<String>> = HashMap::new();
    for effect in place.effects.done() {
        let keys = done.entry((effect.tool, effect.tag)).or_default();
        keys.push(effect.key);
    }
    for case in &all {
        let mut keys = done
            .remove(&(case.tool.to_owned(), case.tag.clone()))
            .unwrap_or_default();
        if case.effect != Effect::AtMostOnce {
            // A repeated idempotency key is the same effect.
            keys.dedup();
        }
        let noted = facts.notes.iter().filter(|note| **note == case.tag).count();
        let times = match case.effect {
            Effect::Transactional => noted,
            Effect::Read => keys.len().min(1),
            Effect::Idempotent | Effect::AtMostOnce => keys.len(),
        };
        let got = (times, ended_unknown(&facts, &case.content));
        assert_eq!(got, expected(case.effect, case.point), "{}", case.tag);
    }
    db.close().await;
    check(&place, target, &log).await;
}

/// True if the message's turn ended with an unknown outcome, in journal, state and audit alike.
fn ended_unknown(facts: &Facts, content: &str) -> bool {
    let message = facts.messages.iter().find(|line| line.content == content);
    let message = message.expect("the message is stored").id;
    let turn = facts.turns.iter().find(|turn| turn.user_message == message);
    let turn = turn.expect("the message has a turn");
    let unknown = turn.journal.iter().any(|entry| {
        matches!(&entry.event, Event::ToolFinished(finished)
            if finished.error == Some(ToolErrorKind::Unknown))
    });
    let audited = facts
        .audit
        .iter()
        .any(|row| row.turn == Some(turn.id) && row.outcome == "unknown");
    assert_eq!(unknown, turn.state == "interrupted", "{content}");
    assert_eq!(unknown, audited, "{content}");
    unknown
}

/// The last boundary: the end is stored, and the sender has not received it.
async fn kill_after_the_end(backing: Backing) {
    let place = Place::new(backing).await;
    let log = ClientLog::default();
    let target = place.start().await;
    let mut unread = Vec::new();
    for (number, (tool, _)) in KINDS.into_iter().enumerate() {
        let person = Person::new(number, &log);
        let conversation = person.conversation(&target.url, "effects").await.unwrap();
        let content = format!("end-{tool} {tool}");
        unread.push(person.say_unread(&target.url, conversation, &content).await);
    }
    let db = place.db().await;
    place.settled(&db).await;
    db.close().await;
    target.kill().await;
    drop(unread);
    let target = place.start().await;
    assert_eq!(log.count(), KINDS.len());
    check(&place, target, &log).await;
}

// design: promises P3 journal
#[tokio::test(flavor = "multi_thread")]
async fn every_boundary_and_every_effect_on_sqlite() {
    kill_at_every_boundary(Backing::Sqlite, 1).await;
    kill_after_the_end(Backing::Sqlite).await;
}

// design: promises P3 journal
#[tokio::test(flavor = "multi_thread")]
async fn every_boundary_and_every_effect_on_postgres() {
    kill_at_every_boundary(Backing::Postgres, 1).await;
    kill_after_the_end(Backing::Postgres).await;
}

/// 24 turns die at a boundary with each kill.
// design: promises P3 journal
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn five_hundred_turns_killed_at_boundaries() {
    for backing in crate::harness::BOTH {
        kill_at_every_boundary(backing, 11).await;
    }
}
