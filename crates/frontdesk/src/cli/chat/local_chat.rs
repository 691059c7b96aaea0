//! An interactive conversation run in this process.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::{AttachmentId, ConversationId, TurnId};
use frontdesk_core::store::Conversations as _;
use frontdesk_core::tool::ToolDef;
use frontdesk_core::toolbox::Offer;
use serde_json::{Map, Value};

use crate::app::App;
use crate::cli::ask::{Asker, Decide, Show};
use crate::cli::paint::Paint;
use crate::cli::{Exit, act_as};
use crate::runtime::{NewConversationRequest, RuntimeError, Saying, Started};

use super::files;
use super::form::{self, Carrier, Form};
use super::later::Later;
use super::lines::Lines;
use super::welcome::Welcome;

const PROMPT: &str = "\n> ";

/// Commands of local and remote chats.
pub(in crate::cli) const HELP: &str =
    "  /                  list the available tools; choose one to fill in its form
  /TOOL              fill in the form of this tool
  /call TOOL {JSON}  run a tool yourself
  /attach FILE       send a file with your next message
  /save [FOLDER]     save the files of the last answer, here or in that folder
  /new               start a new conversation
  /as PERSONA        switch to another demo persona, in a new conversation
  /help              show this list
  /quit              leave (or Ctrl-D)
  Ctrl-C             stop the current answer";

enum Next {
    Line,
    Leave,
}

struct LocalCarrier<'a> {
    app: &'a App,
    who: &'a Principal,
    conversation: ConversationId,
}

#[async_trait]
impl Carrier for LocalCarrier<'_> {
    async fn carry(&self, path: &Path) -> anyhow::Result<String> {
        let id = super::attach(self.app, self.who, self.conversation, path).await?;
        Ok(id.to_string())
    }
}

pub(super) struct LocalChat<'a> {
    app: &'a App,
    who: Principal,
    assistant: Arc<Assistant>,
    conversation: Conversation,
    /// Sent with the next message.
    attachments: Vec<AttachmentId>,
    last_turn: Option<TurnId>,
    later: Later,
    paint: Paint,
}

impl<'a> LocalChat<'a> {
    pub(super) fn start(
        app: &'a App,
        who: Principal,
        conversation: Conversation,
        attachments: Vec<AttachmentId>,
        later: Later,
    ) -> anyhow::Result<Self> {
        let assistant = app.runtime.assistant(&who, &conversation.assistant)?;
        Ok(Self {
            app,
            who,
            assistant,
            conversation,
            attachments,
            last_turn: None,
            later,
            paint: Paint::for_stdout(),
        })
    }

    pub(super) async fn run(mut self) -> anyhow::Result<Exit> {
        self.greet();
        let mut lines = Lines::open(&self.app.config.data_dir)?;
        while let Some(line) = lines.next(PROMPT).await? {
            match self.take(line.trim(), &mut lines).await? {
                Next::Line => {}
                Next::Leave => break,
            }
        }
        let conversation = self.conversation.id.to_string();
        self.later
            .print(&self.assistant.name, &conversation, self.paint);
        Ok(Exit::Done)
    }

    fn greet(&self) {
        let suggestions = self.assistant.suggestions_for(&self.who);
        let welcome = Welcome {
            title: &self.assistant.title,
            description: &self.assistant.description,
            who: self.who.name(),
            greeting: &self.assistant.greeting,
            suggestions: suggestions.into_iter().map(str::to_owned).collect(),
        };
        welcome.print(self.paint);
    }

