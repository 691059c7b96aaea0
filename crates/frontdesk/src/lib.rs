//! Frontdesk: one server, library and command line on which a company runs assistants.
//!
//! - [`config`] reads settings, [`app`] opens everything they name
//! - [`desk`] accepts what people send and lets workers answer it
//! - [`identity`] says who is asking, [`library`] what can be looked up
//! - [`cli`] and [`http`] are the doors

pub mod app;
pub mod audience;
pub mod cli;
pub mod clock;
pub mod config;
pub mod desk;
pub mod http;
pub mod identity;
pub mod library;
pub mod mail;
pub mod metrics;
pub mod services;
pub mod telemetry;
