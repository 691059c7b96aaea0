//! Tata, the recruiter's assistant: from the notes of a start-up meeting to the funnel report. One conversation is one
//! recruitment project.
//!
//! - `document` is the one form of every document; `edit` is a person's own change to one
//! - `tools` has one file per document: its arguments, the draft of the model, and the composer
//!   without one; they share `writing`, `sources` and `documents`
//! - `funnel` computes; `labels`, `words`, `examples` and `instructions` are words for people and models
//! - `project` is the recruitment project of a conversation

mod chips;
mod date_text;
mod document;
mod documents;
mod edit;
mod examples;
mod facts;
mod funnel;
mod guides;
mod inclusion;
mod labels;
mod language;
mod module;
mod naming;
mod notes;
mod orders;
mod package;
mod project;
mod recommendation;
mod sources;
mod style_guide;
mod tools;
mod word_list;
mod writing;

#[cfg(test)]
mod tests;

pub use package::PACKAGE;