    async fn take(&mut self, line: &str, lines: &mut Lines) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "/quit" | "/exit" => return Ok(Next::Leave),
            "/help" => println!("{HELP}"),
            "/new" => {
                self.start_afresh(Map::new()).await?;
                println!("{}", self.paint.dim("A new conversation."));
            }
            "/as" => self.become_another(rest.trim()).await?,
            "/" | "/tools" => self.choose_form(lines).await?,
            "/call" => self.call(rest).await?,
            "/attach" => self.attach(rest.trim()).await,
            "/save" => self.save(rest.trim()).await,
            command if command.starts_with('/') => self.open_form(command, lines).await?,
            _ => self.say(line).await?,
        }
        Ok(Next::Line)
    }

    async fn start_afresh(&mut self, metadata: Map<String, Value>) -> anyhow::Result<()> {
        let new = NewConversationRequest {
            assistant: self.assistant.name.to_string(),
            metadata,
            ..NewConversationRequest::default()
        };
        self.conversation = self.app.runtime.start_conversation(&self.who, new).await?;
        self.attachments.clear();
        self.last_turn = None;
        Ok(())
    }

    /// A conversation belongs to one person, so the new persona starts another one. It inherits the
    /// current subject, so that "approve it" still works.
    async fn become_another(&mut self, persona: &str) -> anyhow::Result<()> {
        let persona = Some(persona).filter(|name| !name.is_empty());
        let reply = match act_as(self.app, persona, &self.assistant.name).await {
            Ok(who) => {
                self.who = who;
                self.later.persona = persona.map(str::to_owned);
                let spoken_of = spoken_of(&self.conversation.metadata);
                self.start_afresh(spoken_of).await?;
                let you = format!("You are {}. A new conversation.", self.who.name());
                self.paint.dim(&you)
            }
            Err(error) => self.paint.bad(&format!("{error:#}")),
        };
        println!("{reply}");
        Ok(())
    }

    /// Lists the tools that this person may use now, and opens the chosen form.
    async fn choose_form(&mut self, lines: &mut Lines) -> anyhow::Result<()> {
        let offer = self.offer();
        let tools: Vec<&ToolDef> = offer.tools.iter().collect();
        match form::choose(&tools, self.paint, lines).await? {
            Some(choice) => self.open_form(&choice, lines).await,
            None => Ok(()),
        }
    }

    /// Opens the form of a tool by number or name.
    async fn open_form(&mut self, choice: &str, lines: &mut Lines) -> anyhow::Result<()> {
        let offer = self.offer();
        let tools: Vec<&ToolDef> = offer.tools.iter().collect();
        let tool = match form::find(&tools, choice) {
            Ok(tool) => tool,
            Err(missing) => {
                println!("{}", self.paint.bad(&missing));
                println!("{HELP}");
                return Ok(());
            }
        };
        let form = Form {
            carrier: &LocalCarrier {
                app: self.app,
                who: &self.who,
                conversation: self.conversation.id,
            },
            toolbox: &self.assistant.toolbox,
            tool,
            paint: self.paint,
        };
        let Some(arguments) = form.fill(lines).await? else {
            println!("{}", self.paint.dim("Nothing was done."));
            return Ok(());
        };
        let runtime = &self.app.runtime;
        let started = runtime
            .fill_form(&self.who, self.conversation.id, &tool.name, arguments, None)
            .await;
        self.follow(started).await
    }

    fn offer(&self) -> Arc<Offer> {
        let phase = &self.conversation.phase;
        self.assistant.toolbox.offer(&self.who, phase)
    }

    async fn call(&mut self, rest: &str) -> anyhow::Result<()> {
        let (tool, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
        match serde_json::from_str::<Map<String, Value>>(arguments) {
            Ok(arguments) => {
                let runtime = &self.app.runtime;
                let started = runtime
                    .fill_form(&self.who, self.conversation.id, tool, arguments, None)
                    .await;
                self.follow(started).await
            }
            Err(error) => {
                println!("{}", self.paint.bad(&format!("Not a JSON object: {error}")));
                Ok(())
            }
        }
    }

    async fn attach(&mut self, path: &str) {
        let said = match path {
            "" => self.paint.bad("Name a file: /attach photo.jpg"),
            path => match super::attach(self.app, &self.who, self.conversation.id, Path::new(path))
                .await
            {
                Ok(id) => {
                    self.attachments.push(id);
                    self.paint
                        .dim(&format!("{path} will be sent with your next message."))
                }
                Err(error) => self.paint.bad(&format!("{error:#}")),
            },
        };
        println!("{said}");
    }

    async fn save(&self, folder: &str) {
        let folder = Path::new(if folder.is_empty() { "." } else { folder });
        let Some(turn) = self.last_turn else {
            println!("There is no answer yet.");
            return;
        };
        match files::save(self.app, &self.who, self.conversation.id, turn, folder).await {
            Ok(written) => files::say_saved(&written),
            Err(error) => println!("{}", self.paint.bad(&format!("{error:#}"))),
        }
    }

    async fn say(&mut self, line: &str) -> anyhow::Result<()> {
        let saying = Saying {
            content: line.to_owned(),
            attachments: std::mem::take(&mut self.attachments),
            ..Saying::default()
        };
        let started = self
            .app
            .runtime
            .say(&self.who, self.conversation.id, saying)
            .await;
        self.follow(started).await
    }

    /// Prints an error that the user can correct; the conversation continues.
    async fn follow(&mut self, started: Result<Started, RuntimeError>) -> anyhow::Result<()> {
        match started {
            Ok(started) => {
                self.last_turn = Some(started.turn);
                let asker = Asker {
                    app: self.app,
                    who: &self.who,
                    show: Show::All,
                    decide: Decide::Prompt,
                };
                asker.follow(self.conversation.id, started).await?;
                let store = self.app.runtime.store();
                self.conversation = store.get(&self.who, self.conversation.id).await?;
            }
            Err(error) => println!("{}", self.paint.bad(&error.to_string())),
        }
        Ok(())
    }
}

/// The metadata entries that name the current subject.
pub(in crate::cli) fn spoken_of(metadata: &Map<String, Value>) -> Map<String, Value> {
    let current = metadata
        .iter()
        .filter(|(key, _)| key.starts_with("current_"));
    current
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}
