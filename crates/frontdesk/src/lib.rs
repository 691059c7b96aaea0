//! Frontdesk: one server, library and command line on which a company runs assistants.
//!
//! - [`config`] reads the settings, [`app`] opens the application
//! - [`runtime`] accepts messages and runs workers that answer them
//! - [`conversation_api`] is the runtime's API for routes of assistants
//! - [`installed`] holds the assistants; [`manifests`] loads those without code, again and again
//! - [`brand`] is the name and look of the installation
//! - [`people_seen`] and [`reach`] tell the operator who is here and which systems answer
//! - [`identity`] authenticates callers, [`knowledge_base`] searches documents
//! - [`cli`] and [`http`] are the interfaces; [`eval`] evaluates models and the product

pub mod app;
pub mod brand;
pub mod card_words;
pub mod cli;
pub mod config;
pub mod conversation_api;
pub mod eval;
pub mod http;
pub mod identity;
pub mod inbox;
pub mod inbox_mail;
pub mod installed;
pub mod knowledge_base;
pub mod live_turns;
pub mod mail;
pub mod manifests;
pub mod metrics;
pub mod outgoing;
pub mod people_seen;
pub mod price;
pub mod reach;
pub mod runtime;
pub mod services;
pub mod system_env;
pub mod telemetry;
pub mod text_search;
pub mod trace;
