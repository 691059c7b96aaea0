//! A conversation typed line by line.

use std::path::PathBuf;
use std::sync::Arc;

use frontdesk_core::access::Principal;
use frontdesk_core::assistant::Assistant;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::id::AttachmentId;
use rustyline::error::ReadlineError;
use serde_json::{Map, Value};

use crate::app::App;
use crate::cli::Exit;
use crate::cli::ask::{Asker, Decide, Show};
use crate::cli::paint::Paint;
use crate::desk::{DeskError, NewTalk, Saying, Started};

const HELP: &str = "\
  /tools             what can be done here
  /call TOOL {JSON}  run a tool yourself
  /new               start a new conversation
  /help              this
  /quit              leave (or Ctrl-D)
  Ctrl-C             stop the answer that is being written";

/// Whether the person goes on.
enum Next {
    Line,
    Leave,
}

pub(super) struct Talk<'a> {
    app: &'a App,
    who: &'a Principal,
    assistant: Arc<Assistant>,
    conversation: Conversation,
    /// Go with the first message.
    attachments: Vec<AttachmentId>,
    paint: Paint,
}

impl<'a> Talk<'a> {
    pub(super) fn start(
        app: &'a App,
        who: &'a Principal,
        conversation: Conversation,
        attachments: Vec<AttachmentId>,
    ) -> anyhow::Result<Self> {
        let assistant = Arc::clone(app.desk.assistant(who, &conversation.assistant)?);
        Ok(Self {
            app,
            who,
            assistant,
            conversation,
            attachments,
            paint: Paint::for_stdout(),
        })
    }

    pub(super) async fn run(mut self) -> anyhow::Result<Exit> {
        self.greet();
        let mut lines = Lines::open(self.app)?;
        while let Some(line) = lines.next().await? {
            match self.take(line.trim()).await? {
                Next::Line => {}
                Next::Leave => break,
            }
        }
        let later = format!(
            "Go on later with: frontdesk chat {} --conversation {}",
            self.assistant.name, self.conversation.id
        );
        println!("{}", self.paint.dim(&later));
        Ok(Exit::Done)
    }

    fn greet(&self) {
        let paint = self.paint;
        println!(
            "{} — {}",
            paint.bold(self.assistant.title),
            self.assistant.description
        );
        let you = format!(
            "You are {}. /help shows what else you can type.",
            self.who.name()
        );
        println!("{}", paint.dim(&you));
        if !self.assistant.greeting.is_empty() {
            println!("\n{}", self.assistant.greeting);
        }
        for suggestion in self.assistant.suggestions {
            println!("{}", paint.accent(&format!("  › {suggestion}")));
        }
    }

    async fn take(&mut self, line: &str) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "/quit" | "/exit" => return Ok(Next::Leave),
            "/help" => println!("{HELP}"),
            "/new" => self.start_afresh().await?,
            "/tools" => self.list_tools(),
            "/call" => self.call(rest).await?,
            unknown if unknown.starts_with('/') => {
                println!("{}", self.paint.bad(&format!("There is no {unknown}.")));
                println!("{HELP}");
            }
            _ => self.say(line).await?,
        }
        Ok(Next::Line)
    }

    async fn start_afresh(&mut self) -> anyhow::Result<()> {
        let new = NewTalk {
            assistant: self.assistant.name.to_owned(),
            ..NewTalk::default()
        };
        self.conversation = self.app.desk.start_conversation(self.who, new).await?;
        println!("{}", self.paint.dim("A new conversation."));
        Ok(())
    }

    fn list_tools(&self) {
        let offer = self
            .assistant
            .toolbox
            .offer(self.who, &self.conversation.phase);
        for tool in &offer.tools {
            println!(
                "  {}  {}",
                self.paint.accent(&tool.name),
                self.paint.dim(&tool.title())
            );
        }
    }

    async fn call(&self, rest: &str) -> anyhow::Result<()> {
        let (tool, arguments) = rest.split_once(' ').unwrap_or((rest, "{}"));
        match serde_json::from_str::<Map<String, Value>>(arguments) {
            Ok(arguments) => {
                let desk = &self.app.desk;
                let started = desk
                    .fill_form(self.who, self.conversation.id, tool, arguments)
                    .await;
                self.follow(started).await
            }
            Err(error) => {
                println!("{}", self.paint.bad(&format!("Not a JSON object: {error}")));
                Ok(())
            }
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
            .desk
            .say(self.who, self.conversation.id, saying)
            .await;
        self.follow(started).await
    }

    /// What a person can put right is told, and the conversation goes on.
    async fn follow(&self, started: Result<Started, DeskError>) -> anyhow::Result<()> {
        match started {
            Ok(started) => {
                let asker = Asker {
                    app: self.app,
                    who: self.who,
                    show: Show::All,
                    decide: Decide::Prompt,
                };
                asker.follow(self.conversation.id, started).await?;
            }
            Err(error) => println!("{}", self.paint.bad(&error.to_string())),
        }
        Ok(())
    }
}

/// Lines a person types, with history that survives the session.
struct Lines {
    editor: Option<rustyline::DefaultEditor>,
    history: PathBuf,
}

impl Lines {
    fn open(app: &App) -> anyhow::Result<Self> {
        let history = app.config.data_dir.join("chat-history");
        let mut editor = rustyline::DefaultEditor::new()?;
        // No history yet is not an error.
        let _ = editor.load_history(&history);
        Ok(Self {
            editor: Some(editor),
            history,
        })
    }

    /// `None` when the person is done.
    async fn next(&mut self) -> anyhow::Result<Option<String>> {
        let Some(mut editor) = self.editor.take() else {
            return Ok(None);
        };
        let (editor, line) = tokio::task::spawn_blocking(move || {
            let line = editor.readline("\n> ");
            (editor, line)
        })
        .await?;
        let editor = self.editor.insert(editor);
        match line {
            Ok(line) => {
                editor.add_history_entry(&line)?;
                // A history that cannot be written is no reason to stop talking.
                let _ = editor.append_history(&self.history);
                Ok(Some(line))
            }
            Err(ReadlineError::Interrupted) => {
                println!("(Ctrl-D or /quit leaves)");
                Ok(Some(String::new()))
            }
            Err(ReadlineError::Eof) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
