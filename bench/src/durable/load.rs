//! Simulated users: each sends a message, reads the answer to its end, and sends the next.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use frontdesk::identity::{Tokens, Verified};
use frontdesk_bench::child::Child;
use frontdesk_bench::scene::{ASSISTANT, QUESTION};
use frontdesk_bench::stats::percentile;
use frontdesk_core::access::Role;
use futures_util::future::try_join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::installation::Installation;
use crate::ours::SECRET;

/// Turns per conversation: with four lines each, the model's context stays below the limit
/// on both sides.
const TURNS: usize = 12;
/// Concurrent first sign-ins.
const WARMING: usize = 8;

/// A server and its credentials. Each user has a separate token.
#[derive(Clone)]
pub struct Load {
    http: Client,
    base: String,
    token: Option<String>,
}

/// The cost of a run of many turns.
pub struct Cost {
    pub cpu_ms: f64,
    pub database_cpu_ms: f64,
    pub turns_a_second: f64,
    pub p99_ms: f64,
    /// The server's memory after the run.
    pub rss_kb: f64,
}

impl Load {
    pub fn baseline(url: &str) -> Self {
        Self {
            http: client(),
            base: url.to_owned(),
            token: None,
        }
    }

    pub fn ours(url: &str) -> Result<Self> {
        Ok(Self {
            http: client(),
            base: format!("{url}/api/v1"),
            token: Some(token()?),
        })
    }

    fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.authorised(self.http.post(format!("{}{path}", self.base)))
            .json(body)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.authorised(self.http.get(format!("{}{path}", self.base)))
    }

    fn authorised(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn conversation(&self) -> Result<String> {
        let body = json!({ "assistant": ASSISTANT });
        let created = self.post("/conversations", &body).send().await?;
        let created: Value = created.error_for_status()?.json().await?;
        let id = created["id"].as_str().context("no id")?;
        Ok(id.to_owned())
    }

    /// Sends a message; the response is the start of the stream.
    pub async fn say(&self, conversation: &str, content: &str) -> Result<Response> {
        let path = format!("/conversations/{conversation}/messages");
        let request = self
            .post(&path, &json!({ "content": content }))
            .header("accept", "text/event-stream");
        Ok(request.send().await?.error_for_status()?)
    }

    pub async fn turn(&self, conversation: &str) -> Result<()> {
        let events = self.say(conversation, QUESTION).await?.text().await?;
        if !events.contains("event: turn.completed") {
            bail!("a turn was not completed: {events}");
        }
        Ok(())
    }

    pub async fn one_turn(&self) -> Result<()> {
        self.turn(&self.conversation().await?).await
    }

    /// The same server as another user.
    pub fn person(&self) -> Result<Self> {
        let token = match &self.token {
            Some(_) => Some(token()?),
            None => None,
        };
        Ok(Self {
            token,
            ..self.clone()
        })
    }

    /// Runs this many turns, with a fixed number in flight.
    pub async fn run(
        &self,
        installation: &Installation,
        server: &Child,
        turns: usize,
        in_flight: usize,
    ) -> Result<Cost> {
        let people = (0..in_flight)
            .map(|_| self.person())
            .collect::<Result<Vec<_>>>()?;
        // Staggered: the first sign-in is not part of the measurement.
        stream::iter(&people)
            .map(Load::one_turn)
            .buffer_unordered(WARMING)
            .try_collect::<Vec<()>>()
            .await?;
        let left = AtomicUsize::new(turns);
        let (cpu, database) = (server.cpu_ms()?, installation.database_cpu_ms()?);
        let since = Instant::now();
        let talking = people.iter().map(|person| person.talk(&left));
        let mut times: Vec<f64> = try_join_all(talking).await?.concat();
        let seconds = since.elapsed().as_secs_f64();
        let count = times.len() as f64;
        Ok(Cost {
            cpu_ms: (server.cpu_ms()? - cpu) / count,
            database_cpu_ms: (installation.database_cpu_ms()? - database) / count,
            turns_a_second: count / seconds,
            p99_ms: percentile(&mut times, 99),
            rss_kb: server.rss_kb()?,
        })
    }

    /// Sends messages until all turns are taken; returns the duration of each.
    async fn talk(&self, left: &AtomicUsize) -> Result<Vec<f64>> {
        let mut times = Vec::new();
        loop {
            let conversation = self.conversation().await?;
            for _ in 0..TURNS {
                let mine = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    left.checked_sub(1)
                });
                if mine.is_err() {
                    return Ok(times);
                }
                let since = Instant::now();
                self.turn(&conversation).await?;
                times.push(since.elapsed().as_secs_f64() * 1e3);
            }
        }
    }
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap_or_default()
}

fn token() -> Result<String> {
    let now = chrono::Utc::now();
    let tokens = Tokens::with_secret(SECRET.into(), None, "authenticated".into());
    let identity = Verified {
        subject: Uuid::now_v7(),
        name: "Bench".to_owned(),
        email: None,
        roles: vec![Role::BUYER.to_string()],
        expires: now + chrono::Duration::hours(6),
    };
    Ok(tokens.sign(&identity, now)?)
}
