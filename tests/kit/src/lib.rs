//! Support for tests and benchmarks; not part of the product.
//!
//! - [`clock`] is a clock under the control of a test
//! - [`golden`] parses golden conversations
//! - [`model_server`] is a scripted OpenAI-compatible server on a real socket
//! - [`postgres`] creates a temporary database per test on a real server
//! - [`tidy`] checks the house rules
//! - [`UnavailableApi`] stands in for the conversation API
//! - [`weights`] finds the local embedding model

pub mod clock;
pub mod golden;
pub mod model_server;
pub mod postgres;
pub mod tidy;
mod unavailable_api;
pub mod weights;

pub use unavailable_api::UnavailableApi;
