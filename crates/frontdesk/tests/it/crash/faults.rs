//! A database that is full, short of connections, or refuses transactions that collide:
//! people are told in time, and nothing that was acknowledged is lost.

use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::clients::{ClientLog, Person, SendResult};
use super::effects::Point;
use super::kills::check;
use super::load::Load;
use super::place::{Place, Tuning, in_time, pause, until};
use super::seed::Seed;
use crate::harness::Backing;

/// Load until so many messages were taken, then the whole story is checked.
async fn carries(tuning: Tuning, writers: usize, messages: usize, own_seed: u64) -> Place {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Place::tuned(Backing::Postgres, tuning).await;
    let target = place.start().await;
    let load = Load::start(writers, &mut seed, &target.url);
    until("enough messages are taken", || load.log.count() >= messages).await;
    let log = load.end().await;
    check(&place, target, &log).await;
    place
}

// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn transactions_that_collide_are_repeated_and_lose_nothing() {
    let tuning = Tuning {
        session: "?options=-c%20default_transaction_isolation%3Dserializable",
        ..Tuning::default()
    };
    let place = carries(tuning, 8, 120, 17).await;
    // The server did refuse some of them.
    assert!(place.log().contains("40001"), "nothing ever collided");
}

// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn one_connection_for_everybody_makes_people_wait_and_loses_nothing() {
    let tuning = Tuning {
        pool_size: Some(1),
        ..Tuning::default()
    };
    carries(tuning, 16, 120, 18).await;
}

/// Far more people than connections, all at once: everybody waits a little, nobody is refused.
// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_and_fifty_six_people_share_four_connections() {
    const PEOPLE: usize = 256;
    let tuning = Tuning {
        pool_size: Some(4),
        ..Tuning::default()
    };
    let place = Place::tuned(Backing::Postgres, tuning).await;
    let target = place.start().await;
    let log = ClientLog::default();
    let mut people = JoinSet::new();
    for number in 0..PEOPLE {
        let (person, url) = (Person::new(number, &log), target.url.clone());
        people.spawn(async move {
            let conversation = person.conversation(&url, "effects").await;
            let conversation = conversation.expect("a new conversation is not refused");
            let content = format!("p{number} say");
            person.say(&url, conversation, &content).await
        });
    }
    while let Some(said) = people.join_next().await {
        assert_eq!(said.unwrap(), SendResult::Accepted { whole: true });
    }
    assert_eq!(log.count(), PEOPLE);
    check(&place, target, &log).await;
}

/// Turns whose model says nothing keep nobody out, even where there is one connection.
// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_model_holds_no_connection() {
    const TURNS: usize = 16;
    let tuning = Tuning {
        pool_size: Some(1),
        wait_seconds: Some(5),
        ..Tuning::default()
    };
    let place = Place::tuned(Backing::Postgres, tuning).await;
    let target = place.start().await;
    let log = ClientLog::default();
    let mut people = JoinSet::new();
    let mut gates = Vec::new();
    for number in 0..TURNS {
        let tag = format!("s{number}");
        gates.push(place.holds.arm(&tag, Point::BeforeIntent));
        let (person, url) = (Person::new(number, &log), target.url.clone());
        people.spawn(async move {
            let conversation = person.conversation(&url, "effects").await.unwrap();
            person.say(&url, conversation, &format!("{tag} look")).await
        });
    }
    in_time("all models are asked", place.holds.reached(TURNS)).await;
    let db = place.db().await;
    place.nothing_left_open(&db).await;
    db.close().await;
    let person = Person::new(TURNS, &log);
    let conversation = person.conversation(&target.url, "effects").await.unwrap();
    let said = person.say(&target.url, conversation, "quick say").await;
    assert_eq!(said, SendResult::Accepted { whole: true });
    for gate in gates {
        gate.open();
    }
    while let Some(said) = people.join_next().await {
        assert_eq!(said.unwrap(), SendResult::Accepted { whole: true });
    }
    check(&place, target, &log).await;
}

