//! The connection loop: header timeouts, a connection limit, and a bounded drain. While it drains,
//! new requests get 503.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;

use super::{AppState, metrics_route};
use crate::app::App;
use crate::config::HttpTimeouts;
use crate::metrics::{Limit, Metrics};
use crate::{inbox_mail, manifests};

const MAX_HEADERS: usize = 100;
/// Read buffer limit. hyper checks it after a read, so a request head is at most twice this size.
const MAX_HEADER_BYTES: usize = 32 * 1024;
/// Time for connections and workers to finish after the stop signal.
const DRAIN: Duration = Duration::from_secs(5);
/// Time for closing the database afterwards; an unreachable one must not block the exit.
const CLOSE: Duration = Duration::from_secs(5);
/// Time limit for flushing traces on shutdown.
const LAST_TRACES: Duration = Duration::from_secs(1);

/// Serves until `stop` resolves, then drains and closes.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    app.config.check_serving(listener.local_addr()?)?;
    let stopping = CancellationToken::new();
    let app = Arc::new(app);
    let state = AppState::new(Arc::clone(&app), stopping.clone());
    if let Some(address) = app.config.server.metrics_bind {
        let listener = TcpListener::bind(address).await.with_context(|| {
            format!("setting `server.metrics_bind`: cannot listen on {address}")
        })?;
        tokio::spawn(metrics_route::serve_apart(
            listener,
            state.clone(),
            stopping.clone(),
        ));
    }
    let router = super::router(state, &app);
    let (runtime, until) = (app.runtime.clone(), stopping.clone());
    tokio::spawn(async move {
        until
            .run_until_cancelled(runtime.keep_looking_around())
            .await;
    });
    tokio::spawn(manifests::follow(Arc::clone(&app), stopping.clone()));
    tokio::spawn(inbox_mail::follow(Arc::clone(&app), stopping.clone()));
    let workers = async {
        if !app.runtime.drain(DRAIN).await {
            tracing::info!("some turns will continue on another node or at the next start");
        }
    };
    let http_server = HttpServer {
        router,
        listener,
        connections: app.config.limits.connections as usize,
        timeouts: app.config.limits.timeouts,
        metrics: Arc::clone(app.runtime.metrics()),
    };
    let refusing = serve_connections(http_server, stop, &stopping, workers).await;
    app.runtime.tracer().flush(LAST_TRACES).await;
    if tokio::time::timeout(CLOSE, app.db.clone().close())
        .await
        .is_err()
    {
        tracing::warn!("the database did not close in time");
    }
    refusing.abort();
    Ok(())
}

pub(crate) struct HttpServer {
    pub(crate) router: Router,
    pub(crate) listener: TcpListener,
    pub(crate) connections: usize,
    pub(crate) timeouts: HttpTimeouts,
    pub(crate) metrics: Arc<Metrics>,
}

/// Serves connections until `stop` resolves, then cancels `stopping` and drains together with
/// `meanwhile`. The returned task refuses new requests until it is aborted.
pub(crate) async fn serve_connections(
    http_server: HttpServer,
    stop: impl Future<Output = ()>,
    stopping: &CancellationToken,
    meanwhile: impl Future<Output = ()>,
) -> JoinHandle<()> {
    let HttpServer {
        router,
        listener,
        connections: at_most,
        timeouts,
        metrics,
    } = http_server;
    let graceful = GracefulShutdown::new();
    let slots = Arc::new(Semaphore::new(at_most));
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Usually out of file descriptors: wait until some are closed.
                tracing::warn!("could not accept a connection: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Events are small and must not be delayed by Nagle's algorithm. Failure means that the
        // socket is closed.
        stream.set_nodelay(true).ok();
        let metrics = Arc::clone(&metrics);
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            metrics.limit_hit(Limit::Connections);
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let stream = with_write_timeout(stream, timeouts.reader);
        let connection = connections(timeouts).serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _present = metrics.connection();
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
            drop(slot);
        });
    }
    stopping.cancel();
    let refusing = tokio::spawn(refuse_new(listener, router, slots, timeouts));
    let connections = tokio::time::timeout(DRAIN, graceful.shutdown());
    let (connections, ()) = tokio::join!(connections, meanwhile);
    if connections.is_err() {
        tracing::info!("some connections were still open");
    }
    refusing
}

fn connections(timeouts: HttpTimeouts) -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(timeouts.headers)
        .max_headers(MAX_HEADERS)
        .max_buf_size(MAX_HEADER_BYTES);
    builder
}

type TimedStream = Pin<Box<TimeoutStream<TcpStream>>>;

/// Closes the connection of a client that has stopped reading: writes must make progress.
fn with_write_timeout(stream: TcpStream, timeout: Duration) -> TimedStream {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(timeout));
    Box::pin(stream)
}

/// Serves connections during the drain, one request each; routes answer that the server stops.
async fn refuse_new(
    listener: TcpListener,
    router: Router,
    slots: Arc<Semaphore>,
    timeouts: HttpTimeouts,
) {
    while let Ok((stream, _)) = listener.accept().await {
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else {
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        let stream = with_write_timeout(stream, timeouts.reader);
        let connection = connections(timeouts)
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

#[cfg(test)]
#[path = "serving_tests.rs"]
mod serving_tests;
