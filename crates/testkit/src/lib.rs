//! Development only: what tests and benchmarks of every crate share.

pub mod model_server;
