//! How often a turn waits for the database: before the model is asked first, and in all.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use frontdesk::app::App;
use frontdesk::http;
use frontdesk::services::Reach;
use frontdesk_testkit::model_server::ModelServer;
use serde::Serialize;
use tokio::net::TcpListener;

use crate::load::Load;
use crate::model::answers;
use crate::ours;
use crate::place::Place;

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Trips {
    pub before_the_model: u64,
    pub in_all: u64,
}

/// The server runs in this process, where its database can be asked.
pub async fn count(place: &Place) -> Result<Trips> {
    const TURNS: usize = 20;
    let model = ModelServer::start().await;
    let config = ours::config(place.write_config(&model.url())?)?;
    let listener = TcpListener::bind(config.server.bind).await?;
    let address = listener.local_addr()?;
    let app = App::open(config, ours::assistants, Reach::Server(address)).await?;
    let db = app.db.clone();
    let first = Arc::new(AtomicU64::new(0));
    let (answer, asked, counter) = (answers(), Arc::clone(&first), db.clone());
    model.forgetful().otherwise_with(move |request| {
        // The first request of a turn counts; later ones find the place taken.
        let _ =
            asked.compare_exchange(0, counter.round_trips(), Ordering::SeqCst, Ordering::SeqCst);
        answer(request)
    });
    let serving = tokio::spawn(http::serve(app, listener, std::future::pending()));
    let load = Load::ours(&format!("http://{address}"))?;
    load.one_turn().await?;
    let conversation = load.conversation().await?;
    let mut counted = Vec::new();
    for _ in 0..TURNS {
        first.store(0, Ordering::SeqCst);
        let before = db.round_trips();
        let events = load
            .say(&conversation, "Where is it?")
            .await?
            .text()
            .await?;
        anyhow::ensure!(events.contains("turn.completed"), "{events}");
        counted.push(Trips {
            before_the_model: first.load(Ordering::SeqCst) - before,
            in_all: db.round_trips() - before,
        });
    }
    serving.abort();
    // A look for abandoned turns may fall into one of them.
    counted.sort_by_key(|trips| trips.in_all);
    Ok(counted[TURNS / 2])
}
