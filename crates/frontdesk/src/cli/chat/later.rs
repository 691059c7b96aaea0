//! The command that continues a conversation later.

use crate::cli::paint::Paint;

/// Options that the command repeats. A conversation is open only to the person who started it.
pub(in crate::cli) struct Later {
    /// The program with its global options.
    pub(in crate::cli) command: String,
    pub(in crate::cli) persona: Option<String>,
}

impl Later {
    pub(in crate::cli) fn print(&self, assistant: &str, conversation: &str, paint: Paint) {
        let who = self.persona.as_ref();
        let who = who.map_or(String::new(), |name| format!(" --as {name}"));
        let command = &self.command;
        let later = format!(
            "Go on later with: {command} chat {assistant}{who} --conversation {conversation}"
        );
        println!("{}", paint.dim(&later));
    }
}
