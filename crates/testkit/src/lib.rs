//! For development only: what tests and benches stand on.
//!
//! - [`golden`] reads golden conversations
//! - [`model_server`] speaks the OpenAI protocol on a real socket, as scripted
//! - [`postgres`] gives each test a throw-away database on a real server
//! - [`tidy`] holds the house rules

pub mod golden;
pub mod model_server;
pub mod postgres;
pub mod tidy;
