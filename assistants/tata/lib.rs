//! Tata, the recruiter's assistant: from the notes of a start-up meeting to the funnel report. One conversation is one
//! recruitment project.
//!
//! - `document` is the one form of every document; `edit` is a person's own change to one
//! - `tools` has one file a document: its arguments, what the model is asked for, and what is filled
//!   in without one; `writing`, `sources` and `documents` are what they share
//! - `funnel` computes; `labels`, `words`, `examples` and `instructions` are words for people and models
//! - `project` is what a conversation knows of its project

mod chips;
mod date_text;
mod document;
mod documents;
mod edit;
mod examples;
mod export;
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
