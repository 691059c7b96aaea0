//! An answer without a model that writes: the sentences that share most with the question,
//! quoted word for word, each with its source.

use super::retrieval::{Found, LONGEST_TEXT, RetrievalToolResponse};

const MOST_QUOTES: usize = 3;
const FEWEST_WORDS: usize = 5;
/// Sentences that are quoted of the best passage.
const READ_ON: usize = 3;

/// What a search came to, in words for people.
pub(super) fn quoted(response: &RetrievalToolResponse) -> String {
    if let Some(message) = response.message.as_ref().filter(|_| response.is_error()) {
        return message
            .split(" Tell the person")
            .next()
            .unwrap_or(message)
            .to_owned();
    }
    if response.results.is_empty() {
        return format!(
            "I could not find anything about \u{201c}{}\u{201d} in the documents. Try other words.",
            response.query.trim()
        );
    }
    let mut lines = Vec::new();
    let mut sources = Vec::new();
    for quote in best(response) {
        let Quote { number, found, .. } = quote;
        let cited: Vec<String> = quote
            .sentences
            .iter()
            .map(|sentence| format!("{sentence} [{number}]"))
            .collect();
        lines.push(format!("> {}", cited.join(" ")));
        sources.push(format!(
            "- [{number}] [{}]({})",
            link_text(&found.title),
            found.url
        ));
    }
    format!(
        "{}\n\n**Sources**\n{}",
        lines.join("\n\n"),
        sources.join("\n")
    )
}

/// What is quoted of one passage.
struct Quote<'r> {
    score: f64,
    number: usize,
    found: &'r Found,
    sentences: Vec<String>,
}

/// The best sentence of each of the best passages, in the order of the passages. The best of all
/// is read on: what follows it explains it.
fn best(response: &RetrievalToolResponse) -> Vec<Quote<'_>> {
    let asked = words(&response.query);
    let mut quotes: Vec<Quote<'_>> = response
        .results
        .iter()
        .enumerate()
        .filter_map(|(index, found)| {
            let mut sentences = sentences(&found.text);
            let (shared, at) = sentences
                .iter()
                .enumerate()
                .map(|(at, sentence)| (shared(&asked, sentence), at))
                // The first of equals: a passage says what it is about at its beginning.
                .reduce(|best, next| if next.0 > best.0 { next } else { best })?;
            sentences.drain(..at);
            // A passage that shares nothing with the question is quoted only if it is the best.
            (shared > 0.0 || index == 0).then_some(Quote {
                score: found.score + shared,
                number: index + 1,
                found,
                sentences,
            })
        })
        .collect();
    quotes.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
    quotes.truncate(MOST_QUOTES);
    for (place, quote) in quotes.iter_mut().enumerate() {
        quote
            .sentences
            .truncate(if place == 0 { READ_ON } else { 1 });
    }
    quotes.sort_by_key(|quote| quote.number);
    quotes
}

/// Sentences and list items of a passage; headings, code and tables say nothing by themselves.
fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    let mut open = String::new();
    let mut close = |open: &mut String| {
        for sentence in split(open) {
            let sentence = sentence.trim().to_owned();
            // A comma is no word.
            let words = sentence.split_whitespace();
            let words = words.filter(|word| word.contains(char::is_alphanumeric));
            if words.count() >= FEWEST_WORDS {
                found.push(sentence);
            }
        }
        open.clear();
    };
    for line in text.lines() {
        let bare = line.trim();
        if bare.starts_with("```") {
            in_code = !in_code;
        }
        let item = bare.starts_with("- ")
            || bare.starts_with("* ")
            || bare.starts_with(|c: char| c.is_ascii_digit());
        let skipped = in_code || bare.is_empty() || bare.starts_with(['#', '|', '`', '<']);
        if skipped || item {
            close(&mut open);
        }
        if !skipped {
            let words = bare.trim_start_matches(['-', '*']).trim_start();
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(words);
        }
    }
    // What a model is shown may end in the middle of a sentence; that end is not quoted.
    if text.chars().count() >= LONGEST_TEXT {
        let whole = open.rfind(['.', '!', '?']).map_or(0, |end| end + 1);
        open.truncate(whole);
    }
    close(&mut open);
    if found.is_empty() {
        // Nothing in it is a sentence: its first words stand for it.
        let words: Vec<&str> = text
            .split_whitespace()
            .filter(|word| word.contains(char::is_alphanumeric))
            .collect();
        let joined = words.join(" ");
        found.extend(split(&joined).first().map(|first| first.trim().to_owned()));
    }
    found
}

fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (at, c) in text.char_indices() {
        let ends = matches!(c, '.' | '!' | '?');
        let after = text[at + c.len_utf8()..].chars().next();
        if ends && after.is_none_or(char::is_whitespace) {
            parts.push(&text[begin..at + c.len_utf8()]);
            begin = at + c.len_utf8();
        }
    }
    parts.push(&text[begin..]);
    parts
}

fn words(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 2)
        .map(|word| word.chars().take(6).collect())
        .collect()
}

/// The share of the question's words that a sentence holds, by their first letters.
pub(super) fn shared(asked: &[String], sentence: &str) -> f64 {
    let held = words(sentence);
    let count = asked.iter().filter(|word| held.contains(word)).count();
    count as f64 / asked.len().max(1) as f64
}

/// The words of a question, for [`shared`].
pub(super) fn asked(question: &str) -> Vec<String> {
    words(question)
}

/// Brackets in a title would end the link.
fn link_text(title: &str) -> String {
    title.replace(['[', ']'], "")
}
