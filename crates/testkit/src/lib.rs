//! For development only: what tests and benches stand on.
//!
//! - [`golden`] reads golden conversations
//! - [`postgres`] gives each test a throw-away database on a real server

pub mod golden;
pub mod postgres;