/// Every connection is taken by somebody else's lock: requests are told in time to come back,
/// and afterwards everything goes on.
// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn an_exhausted_pool_is_told_as_such() {
    let tuning = Tuning {
        pool_size: Some(1),
        wait_seconds: Some(3),
        // The lock is waited for for longer than anyone waits for a connection.
        session: "?options=-c%20lock_timeout%3D20000%20-c%20statement_timeout%3D20000",
        ..Tuning::default()
    };
    let place = Place::tuned(Backing::Postgres, tuning).await;
    let target = place.start().await;
    let log = ClientLog::default();
    let person = Person::new(0, &log);
    let conversation = person.conversation(&target.url, "effects").await.unwrap();
    let said = person.say(&target.url, conversation, "a say").await;
    assert_eq!(said, SendResult::Accepted { whole: true });
    let holder = place.database().connect().await;
    holder
        .batch_execute("BEGIN; LOCK TABLE conversations")
        .await
        .unwrap();
    let ask = || {
        person
            .request(&target.url, Method::POST, "/conversations")
            .json(&json!({ "assistant": "effects" }))
            .send()
    };
    let (first, second) = (tokio::spawn(ask()), tokio::spawn(ask()));
    // Somebody has the connection and waits for the lock: one of the two, or the server's own
    // work that came before them.
    const WAITING: &str =
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'conversations'::regclass";
    in_time("somebody waits for the lock", async {
        while holder.query(WAITING, &[]).await.unwrap().is_empty() {
            pause().await;
        }
    })
    .await;
    // The lock is waited for for twenty seconds: whoever is answered now was told of the pool.
    let either = async {
        tokio::select! {
            answer = first => answer,
            answer = second => answer,
        }
    };
    let told = in_time("somebody is told", either).await.unwrap().unwrap();
    assert_eq!(told.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(told.headers().contains_key("retry-after"));
    holder.batch_execute("ROLLBACK").await.unwrap();
    let said = person.say(&target.url, conversation, "b say").await;
    assert_eq!(said, SendResult::Accepted { whole: true });
    check(&place, target, &log).await;
}

/// A small file system of its own. Needs root; without it the test is skipped and says so.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn mount(size: &str) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let options = format!("size={size}");
        if !mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], folder.path()) {
            eprintln!("SKIPPED: a small file system can only be mounted by root");
            return None;
        }
        Some(Self(folder))
    }

    fn grow(&self, size: &str) {
        assert!(mount(
            &["-o", &format!("remount,size={size}")],
            self.0.path()
        ));
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Gone with the test's own namespace at the latest.
        let _ = Command::new("umount")
            .arg("--lazy")
            .arg(self.0.path())
            .status();
    }
}

fn mount(options: &[&str], folder: &Path) -> bool {
    let mounted = Command::new("mount").args(options).arg(folder).output();
    mounted.is_ok_and(|output| output.status.success())
}

/// Load until the server itself says that there is no space, and after there is some again.
async fn fills_up_and_goes_on(place: &Place, disk: &SmallDisk, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let target = place.start().await;
    let load = Load::start(4, &mut seed, &target.url);
    until("the disk is full", || {
        place.log().contains("no space is left")
    })
    .await;
    // It lives, answers, and says what is wrong with it in words that are no secret.
    let person = Person::new(99, &load.log);
    let asked = person
        .request(&target.url, Method::POST, "/conversations")
        .json(&json!({ "assistant": "effects", "title": "x".repeat(200) }))
        .send()
        .await
        .unwrap();
    let status = asked.status();
    assert!(
        status == StatusCode::SERVICE_UNAVAILABLE || status.is_success(),
        "{status}"
    );
    disk.grow("128m");
    let known = load.log.count();
    until("it goes on", || load.log.count() >= known + 20).await;
    let log = load.end().await;
    check(place, target, &log).await;
}

// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_loses_nothing() {
    let Some(disk) = SmallDisk::mount("3m") else {
        return;
    };
    let tuning = Tuning {
        data: Some(disk.data()),
        ..Tuning::default()
    };
    let place = Place::tuned(Backing::Sqlite, tuning).await;
    fills_up_and_goes_on(&place, &disk, 19).await;
}

/// The tables of a PostgreSQL stand on a small disk.
// design: promises P14 database
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_postgres_is_told_and_loses_nothing() {
    let Some(disk) = SmallDisk::mount("8m") else {
        return;
    };
    std::fs::create_dir(disk.data()).unwrap();
    let given = Command::new("chown")
        .arg("postgres")
        .arg(disk.data())
        .status();
    assert!(given.unwrap().success());
    let place = Place::with_cluster().await;
    let folder = disk.data();
    let folder = folder.display();
    for sql in [
        format!("CREATE TABLESPACE small LOCATION '{folder}'"),
        "ALTER DATABASE postgres SET default_tablespace = small".to_owned(),
    ] {
        place.cluster().execute(&sql).await;
    }
    fills_up_and_goes_on(&place, &disk, 20).await;
}
