//! The built-in model without a language model: it reads, asks and proposes, but never writes.

mod catalog;
mod context;
mod decide;
mod dialogue;
mod extract;
mod intent;
mod language;
mod lists;
mod model;
mod routing;
mod say;
mod schema;
mod short_reply;
mod text;

pub use language::Language;
pub use model::{MODEL_NAME, OfflineModel};
pub use routing::{Destination, Router};
pub use short_reply::ShortReply;
