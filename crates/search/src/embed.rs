//! Embedding models behind core's port.

pub mod local;
pub mod query_cache;
pub mod remote;
