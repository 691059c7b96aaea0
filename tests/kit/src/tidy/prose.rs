//! Comments and documents are idiomatic English: no headless clause as a subject, and none of the
//! phrases that replace a technical term.

use super::rust::{self, is_word};
use super::{Finding, Rule, Tree};

/// As the first word of a comment, each starts a clause without a subject.
const HEADLESS: [&str; 5] = ["What", "Who", "Whoever", "Whatever", "Where"];

/// Phrases for which the field has a word: send, show, check, contain, index, continue.
const PHRASES: [&str; 6] = [
    "stands here",
    "is told",
    "is looked at",
    "brings",
    "takes in",
    "goes on",
];

const RULE: Rule = Rule {
    name: "plain prose",
    remedy: "Start with the subject and use the technical term, or delete the comment",
};

/// Consecutive comment lines with one kind of marker.
struct Comment {
    line: usize,
    marker: &'static str,
    /// Without markers; one text line per source line.
    text: String,
}

/// Every headless opening and every listed phrase.
pub fn comments_are_plain(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files() {
        for comment in comments(path, text) {
            if let Some(word) = headless(&comment.text) {
                let problem = format!("a comment starts with a headless \"{word}\"");
                findings.push(RULE.at(path, comment.line, problem));
            }
            for (offset, phrase) in phrases(&comment.text) {
                let line = comment.line + comment.text[..offset].matches('\n').count();
                findings.push(RULE.at(path, line, format!("a comment says \"{phrase}\"")));
            }
        }
    }
    findings
}

/// The opening word, unless its sentence is a question.
fn headless(text: &str) -> Option<&'static str> {
    let first = text.split(|c| !is_word(c)).next()?;
    let word = HEADLESS.into_iter().find(|word| *word == first)?;
    let end = text.find(['.', '?', '!']).map(|at| &text[at..=at]);
    (end != Some("?")).then_some(word)
}

/// Offsets of the listed phrases, also across line breaks.
fn phrases(text: &str) -> Vec<(usize, &'static str)> {
    let joined = text.replace('\n', " ").to_ascii_lowercase();
    let mut found = Vec::new();
    for phrase in PHRASES {
        for (at, _) in joined.match_indices(phrase) {
            let before = joined[..at].chars().next_back();
            let after = joined[at + phrase.len()..].chars().next();
            if !before.is_some_and(is_word) && !after.is_some_and(is_word) {
                found.push((at, phrase));
            }
        }
    }
    found
}

fn comments(path: &str, text: &str) -> Vec<Comment> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    // A released migration never changes: databases know its checksum.
    let is_released = extension == "sql" && path.contains("/migrations/");
    let (code, lines) = match extension {
        _ if is_released => return Vec::new(),
        "rs" => {
            let source = rust::read(text);
            (source.code, source.comments)
        }
        // Golden conversations quote people and models.
        "md" if path.contains("/conversations/") => return Vec::new(),
        "md" => return paragraphs(text),
        "ts" | "tsx" | "js" | "mjs" => (String::new(), whole_lines(text, "//")),
        "css" => (String::new(), whole_lines(text, "/*")),
        "sql" => (String::new(), whole_lines(text, "--")),
        "toml" | "yml" | "yaml" | "sh" | "py" | "" => (String::new(), whole_lines(text, "#")),
        _ => return Vec::new(),
    };
    let code: Vec<&str> = code.lines().collect();
    let is_trailing = |line: usize| {
        code.get(line - 1)
            .is_some_and(|code| !code.trim().is_empty())
    };
    let mut comments: Vec<Comment> = Vec::new();
    for (line, raw) in lines {
        let marker = marker(&raw);
        let content = raw[marker.len()..].trim();
        match comments.last_mut() {
            Some(last) if last.continues_at(line, marker) && !is_trailing(last.line) => {
                last.text.push('\n');
                last.text.push_str(content);
            }
            _ => comments.push(Comment {
                line,
                marker,
                text: content.to_owned(),
            }),
        }
    }
    comments
}

impl Comment {
    fn continues_at(&self, line: usize, marker: &str) -> bool {
        self.marker == marker && line == self.line + self.text.matches('\n').count() + 1
    }
}

fn marker(comment: &str) -> &'static str {
    ["///", "//!", "//", "/*", "--", "#"]
        .into_iter()
        .find(|marker| comment.starts_with(marker))
        .unwrap_or("")
}

/// Comments on lines of their own.
fn whole_lines(text: &str, marker: &str) -> Vec<(usize, String)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()))
        .filter(|(_, line)| line.starts_with(marker))
        .map(|(line, comment)| (line, comment.to_owned()))
        .collect()
}

/// Paragraphs and list items of Markdown. Headings, tables, quotations and code are not sentences.
fn paragraphs(text: &str) -> Vec<Comment> {
    let mut paragraphs: Vec<Comment> = Vec::new();
    let (mut is_open, mut is_code) = (false, false);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        if is_code || is_fence || line.is_empty() || line.starts_with(['#', '|', '>', '<']) {
            is_open = false;
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match paragraphs.last_mut().filter(|_| is_open && item.is_none()) {
            Some(last) => {
                last.text.push('\n');
                last.text.push_str(line);
            }
            None => paragraphs.push(Comment {
                line: index + 1,
                marker: "",
                text: item.unwrap_or(line).to_owned(),
            }),
        }
        is_open = true;
    }
    paragraphs
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod prose_tests;
