//! OpenAPI documents: proposes an assistant over the operations of one, and finds operations that
//! changed since.

mod document;
mod drift;
mod identity;
mod infer;
mod names;
mod operations;
mod parameters;
mod propose;
mod schema;
mod security;
mod tool;
mod twins;
mod words;

pub use document::{Document, DocumentError};
pub use drift::drift;
pub(crate) use infer::{base_form, is_grave};
pub(crate) use names::{Names, valid as valid_name};
pub use operations::LeftOut;
pub(crate) use parameters::schema_parameters;
pub use propose::{Group, ProposeError, Request, Selection, propose};
pub(crate) use twins::twins;
pub(crate) use words::{capitalised, plain_text, shortened, words};
