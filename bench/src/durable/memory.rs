//! Memory of a server: idle, after a crowd, per turn in flight, per reader and per idle
//! conversation.

use anyhow::{Context, Result};
use frontdesk_bench::child::Child;
use frontdesk_bench::model::HOLD;
use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use reqwest::Response;

use crate::CROWD;
use crate::installation::Installation;
use crate::load::Load;

/// In kilobytes.
pub struct Memory {
    pub idle: f64,
    pub after_crowd: f64,
    pub a_turn_in_flight: f64,
    pub a_reader: f64,
    pub a_conversation: f64,
}

/// Crowds until the allocator's fragmentation is stable, and crowds measured after that:
/// memory per conversation grows with them.
const WARM_UP_CROWDS: usize = 4;
const MEASURED_CROWDS: usize = 16;

/// Readers per turn.
const READERS: usize = 3;

pub async fn measure(installation: &Installation, turns: usize, held: usize) -> Result<Memory> {
    let server = installation.ours().await?;
    let idle = server.rss_kb()?;
    let load = Load::ours(&server.url)?;
    load.run(installation, &server, turns, CROWD).await?;
    let after_crowd = server.rss_kb()?;
    for _ in 1..WARM_UP_CROWDS {
        load.run(installation, &server, turns, CROWD).await?;
    }
    let before = settled(&server).await?;
    for _ in 0..MEASURED_CROWDS {
        load.run(installation, &server, turns, CROWD).await?;
    }
    // Per crowd: one conversation each to warm up, one each to start, and one per dozen
    // turns.
    let conversations = (MEASURED_CROWDS * (CROWD * 2 + turns / 12)) as f64;
    let a_conversation = (settled(&server).await? - before).max(0.0) / conversations;
    server.stop().await;

    let server = installation.ours().await?;
    let load = Load::ours(&server.url)?;
    // One turn allocates the one-time state before the measurement.
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

/// Waits until two consecutive readings agree.
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

/// A turn whose model is silent, with its user and stream. Each has a separate user,
/// because of the limits per user.
struct HeldTurn {
    person: Load,
    path: String,
    _stream: Response,
}

async fn hold(load: &Load, count: usize) -> Result<Vec<HeldTurn>> {
    stream::iter(0..count)
        .map(|_| async {
            let person = load.person()?;
            let conversation = person.conversation().await?;
            let mut stream = person.say(&conversation, HOLD).await?;
            let first = stream.chunk().await?.context("the stream ended")?;
            let text = String::from_utf8_lossy(&first).into_owned();
            let (_, rest) = text.split_once(r#""turn":""#).context("no turn")?;
            let turn = rest.split('"').next().context("no turn")?;
            anyhow::Ok(HeldTurn {
                person,
                path: format!("/conversations/{conversation}/turns/{turn}/events"),
                _stream: stream,
            })
        })
        .buffer_unordered(32)
        .try_collect()
        .await
}

async fn read_along(turns: &[HeldTurn]) -> Result<Vec<Response>> {
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
