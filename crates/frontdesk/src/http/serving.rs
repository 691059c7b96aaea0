//! The connection loop: header timeouts, a limit on connections, and a drain that ends. While
//! it drains, newcomers are told that we are not ready, and to come back.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::app::App;

/// A client that does not finish its headers in this time is cut off.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_HEADERS: usize = 100;
const MAX_HEADER_BYTES: usize = 64 * 1024;
const MAX_CONNECTIONS: usize = 12_000;
/// After the signal to stop, connections and workers have this long.
const DRAIN: Duration = Duration::from_secs(5);

/// Serves until `stop` resolves, then drains and closes.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let stopping = CancellationToken::new();
    let router = super::router(Shared::new(&app, stopping.clone()), app.services.clone());
    let graceful = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let looking = {
        let desk = app.desk.clone();
        tokio::spawn(async move { desk.keep_looking_around().await })
    };
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, most likely: let some close.
                tracing::warn!("could not accept a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = connections().serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
            drop(slot);
        });
    }
    stopping.cancel();
    looking.abort();
    let newcomers = tokio::spawn(turn_away(listener, router, slots));
    let connections = tokio::time::timeout(DRAIN, graceful.shutdown());
    let (connections, workers) = tokio::join!(connections, app.desk.drain(DRAIN));
    if connections.is_err() {
        tracing::info!("some connections were still open");
    }
    if !workers {
        tracing::info!("some turns go on elsewhere, or at the next start");
    }
    app.db.close().await;
    newcomers.abort();
    Ok(())
}

fn connections() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEADER_BYTES);
    builder
}

/// Answers those who come while we drain: one request each, and every route knows that we stop.
async fn turn_away(listener: TcpListener, router: Router, slots: Arc<Semaphore>) {
    while let Ok((stream, _)) = listener.accept().await {
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = connections()
            .keep_alive(false)
            .serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
            drop(slot);
        });
    }
}
