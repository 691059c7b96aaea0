//! The HTTP server: one listener with limits, and all routes.

mod body;
mod caller;
mod changes;
mod created;
mod error;
mod guard;
mod input;
mod markdown;
mod metrics_route;
mod openapi;
mod operations;
mod page;
mod reference;
mod reference_curl;
mod route;
mod routes;
mod serving;
mod stream;
mod trpc;
mod wire;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
use chrono::{DateTime, Utc};
use frontdesk_bundle::OwnRoute;
use frontdesk_store::Store;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::runtime::Runtime;
use route::{Route, Words};

pub(crate) use caller::LocalPerson;
pub use error::ApiError;
pub(crate) use page::escape;
pub(crate) use routes::usage::{UsageEntry, UsageResponse, UsageTotal};
pub use serving::serve;
pub(crate) use serving::{HttpServer, serve_connections};

/// The state of all handlers; cheap to clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<HttpState>);

impl Deref for AppState {
    type Target = HttpState;

    fn deref(&self) -> &HttpState {
        &self.0
    }
}

pub(crate) struct HttpState {
    app: Arc<App>,
    reference: reference::Reference,
    stream_limiter: Arc<stream::StreamLimiter>,
    /// Limits concurrent uploads, which are buffered in memory.
    uploads: Arc<Semaphore>,
    /// Accepted values of the `Host` header.
    hosts: Vec<String>,
    metrics_route: metrics_route::MetricsRoute,
    /// Cancelled on shutdown: streams send a last event and close.
    stopping: CancellationToken,
}

impl AppState {
    fn new(app: Arc<App>, stopping: CancellationToken) -> Self {
        Self(Arc::new(HttpState {
            reference: reference::Reference::with(own_words(&app)),
            stream_limiter: Arc::default(),
            uploads: Arc::new(Semaphore::new(routes::UPLOADS_AT_ONCE)),
            hosts: guard::hosts(&app.config),
            metrics_route: metrics_route::MetricsRoute::of(&app.config),
            stopping,
            app,
        }))
    }

    fn runtime(&self) -> &Runtime {
        &self.app.runtime
    }

    fn store(&self) -> &Store {
        self.app.runtime.store()
    }

    fn now(&self) -> DateTime<Utc> {
        self.app.env.now()
    }
}

fn routes() -> Vec<Route> {
    operations::routes()
        .into_iter()
        .chain(routes::api())
        .chain(trpc::routes())
        .collect()
}

/// Prefix of the routes of assistants and of the product.
const OWN: &str = "/api/v1";

fn own_words(app: &App) -> Vec<Words> {
    let words = |route: &OwnRoute| route.clone().in_words();
    app.routes.iter().map(words).collect()
}

/// The OpenAPI document of the product with all shipped assistants.
pub fn openapi() -> Value {
    document(&frontdesk_assistants::operations())
}

/// The OpenAPI document with these operations of assistants.
fn document(own: &[Words]) -> Value {
    let own = own.iter().map(|route| route.clone().under(OWN));
    let all: Vec<Words> = routes()
        .into_iter()
        .map(Route::in_words)
        .chain(own)
        .collect();
    openapi::document(&all)
}

/// All routes, for a client in this process.
pub(crate) fn in_process(app: &Arc<App>) -> Router {
    router(
        AppState::new(Arc::clone(app), CancellationToken::new()),
        app,
    )
}

fn router(state: AppState, app: &App) -> Router {
    let assistants = route::own_router(&app.routes)
        .layer(from_fn_with_state(state.clone(), caller::sign_in))
        .with_state(());
    let routes = route::router(routes())
        .nest(OWN, assistants)
        .merge(reference::router())
        .fallback(page::show)
        .method_not_allowed_fallback(guard::method_not_allowed)
        .with_state(state.clone())
        .merge(app.services.clone());
    guard::around(routes, state)
}
