//! Retrieval for every assistant: indexes documents as passages and searches them.
//!
//! - [`ingest`] finds documents, [`egress`] fetches pages, [`extract`] reads them
//! - [`chunk`] splits them, [`tokens`] counts tokens, [`embed`] computes vectors
//! - [`index`] stores passages: [`index::embedded`] in a file, [`index::qdrant`] for scale
//! - [`retrieval`] implements core's port; [`hybrid`] fuses rankings, `relevance` scores hits,
//!   [`eval`] measures quality

pub mod chunk;
pub mod egress;
pub mod embed;
pub mod eval;
pub mod extract;
pub mod hybrid;
pub mod index;
pub mod ingest;
pub mod json_client;
mod language;
mod relevance;
pub mod retrieval;
pub mod tokens;
