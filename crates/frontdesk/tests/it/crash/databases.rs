//! The database disappears under a running server: by kill -9 and by an orderly restart.

use std::sync::Arc;
use std::time::Duration;

use super::kills::check;
use super::load::Load;
use super::place::{Place, until};
use super::progress::Progress;
use super::seed::Seed;

const WRITERS: usize = 8;

/// How the database disappears.
#[derive(Clone, Copy, Debug)]
enum Goes {
    /// kill -9 of all its processes.
    Killed,
    /// An orderly stop, as for an upgrade: it closes every connection.
    Stopped,
}

async fn lose_the_database(how: Goes, times: usize, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Arc::new(Place::with_cluster().await);
    let target = place.start().await;
    let load = Load::start(WRITERS, &mut seed, &target.url);
    let mut progress = Progress::of(format!("databases {how:?}"), times);
    for _ in 0..times {
        let known = load.log.count();
        // The server accepts requests again, and at least one client waits for an answer.
        until("everybody is served again", || {
            load.log.count() >= known + WRITERS && load.log.in_flight() > 0
        })
        .await;
        tokio::time::sleep(seed.up_to(Duration::from_millis(80))).await;
        let cluster = Arc::clone(&place);
        tokio::task::spawn_blocking(move || {
            match how {
                Goes::Killed => cluster.cluster().kill(),
                Goes::Stopped => cluster.cluster().stop(),
            }
            cluster.cluster().restart();
        })
        .await
        .unwrap();
        progress.step(&load.log);
    }
    let log = load.end().await;
    check(&place, target, &log).await;
}

// design: promises P1 database killed
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_by_5_kills_of_the_database() {
    lose_the_database(Goes::Killed, 5, 11).await;
}

// design: promises P1 database killed
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_by_restarts_of_the_database() {
    lose_the_database(Goes::Stopped, 2, 21).await;
}

// design: promises P1 database killed
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn nothing_is_lost_or_doubled_by_20_kills_of_the_database() {
    lose_the_database(Goes::Killed, 20, 12).await;
}
