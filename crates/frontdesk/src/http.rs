//! The server's door: one listener, bounded in every direction, and every route behind it.

mod body;
mod caller;
mod changes;
mod error;
mod figures;
mod guard;
mod input;
mod markdown;
mod openapi;
mod operations;
mod page;
mod patience;
mod reference;
mod route;
mod routes;
mod serving;
mod stream;
mod wire;

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::middleware::from_fn_with_state;
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
use crate::library::Library;
use crate::mail::Mailer;
use route::Route;

pub use error::ApiError;
pub use serving::serve;
pub(crate) use serving::{Door, answer};

/// What every handler can reach.
#[derive(Clone)]
pub(crate) struct Shared {
    desk: Desk,
    library: Arc<Library>,
    db: Db,
    world: Arc<dyn World>,
    tokens: Arc<Tokens>,
    personas: Arc<[Persona]>,
    personas_allowed: bool,
    default_assistant: String,
    welcome: Arc<str>,
    /// Who follows what concerns them.
    seats: Arc<stream::Seats>,
    reference: Arc<reference::Reference>,
    exports: Arc<BTreeMap<&'static str, ExportArtifact>>,
    /// Sends invitations, where that is set up.
    mailer: Option<Arc<Mailer>>,
    /// Where people reach us.
    public_url: Arc<str>,
    /// Uploads are held in memory while they arrive.
    uploads: Arc<Semaphore>,
    /// Host names under which we answer.
    hosts: Arc<[String]>,
    /// Limits as they are set, and whether figures are told at our own address.
    figures: figures::Figures,
    /// Set when the server is about to end: streams say so and close.
    stopping: CancellationToken,
}

impl Shared {
    fn new(app: &App, stopping: CancellationToken) -> Self {
        Self {
            desk: app.desk.clone(),
            library: Arc::clone(&app.library),
            db: app.db.clone(),
            world: Arc::clone(&app.world),
            tokens: Arc::clone(&app.tokens),
            personas: app.personas.clone().into(),
            personas_allowed: app.config.personas_allowed(),
            default_assistant: app.default_assistant.clone(),
            welcome: page::render(app).into(),
            reference: Arc::new(reference::Reference::of(&openapi())),
            exports: Arc::new(app.exports.clone()),
            mailer: app.mailer.clone(),
            public_url: app.config.server.public_url.as_str().into(),
            uploads: Arc::new(Semaphore::new(routes::UPLOADS_AT_ONCE)),
            hosts: guard::hosts(&app.config).into(),
            figures: figures::Figures::of(&app.config),
            seats: Arc::default(),
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
fn router(shared: Shared, app: &App) -> Router {
    let assistants = app
        .routes
        .clone()
        .layer(from_fn_with_state(shared.clone(), caller::sign_in))
        .with_state(());
    let routes = route::router(routes())
        .nest("/api/v1", assistants)
        .merge(reference::router())
        .fallback(page::show)
        .method_not_allowed_fallback(guard::method_not_allowed)
        .with_state(shared.clone())
        .merge(app.services.clone());
    guard::around(routes, shared)
}
