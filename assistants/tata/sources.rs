//! The texts that a document is made from. An argument counts as it is only where the person
//! wrote or pasted it; a model may retype or invent one.

use frontdesk_core::grounding::{SourceText, normalise};
use frontdesk_core::handle::TextHandle;
use frontdesk_core::tool::ToolContext;

use super::document::one_line;
use super::labels::labels;
use super::language::Language;
use super::notes::section_called;
use super::orders::{is_order, without_orders};

/// The name of the company's facts as a source.
pub(super) const COMPANY: &str = "company";
/// The name of the call's own facts as a source.
pub(super) const CALL: &str = "call";
/// The name of the person's own words as a source.
const RECRUITER: &str = "recruiter";

/// The longest part of one source that is read.
pub(super) const LONGEST: usize = 60_000;

/// Source texts of a document, and notes about them for the recruiter.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    pub(super) texts: Vec<SourceText>,
    pub(super) notes: Vec<String>,
    /// The language of the document.
    pub(super) language: Language,
}

impl Sources {
    pub(super) fn new(language: Language) -> Self {
        Self {
            texts: Vec::new(),
            notes: Vec::new(),
            language,
        }
    }

    /// A text that code made or that was stored before.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        if text.trim().is_empty() || self.texts.iter().any(|source| source.name == name) {
            return;
        }
        let mut kept = text;
        if let Some((end, _)) = text.char_indices().nth(LONGEST) {
            kept = &text[..end];
            let limit = LONGEST.to_string();
            self.note("cut", &[("source", name), ("limit", &limit)]);
        }
        let own = Language::of_text(kept);
        self.texts.push(SourceText {
            is_foreign: own.is_some_and(|own| own != self.language),
            ..SourceText::new(name, kept)
        });
    }

    /// Adds a text argument, or the person's own words if they did not write it.
    pub(super) fn add_argument(&mut self, ctx: &ToolContext, name: &str, text: Option<&String>) {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return;
        };
        match given_text(ctx, text) {
            Some(given) => {
                let (text, orders) = without_orders(&given);
                self.add(name, &text);
                for order in &orders {
                    self.note("order", &[("text", order)]);
                }
            }
            None => {
                self.note("own_words", &[("source", name)]);
                self.add_words(ctx);
            }
        }
    }

    /// Everything that the person wrote in this conversation.
    pub(super) fn add_words(&mut self, ctx: &ToolContext) {
        self.add(RECRUITER, &ctx.words().join("\n\n"));
    }

    pub(super) fn note(&mut self, key: &str, values: &[(&str, &str)]) {
        self.notes.push(labels(self.language).note(key, values));
    }
}

/// A short argument, e.g. a title, without anything that gives orders to a machine.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 200;
    match is_order(text) {
        true => String::new(),
        false => one_line(text).chars().take(LONGEST).collect(),
    }
}

/// The pasted text that this argument is, or the argument itself where the person wrote it.
fn given_text(ctx: &ToolContext, argument: &str) -> Option<String> {
    let asked = normalise(argument);
    let pasted = &ctx.handles().texts;
    if let Some(same) = pasted
        .iter()
        .find(|text| text.text.trim() == argument.trim())
    {
        return Some(same.text.clone());
    }
    if normalise(&ctx.words().join("\n")).contains(&asked) {
        let mut messages = ctx.words().iter();
        let labelled = messages.find_map(|message| with_label(message, argument.trim()));
        return Some(labelled.unwrap_or_else(|| argument.to_owned()));
    }
    // A text that was retyped with slips counts as the one that most of its lines are taken from.
    let lines: Vec<String> = argument
        .lines()
        .map(normalise)
        .filter(|line| !line.is_empty())
        .collect();
    let shared = |text: &&TextHandle| shared_lines(&lines, &normalise(&text.text));
    let best = pasted.iter().max_by_key(shared)?;
    (shared(&best) * 2 >= lines.len()).then(|| best.text.clone())
}

/// An argument that was cut out of "Must have: A, B", together with its label.
fn with_label(message: &str, argument: &str) -> Option<String> {
    let (before, _) = message.split_once(argument)?;
    let label = before.trim_end().strip_suffix(':')?;
    let label = label.rsplit(['.', '!', '?', '\n']).next()?.trim();
    section_called(label).map(|_| format!("{label}: {argument}"))
}

fn shared_lines(lines: &[String], text: &str) -> usize {
    lines.iter().filter(|line| text.contains(*line)).count()
}

#[cfg(test)]
#[path = "sources_tests.rs"]
mod sources_tests;
