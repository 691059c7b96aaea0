//! kill -9 of the database under a living server.

use std::sync::Arc;
use std::time::Duration;

use super::kills::check;
use super::load::Load;
use super::place::{Place, pause};
use super::seed::Seed;

const WRITERS: usize = 8;

async fn kill_the_database(kills: usize, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Arc::new(Place::with_cluster().await);
    let target = place.start().await;
    let load = Load::start(WRITERS, &mut seed, &target.url);
    for _ in 0..kills {
        let known = load.log.count();
        // Everybody is served again, and somebody waits for an answer.
        while load.log.count() < known + WRITERS || load.log.in_flight() == 0 {
            pause().await;
        }
        tokio::time::sleep(seed.up_to(Duration::from_millis(80))).await;
        let cluster = Arc::clone(&place);
        tokio::task::spawn_blocking(move || {
            cluster.cluster().kill();
            cluster.cluster().restart();
        })
        .await
        .unwrap();
    }
    let log = load.end().await;
    check(&place, target, &log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_or_doubled_by_5_kills_of_the_database() {
    kill_the_database(5, 11).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn nothing_is_lost_or_doubled_by_20_kills_of_the_database() {
    kill_the_database(20, 12).await;
}
