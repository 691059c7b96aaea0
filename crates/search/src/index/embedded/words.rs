//! The passages that share words with a question, by BM25 over words and stems.

use frontdesk_core::search::{Query, SearchError};
use rusqlite::{Connection, OptionalExtension, params};

use super::broken;
use super::write::owners_json;
use crate::language::{self, Asked};

/// Passages are ranked for the rarest words of a question first, until this many would have
/// to be looked at: words that stand everywhere tell nothing and cost most.
const MOST_ROWS: u32 = 4_000;
/// A question has no more words than this that matter.
const MOST_TERMS: usize = 32;

/// A word of the question and how many passages have it.
pub(super) struct Term {
    column: &'static str,
    word: String,
    rows: u32,
}

/// The rarest words of the question that occur at all.
pub(super) fn terms(db: &Connection, question: &str) -> Result<Vec<Term>, SearchError> {
    let Asked { words, stems } = language::asked(question);
    let mut terms = Vec::new();
    let asked = words
        .into_iter()
        .map(|word| ("text", word))
        .chain(stems.into_iter().map(|stem| ("stems", stem)));
    for (column, word) in asked.take(2 * MOST_TERMS) {
        let rows: Option<u32> = db
            .prepare_cached("SELECT doc FROM vocabulary WHERE term = ?1")
            .and_then(|mut find| find.query_row([&word], |row| row.get(0)).optional())
            .map_err(broken)?;
        if let Some(rows) = rows {
            terms.push(Term { column, word, rows });
        }
    }
    terms.sort_by(|a, b| a.rows.cmp(&b.rows).then_with(|| a.word.cmp(&b.word)));
    let mut total = 0;
    terms.retain(|term| {
        let first = total == 0;
        total += term.rows;
        first || total <= MOST_ROWS
    });
    terms.truncate(MOST_TERMS);
    Ok(terms)
}

/// Ids of passages with some of the terms, best first.
pub(super) fn ranked(
    db: &Connection,
    terms: &[Term],
    query: &Query,
    most: usize,
) -> Result<Vec<i64>, SearchError> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let expression: Vec<String> = terms
        .iter()
        // Words are letters and digits only, so nothing in them is syntax.
        .map(|term| format!("{{{}}} : \"{}\"", term.column, term.word))
        .collect();
    let mut statement = db
        .prepare_cached(
            "SELECT p.id FROM words
             JOIN passages p ON p.id = words.rowid JOIN documents d ON d.id = p.document
             WHERE words MATCH ?1 AND d.collection = ?2 AND d.owner IN (SELECT value FROM json_each(?3))
               AND (?4 IS NULL OR substr(d.url, 1, length(?4)) = ?4)
               AND NOT EXISTS (SELECT 1 FROM json_each(?5) wanted WHERE json_extract(d.metadata, '$.' || json_quote(wanted.key)) IS NOT wanted.value)
             ORDER BY bm25(words, 1.0, 0.7), p.id LIMIT ?6",
        )
        .map_err(broken)?;
    let metadata: serde_json::Map<String, serde_json::Value> = query
        .metadata
        .iter()
        .map(|(key, value)| (key.clone(), value.clone().into()))
        .collect();
    let rows = statement
        .query_map(
            params![
                expression.join(" OR "),
                query.collection,
                owners_json(query.scopes.owners()),
                query.url_prefix,
                serde_json::Value::from(metadata).to_string(),
                most as i64,
            ],
            |row| row.get(0),
        )
        .map_err(broken)?;
    rows.collect::<Result<_, _>>().map_err(broken)
}

/// How much of the question a passage holds, from 0 to 1: rare words count more. Stands in
/// for similarity where nothing is embedded.
pub(super) fn share(question: &str, terms: &[Term], total: u32, passage: &str) -> f32 {
    let plain = format!(
        " {} {} ",
        language::split(&passage.to_lowercase())
            .collect::<Vec<_>>()
            .join(" "),
        language::stems_of(passage)
    );
    let weight = |rows: u32| (1.0 + total as f32 / (1.0 + rows as f32)).ln();
    let asked = language::asked(question);
    let mut all = 0.0;
    let mut held = 0.0;
    for (column, words) in [("text", &asked.words), ("stems", &asked.stems)] {
        for word in words {
            let rows = terms
                .iter()
                .find(|term| term.column == column && term.word == *word)
                .map_or(0, |term| term.rows);
            all += weight(rows);
            if plain.contains(&format!(" {word} ")) {
                held += weight(rows);
            }
        }
    }
    if all > 0.0 { held / all } else { 0.0 }
}
