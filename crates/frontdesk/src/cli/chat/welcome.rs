//! The header of a conversation.

use crate::cli::markdown::Markdown;
use crate::cli::paint::Paint;

pub(in crate::cli) struct Welcome<'a> {
    pub(in crate::cli) title: &'a str,
    pub(in crate::cli) description: &'a str,
    pub(in crate::cli) who: &'a str,
    pub(in crate::cli) greeting: &'a str,
    pub(in crate::cli) suggestions: Vec<String>,
}

impl Welcome<'_> {
    pub(in crate::cli) fn print(&self, paint: Paint) {
        println!("{} — {}", paint.bold(self.title), self.description);
        let you = format!("You are {}. /help shows what else you can type.", self.who);
        println!("{}", paint.dim(&you));
        if !self.greeting.is_empty() {
            println!("\n{}", Markdown::set(self.greeting));
        }
        for suggestion in &self.suggestions {
            println!("{}", paint.accent(&format!("  › {suggestion}")));
        }
    }
}
