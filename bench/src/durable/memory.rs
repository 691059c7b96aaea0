//! How much memory a server has: idle, after a crowd, for each turn in flight, each reader and
//! each conversation that rests.

use anyhow::{Context, Result};
use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use reqwest::Response;
use serde::Serialize;

use crate::CROWD;
use crate::child::Child;
use crate::load::Load;
use crate::model::HOLD;
use crate::place::Place;

/// In kilobytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Memory {
    pub idle: f64,
    pub after_crowd: f64,
    pub a_turn_in_flight: f64,
    pub a_reader: f64,
    pub a_conversation: f64,
}

/// Crowds until memory no longer depends on how the allocator happens to fill its pages, and crowds after that
/// over which it is watched: what is kept for a conversation grows with them.
const FINDING_ITS_LEVEL: usize = 4;
const COUNTED: usize = 16;

/// Readers of one turn.
const READERS: usize = 3;

pub async fn measure(place: &Place, turns: usize, held: usize) -> Result<Memory> {
    let server = place.ours().await?;
    let idle = server.rss_kb()?;
    let load = Load::ours(&server.url)?;
    load.run(place, &server, turns, CROWD).await?;
    let after_crowd = server.rss_kb()?;
    for _ in 1..FINDING_ITS_LEVEL {
        load.run(place, &server, turns, CROWD).await?;
    }
    let before = settled(&server).await?;
    for _ in 0..COUNTED {
        load.run(place, &server, turns, CROWD).await?;
    }
    // In each crowd one each to warm up, one each to begin with, and then one every dozen turns.
    let conversations = (COUNTED * (CROWD * 2 + turns / 12)) as f64;
    let a_conversation = (settled(&server).await? - before).max(0.0) / conversations;
    server.stop().await;

    let server = place.ours().await?;
    let load = Load::ours(&server.url)?;
    // What is allocated once is there before we begin to count.
    load.one_turn().await?;
    let start = settled(&server).await?;
    let turns = hold(&load, held).await?;
    let with_turns = settled(&server).await?;
    let readers = read_along(&turns).await?;
    let with_readers = settled(&server).await?;
    let memory = Memory {
        idle,
        after_crowd,
        a_turn_in_flight: (with_turns - start) / turns.len() as f64,
        a_reader: (with_readers - with_turns) / readers.len() as f64,
        a_conversation,
    };
    server.stop().await;
    Ok(memory)
}

/// Once it no longer changes from one look to the next.
pub async fn settled(server: &Child) -> Result<f64> {
    let mut known = server.rss_kb()?;
    loop {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        let now = server.rss_kb()?;
        if (now - known).abs() < 64.0 {
            return Ok(now);
        }
        known = now;
    }
}

/// A turn whose model is silent, who asked, and their stream. Each is somebody else, else one
/// person's limits would answer.
struct Held {
    person: Load,
    path: String,
    _stream: Response,
}

async fn hold(load: &Load, count: usize) -> Result<Vec<Held>> {
    stream::iter(0..count)
        .map(|_| async {
            let person = load.person()?;
            let conversation = person.conversation().await?;
            let mut stream = person.say(&conversation, HOLD).await?;
            let first = stream.chunk().await?.context("the stream ended")?;
            let text = String::from_utf8_lossy(&first).into_owned();
            let (_, rest) = text.split_once(r#""turn":""#).context("no turn")?;
            let turn = rest.split('"').next().context("no turn")?;
            anyhow::Ok(Held {
                person,
                path: format!("/conversations/{conversation}/turns/{turn}/events"),
                _stream: stream,
            })
        })
        .buffer_unordered(32)
        .try_collect()
        .await
}

async fn read_along(turns: &[Held]) -> Result<Vec<Response>> {
    let mut readers = Vec::new();
    for turn in turns {
        let of_turn = (0..READERS).map(|_| async {
            let mut stream = turn
                .person
                .get(&turn.path)
                .send()
                .await?
                .error_for_status()?;
            stream.chunk().await?.context("the stream ended")?;
            anyhow::Ok(stream)
        });
        readers.extend(try_join_all(of_turn).await?);
    }
    Ok(readers)
}
