//! SIGTERM: the process ends in time, streams say so, and the work goes on at the next start.

use std::time::Duration;

use tokio::task::JoinSet;

use super::clients::{ClientLog, Person};
use super::effects::Point;
use super::kills::check;
use super::load::Load;
use super::place::{Place, pause};
use super::seed::Seed;
use crate::harness::{BOTH, Backing};

const ENDS_WITHIN: Duration = Duration::from_secs(15);
const STREAMS: usize = 12;

/// Streams are open, tools are at work and models are silent when the signal comes.
async fn terminate_with_open_streams(backing: Backing) {
    let place = Place::new(backing).await;
    let target = place.start().await;
    let log = ClientLog::default();
    let mut people = JoinSet::new();
    let points = [Point::BeforeIntent, Point::AfterEffect, Point::BeforeEnd];
    for number in 0..STREAMS {
        let tag = format!("s{number}");
        place.holds.arm(&tag, points[number % points.len()]);
        let person = Person::new(number, &log);
        let url = target.url.clone();
        people.spawn(async move {
            let conversation = person.conversation(&url, "effects").await.unwrap();
            person.say(&url, conversation, &format!("{tag} send")).await
        });
    }
    place.holds.reached(STREAMS).await;
    while log.count() < STREAMS {
        pause().await;
    }
    let took = target.stop().await;
    assert!(took <= ENDS_WITHIN, "it took {took:?}");
    // Every stream was ended in good order.
    while let Some(sent) = people.join_next().await {
        assert_eq!(
            sent.unwrap(),
            super::clients::Sent::Accepted { whole: true }
        );
    }
    let target = place.start().await;
    assert_eq!(log.count(), STREAMS);
    check(&place, target, &log).await;
}

async fn terminate_under_load(backing: Backing, times: usize, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Place::new(backing).await;
    let mut target = place.start().await;
    let load = Load::start(8, &mut seed, &target.url);
    for _ in 0..times {
        while load.log.in_flight() == 0 {
            pause().await;
        }
        tokio::time::sleep(seed.up_to(Duration::from_millis(80))).await;
        let took = target.stop().await;
        assert!(took <= ENDS_WITHIN, "it took {took:?}");
        target = place.start().await;
        load.moved(&target.url);
    }
    let log = load.end().await;
    check(&place, target, &log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_server_ends_in_time_and_loses_nothing() {
    for backing in BOTH {
        terminate_with_open_streams(backing).await;
        terminate_under_load(backing, 5, 9).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn a_server_terminated_50_times_loses_nothing() {
    for backing in BOTH {
        terminate_under_load(backing, 25, 10).await;
    }
}
