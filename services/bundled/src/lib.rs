//! The back-end services that come with the product. One line in [`all`] makes one part of
//! it; the product mounts each at `/services/{name}` and knows nothing else about it.

mod gatepass;
mod values;

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use frontdesk_core::setting::Setting;
use frontdesk_core::world::World;
use frontdesk_db::{Db, MigrationSet};
use secrecy::SecretString;

pub use values::Values;

/// The settings that they declare.
pub const SETTINGS: &[Setting] = gatepass::SETTINGS;

/// What a service is built from.
#[derive(Clone)]
pub struct Surroundings {
    pub db: Db,
    /// Where it may keep files.
    pub folder: PathBuf,
    /// Signs the tokens that it accepts.
    pub token_secret: SecretString,
    pub token_issuer: String,
    /// Where people reach the product.
    pub public_url: String,
    pub world: Arc<dyn World>,
    /// Its own settings and those of the assistants.
    pub settings: Values,
}

pub struct Service {
    pub name: &'static str,
    pub migrations: MigrationSet,
    pub build: fn(&Surroundings) -> anyhow::Result<Built>,
}

/// A service that is ready to be mounted.
pub struct Built {
    pub router: Router,
    /// Fills empty tables with demo data.
    pub seed: Seed,
    /// What an operator should know about it, in a sentence; looked up when asked for.
    pub report: Report,
}

pub type Seed = Box<dyn FnOnce() -> Seeding + Send>;
pub type Seeding = std::pin::Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send>>;
pub type Report = Box<dyn Fn() -> String + Send + Sync>;

pub fn all() -> Vec<Service> {
    vec![gatepass::service()]
}
