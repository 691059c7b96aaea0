//! For development only: what tests and benches stand on.
//!
//! - [`golden`] reads golden conversations
//! - [`postgres`] gives each test a throw-away database on a real server
//! - [`tidy`] holds the house rules

pub mod golden;
pub mod postgres;
pub mod tidy;
