//! The back-end services bundled with the product. [`all`] lists them; the product mounts
//! each at `/services/{name}` and has no other knowledge of it.

mod gatepass;
mod values;

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use frontdesk_core::env::Env;
use frontdesk_core::setting::Setting;
use frontdesk_db::{Db, MigrationSet};
use secrecy::SecretString;

pub use values::Values;

/// The settings of all services.
pub const SETTINGS: &[Setting] = gatepass::SETTINGS;

/// The inputs for building a service.
#[derive(Clone)]
pub struct ServiceContext {
    pub db: Db,
    /// The service's folder for files.
    pub folder: PathBuf,
    /// Signs the tokens that the service accepts.
    pub token_secret: SecretString,
    pub token_issuer: String,
    /// The public address of the product.
    pub public_url: String,
    pub env: Arc<dyn Env>,
    /// The settings of the services and of the assistants.
    pub settings: Values,
}

pub struct Service {
    pub name: &'static str,
    pub migrations: MigrationSet,
    pub build: fn(&ServiceContext) -> anyhow::Result<MountableService>,
}

/// A service that is ready to be mounted.
pub struct MountableService {
    pub router: Router,
    /// Fills empty tables with demo data.
    pub seed: Seed,
    /// A sentence about the service's state for the operator; computed on demand.
    pub report: StatusReport,
}

pub type Seed = Box<dyn FnOnce() -> Seeding + Send>;
pub type Seeding = std::pin::Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send>>;
pub type StatusReport = Box<dyn Fn() -> String + Send + Sync>;

pub fn all() -> Vec<Service> {
    vec![gatepass::service()]
}
