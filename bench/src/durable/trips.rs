//! Database waits of a turn: before the first model request, and in total.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use frontdesk::app::App;
use frontdesk::http;
use frontdesk::services::Reach;
use frontdesk_bench::model::answers;
use frontdesk_testkit::model_server::ModelServer;
use tokio::net::TcpListener;

use crate::installation::Installation;
use crate::load::Load;
use crate::ours;

#[derive(Clone, Copy)]
pub struct Trips {
    pub before_the_model: u64,
    pub in_all: u64,
}

/// The server runs in this process, where its database handle is accessible.
pub async fn count(installation: &Installation) -> Result<Trips> {
    const TURNS: usize = 20;
    let model = ModelServer::start().await;
    let config = ours::config(installation.write_config(&model.url())?)?;
    let listener = TcpListener::bind(config.server.bind).await?;
    let address = listener.local_addr()?;
    let app = App::open(config, ours::assistants, Reach::Server(address)).await?;
    let db = app.db.clone();
    let first = Arc::new(AtomicU64::new(0));
    let (answer, asked, counter) = (answers(), Arc::clone(&first), db.clone());
    model.without_history().otherwise_with(move |request| {
        // Only the first request of a turn counts; later ones find the cell filled.
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
    // A scan for abandoned turns may add to one of them.
    counted.sort_by_key(|trips| trips.in_all);
    Ok(counted[TURNS / 2])
}
