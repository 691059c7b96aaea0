//! `frontdesk call`: runs one tool with all checks that a model's call passes.

use clap::Args;
use frontdesk_core::event::Finished;
use frontdesk_core::grant::RefusalReason;
use serde_json::{Map, Value, json};

use super::remote;
use super::{DefaultPerson, Exit, Setup, print_json};

#[derive(Args)]
#[command(
    after_help = "Example:\n  frontdesk call ASSISTANT TOOL '{\"status\":\"pending\"}' --as PERSONA"
)]
pub(super) struct Call {
    /// Name of the assistant.
    assistant: String,
    /// Name of the tool.
    tool: String,
    /// Arguments as a JSON object.
    #[arg(default_value = "{}")]
    arguments: String,
    /// Demo persona to act as.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    /// Print the result, its summary and the files that the tool created as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Call {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let arguments: Map<String, Value> = match serde_json::from_str(&self.arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                eprintln!("frontdesk: the arguments are not a JSON object: {error}");
                return Ok(Exit::Usage);
            }
        };
        let connection = setup
            .connect(self.persona.as_deref(), DefaultPerson::For(&self.assistant))
            .await?;
        let (cards, finished) =
            remote::call(&connection.remote, &self.assistant, &self.tool, &arguments).await?;
        connection.close().await;
        if cards.is_empty() {
            return Ok(report(finished.as_ref(), self.json));
        }
        print_json(&json!({ "awaiting_approval": cards }))
    }
}

/// Prints the result to standard output, errors to standard error.
fn report(finished: Option<&Finished>, as_json: bool) -> Exit {
    match finished {
        Some(finished) if finished.ok && as_json => {
            let files = finished.files.iter().map(|file| {
                json!({ "id": file.id, "name": file.name, "media_type": file.media_type, "url": file.url() })
            });
            let output = json!({
                "result": finished.result,
                "summary": finished.summary,
                "files": files.collect::<Vec<_>>(),
            });
            println!("{output:#}");
            Exit::Done
        }
        Some(finished) if finished.ok => {
            println!("{:#}", finished.result);
            eprintln!("{}", finished.summary);
            Exit::Done
        }
        Some(finished) => {
            eprintln!("frontdesk: {}", finished.summary);
            match finished.refused {
                Some(RefusalReason::UnknownTool | RefusalReason::InvalidArguments) => Exit::Usage,
                Some(
                    RefusalReason::Role
                    | RefusalReason::Phase
                    | RefusalReason::Needs
                    | RefusalReason::Limit
                    | RefusalReason::Declined
                    | RefusalReason::Expired
                    | RefusalReason::CutOff
                    | RefusalReason::Stopped,
                ) => Exit::NotAllowed,
                None => Exit::Failed,
            }
        }
        None => {
            eprintln!("frontdesk: the tool did not run");
            Exit::Failed
        }
    }
}
