//! SIGTERM: the process ends in time, streams announce it, and the turns resume at the next start.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::clients::{Ack, ClientLog, Person, acknowledged};
use super::effects::Point;
use super::kills::check;
use super::load::Load;
use super::place::{Place, in_time, until};
use super::progress::Progress;
use super::seed::Seed;
use crate::harness::{BOTH, Backing};

const ENDS_WITHIN: Duration = Duration::from_secs(15);
/// Well below the drain time, after which they would end anyway.
const PATIENCE: Duration = Duration::from_secs(4);
const STREAMS: usize = 12;
const WRITERS: usize = 8;

/// How a stream ended that was open at the signal.
struct Stream {
    ack: Ack,
    text: String,
    ended: Instant,
}

/// Sends a message, reads the stream to its end, and keeps its raw bytes.
async fn read_to_the_end(number: usize, url: String, content: String, log: ClientLog) -> Stream {
    let person = Person::new(number, &log);
    let conversation = person.conversation(&url, "effects").await.unwrap();
    let mut response = person
        .request(
            &url,
            Method::POST,
            &format!("/conversations/{conversation}/messages"),
        )
        .header("accept", "text/event-stream")
        .json(&json!({ "content": content }))
        .send()
        .await
        .unwrap();
    let mut bytes = Vec::new();
    let mut ack = None;
    while let Some(chunk) = response.chunk().await.unwrap() {
        bytes.extend_from_slice(&chunk);
        if ack.is_none() {
            ack = acknowledged(number, &content, &bytes);
            log.extend(ack.clone());
        }
    }
    Stream {
        ack: ack.unwrap(),
        text: String::from_utf8(bytes).unwrap(),
        ended: Instant::now(),
    }
}

/// With open streams, busy tools and silent models at the signal: streams announce the shutdown and
/// end at once, new requests are refused, and the process ends in time.
async fn terminate_with_open_streams(backing: Backing) {
    let place = Place::new(backing).await;
    let target = place.start().await;
    let log = ClientLog::default();
    let mut people = JoinSet::new();
    let points = [Point::BeforeIntent, Point::AfterEffect, Point::BeforeEnd];
    for number in 0..STREAMS {
        let tag = format!("s{number}");
        place.holds.arm(&tag, points[number % points.len()]);
        let content = format!("{tag} send");
        people.spawn(read_to_the_end(
            number,
            target.url.clone(),
            content,
            log.clone(),
        ));
    }
    in_time("all are held", place.holds.reached(STREAMS)).await;
    until("all are taken", || log.count() >= STREAMS).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    assert_eq!(status(&http, &target.url, "/readyz").await, Some(200));
    let since = Instant::now();
    target.signal("TERM");
    while status(&http, &target.url, "/readyz").await == Some(200) {}
    let not_ready = since.elapsed();
    // Workers are still held, so the server drains: it is alive, not ready, and starts nothing.
    assert_eq!(status(&http, &target.url, "/readyz").await, Some(503));
    assert_eq!(status(&http, &target.url, "/healthz").await, Some(200));
    assert_eq!(status(&http, &target.url, "/api/v1/me").await, Some(503));
    let mut last = since;
    while let Some(stream) = people.join_next().await {
        let stream = stream.unwrap();
        let end = stream.text.rsplit("\n\n").nth(1).unwrap();
        assert!(end.contains("event: shutdown"), "{}", stream.text);
        assert!(end.contains("retry: "), "{}", stream.text);
        assert_eq!(stream.ack.seen[0].name, "turn.started");
        last = last.max(stream.ended);
    }
    let streams_ended = last - since;
    let took = since.elapsed() + target.stop().await;
    println!(
        "not ready after {not_ready:?}, streams ended after {streams_ended:?}, gone after {took:?}"
    );
    // The promises are 100 ms, 1 s and 15 s; a busy machine gets more time for the first two.
    assert!(not_ready < PATIENCE, "{not_ready:?}");
    assert!(streams_ended < PATIENCE, "{streams_ended:?}");
    assert!(took <= ENDS_WITHIN, "it took {took:?}");
    let target = place.start().await;
    assert_eq!(log.count(), STREAMS);
    check(&place, target, &log).await;
}

async fn status(http: &reqwest::Client, url: &str, path: &str) -> Option<u16> {
    let answer = http.get(format!("{url}{path}")).send().await.ok()?;
    Some(answer.status().as_u16())
}

/// Clients that only follow their change stream: one stream each, ten per person.
struct Followers(JoinSet<String>);

impl Followers {
    /// Resolves when all of them have received an event.
    async fn at(url: &str, people: &[Person]) -> Self {
        const STREAMS_A_PERSON: usize = 10;
        let count = people.len() * STREAMS_A_PERSON;
        let connected = Arc::new(AtomicUsize::new(0));
        let mut streams = JoinSet::new();
        for number in 0..count {
            let person = people[number / STREAMS_A_PERSON].clone();
            let (url, connected) = (url.to_owned(), Arc::clone(&connected));
            streams.spawn(async move {
                let request = person.request(&url, Method::GET, "/events");
                let mut response = request.send().await.unwrap();
                assert_eq!(response.status(), 200);
                let mut text = String::new();
                while let Some(chunk) = response.chunk().await.unwrap() {
                    if text.is_empty() {
                        connected.fetch_add(1, Ordering::SeqCst);
                    }
                    text.push_str(std::str::from_utf8(&chunk).unwrap());
                }
                text
            });
        }
        until("everybody follows", || {
            connected.load(Ordering::SeqCst) >= count
        })
        .await;
        Self(streams)
    }

    async fn were_notified(mut self) {
        while let Some(text) = self.0.join_next().await {
            let text = text.unwrap();
            assert!(text.contains("event: shutdown"), "{text}");
        }
    }
}

async fn terminate_under_load(backing: Backing, times: usize, following: usize, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Place::new(backing).await;
    let mut target = place.start().await;
    let load = Load::start(WRITERS, &mut seed, &target.url);
    let apart = ClientLog::default();
    let people: Vec<_> = (0..following)
        .map(|number| Person::new(WRITERS + number, &apart))
        .collect();
    let mut progress = Progress::of(format!("terminations on {backing:?}"), times);
    for _ in 0..times {
        let followers = Followers::at(&target.url, &people).await;
        until("somebody is served", || load.log.in_flight() > 0).await;
        tokio::time::sleep(seed.up_to(Duration::from_millis(80))).await;
        let took = target.stop().await;
        assert!(took <= ENDS_WITHIN, "it took {took:?}");
        followers.were_notified().await;
        target = place.start().await;
        load.moved(&target.url);
        progress.step(&load.log);
    }
    let log = load.end().await;
    check(&place, target, &log).await;
}

// design: promises open streams, P17
#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_server_ends_in_time_and_loses_nothing() {
    for backing in BOTH {
        terminate_with_open_streams(backing).await;
        terminate_under_load(backing, 5, 1, 9).await;
    }
}

// design: promises P17
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn a_server_terminated_50_times_loses_nothing() {
    for backing in BOTH {
        terminate_under_load(backing, 25, 10, 10).await;
    }
}

/// The server's header timeout is 10 seconds.
// design: promises endless headers
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_finishes_its_headers_is_cut_off() {
    let place = Place::new(Backing::Sqlite).await;
    let target = place.start().await;
    let host = target.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-slow: ")
        .await
        .unwrap();
    let mut answer = Vec::new();
    let cut = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut answer)).await;
    // With or without a response, the connection must be closed.
    assert!(cut.is_ok(), "the connection is still open");
    target.stop().await;
}
