//! Frontdesk: one server, library and command line on which a company runs assistants.
//!
//! - [`config`] reads settings, [`app`] opens everything they name
//! - [`desk`] accepts what people send and lets workers answer it
//! - [`reception`] is the desk as routes of assistants see it
//! - [`identity`] says who is asking, [`library`] what can be looked up
//! - [`cli`] and [`http`] are the doors; [`eval`] judges what comes through them

pub mod app;
pub mod audience;
pub mod card_words;
pub mod cli;
pub mod clock;
pub mod config;
pub mod desk;
pub mod eval;
pub mod http;
pub mod identity;
pub mod inbox;
pub mod library;
pub mod mail;
pub mod metrics;
pub mod price;
pub mod reception;
pub mod services;
pub mod telemetry;
pub mod trace;
