//! Clients that hang up at any moment: what they were told stays true, and nobody else
//! suffers.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use uuid::Uuid;

use super::clients::{ClientLog, Person, SendResult, acknowledged};
use super::kills::check;
use super::model::TOOLS;
use super::place::{Place, pause};
use super::progress::Progress;
use super::seed::Seed;
use crate::harness::Backing;

const PEOPLE: usize = 16;
/// Moments lie between nothing and this, or as long as an answer takes on this machine.
const LONGEST: Duration = Duration::from_millis(30);

/// Sends a message over a connection of its own and resets it after this time.
async fn hang_up(
    person: &Person,
    number: usize,
    url: &str,
    at: Uuid,
    content: &str,
    after: Duration,
) -> Option<super::clients::Ack> {
    let host = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    let body = json!({ "content": content }).to_string();
    let head = format!(
        "POST /api/v1/conversations/{at}/messages HTTP/1.1\r\nhost: {host}\r\n\
         authorization: Bearer {}\r\naccept: text/event-stream\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        person.bearer(),
        body.len()
    );
    let mut read = Vec::new();
    let talk = async {
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        while stream.read_buf(&mut read).await? > 0 {}
        std::io::Result::Ok(())
    };
    // The clock runs out, or the answer is there: both are fine moments to leave.
    let _ = tokio::time::timeout(after, talk).await;
    stream.set_zero_linger().unwrap();
    drop(stream);
    acknowledged(number, content, &unchunked(&read))
}

/// The events of a chunked body. Each event is written as a chunk, so that dropping the
/// lines with sizes is enough.
fn unchunked(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let Some((_, body)) = text.split_once("\r\n\r\n") else {
        return Vec::new();
    };
    let parts = body.split("\r\n");
    let data: Vec<&str> = parts.filter(|part| part.contains("data:")).collect();
    data.concat().into_bytes()
}

async fn an_answer_takes(url: &str, log: &ClientLog) -> Duration {
    let person = Person::new(PEOPLE, log);
    let conversation = person.conversation(url, "effects").await.unwrap();
    let since = Instant::now();
    let sent = person.say(url, conversation, "first all").await;
    assert_eq!(sent, SendResult::Accepted { whole: true });
    since.elapsed()
}

async fn storm(backing: Backing, disconnects: usize, afterwards: usize, own_seed: u64) {
    let (mut seed, _told) = Seed::of_run(own_seed);
    let place = Arc::new(Place::new(backing).await);
    let target = place.start().await;
    let log = ClientLog::default();
    let longest = LONGEST.max(an_answer_takes(&target.url, &log).await * 2);
    let rounds = disconnects.div_ceil(PEOPLE);
    let what = format!("disconnects on {backing:?}");
    let progress = Arc::new(Mutex::new(Progress::of(what, rounds * PEOPLE)));
    let mut people = JoinSet::new();
    for number in 0..PEOPLE {
        let progress = Arc::clone(&progress);
        let person = Person::new(number, &log);
        let (url, log) = (target.url.clone(), log.clone());
        let mut seed = seed.split();
        people.spawn(async move {
            let mut conversation = person.conversation(&url, "effects").await.unwrap();
            for turn in 0..rounds {
                if turn % 4 == 0 {
                    conversation = person.conversation(&url, "effects").await.unwrap();
                }
                let tool = seed.pick(&TOOLS[..TOOLS.len() - 1]);
                let content = format!("d{number}-{turn} {tool}");
                let after = seed.up_to(longest);
                let ack = hang_up(&person, number, &url, conversation, &content, after).await;
                if let Some(ack) = ack {
                    log.add(ack);
                }
                progress.lock().unwrap().step(&log);
            }
        });
    }
    while let Some(gone) = people.join_next().await {
        gone.unwrap();
    }
    assert!(log.count() > 1, "nobody waited for an acknowledgement");
    let person = Person::new(0, &log);
    for number in 0..afterwards {
        let conversation = person.conversation(&target.url, "effects").await.unwrap();
        let content = format!("after-{number} say");
        let sent = person.say(&target.url, conversation, &content).await;
        assert_eq!(sent, SendResult::Accepted { whole: true }, "{content}");
    }
    pause().await;
    check(&place, target, &log).await;
}

// design: promises cancelled request
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_disconnects_on_sqlite() {
    storm(Backing::Sqlite, 1_000, 50, 5).await;
}

// design: promises cancelled request
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_disconnects_on_postgres() {
    storm(Backing::Postgres, 1_000, 50, 6).await;
}

// design: promises cancelled request, P5 stream
#[tokio::test(flavor = "multi_thread")]
#[ignore = "long: make test-full"]
async fn five_thousand_disconnects() {
    storm(Backing::Sqlite, 2_500, 500, 7).await;
    storm(Backing::Postgres, 2_500, 500, 8).await;
}
