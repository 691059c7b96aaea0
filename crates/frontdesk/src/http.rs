//! The server's door: one listener, bounded in every direction, and every route behind it.

mod body;
mod caller;
mod error;
mod guard;
mod input;
mod page;
mod routes;
mod serving;
mod stream;
mod wire;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use frontdesk_core::persona::Persona;
use frontdesk_core::world::World;
use frontdesk_db::{Claims, Db, DbError};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::desk::Desk;
use crate::identity::Tokens;

pub use error::ApiError;
pub(crate) use serving::answer;
pub use serving::serve;

/// What every handler can reach.
#[derive(Clone)]
pub(crate) struct Shared {
    desk: Desk,
    db: Db,
    world: Arc<dyn World>,
    tokens: Arc<Tokens>,
    personas: Arc<[Persona]>,
    personas_allowed: bool,
    default_assistant: String,
    welcome: Arc<str>,
    /// Host names under which we answer.
    hosts: Arc<[String]>,
    /// Set when the server is about to end: streams say so and close.
    stopping: CancellationToken,
}

impl Shared {
    fn new(app: &App, stopping: CancellationToken) -> Self {
        Self {
            desk: app.desk.clone(),
            db: app.db.clone(),
            world: Arc::clone(&app.world),
            tokens: Arc::clone(&app.tokens),
            personas: app.personas.clone().into(),
            personas_allowed: app.config.personas_allowed(),
            default_assistant: app.default_assistant.clone(),
            welcome: page::render(app).into(),
            hosts: guard::hosts(&app.config).into(),
            stopping,
        }
    }
}

/// Every route there is.
fn router(shared: Shared, app: &App) -> Router {
    let assistants = app
        .routes
        .clone()
        .layer(from_fn_with_state(shared.clone(), caller::sign_in))
        .with_state(());
    let routes = Router::new()
        .route("/", get(page::welcome))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .nest("/api/v1", routes::api().merge(assistants))
        .fallback(|| async { ApiError::not_found("Resource") })
        .method_not_allowed_fallback(guard::method_not_allowed)
        .with_state(shared.clone())
        .merge(app.services.clone());
    guard::around(routes, shared)
}

async fn healthz() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Ready when the database answers and we are not about to end.
async fn readyz(State(shared): State<Shared>) -> (StatusCode, Json<Value>) {
    if shared.stopping.is_cancelled() {
        return not_ready("stopping");
    }
    let answered: Result<_, DbError> = shared
        .db
        .read(&Claims::none(), |tx| {
            Box::pin(async move { tx.row("SELECT 1 AS one", &[]).await })
        })
        .await;
    match answered {
        Ok(_) => (StatusCode::OK, Json(json!({ "status": "ready" }))),
        Err(error) => {
            tracing::warn!("not ready: {error}");
            not_ready("the database does not answer")
        }
    }
}

fn not_ready(why: &str) -> (StatusCode, Json<Value>) {
    let body = Json(json!({ "status": why }));
    (StatusCode::SERVICE_UNAVAILABLE, body)
}
