//! The Gate Pass API: HR creates passes for people who leave the site, admins decide,
//! guards record exit and return.
//!
//! It is a separate system with its own tables and its own OpenAPI document; the gatepass
//! assistant knows only its address.
//!
//! - `pass`: the rules, pure. `decide` is the whole state machine.
//! - `routes`: every route in one table; the guard in front of each checks token and role.
//! - `changes`, `idempotency`: changes of a pass, in one transaction with the idempotency
//!   key.
//! - `tables`: SQL. `views`: JSON representations.
//! - `photo`: validation and storage of pictures. `print`, `qr`: the pass on paper.

mod auth;
mod changes;
mod demo;
mod error;
mod extractors;
mod fields;
mod idempotency;
mod pass;
mod photo;
mod print;
mod qr;
mod routes;
mod service;
mod settings;
mod tables;
mod views;

pub use auth::{AUDIENCE, Role};
pub use demo::{DemoError, seed_demo};
pub use frontdesk_print::{Fonts, ScriptCoverage};
pub use photo::{Bucket, Photos, StoreError};
pub use routes::{OPENAPI, router};
pub use service::{Clock, GatePass};
pub use settings::{MAX_FILE_SIZE, Settings, SettingsError};
pub use tables::MIGRATIONS;

#[cfg(test)]
mod qr_tests;
