//! Retrieval for every assistant: documents are taken in, cut into passages, and found again.
//!
//! - [`ingest`] finds documents, [`egress`] fetches pages, [`extract`] reads them
//! - [`chunk`] cuts them, [`tokens`] counts, [`embed`] turns passages into vectors
//! - [`index`] keeps passages: [`index::embedded`] in a file, [`index::qdrant`] for scale
//! - [`retrieval`] answers core's port; [`hybrid`] joins meaning and words, [`rerank`] looks
//!   twice; [`eval`] tells how good it is

pub mod chunk;
pub mod egress;
pub mod embed;
pub mod eval;
pub mod extract;
pub mod hybrid;
pub mod index;
pub mod ingest;
mod language;
pub mod rerank;
pub mod retrieval;
pub mod tokens;
pub mod wire;
