//! Adds a note. It is committed with the record of the call, so it is stored exactly once.

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::table::KEEP_NOTE;

pub struct AddNote;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The note, in the person's own words.
    #[schemars(length(min = 1, max = 500))]
    text: String,
}

#[derive(Serialize)]
pub struct SavedNote {
    text: String,
}

impl Tool for AddNote {
    const NAME: &'static str = "add_note";
    type Args = Args;
    type Output = SavedNote;

    fn spec() -> ToolSpec {
        ToolSpec::transactional("Write a note down for the person.")
            .title("Write a note")
            .target("text")
            .example(
                "note that the printer is broken",
                json!({ "text": "the printer is broken" }),
            )
            .example("write down: buy milk", json!({ "text": "buy milk" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<SavedNote, ToolError> {
        if args.text.trim().is_empty() {
            return Err(ToolError::invalid("text", "write something to note down"));
        }
        ctx.change(KEEP_NOTE, json!({ "text": args.text, "at": ctx.now() }));
        Ok(SavedNote { text: args.text })
    }

    fn summary(kept: &SavedNote) -> String {
        format!("Noted: {}", kept.text)
    }
}
