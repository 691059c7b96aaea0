//! Embedding models behind core's port.

pub mod local;
