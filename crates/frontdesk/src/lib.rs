//! Frontdesk: one server, library and command line on which a company runs assistants.
//!
//! - [`config`] reads settings, [`app`] opens everything they name
//! - [`runtime`] accepts what people send and lets workers answer it
//! - [`conversation_api`] is the desk as routes of assistants see it
//! - [`identity`] says who is asking, [`knowledge_base`] what can be looked up
//! - [`cli`] and [`http`] are the doors; [`eval`] judges what comes through them

pub mod app;
pub mod cli;
pub mod config;
pub mod conversation_api;
pub mod eval;
pub mod http;
pub mod identity;
pub mod inbox;
pub mod knowledge_base;
pub mod live_turns;
pub mod mail;
pub mod metrics;
pub mod price;
pub mod runtime;
pub mod services;
pub mod system_env;
pub mod telemetry;
pub mod trace;
