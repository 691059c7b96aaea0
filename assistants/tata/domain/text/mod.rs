//! Small pure helpers for text: words, sentences, phrases, emoji, templates.

pub(crate) mod emoji;
pub(crate) mod fill;
pub(crate) mod phrasebook;
pub(crate) mod sentences;
pub(crate) mod words;

#[cfg(test)]
mod text_tests;
