//! An interactive conversation with a running server: messages, files and forms of the server's
//! tools.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use frontdesk_core::event::FileRef;
use frontdesk_core::handle::SCHEMA_KEYWORD;
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::{RunByData, Toolbox};
use serde_json::{Map, Value, json};

use super::message::{Saying, attach, attach_all, conversation, follow};
use super::{Remote, ServerRefusal, text};
use crate::cli::Exit;
use crate::cli::ask::{Decide, Show};
use crate::cli::chat::form::{self, Carrier, Form};
use crate::cli::chat::{HELP, Later, Lines, Welcome, files, spoken_of};
use crate::cli::paint::Paint;

pub(in crate::cli) async fn remote_chat(
    remote: &Remote,
    saying: Saying<'_>,
    mut lines: Lines,
    later: Later,
) -> anyhow::Result<Exit> {
    let id = conversation(remote, &saying).await?;
    let mut chat = RemoteChat {
        attachments: attach_all(remote, &id, saying.attach).await?,
        files: Vec::new(),
        remote: remote.clone(),
        assistant: saying.assistant,
        id,
        later,
        paint: Paint::for_stdout(),
    };
    chat.greet().await?;
    while let Some(line) = lines.next("\n> ").await? {
        let line = line.trim();
        if matches!(line, "/quit" | "/exit") {
            break;
        }
        let outcome = chat.take(line, &mut lines).await;
        match outcome {
            // An error that the user can correct does not end the conversation.
            Err(error) if error.is::<ServerRefusal>() => chat.complain(&error.to_string()),
            other => other?,
        }
    }
    chat.later.print(chat.assistant, &chat.id, chat.paint);
    Ok(Exit::Done)
}

struct RemoteChat<'a> {
    remote: Remote,
    assistant: &'a str,
    id: String,
    /// Sent with the next message.
    attachments: Vec<String>,
    /// Created by the last turn.
    files: Vec<FileRef>,
    later: Later,
    paint: Paint,
}

