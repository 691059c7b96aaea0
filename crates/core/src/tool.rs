//! A typed function that a model may call, and what everyone else sees of it.

mod context;
mod error;
mod output;
mod schema;
mod spec;

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use context::{Drafts, ToolContext, ToolSetting};
pub use error::{ToolError, ToolErrorKind};
pub use output::{Change, Outbox, ProducedFile, Source, ToolOutput};
pub use schema::{parameters_of, without_handle_keywords};
pub use spec::{ApprovalRule, Effect, Example, Need, ToolDef, ToolSpec};

/// The summary of a tool that has no words of its own.
pub const NO_SUMMARY: &str = "Done.";

/// A tool is a struct that holds what it works with, its arguments, and a function.
///
/// The doc comments on `Args` are the descriptions in the schema: write them for the model.
pub trait Tool: Send + Sync + 'static {
    const NAME: &'static str;
    type Args: DeserializeOwned + JsonSchema + Send;
    type Output: Serialize + Send;

    fn spec() -> ToolSpec;

    fn call(
        &self,
        ctx: &ToolContext,
        args: Self::Args,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;

    /// The result in words, for people and for a model that cannot write.
    fn summary(output: &Self::Output) -> String {
        let _ = output;
        NO_SUMMARY.to_owned()
    }
}
