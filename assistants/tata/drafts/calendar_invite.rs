//! An interview invitation. The facts are code's; the model writes the words around them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::lines;
use crate::tata::document::{BLANK, Document, Item, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/calendar_invite.md");

/// The words of an invitation. Date, time, place and names are added by the program: do not repeat them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct InviteDraft {
    /// The subject line: kind of interview and position.
    subject: String,
    /// Greeting and one or two short paragraphs that invite to the interview.
    message: Vec<String>,
    /// The closing: an offer of adjustments for taking part on equal terms, and a greeting without a name.
    closing: Vec<String>,
}

/// The facts of an interview, as labelled lines.
pub(in crate::tata) struct Facts {
    pub(in crate::tata) position: String,
    pub(in crate::tata) interview: &'static str,
    pub(in crate::tata) details: Vec<Item>,
    pub(in crate::tata) agenda: Vec<String>,
    pub(in crate::tata) recruiter: String,
    pub(in crate::tata) language: Language,
}

impl Facts {
    /// The facts as a source for the model.
    pub(in crate::tata) fn text(&self) -> String {
        let labels = labels(self.language);
        let details = self.details.iter().map(|item| {
            format!(
                "{}: {}",
                item.label.as_deref().unwrap_or_default(),
                item.text
            )
        });
        let head = [
            format!("{}: {}", labels.topic("position"), self.position),
            self.interview.to_owned(),
        ];
        let lines: Vec<String> = head
            .into_iter()
            .chain(details)
            .chain(self.agenda.clone())
            .collect();
        lines.join("\n")
    }
}

pub(in crate::tata) fn document(draft: Option<InviteDraft>, facts: &Facts) -> Document {
    let labels = labels(facts.language);
    let made_with = match draft {
        Some(_) => MadeWith::Model,
        None => MadeWith::Fallback,
    };
    let draft = draft.unwrap_or_else(|| InviteDraft {
        subject: String::new(),
        message: vec![BLANK.to_owned()],
        closing: vec![BLANK.to_owned()],
    });
    let title = labels.title("calendar_invite", &facts.position);
    let mut document = Document::new(title, facts.language, made_with);
    let subject = match draft.subject.trim() {
        "" => format!("{}, {}", facts.interview, facts.position),
        subject => subject.to_owned(),
    };
    document.some_items(
        "subject",
        "",
        vec![Item::labelled(labels.word("subject"), subject)],
    );
    document.paragraphs("message", facts.interview, &draft.message);
    document.items("details", labels.section("details"), facts.details.clone());
    document.some_items("agenda", labels.section("agenda"), lines(&facts.agenda));
    let mut closing = draft.closing;
    closing.push(facts.recruiter.clone());
    document.paragraphs("closing", labels.section("closing"), &closing);
    document
}
