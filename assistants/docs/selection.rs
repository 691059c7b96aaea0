//! "Answer only from this selection": a reader marked a text, and the search reads nothing
//! else, whatever the model asks for.

use frontdesk_core::conversation::Conversation;
use serde_json::Value;

use super::retrieval::{LONGEST_TEXT, PassageResult, RetrievalToolResponse};
use super::window;

/// The key of the marked text in a conversation's metadata.
pub(super) const KEY: &str = "selection";
const TITLE: &str = "Your selection";

/// The marked text, if the conversation is about one.
pub(super) fn of(conversation: &Conversation) -> Option<&str> {
    conversation
        .metadata
        .get(KEY)
        .and_then(Value::as_str)
        .filter(|text| !text.trim().is_empty())
}

/// The parts of the selection that share most with the question, best first.
pub(super) fn search(
    selection: &str,
    query: &str,
    top_k: usize,
    url: &str,
) -> RetrievalToolResponse {
    let asked = window::words(query);
    let mut parts: Vec<(f64, String)> = parts(selection)
        .into_iter()
        .map(|part| (window::shared(&asked, &part), part))
        .filter(|(shared, _)| *shared > 0.0)
        .collect();
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let results: Vec<PassageResult> = parts
        .into_iter()
        .take(top_k)
        .map(|(shared, text)| PassageResult {
            passage: text.clone(),
            text,
            url: url.to_owned(),
            title: TITLE.to_owned(),
            score: (shared * 1_000.0).round() / 1_000.0,
            ..PassageResult::default()
        })
        .collect();
    RetrievalToolResponse {
        total: results.len(),
        results,
        query: query.to_owned(),
        ..RetrievalToolResponse::default()
    }
}

/// Paragraphs, none longer than what a model is shown.
fn parts(text: &str) -> Vec<String> {
    text.split("\n\n")
        .flat_map(|paragraph| {
            let chars: Vec<char> = paragraph.trim().chars().collect();
            chars
                .chunks(LONGEST_TEXT)
                .map(|part| part.iter().collect::<String>())
                .collect::<Vec<_>>()
        })
        .filter(|part| !part.trim().is_empty())
        .collect()
}
