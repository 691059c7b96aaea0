//! The baseline server: axum, a plain table and hyper. It accepts a message, asks the model
//! twice, runs a tool, streams the answer and stores everything, without authentication or
//! checks.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use anyhow::{Context, Result};
use axum::extract::{Path, State};
use axum::response::sse::{Event, Sse};
use axum::routing::post;
use axum::{Json, Router};
use frontdesk_bench::baseline_model::Model;
use frontdesk_bench::scene::{RESULT, SYSTEM, TOOLS, tools_json};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use crate::baseline_store::BaselineStore;

struct Baseline {
    model: Model,
    store: BaselineStore,
    conversations: AtomicI64,
}

#[derive(Deserialize)]
struct NewMessage {
    content: String,
}

pub async fn serve(model: &str, database: &str) -> Result<()> {
    let started = std::time::SystemTime::UNIX_EPOCH.elapsed()?.as_micros();
    let baseline = Arc::new(Baseline {
        model: Model::new(model, &tools_json(TOOLS), SYSTEM),
        store: BaselineStore::open(database).await?,
        conversations: AtomicI64::new(i64::try_from(started)?),
    });
    let routes = Router::new()
        .route("/conversations", post(conversation))
        .route("/conversations/{id}/messages", post(message))
        .with_state(baseline);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    Ok(axum::serve(listener, routes).await?)
}

async fn conversation(State(baseline): State<Arc<Baseline>>) -> Json<Value> {
    let id = baseline.conversations.fetch_add(1, Ordering::Relaxed);
    Json(json!({ "id": id.to_string() }))
}

async fn message(
    State(baseline): State<Arc<Baseline>>,
    Path(conversation): Path<i64>,
    Json(message): Json<NewMessage>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let (say, said) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let end = match baseline.turn(conversation, message.content, &say).await {
            Ok(()) => Event::default().event("turn.completed").data("{}"),
            Err(error) => Event::default()
                .event("turn.failed")
                .data(error.to_string()),
        };
        // The reader may be gone.
        let _ = say.send(end);
    });
    Sse::new(stream::unfold(said, |mut said| async move {
        Some((Ok(said.recv().await?), said))
    }))
}

impl Baseline {
    async fn turn(
        &self,
        conversation: i64,
        content: String,
        say: &mpsc::UnboundedSender<Event>,
    ) -> Result<()> {
        let user = json!({ "role": "user", "content": content }).to_string();
        let history = self.store.open_turn(conversation, user.clone()).await?;
        let mut lines: Vec<&str> = history.lines.iter().map(String::as_str).collect();
        // A reader must see a call before its result.
        while lines
            .first()
            .is_some_and(|line| !line.contains(r#""role":"user""#))
        {
            lines.remove(0);
        }
        lines.push(&user);
        let reply = self.model.ask(&lines, |_| {}).await?;
        let id = reply.call.context("the model called no tool")?;
        let calls = json!({ "role": "assistant", "tool_calls": [{ "id": id, "type": "function",
            "function": { "name": "tool_0", "arguments": r#"{"order":"4711"}"# } }] })
        .to_string();
        let result = json!({ "role": "tool", "content": RESULT, "tool_call_id": id }).to_string();
        lines.push(&calls);
        lines.push(&result);
        let show = |text: &str| {
            let event = Event::default()
                .event("text.delta")
                .data(json!({ "text": text }).to_string());
            // The reader may be gone.
            let _ = say.send(event);
        };
        let reply = self.model.ask(&lines, show).await?;
        let answer = json!({ "role": "assistant", "content": reply.text }).to_string();
        let wires = vec![calls, result, answer];
        self.store.end_turn(conversation, history.next, wires).await
    }
}
