//! The command with which a person goes on another time.

use crate::cli::paint::Paint;

/// What the command must say beside the conversation: conversations belong to whoever began them.
pub(in crate::cli) struct Later {
    /// The program with the options that every command takes.
    pub(in crate::cli) command: String,
    /// The demo person, where one was named.
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
