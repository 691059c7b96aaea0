//! The server's door: one listener, bounded in every direction, and every route behind it.

mod body;
mod caller;
mod changes;
mod created;
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
mod trpc;
mod wire;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use frontdesk_bundle::{OwnRoute, Procedure};
use frontdesk_core::artifact::{EditArtifact, ExportArtifact};
use frontdesk_core::persona::Persona;
use frontdesk_core::world::World;
use frontdesk_db::Db;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::desk::Desk;
use crate::identity::{SignInClient, Tokens};
use crate::inbox::InboxSources;
use crate::library::Library;
use crate::mail::Mailer;
use crate::price::Prices;
use route::{Route, Words};

pub use error::ApiError;
pub(crate) use routes::records::{UsageEntry, UsageResponse, UsageTotal};
pub use serving::serve;
pub(crate) use serving::{Door, answer};

/// What every handler can reach. Each layer around a route has its own handle on it.
#[derive(Clone)]
pub(crate) struct Shared(Arc<House>);

impl Deref for Shared {
    type Target = House;

    fn deref(&self) -> &House {
        &self.0
    }
}

pub(crate) struct House {
    desk: Desk,
    library: Arc<Library>,
    db: Db,
    world: Arc<dyn World>,
    tokens: Arc<Tokens>,
    /// Where people sign in from the page, if an issuer lets them.
    sign_in: Option<Arc<SignInClient>>,
    personas: Arc<[Persona]>,
    personas_allowed: bool,
    default_assistant: String,
    welcome: Arc<str>,
    /// Who follows what concerns them.
    seats: Arc<stream::Seats>,
    reference: reference::Reference,
    exports: Arc<BTreeMap<&'static str, ExportArtifact>>,
    edits: Arc<BTreeMap<&'static str, EditArtifact>>,
    inbox: InboxSources,
    /// Sends invitations, where that is set up.
    mailer: Option<Arc<Mailer>>,
    /// Where people reach us.
    public_url: Arc<str>,
    /// A body must arrive within this time.
    body_time: Duration,
    /// What clients that speak tRPC may call, by name.
    procedures: Arc<BTreeMap<&'static str, Procedure>>,
    /// Uploads are held in memory while they arrive.
    uploads: Arc<Semaphore>,
    /// Host names under which we answer.
    hosts: Arc<[String]>,
    /// Limits as they are set, and whether figures are told at our own address.
    figures: figures::Figures,
    /// Requests to the model that were made again.
    model_retries: Arc<AtomicU64>,
    prices: Prices,
    data_dir: Arc<Path>,
    /// Set when the server is about to end: streams say so and close.
    stopping: CancellationToken,
}

impl Shared {
    fn new(app: &App, stopping: CancellationToken) -> Self {
        Self(Arc::new(House {
            desk: app.desk.clone(),
            library: Arc::clone(&app.library),
            db: app.db.clone(),
            world: Arc::clone(&app.world),
            tokens: Arc::clone(&app.tokens),
            sign_in: app.sign_in.clone(),
            personas: app.personas.clone().into(),
            personas_allowed: app.config.personas_allowed(),
            default_assistant: app.default_assistant.clone(),
            welcome: page::render(app).into(),
            reference: reference::Reference::with(own_words(app)),
            exports: Arc::new(app.exports.clone()),
            edits: Arc::new(app.edits.clone()),
            inbox: app.inbox.clone(),
            mailer: app.mailer.clone(),
            public_url: app.config.server.public_url.as_str().into(),
            body_time: app.config.limits.patience.body,
            procedures: Arc::new(app.procedures.clone()),
            uploads: Arc::new(Semaphore::new(routes::UPLOADS_AT_ONCE)),
            hosts: guard::hosts(&app.config).into(),
            figures: figures::Figures::of(&app.config),
            model_retries: Arc::clone(&app.model_retries),
            prices: app.config.model.prices,
            data_dir: app.config.data_dir.as_path().into(),
            seats: Arc::default(),
            stopping,
        }))
    }
}

/// Every operation of the product itself.
fn routes() -> Vec<Route> {
    operations::routes()
        .into_iter()
        .chain(routes::api())
        .chain(trpc::routes())
        .collect()
}

/// What assistants bring is below the same beginning as what the product has.
const OWN: &str = "/api/v1";

fn own_words(app: &App) -> Vec<Words> {
    let words = |route: &OwnRoute| route.clone().in_words();
    app.routes.iter().map(words).collect()
}

/// The OpenAPI document of the product with everything that ships.
pub fn openapi() -> Value {
    document(&frontdesk_assistants::operations())
}

/// The same with these operations of assistants.
fn document(own: &[Words]) -> Value {
    let own = own.iter().map(|route| route.clone().under(OWN));
    let all: Vec<Words> = routes()
        .into_iter()
        .map(Route::in_words)
        .chain(own)
        .collect();
    openapi::document(&all)
}

/// Every route there is.
fn router(shared: Shared, app: &App) -> Router {
    let assistants = route::own_router(&app.routes)
        .layer(from_fn_with_state(shared.clone(), caller::sign_in))
        .with_state(());
    let routes = route::router(routes())
        .nest(OWN, assistants)
        .merge(reference::router())
        .fallback(page::show)
        .method_not_allowed_fallback(guard::method_not_allowed)
        .with_state(shared.clone())
        .merge(app.services.clone());
    guard::around(routes, shared)
}
