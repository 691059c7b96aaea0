//! `frontdesk call`: one tool, through every check that a model's call passes.

use anyhow::Context;
use clap::Args;
use frontdesk_core::event::{Event, Finished};
use frontdesk_core::outcome::TurnState;
use frontdesk_core::store::TurnViews;
use serde_json::{Map, Value, json};

use super::ask::{Asker, Decide, Show};
use super::{Exit, Setup, act_as};
use crate::desk::NewTalk;

#[derive(Args)]
#[command(
    after_help = "Example:\n  frontdesk call ASSISTANT TOOL '{\"status\":\"pending\"}' --as PERSONA"
)]
pub(super) struct Call {
    /// Name of the assistant.
    assistant: String,
    /// Name of the tool.
    tool: String,
    /// Its arguments as a JSON object.
    #[arg(default_value = "{}")]
    arguments: String,
    /// Demo person to be.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
}

impl Call {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let arguments: Map<String, Value> =
            serde_json::from_str(&self.arguments).context("the arguments are not a JSON object")?;
        let app = setup.open().await?;
        let who = act_as(&app, self.persona.as_deref(), &self.assistant).await?;
        let new = NewTalk {
            assistant: self.assistant.clone(),
            title: Some(format!("/{}", self.tool)),
            ..NewTalk::default()
        };
        let conversation = app.desk.start_conversation(&who, new).await?;
        let started = app
            .desk
            .fill_form(&who, conversation.id, &self.tool, arguments)
            .await?;
        let asker = Asker {
            app: &app,
            who: &who,
            show: Show::Nothing,
            decide: Decide::Leave,
        };
        let status = asker.follow(conversation.id, started).await?;
        let entries = app
            .desk
            .store()
            .entries(&who, conversation.id, status.id, 0)
            .await?;
        app.close().await;
        if status.state == TurnState::AwaitingApproval {
            let cards = json!({ "awaiting_approval": status.approvals });
            println!("{}", serde_json::to_string_pretty(&cards)?);
            return Ok(Exit::Done);
        }
        let finished = entries.iter().find_map(|entry| {
            let Event::ToolFinished(finished) = &entry.event else {
                return None;
            };
            Some(finished)
        });
        Ok(report(finished))
    }
}

/// The result on standard output, or what was wrong on standard error.
fn report(finished: Option<&Finished>) -> Exit {
    match finished {
        Some(finished) if finished.ok => {
            println!("{:#}", finished.result);
            eprintln!("{}", finished.summary);
            Exit::Done
        }
        Some(finished) => {
            eprintln!("frontdesk: {}", finished.summary);
            match finished.refused {
                Some(_) => Exit::NotAllowed,
                None => Exit::Failed,
            }
        }
        None => {
            eprintln!("frontdesk: the tool did not run");
            Exit::Failed
        }
    }
}
