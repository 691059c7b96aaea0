//! Lines a person types: messages with a history that survives the session, and answers to
//! a form, which stay out of it.

use std::path::{Path, PathBuf};

use rustyline::error::ReadlineError;

/// What came of a prompt.
pub(super) enum Typed {
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D, or there is no more input.
    End,
}

pub(in crate::cli) struct Lines {
    editor: Option<rustyline::DefaultEditor>,
    history: PathBuf,
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
        let Some(mut editor) = self.editor.take() else {
            return Ok(Typed::End);
        };
        let prompt = prompt.to_owned();
        let (editor, line) = tokio::task::spawn_blocking(move || {
            let line = editor.readline(&prompt);
            (editor, line)
        })
        .await?;
        self.editor = Some(editor);
        match line {
            Ok(line) => Ok(Typed::Line(line)),
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupt),
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(error) => Err(error.into()),
        }
    }
}
