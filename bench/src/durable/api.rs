//! The HTTP API under load: each kind of request from 1, 64 and 256 clients with separate
//! users, the cost of an idle stream, and the cost of a page by depth.

use std::time::Instant;

use anyhow::{Context, Result};
use frontdesk_bench::child::Child;
use frontdesk_bench::stats::percentile;
use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use reqwest::Response;
use serde_json::Value;

use crate::installation::Installation;
use crate::load::Load;
use crate::memory::settled;

const CLIENTS: [usize; 3] = [1, 64, 256];
/// Open streams allowed per user.
const STREAMS_PER_USER: usize = 10;
/// Pages at either end whose times are compared.
const ENDS: usize = 10;
const SAMPLES: usize = 500;
/// Turns per user: more would exceed the daily budget.
const TURNS_PER_USER: usize = 40;

#[derive(Clone, Copy)]
enum Request {
    Create,
    List,
    History,
    Turn,
}

/// Sizes of the measurements.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub requests: usize,
    pub conversations: usize,
    pub streams: usize,
}

/// Prints a table for this database.
pub async fn measure(installation: &Installation, sizes: Sizes) -> Result<()> {
    println!(
        "{:?}: requests a second, p50 and p99 in ms",
        installation.backing
    );
    let server = installation.ours().await?;
    for (name, request) in [
        ("create", Request::Create),
        ("list", Request::List),
        ("history", Request::History),
        ("turn", Request::Turn),
    ] {
        for clients in CLIENTS {
            let (rate, p50, p99) = crowd(&server, request, clients, sizes.requests).await?;
            println!("  {name:<8} {clients:>4} clients {rate:>9.0}/s {p50:>9.2} {p99:>9.2}");
        }
    }
    measure_deep_pages(&server, sizes.conversations).await?;
    server.stop().await;
    let server = installation.ours().await?;
    let kilobytes = idle_streams(&server, sizes.streams).await?;
    println!("  {} idle streams: {kilobytes:.1} kB each", sizes.streams);
    server.stop().await;
    Ok(())
}

/// Distributes this many requests among the users.
async fn crowd(
    server: &Child,
    request: Request,
    clients: usize,
    requests: usize,
) -> Result<(f64, f64, f64)> {
    let mut people = Vec::new();
    for _ in 0..clients {
        people.push(Load::ours(&server.url)?);
    }
    let places = try_join_all(people.iter().map(Load::conversation)).await?;
    let each = (requests / clients).max(1);
    let since = Instant::now();
    let talking = people
        .iter()
        .zip(&places)
        .map(|(person, conversation)| async {
            let mut times = Vec::with_capacity(each);
            let mut person = person.clone();
            for done in 0..each {
                if done > 0 && done % TURNS_PER_USER == 0 && matches!(request, Request::Turn) {
                    person = person.person()?;
                }
                let begun = Instant::now();
                ask(&person, request, conversation).await?;
                times.push(begun.elapsed().as_secs_f64() * 1e3);
            }
            anyhow::Ok(times)
        });
    let mut times = try_join_all(talking).await?.concat();
    let rate = times.len() as f64 / since.elapsed().as_secs_f64();
    Ok((rate, percentile(&mut times, 50), percentile(&mut times, 99)))
}

async fn ask(person: &Load, request: Request, conversation: &str) -> Result<()> {
    match request {
        Request::Create => person.conversation().await.map(drop),
        Request::List => person.page("/conversations?limit=20").await.map(drop),
        Request::History => {
            let path = format!("/conversations/{conversation}/messages?limit=100");
            person.page(&path).await.map(drop)
        }
        Request::Turn => person.one_turn().await,
    }
}

/// A long list and a long history of one user.
async fn measure_deep_pages(server: &Child, conversations: usize) -> Result<()> {
    let person = Load::ours(&server.url)?;
    let talk = person.conversation().await?;
    for _ in 0..50 {
        person.turn(&talk).await?;
    }
    stream::iter(0..conversations)
        .map(|_| person.conversation())
        .buffer_unordered(32)
        .try_for_each(|_| async { Ok(()) })
        .await?;
    let history = format!("/conversations/{talk}/messages?limit=100");
    for (name, path) in [
        ("history of 100 messages", history.as_str()),
        ("first 20 of the list", "/conversations?limit=20"),
    ] {
        let mut times = Vec::new();
        for _ in 0..SAMPLES {
            let begun = Instant::now();
            person.page(path).await?;
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        let (p50, p99) = (percentile(&mut times, 50), percentile(&mut times, 99));
        println!("  {name}: {p50:.2} ms, p99 {p99:.2} ms");
    }
    let mut times = Vec::new();
    let mut path = "/conversations?limit=20".to_owned();
    loop {
        let begun = Instant::now();
        let page = person.page(&path).await?;
        times.push(begun.elapsed().as_secs_f64() * 1e3);
        match page["cursor"].as_str() {
            Some(cursor) => path = format!("/conversations?limit=20&cursor={cursor}"),
            None => break,
        }
    }
    let pages = times.len();
    let mut last = times.split_off(pages.saturating_sub(ENDS));
    times.truncate(ENDS);
    let (first, last) = (percentile(&mut times, 50), percentile(&mut last, 50));
    println!("  {pages} pages: the first {first:.2} ms, the last {last:.2} ms");
    Ok(())
}

async fn idle_streams(server: &Child, count: usize) -> Result<f64> {
    Load::ours(&server.url)?.one_turn().await?;
    let before = settled(server).await?;
    let mut open: Vec<Response> = Vec::with_capacity(count);
    while open.len() < count {
        let person = Load::ours(&server.url)?;
        let streams = (0..STREAMS_PER_USER).map(|_| async {
            let mut stream = person.get("/events").send().await?.error_for_status()?;
            stream.chunk().await?.context("the stream ended")?;
            anyhow::Ok(stream)
        });
        open.extend(try_join_all(streams).await?);
    }
    Ok((settled(server).await? - before) / open.len() as f64)
}

impl Load {
    /// The response to a GET, as JSON.
    async fn page(&self, path: &str) -> Result<Value> {
        let answer = self.get(path).send().await?.error_for_status()?;
        Ok(answer.json().await?)
    }
}
