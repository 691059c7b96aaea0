//! Retrieval for every assistant: texts become passages, passages become findable.
//!
//! - [`embed`] turns texts into vectors

pub mod embed;
