//! Embedding models behind core's port.

pub mod local;
pub mod recent;
pub mod remote;
