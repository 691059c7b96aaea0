//! Shows the events of a turn in the terminal: streamed text, tool calls and approval cards.

use std::collections::HashMap;
use std::io::Write;

use frontdesk_core::approval::{ApprovalCard, Decision};
use frontdesk_core::event::{Ended, Event, Snapshot};

use super::card::{card_lines, terminal_language};
use super::markdown::Markdown;
use super::paint::{Look, Paint, printable};
use super::program;
use crate::card_words::PageLanguage;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    All,
    Nothing,
}

/// Prints the cards of a waiting turn and the command that decides them.
pub(super) fn print_waiting_cards(turn: &str, cards: &[ApprovalCard]) {
    let paint = Paint::for_stdout();
    for card in cards {
        let arguments = card.arguments.as_object().cloned().unwrap_or_default();
        for line in card_lines(terminal_language(), card, &arguments) {
            println!("    {line}");
        }
    }
    if !cards.is_empty() {
        let decide = format!("{} approvals approve {turn}", program());
        let hint = format!("Nothing is done yet. Confirm it with: {decide} [--set field=value]");
        println!("  {}", paint.dim(&hint));
    }
}

pub(super) struct Screen {
    show: Show,
    paint: Paint,
    /// `None` when standard output is not a terminal.
    markdown: Option<Markdown>,
    in_text: bool,
    /// The incomplete last line of a document that is being streamed.
    draft: String,
    language: PageLanguage,
    /// Cards that were shown, by call.
    cards: HashMap<String, ApprovalCard>,
    /// Their outcomes, in the person's language.
    outcomes: HashMap<String, String>,
}

impl Screen {
    pub(super) fn new(show: Show) -> Self {
        Self {
            show,
            paint: Paint::for_stdout(),
            markdown: Look::for_stdout().map(Markdown::new),
            in_text: false,
            draft: String::new(),
            language: terminal_language(),
            cards: HashMap::new(),
            outcomes: HashMap::new(),
        }
    }

    pub(super) fn show(&mut self, event: &Event) {
        if self.show == Show::Nothing {
            return;
        }
        match event {
            Event::TextDelta { text } => self.text(text),
            Event::TextReset { .. } => self.line(&self.paint.dim("(starting the answer again)")),
            Event::ToolStarted { title, .. } => {
                self.line(&self.paint.dim(&format!("  · {}", printable(title))));
            }
            Event::ToolProgress { text, .. } => {
                self.line(&self.paint.dim(&format!("    {}", printable(text))));
            }
            Event::DraftDelta { text, .. } => self.draft(text),
            Event::ToolFinished(finished) => {
                let outcome = self.outcomes.get(&finished.call_id);
                let summary = outcome.filter(|_| finished.refused.is_some());
                let summary = printable(summary.unwrap_or(&finished.summary)).replace("**", "");
                let first = step_line(&summary);
                let line = if finished.ok {
                    format!("  {} {first}", self.paint.good("✓"))
                        .trim_end()
                        .to_owned()
                } else {
                    format!("  {} {first}", self.paint.bad("✗"))
                };
                self.line(&line);
                for file in &finished.files {
                    self.line(
                        &self
                            .paint
                            .dim(&format!("    file {}  {}", file.name, file.id)),
                    );
                }
            }
            Event::ApprovalRequested { card } => self.requested(card),
            Event::ApprovalDecided {
                call_id,
                decision,
                by,
                state,
                ..
            } => self.decided(call_id, *decision, by.as_deref(), state.as_deref()),
            Event::ArtifactSaved { title, mark, .. } => self.line(&self.paint.dim(&format!(
                "    saved: {} (version {})",
                printable(title),
                mark.version
            ))),
            Event::PhaseChanged(change) => {
                self.line(
                    &self
                        .paint
                        .dim(&format!("    phase: {} → {}", change.from, change.to)),
                );
            }
            Event::SourceCited { source } => {
                self.line(&self.paint.dim(&format!("    {}", printable(&source.url))));
            }
            Event::TurnCompleted(ended)
            | Event::TurnFailed(ended)
            | Event::TurnCancelled(ended)
            | Event::TurnInterrupted(ended) => self.ended(ended),
            Event::Snapshot(snapshot) => self.snapshot(snapshot),
            Event::TurnStarted { .. } | Event::ModelReplied { .. } => {}
        }
    }

    fn requested(&mut self, card: &ApprovalCard) {
        let about = match card.approvers.is_empty() {
            true => self.language.phrase("approval.check", &[]),
            false => self.language.phrase("approval.title", &[]),
        };
        let title = printable(&self.language.title(card, None));
        self.line(&format!("  {} {title}: {about}", self.paint.accent("?")));
        self.cards.insert(card.call_id.clone(), card.clone());
    }

    /// Prints an approval at once. A decline or timeout is printed when its call ends.
    fn decided(
        &mut self,
        call_id: &str,
        decision: Decision,
        by: Option<&str>,
        state: Option<&str>,
    ) {
        let Some(card) = self.cards.get(call_id) else {
            return;
        };
        let outcome = self.language.outcome(card, decision, by, state);
        match decision {
            Decision::Approved => self.line(&self.paint.dim(&format!("  {}", printable(&outcome)))),
            Decision::Rejected | Decision::Expired => {
                self.outcomes.insert(call_id.to_owned(), outcome);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if !self.in_text {
            println!();
        }
        self.in_text = true;
        let text = printable(text);
        match &mut self.markdown {
            Some(markdown) => print!("{}", markdown.feed(&text)),
            None => print!("{text}"),
        }
        // A closed terminal must not stop the turn.
        let _ = std::io::stdout().flush();
    }

    /// Streams a document line by line to a terminal. Redirected output gets only the finished
    /// document.
    fn draft(&mut self, text: &str) {
        if self.markdown.is_none() {
            return;
        }
        self.draft.push_str(&printable(text));
        while let Some(end) = self.draft.find('\n') {
            let line: String = self.draft.drain(..=end).collect();
            if !line.trim().is_empty() {
                self.line(&self.paint.dim(&format!("    │ {}", line.trim_end())));
            }
        }
    }

    fn snapshot(&mut self, snapshot: &Snapshot) {
        for event in &snapshot.events {
            if event.ended().is_some() && !snapshot.text.is_empty() {
                self.text(&snapshot.text);
            }
            self.show(event);
        }
    }

    fn ended(&mut self, ended: &Ended) {
        if let Some(notice) = &ended.notice {
            self.line(&self.paint.bad(notice));
        }
        for reply in &ended.quick_replies {
            self.line(&self.paint.accent(&format!("  › {}", printable(reply))));
        }
    }

    fn line(&mut self, line: &str) {
        self.end();
        println!("{line}");
    }

    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.in_text) {
            if let Some(markdown) = &mut self.markdown {
                print!("{}", markdown.finish());
            }
            println!();
        }
    }
}

/// The first line of a result. Headings and quotations are skipped: the document or the answer
/// that follows shows them.
fn step_line(summary: &str) -> &str {
    let first = summary.lines().next().unwrap_or_default();
    if first.starts_with("# ") || first.starts_with("> ") {
        ""
    } else {
        first
    }
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod screen_tests;
