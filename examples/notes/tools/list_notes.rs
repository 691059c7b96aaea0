//! Reads the person's notes.

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::table::{Note, Notes};

pub struct ListNotes {
    pub notes: Notes,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only notes that contain this text.
    #[serde(default)]
    containing: Option<String>,
}

impl Tool for ListNotes {
    const NAME: &'static str = "list_notes";
    type Args = Args;
    type Output = Vec<Note>;

    fn spec() -> ToolSpec {
        ToolSpec::read("List the notes of the person, newest first.")
            .title("Show my notes")
            .example("show my notes", json!({}))
            .example(
                "what did I note about \"printer\"?",
                json!({ "containing": "printer" }),
            )
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Vec<Note>, ToolError> {
        let containing = args.containing.unwrap_or_default();
        self.notes
            .list(ctx.principal(), &containing)
            .await
            .map_err(ToolError::failed)
    }

    fn summary(notes: &Vec<Note>) -> String {
        if notes.is_empty() {
            return "You have no such notes.".to_owned();
        }
        let lines: Vec<String> = notes
            .iter()
            .map(|note| format!("• {}", note.text))
            .collect();
        lines.join("\n")
    }
}
