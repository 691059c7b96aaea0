//! Lines a person types: messages with a history that survives the session, and decisions and
//! answers to a form, which stay out of it.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use rustyline::error::ReadlineError;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What came of a prompt.
pub(in crate::cli) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or there is no more input.
    End,
}

/// One line that belongs to no conversation, such as a decision.
pub(in crate::cli) async fn answer_to(question: &str) -> anyhow::Result<Typed> {
    if !std::io::stdin().is_terminal() {
        // The editor asks terminals alone, and what is decided must be seen in what is kept of the output.
        print!("{question}");
        std::io::stdout().flush()?;
    }
    let (_, typed) = read(rustyline::DefaultEditor::new()?, question).await?;
    Ok(typed)
}

pub(in crate::cli) struct Lines {
    editor: Option<rustyline::DefaultEditor>,
    history: PathBuf,
    /// While somebody listens, Ctrl-C does not end the program, whatever it is doing.
    _interrupt: Signal,
}

impl Lines {
    pub(in crate::cli) fn open(data_dir: &Path) -> anyhow::Result<Self> {
        let history = data_dir.join("chat-history");
        let config = rustyline::Config::builder().auto_add_history(false).build();
        let mut editor = rustyline::DefaultEditor::with_config(config)?;
        // No history yet is not an error.
        let _ = editor.load_history(&history);
        Ok(Self {
            editor: Some(editor),
            history,
            _interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// A message or a command; `None` when the person is done.
    pub(in crate::cli) async fn next(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        match self.ask(prompt).await? {
            Typed::Line(line) => {
                if let Some(editor) = &mut self.editor {
                    editor.add_history_entry(&line)?;
                    // A history that cannot be written is no reason to stop talking.
                    let _ = editor.append_history(&self.history);
                }
                Ok(Some(line))
            }
            Typed::Interrupt => {
                println!("(Ctrl-D or /quit leaves)");
                Ok(Some(String::new()))
            }
            Typed::End => Ok(None),
        }
    }

    /// One line that is not kept.
    pub(super) async fn ask(&mut self, prompt: &str) -> anyhow::Result<Typed> {
        let Some(editor) = self.editor.take() else {
            return Ok(Typed::End);
        };
        let (editor, typed) = read(editor, prompt).await?;
        self.editor = Some(editor);
        Ok(typed)
    }
}

/// Waits for a line without holding anybody up.
async fn read(
    mut editor: rustyline::DefaultEditor,
    prompt: &str,
) -> anyhow::Result<(rustyline::DefaultEditor, Typed)> {
    let prompt = prompt.to_owned();
    let (editor, line) = tokio::task::spawn_blocking(move || {
        let line = editor.readline(&prompt);
        (editor, line)
    })
    .await?;
    let typed = match line {
        Ok(line) => Typed::Line(line),
        Err(ReadlineError::Interrupted) => Typed::Interrupt,
        Err(ReadlineError::Eof) => Typed::End,
        Err(error) => return Err(error.into()),
    };
    Ok((editor, typed))
}
