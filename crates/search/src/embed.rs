//! Embedding models behind core's port.

pub mod local;
pub mod remote;
