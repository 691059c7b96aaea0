//! An interactive conversation: messages, files, forms of tools, and commands.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use frontdesk_core::event::FileRef;
use frontdesk_core::handle::SCHEMA_KEYWORD;
use frontdesk_core::tool::{ToolContext, ToolDef, ToolError, ToolSpec};
use frontdesk_core::toolbox::{RunByData, Toolbox};
use serde_json::{Map, Value, json};

use super::files;
use super::form::{self, Form};
use super::lines::Lines;
use crate::cli::Exit;
use crate::cli::markdown::Markdown;
use crate::cli::paint::Paint;
use crate::cli::remote::{
    ChatRequest, Decide, Remote, ServerRefusal, attach, attach_all, conversation, follow, text,
};
use crate::cli::screen::Show;

const HELP: &str = "  /                  list the available tools; choose one to fill in its form
  /TOOL              fill in the form of this tool
  /call TOOL {JSON}  run a tool yourself
  /attach FILE       send a file with your next message
  /save [FOLDER]     save the files of the last answer, here or in that folder
  /new               start a new conversation
  /as PERSONA        switch to another demo persona, in a new conversation
  /help              show this list
  /quit              leave (or Ctrl-D)
  Ctrl-C             stop the current answer";

pub(super) async fn run(
    remote: &Remote,
    request: ChatRequest<'_>,
    mut lines: Lines,
    command: String,
    persona: Option<String>,
) -> anyhow::Result<Exit> {
    let id = conversation(remote, &request).await?;
    let mut chat = InteractiveChat {
        attachments: attach_all(remote, &id, request.attach).await?,
        files: Vec::new(),
        remote: remote.clone(),
        assistant: request.assistant,
        id,
        command,
        persona,
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
    chat.tell_how_to_continue();
    Ok(Exit::Done)
}

struct InteractiveChat<'a> {
    remote: Remote,
    assistant: &'a str,
    id: String,
    /// Sent with the next message.
    attachments: Vec<String>,
    /// Created by the last turn.
    files: Vec<FileRef>,
    /// The program with its global options.
    command: String,
    persona: Option<String>,
    paint: Paint,
}

impl InteractiveChat<'_> {
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

    /// A conversation belongs to one person, so the new persona starts another one. It inherits the
    /// current subject, so that "approve it" still works. Without a name, the first persona that
    /// may use the assistant.
    async fn become_another(&mut self, persona: &str) -> anyhow::Result<()> {
        let path = format!("/conversations/{}", self.id);
        let left = self.remote.get(&path).await?;
        let mut other = self.remote.clone();
        let became = match persona {
            "" => other.be_anyone_for(self.assistant).await,
            name => other.be(name).await,
        };
        if let Err(error) = became {
            self.complain(&format!("{error:#}"));
            return Ok(());
        }
        self.remote = other;
        self.persona = Some(persona.to_owned()).filter(|name| !name.is_empty());
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
            remote: &self.remote,
            conversation: &self.id,
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
        let path = format!(
            "/assistants/{}/tools?conversation_id={}",
            self.assistant, self.id
        );
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
        let (title, description) = (text(&entry["title"]), text(&entry["description"]));
        println!("{} — {description}", self.paint.bold(&title));
        let who = text(&me["name"]);
        let you = format!("You are {who}. /help shows what else you can type.");
        println!("{}", self.paint.dim(&you));
        let greeting = text(&entry["greeting"]);
        if !greeting.is_empty() {
            println!("\n{}", Markdown::set(&greeting));
        }
        for suggestion in entry["suggestions"].as_array().into_iter().flatten() {
            let suggestion = format!("  › {}", text(suggestion));
            println!("{}", self.paint.accent(&suggestion));
        }
        Ok(())
    }

    /// A conversation is open only to the person who started it.
    fn tell_how_to_continue(&self) {
        let who = self.persona.as_ref();
        let who = who.map_or(String::new(), |name| format!(" --as {name}"));
        let continued = format!(
            "Continue later with: {} chat {}{who} --conversation {}",
            self.command, self.assistant, self.id
        );
        println!("{}", self.paint.dim(&continued));
    }
}

/// The metadata entries that name the current subject.
fn spoken_of(metadata: &Map<String, Value>) -> Map<String, Value> {
    let current = metadata
        .iter()
        .filter(|(key, _)| key.starts_with("current_"));
    current
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Builds a tool from its description.
fn described(tool: &Value) -> ToolDef {
    let function = &tool["function"];
    let mut parameters = function["parameters"].clone();
    for (name, kind) in tool["handles"].as_object().into_iter().flatten() {
        if let Some(property) = parameters["properties"].get_mut(name) {
            property[SCHEMA_KEYWORD] = kind.clone();
        }
    }
    let description = text(&function["description"]);
    let mut spec = match tool["effect"] == "read" {
        true => ToolSpec::read(description),
        // A form shows a summary before it is sent.
        false => ToolSpec::idempotent(description),
    };
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

/// A placeholder: the tools run behind the API, only their forms are here.
struct RemoteTool;

#[async_trait]
impl RunByData for RemoteTool {
    async fn run(
        &self,
        _: &ToolDef,
        _: &ToolContext,
        _: Map<String, Value>,
    ) -> Result<(Value, String), ToolError> {
        Err(ToolError::refused("This tool runs behind the API"))
    }
}
