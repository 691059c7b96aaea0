//! Test support: virtual time, an in-memory store, a scripted model, tools that misbehave on
//! request, and one checker.

pub(crate) mod chance;
pub(crate) mod env;
pub(crate) mod history;
pub(crate) mod lab;
pub(crate) mod model;
pub(crate) mod promises;
pub(crate) mod render;
pub(crate) mod runtime;
pub(crate) mod state;
pub(crate) mod steer;
pub(crate) mod store;
pub(crate) mod watch;
