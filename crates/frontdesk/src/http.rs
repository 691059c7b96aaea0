//! The server's door: one listener, bounded in every direction, and every route behind it.

mod body;
mod caller;
mod error;
mod guard;
mod input;
mod markdown;
mod openapi;
mod operations;
mod page;
mod reference;
mod route;
mod routes;
mod serving;
mod stream;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use frontdesk_core::artifact::ExportArtifact;
use frontdesk_core::persona::Persona;
use frontdesk_core::world::World;
use frontdesk_db::Db;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::desk::Desk;
use crate::identity::Tokens;
use route::Route;

pub use error::ApiError;
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
    reference: Arc<reference::Reference>,
    exports: Arc<BTreeMap<&'static str, ExportArtifact>>,
    /// Uploads are held in memory while they arrive.
    uploads: Arc<Semaphore>,
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
            reference: Arc::new(reference::Reference::of(&openapi())),
            exports: Arc::new(app.exports.clone()),
            uploads: Arc::new(Semaphore::new(routes::UPLOADS_AT_ONCE)),
            hosts: guard::hosts(&app.config).into(),
            stopping,
        }
    }
}

/// Every operation that the reference describes.
pub(crate) fn routes() -> Vec<Route> {
    operations::routes()
        .into_iter()
        .chain(routes::api())
        .collect()
}

/// The OpenAPI document.
pub fn openapi() -> Value {
    openapi::document(&routes())
}

/// Every route there is.
fn router(shared: Shared, services: Router) -> Router {
    let routes = route::router(routes())
        .merge(reference::router())
        .fallback(page::show)
        .method_not_allowed_fallback(guard::method_not_allowed)
        .with_state(shared.clone())
        .merge(services);
    guard::around(routes, shared)
}
