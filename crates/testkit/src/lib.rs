//! For development only: what tests and benches stand on.
//!
//! - [`clock`] is set and moved by a test
//! - [`golden`] reads golden conversations
//! - [`model_server`] speaks the OpenAI protocol on a real socket, as scripted
//! - [`postgres`] gives each test a throw-away database on a real server
//! - [`tidy`] holds the house rules
//! - [`weights`] finds the local embedding model

pub mod clock;
pub mod golden;
pub mod model_server;
pub mod postgres;
pub mod tidy;
pub mod weights;
