//! Full-text search over the conversations that a person may see.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id::ConversationId;

/// Further words of a query are ignored.
const MOST_WORDS: usize = 8;
/// Longer words are cut; a beginning of a word finds the word.
const LONGEST_WORD: usize = 64;
/// Characters of an excerpt, and how many of them are before the first word found.
const EXCERPT: usize = 160;
const BEFORE: usize = 50;

/// The words of a query in lower case: letters and digits only, so that no part of it is an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchWords(Vec<String>);

impl SearchWords {
    /// `None` if the query has no letter and no digit.
    pub fn of(query: &str) -> Option<Self> {
        let words: Vec<String> = query
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(MOST_WORDS)
            .map(|word| word.to_lowercase().chars().take(LONGEST_WORD).collect())
            .collect();
        (!words.is_empty()).then_some(Self(words))
    }

    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    /// True if each word begins a word of the text.
    pub fn all_begin_a_word_of(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.iter().all(|word| {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|found| found.starts_with(word.as_str()))
        })
    }

    /// One line around the first of these words, without the marks of tables and lists.
    pub fn excerpt(&self, text: &str) -> String {
        let line = one_line(text);
        let is_start =
            |at: usize| line[at].is_alphanumeric() && (at == 0 || !line[at - 1].is_alphanumeric());
        let first = (0..line.len())
            .filter(|at| is_start(*at))
            .find(|at| self.begins(&line[*at..]))
            .unwrap_or(0);
        let begin = match first.saturating_sub(BEFORE) {
            0 => 0,
            // A cut word would read as another word.
            cut => (cut..first)
                .find(|at| line[*at] == ' ')
                .map_or(first, |at| at + 1),
        };
        let end = line.len().min(begin + EXCERPT);
        let shown: String = line[begin..end].iter().collect();
        let before = if begin > 0 { "… " } else { "" };
        let after = if end < line.len() { " …" } else { "" };
        format!("{before}{}{after}", shown.trim_end())
    }

    fn begins(&self, text: &[char]) -> bool {
        let start: String = text.iter().take(LONGEST_WORD).collect();
        let start = start.to_lowercase();
        self.0.iter().any(|word| start.starts_with(word.as_str()))
    }
}

/// The text's words with single spaces, without Markdown's marks between them.
fn one_line(text: &str) -> Vec<char> {
    let is_mark = |word: &&str| word.chars().all(|c| "|-:#*>`=".contains(c));
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !is_mark(word))
        .collect();
    words
        .join(" ")
        .chars()
        .filter(|c| !"*`#".contains(*c))
        .collect()
}

/// A text that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundText {
    pub kind: TextKind,
    /// Of the conversation, message or document.
    pub id: Uuid,
    pub conversation: ConversationId,
    pub assistant: String,
    /// The conversation's title.
    pub title: String,
    /// The document's title.
    pub name: Option<String>,
    /// The text, or the beginning of a long one; empty for a title.
    pub text: String,
    pub at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TextKind {
    Title,
    Message,
    Document,
}

#[cfg(test)]
#[path = "text_search_tests.rs"]
mod tests;
