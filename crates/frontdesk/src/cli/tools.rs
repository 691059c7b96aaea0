//! `frontdesk tools`: lists the tools that a model receives.

use anyhow::{Context, bail};
use clap::Args;
use frontdesk_core::tool::ToolDef;
use serde_json::Value;

use super::paint::Paint;
use super::{Exit, Setup, print_json};

#[derive(Args)]
#[command(after_help = "Example:\n  frontdesk tools ASSISTANT --role HR_User --json")]
pub(super) struct Tools {
    /// Name of the assistant.
    assistant: String,
    /// Only tools that this role may use. Can be repeated.
    #[arg(long)]
    role: Vec<String>,
    /// Print the tools as OpenAI's `tools` array.
    #[arg(long)]
    json: bool,
}

impl Tools {
    pub(super) async fn run(self, setup: Setup) -> anyhow::Result<Exit> {
        let app = setup.open().await?;
        let installed = app.runtime.installed();
        let assistant = installed.assistant(&self.assistant).with_context(|| {
            let names: Vec<&str> = installed.assistants().map(|a| a.name.as_ref()).collect();
            format!(
                "there is no assistant named {}; there are {}",
                self.assistant,
                names.join(", ")
            )
        })?;
        let mut roles = Vec::new();
        for name in &self.role {
            let Some(role) = installed.roles().get(name) else {
                let known = installed.roles().in_words();
                bail!("there is no role {name}; there are {known}");
            };
            roles.push(role);
        }
        let tools: Vec<&ToolDef> = assistant
            .toolbox
            .defs()
            .filter(|def| {
                roles.is_empty()
                    || def.spec.roles.is_empty()
                    || def.spec.roles.iter().any(|role| roles.contains(role))
            })
            .collect();
        if self.json {
            let list: Vec<Value> = tools.iter().map(|def| def.to_openai_format()).collect();
            return print_json(&list);
        }
        let paint = Paint::for_stdout();
        for def in tools {
            println!("{}  {}", paint.bold(&def.name), def.spec.description);
        }
        Ok(Exit::Done)
    }
}
