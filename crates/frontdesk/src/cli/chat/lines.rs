//! Terminal input. Messages go to a persistent history; decisions and form values do not.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use rustyline::error::ReadlineError;
use tokio::signal::unix::{Signal, SignalKind, signal};

pub(in crate::cli) enum TypedInput {
    Line(String),
    Interrupt,
    /// Ctrl-D or end of input.
    End,
}

/// Reads one line that stays out of the history, such as a decision.
pub(crate) async fn answer_to(question: &str) -> anyhow::Result<TypedInput> {
    if !std::io::stdin().is_terminal() {
        // rustyline prints prompts only to a terminal; recorded output must show the question, too.
        print!("{question}");
        std::io::stdout().flush()?;
    }
    let (_, typed) = read(rustyline::DefaultEditor::new()?, question).await?;
    Ok(typed)
}

pub(in crate::cli) struct Lines {
    editor: Option<rustyline::DefaultEditor>,
    history: PathBuf,
    /// While this listener exists, Ctrl-C does not end the process.
    _interrupt: Signal,
}

impl Lines {
    pub(crate) fn open(data_dir: &Path) -> anyhow::Result<Self> {
        let history = data_dir.join("chat-history");
        let config = rustyline::Config::builder().auto_add_history(false).build();
        let mut editor = rustyline::DefaultEditor::with_config(config)?;
        // The file does not exist on the first run.
        let _ = editor.load_history(&history);
        Ok(Self {
            editor: Some(editor),
            history,
            _interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// A message or a command; `None` at the end of input.
    pub(crate) async fn next(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        match self.ask(prompt).await? {
            TypedInput::Line(line) => {
                if let Some(editor) = &mut self.editor {
                    editor.add_history_entry(&line)?;
                    // The chat works without a persistent history.
                    let _ = editor.append_history(&self.history);
                }
                Ok(Some(line))
            }
            TypedInput::Interrupt => {
                println!("(Ctrl-D or /quit leaves)");
                Ok(Some(String::new()))
            }
            TypedInput::End => Ok(None),
        }
    }

    /// Reads one line that stays out of the history.
    pub(super) async fn ask(&mut self, prompt: &str) -> anyhow::Result<TypedInput> {
        let Some(editor) = self.editor.take() else {
            return Ok(TypedInput::End);
        };
        let (editor, typed) = read(editor, prompt).await?;
        self.editor = Some(editor);
        Ok(typed)
    }
}

async fn read(
    mut editor: rustyline::DefaultEditor,
    prompt: &str,
) -> anyhow::Result<(rustyline::DefaultEditor, TypedInput)> {
    let prompt = prompt.to_owned();
    let (editor, line) = tokio::task::spawn_blocking(move || {
        let line = editor.readline(&prompt);
        (editor, line)
    })
    .await?;
    let typed = match line {
        Ok(line) => TypedInput::Line(line),
        Err(ReadlineError::Interrupted) => TypedInput::Interrupt,
        Err(ReadlineError::Eof) => TypedInput::End,
        Err(error) => return Err(error.into()),
    };
    Ok((editor, typed))
}
