//! Tools: typed functions that a model may call.

mod card;
mod context;
mod error;
mod output;
mod schema;
mod spec;

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use card::{CardAction, CardField, CardValue, ObjectCard};
pub use context::{Drafts, ToolContext, ToolSetting};
pub use error::{ToolError, ToolErrorKind};
pub use output::{Change, Outbox, ProducedFile, Source, ToolOutput};
pub use schema::{parameters_of, without_handle_keywords};
pub use spec::{ApprovalRule, Effect, Example, Need, ToolDef, ToolSpec};

/// The summary of a tool that defines none.
pub const NO_SUMMARY: &str = "Done.";

/// A tool is a struct with its dependencies, its arguments and a function.
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

    /// The result in words, for people and for models that cannot write text.
    fn summary(output: &Self::Output) -> String {
        let _ = output;
        NO_SUMMARY.to_owned()
    }
}
