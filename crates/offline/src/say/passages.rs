//! Passages of documents: their best sentences, quoted, with their sources.

use serde_json::{Map, Value};

use super::{Phrases, plain};
use crate::language::Language;
use crate::text::{same_stem, words};

const MOST_PASSAGES: usize = 3;
const MOST_SENTENCES: usize = 2;
const SHORTEST_PASSAGE: usize = 40;
/// Shorter words of a question are mostly articles and prepositions.
const SHORTEST_WORD: usize = 4;

/// A quotation of the passages, if these items are any: texts with an address or a title.
pub(super) fn quote(items: &[Value], asked: &str, language: Language) -> Option<String> {
    let passages: Vec<(&str, &Map<String, Value>)> = items
        .iter()
        .filter_map(Value::as_object)
        .filter_map(|item| Some((text_of(item)?, item)))
        .take(MOST_PASSAGES)
        .collect();
    if passages.is_empty() {
        return None;
    }
    let asked: Vec<String> = words(asked)
        .into_iter()
        .map(|word| word.lower)
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .collect();
    let mut quoted = Vec::new();
    let mut sources: Vec<String> = Vec::new();
    for (text, item) in passages {
        quoted.push(format!("> {}", best_sentences(text, &asked, language)));
        let source = source_of(item, language);
        if !source.is_empty() && !sources.contains(&source) {
            sources.push(source);
        }
    }
    let mut text = quoted.join("\n\n");
    if !sources.is_empty() {
        let list: Vec<String> = sources.iter().map(|source| format!("- {source}")).collect();
        text.push_str(&format!(
            "\n\n**{}**\n{}",
            Phrases::of(language).sources,
            list.join("\n")
        ));
    }
    Some(text)
}

fn text_of(item: &Map<String, Value>) -> Option<&str> {
    let cited = ["url", "title", "source"]
        .iter()
        .any(|key| item.contains_key(*key));
    let text = ["text", "content", "chunk_text", "passage", "snippet"]
        .iter()
        .find_map(|key| item.get(*key)?.as_str())?;
    (cited && text.chars().count() >= SHORTEST_PASSAGE).then_some(text)
}

/// The sentences that share most words with the question, in the order they stand.
fn best_sentences(text: &str, asked: &[String], language: Language) -> String {
    let sentences: Vec<&str> = text
        .split_inclusive(['.', '!', '?', '\n'])
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty())
        .collect();
    let shared = |sentence: &str| {
        let here = words(sentence);
        let known = |word: &&String| here.iter().any(|other| same_stem(word, &other.lower));
        asked.iter().filter(known).count()
    };
    let mut best: Vec<(usize, usize)> = sentences
        .iter()
        .enumerate()
        .map(|(at, s)| (shared(s), at))
        .collect();
    best.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<usize> = best
        .into_iter()
        .take(MOST_SENTENCES)
        .map(|(_, at)| at)
        .collect();
    chosen.sort_unstable();
    let text: Vec<&str> = chosen.into_iter().map(|at| sentences[at]).collect();
    plain(&Value::String(text.join(" ")), language)
}

fn source_of(item: &Map<String, Value>, language: Language) -> String {
    let field = |key: &str| item.get(key).filter(|value| value.is_string());
    let url = field("url").and_then(Value::as_str).filter(|url| {
        let plain = !url.contains([' ', '(', ')', '<', '>', '\n']);
        plain && (url.starts_with("https://") || url.starts_with("http://") || url.starts_with('/'))
    });
    let title = field("title")
        .or_else(|| field("source"))
        .map(|title| plain(title, language));
    match (title, url) {
        (Some(title), Some(url)) => format!("[{title}]({url})"),
        (None, Some(url)) => url.to_owned(),
        (Some(title), None) => title,
        (None, None) => String::new(),
    }
}
