//! `frontdesk chat`: an interactive conversation, or one message for a script.

mod files;
mod form;
mod interactive;
mod lines;
mod response;

use std::path::PathBuf;

use clap::Args;
use frontdesk_core::id::ConversationId;

use super::remote::{self, ChatRequest};
use super::{DefaultPerson, Exit, Setup};
use lines::Lines;
pub(super) use lines::{TypedInput, answer_to};
pub(super) use response::{TurnSummary, agent_response};

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
        let connection = setup
            .connect(self.persona.as_deref(), DefaultPerson::For(&self.assistant))
            .await?;
        let request = ChatRequest {
            assistant: &self.assistant,
            conversation: self.conversation.map(|id| id.to_string()),
            attach: &self.attach,
        };
        let remote = &connection.remote;
        let exit = match &self.message {
            Some(message) => remote::chat_once(remote, request, message, self.json).await,
            None => {
                let lines = Lines::open(&connection.data_dir)?;
                let persona = self.persona.clone();
                interactive::run(remote, request, lines, setup.command(), persona).await
            }
        };
        connection.close().await;
        exit
    }
}
