//! OpenAPI documents: proposes an assistant over the operations of one, and finds operations that
//! changed since.

mod document;
mod drift;
mod identity;
mod infer;
mod operations;
mod parameters;
mod propose;
mod schema;
mod security;
mod tool;
mod words;

pub use document::{Document, DocumentError};
pub(crate) use drift::differences;
pub use drift::drift;
pub use infer::Inference;
pub(crate) use infer::grave_word;
pub use operations::{Group, LeftOut};
pub(crate) use parameters::{Parameters, schema_parameters};
pub use propose::{ProposeError, Request, Selection, propose};
pub(crate) use words::{
    capitalised, free_name, label, plain_text, shortened, twins, valid_name, words,
};
