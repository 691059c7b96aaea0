//! `frontdesk chat`: an interactive conversation, or one message for a script.

pub(super) mod files;
pub(super) mod form;
mod later;
mod lines;
mod local_chat;
mod response;
mod welcome;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{AttachmentId, ConversationId};
use frontdesk_core::outcome::{Outcome, TurnState};
use frontdesk_core::store::Conversations;

use super::ask::{Asker, Decide, Show};
use super::remote::{self, Remote};
use super::{Exit, Place, Setup, act_as};
use crate::app::App;
use crate::runtime::{NewConversationRequest, RuntimeError, Saying, Upload};
pub(super) use later::Later;
pub(super) use lines::{Lines, Typed, answer_to};
use local_chat::LocalChat;
pub(super) use local_chat::{HELP, spoken_of};
pub(super) use response::{AgentResponse, TurnSummary, cited};
pub(super) use welcome::Welcome;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  frontdesk chat ASSISTANT --as PERSONA\n  frontdesk chat ASSISTANT --as PERSONA -m \"What can you do?\" --json"
)]
pub(super) struct Chat {
    /// Name of the assistant.
    assistant: String,
    /// Demo persona to act as.
    #[arg(long = "as", value_name = "PERSONA")]
    persona: Option<String>,
    /// Send this message, print the answer and exit.
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Continue this conversation.
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
    /// Attach a file to the first message. Can be repeated.
    #[arg(long, value_name = "FILE")]
    attach: Vec<PathBuf>,
    /// With -m: print the answer as one JSON object.
    #[arg(long, requires = "message")]
    json: bool,
}

impl Chat {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = match setup
            .place(self.persona.as_deref(), Some(&self.assistant))
            .await?
        {
            Place::Here(app) => app,
            Place::There { remote, data_dir } => {
                return self.there(&remote, &data_dir, self.later(&setup)).await;
            }
        };
        let who = act_as(&app, self.persona.as_deref(), &self.assistant).await?;
        let exit = match &self.message {
            Some(message) => self.once(&app, &who, message).await,
            None => {
                let conversation = self.conversation(&app, &who).await?;
                let attachments = self.attach_files(&app, &who, &conversation).await?;
                let later = self.later(&setup);
                LocalChat::start(&app, who.clone(), conversation, attachments, later)?
                    .run()
                    .await
            }
        };
        app.close().await;
        exit
    }

    fn later(&self, setup: &Setup) -> Later {
        Later {
            command: setup.command(),
            persona: self.persona.clone(),
        }
    }

    async fn there(&self, remote: &Remote, data_dir: &Path, later: Later) -> anyhow::Result<Exit> {
        let saying = remote::Saying {
            assistant: &self.assistant,
            conversation: self.conversation.map(|id| id.to_string()),
            attach: &self.attach,
        };
        match &self.message {
            Some(message) => remote::chat_once(remote, saying, message, self.json).await,
            None => remote::remote_chat(remote, saying, Lines::open(data_dir)?, later).await,
        }
    }

    async fn once(&self, app: &App, who: &Principal, message: &str) -> anyhow::Result<Exit> {
        let conversation = self.conversation(app, who).await?;
        let attachments = self.attach_files(app, who, &conversation).await?;
        let asker = Asker {
            app,
            who,
            show: if self.json { Show::Nothing } else { Show::All },
            decide: Decide::Leave,
        };
        let saying = Saying {
            content: message.to_owned(),
            attachments,
            ..Saying::default()
        };
        let started = app.runtime.say(who, conversation.id, saying).await?;
        let status = asker.follow(conversation.id, started).await?;
        if self.json {
            let response = response::agent_response(app, who, &conversation, &status).await?;
            println!("{}", serde_json::to_string_pretty(&response)?);
        } else {
            eprintln!("conversation {}", conversation.id);
        }
        Ok(match (&status.outcome, status.state) {
            (Some(Outcome::ModelFailed { .. }), _) => Exit::ModelFailed,
            (_, TurnState::Failed | TurnState::Interrupted) => Exit::Failed,
            (
                _,
                TurnState::Running
                | TurnState::AwaitingApproval
                | TurnState::Completed
                | TurnState::Cancelled,
            ) => Exit::Done,
        })
    }

    async fn conversation(&self, app: &App, who: &Principal) -> anyhow::Result<Conversation> {
        let Some(id) = self.conversation else {
            let new = NewConversationRequest {
                assistant: self.assistant.clone(),
                ..NewConversationRequest::default()
            };
            return Ok(app.runtime.start_conversation(who, new).await?);
        };
        let found = app
            .runtime
            .store()
            .get(who, id)
            .await
            .map_err(RuntimeError::from)?;
        if found.assistant != self.assistant {
            bail!(
                "conversation {id} is with {}, not {}",
                found.assistant,
                self.assistant
            );
        }
        Ok(found)
    }

    async fn attach_files(
        &self,
        app: &App,
        who: &Principal,
        conversation: &Conversation,
    ) -> anyhow::Result<Vec<AttachmentId>> {
        let mut ids = Vec::new();
        for path in &self.attach {
            ids.push(attach(app, who, conversation.id, path).await?);
        }
        Ok(ids)
    }
}

async fn attach(
    app: &App,
    who: &Principal,
    conversation: ConversationId,
    path: &Path,
) -> anyhow::Result<AttachmentId> {
    let bytes = tokio::fs::read(path)
        .await
        .with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name();
    let upload = Upload {
        id: AttachmentId::from_uuid(app.env.id()),
        conversation,
        name: name.map(|name| name.to_string_lossy().into_owned()),
        bytes,
        key: None,
    };
    let attachment = app
        .runtime
        .attach(who, upload)
        .await
        .with_context(|| format!("{} cannot be attached", path.display()))?;
    Ok(attachment.id)
}