impl RemoteChat<'_> {
    fn complain(&self, problem: &str) {
        println!("{}", self.paint.bad(problem));
    }

    async fn take(&mut self, line: &str, lines: &mut Lines) -> anyhow::Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "/help" => println!("{HELP}"),
            "/" | "/tools" => self.choose_form(lines).await?,
            "/new" => {
                self.start_afresh(&Map::new()).await?;
                println!("{}", self.paint.dim("A new conversation."));
            }
            "/as" => self.become_another(rest.trim()).await?,
            "/call" => self.call(rest).await?,
            "/attach" => self.attach(rest.trim()).await,
            "/save" => self.save(rest.trim()).await,
            command if command.starts_with('/') => self.open_form(command, lines).await?,
            _ => {
                let files = std::mem::take(&mut self.attachments);
                let body = json!({ "content": line, "attachments": files });
                self.send("messages", &body).await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self, what: &str, body: &Value) -> anyhow::Result<()> {
        let path = format!("/conversations/{}/{what}", self.id);
        let events = self.remote.post_for_events(&path, body).await?;
        let rested = follow(&self.remote, &self.id, events, Show::All, Decide::Prompt).await?;
        self.files = rested.files();
        Ok(())
    }

    async fn start_afresh(&mut self, metadata: &Map<String, Value>) -> anyhow::Result<()> {
        let body = json!({ "assistant": self.assistant, "metadata": metadata });
        self.id = text(&self.remote.post("/conversations", &body).await?["id"]);
        self.attachments.clear();
        self.files.clear();
        Ok(())
    }

    /// Starts a new conversation as another persona, with the current subject.
    async fn become_another(&mut self, persona: &str) -> anyhow::Result<()> {
        if persona.is_empty() {
            self.complain("Say who: /as admin");
            return Ok(());
        }
        let path = format!("/conversations/{}", self.id);
        let left = self.remote.get(&path).await?;
        let mut other = self.remote.clone();
        if let Err(error) = other.be(persona).await {
            self.complain(&format!("{error:#}"));
            return Ok(());
        }
        self.remote = other;
        self.later.persona = Some(persona.to_owned());
        let about = left["metadata"].as_object().map(spoken_of);
        self.start_afresh(&about.unwrap_or_default()).await?;
        let me = self.remote.get("/me").await?;
        let you = format!("You are {}. A new conversation.", text(&me["name"]));
        println!("{}", self.paint.dim(&you));
        Ok(())
    }

    async fn save(&self, folder: &str) {
        let folder = Path::new(if folder.is_empty() { "." } else { folder });
        let mut written = Vec::new();
        for file in &self.files {
            let saving = async {
                let bytes = self.remote.download(file.id).await?;
                files::write(folder, &file.name, &bytes).await
            };
            match saving.await {
                Ok(path) => written.push(path),
                Err(error) => return self.complain(&format!("{error:#}")),
            }
        }
        files::say_saved(&written);
    }

    async fn call(&mut self, rest: &str) -> anyhow::Result<()> {
        let (tool, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
        match serde_json::from_str::<Map<String, Value>>(arguments) {
            Ok(arguments) => {
                let body = json!({ "tool": tool, "arguments": arguments });
                self.send("forms", &body).await?;
            }
            Err(error) => self.complain(&format!("Not a JSON object: {error}")),
        }
        Ok(())
    }

    async fn attach(&mut self, path: &str) {
        if path.is_empty() {
            return self.complain("Name a file: /attach photo.jpg");
        }
        match attach(&self.remote, &self.id, Path::new(path)).await {
            Ok(id) => {
                self.attachments.push(id);
                let said = format!("{path} will be sent with your next message.");
                println!("{}", self.paint.dim(&said));
            }
            Err(error) => self.complain(&format!("{error:#}")),
        }
    }

    async fn choose_form(&mut self, lines: &mut Lines) -> anyhow::Result<()> {
        let toolbox = self.tools().await?;
        let tools: Vec<&ToolDef> = toolbox.defs().collect();
        match form::choose(&tools, self.paint, lines).await? {
            Some(choice) => self.fill_in(&toolbox, &choice, lines).await,
            None => Ok(()),
        }
    }

    async fn open_form(&mut self, choice: &str, lines: &mut Lines) -> anyhow::Result<()> {
        let toolbox = self.tools().await?;
        self.fill_in(&toolbox, choice, lines).await
    }

    async fn fill_in(
        &mut self,
        toolbox: &Toolbox,
        choice: &str,
        lines: &mut Lines,
    ) -> anyhow::Result<()> {
        let tools: Vec<&ToolDef> = toolbox.defs().collect();
        let tool = match form::find(&tools, choice) {
            Ok(tool) => tool,
            Err(missing) => {
                self.complain(&missing);
                println!("{HELP}");
                return Ok(());
            }
        };
        let form = Form {
            carrier: &*self,
            toolbox,
            tool,
            paint: self.paint,
        };
        let Some(arguments) = form.fill(lines).await? else {
            println!("{}", self.paint.dim("Nothing was done."));
            return Ok(());
        };
        let body = json!({ "tool": tool.name, "arguments": arguments });
        self.send("forms", &body).await
    }

    /// The tools that this person may use, with what a form needs.
    async fn tools(&self) -> anyhow::Result<Toolbox> {
        let path = format!("/assistants/{}/tools", self.assistant);
        let tools = self.remote.list(&path).await?;
        let mut builder = Toolbox::builder();
        let usable = |tool: &&Value| tool["usable"] != false;
        for tool in tools.iter().filter(usable) {
            builder = builder.data_tool(described(tool), Arc::new(RemoteTool));
        }
        builder
            .build()
            .context("the server describes a tool in an unknown format; update this program")
    }

    async fn greet(&self) -> anyhow::Result<()> {
        let me = self.remote.get("/me").await?;
        let assistants = self.remote.list("/assistants").await?;
        let Some(entry) = assistants
            .iter()
            .find(|entry| entry["name"] == self.assistant)
        else {
            anyhow::bail!(
                "there is no assistant named {} that you may use on this server",
                self.assistant
            );
        };
        let suggestions = entry["suggestions"].as_array().into_iter().flatten();
        let welcome = Welcome {
            title: &text(&entry["title"]),
            description: &text(&entry["description"]),
            who: &text(&me["name"]),
            greeting: &text(&entry["greeting"]),
            suggestions: suggestions.map(text).collect(),
        };
        welcome.print(self.paint);
        Ok(())
    }
}

#[async_trait]
impl Carrier for RemoteChat<'_> {
    async fn carry(&self, path: &Path) -> anyhow::Result<String> {
        attach(&self.remote, &self.id, path).await
    }
}

/// Builds a tool from the server's description. The effect is unknown, but a form always shows a
/// summary before it is sent.
fn described(tool: &Value) -> ToolDef {
    let function = &tool["function"];
    let mut parameters = function["parameters"].clone();
    for (name, kind) in tool["handles"].as_object().into_iter().flatten() {
        if let Some(property) = parameters["properties"].get_mut(name) {
            property[SCHEMA_KEYWORD] = kind.clone();
        }
    }
    let mut spec = ToolSpec::idempotent(text(&function["description"]));
    if let Some(title) = tool["title"].as_str() {
        spec = spec.title(title.to_owned());
    }
    let properties = parameters["properties"].as_object();
    let mut read_only = properties
        .into_iter()
        .flatten()
        .filter(|(_, schema)| schema["readOnly"] == true);
    if let Some((name, _)) = read_only.next() {
        // The server fills in this field, so the form does not ask for it.
        spec = spec.own_name(name.clone());
    }
    ToolDef {
        name: text(&function["name"]).into(),
        parameters,
        spec,
    }
}

/// A placeholder: the tools run on the server, only their forms are local.
struct RemoteTool;

#[async_trait]
impl RunByData for RemoteTool {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Err(ToolError::refused("This tool runs at the server."))
    }
}
