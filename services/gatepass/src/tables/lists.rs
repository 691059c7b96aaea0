//! Lists of passes: newest first, by status, by words, in pages.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_db::{DbError, Tx, Value};

use super::passes::{Pass, folded};
use crate::pass::Status;

/// Further words of a search are ignored.
const MAX_WORDS: usize = 8;

/// Filter and page of a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    pub(crate) status: Option<Status>,
    /// Words that name, description or number must contain. Matches in the name come first.
    pub(crate) search: Option<String>,
    pub(crate) after: Option<Cursor>,
    pub(crate) limit: i64,
}

/// The last pass of a page; the next page starts after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    rank: i64,
    year: i32,
    sequence: i64,
}

/// A page and the cursor of the next one.
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next: Option<Cursor>,
}

/// Passes by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) of: [i64; Status::ALL.len()],
    /// Exited on a returnable pass and not back yet.
    pub(crate) awaiting_return: i64,
}

impl Cursor {
    /// Opaque to clients.
    pub(crate) fn encode(self) -> String {
        URL_SAFE_NO_PAD.encode(format!("p1.{}.{}.{}", self.rank, self.year, self.sequence))
    }

    pub(crate) fn decode(text: &str) -> Option<Cursor> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let mut parts = text.strip_prefix("p1.")?.split('.');
        let cursor = Cursor {
            rank: parts.next()?.parse().ok()?,
            year: parts.next()?.parse().ok()?,
            sequence: parts.next()?.parse().ok()?,
        };
        parts.next().is_none().then_some(cursor)
    }
}

pub(crate) async fn page(tx: &mut Tx, filter: &Filter) -> Result<Page<Pass>, DbError> {
    let mut query = Query::default();
    let words: Vec<String> = filter
        .search
        .iter()
        .flat_map(|text| text.split_whitespace())
        .take(MAX_WORDS)
        .map(pattern)
        .collect();
    let patterns: Vec<String> = words.into_iter().map(|word| query.bind(word)).collect();
    let matches = |column: &str| -> Vec<String> {
        patterns
            .iter()
            .map(|pattern| format!("{column} LIKE {pattern} ESCAPE '\\'"))
            .collect()
    };
    let mut conditions = matches("folded");
    conditions.push("deleted_at IS NULL".to_owned());
    if let Some(status) = filter.status {
        conditions.push(format!("status = {}", query.bind(status.into_str())));
    }
    let rank = match patterns.is_empty() {
        true => "0".to_owned(),
        false => format!(
            "CASE WHEN {} THEN 0 ELSE 1 END",
            matches("folded_name").join(" AND ")
        ),
    };
    let behind = match filter.after {
        None => "1 = 1".to_owned(),
        Some(Cursor {
            rank,
            year,
            sequence,
        }) => {
            let (rank, year, sequence) = (query.bind(rank), query.bind(year), query.bind(sequence));
            format!(
                "(match_rank > {rank} OR (match_rank = {rank} AND (year < {year} OR (year = {year} AND sequence < {sequence}))))"
            )
        }
    };
    // One extra row shows whether there is a next page.
    let limit = query.bind(filter.limit + 1);
    let sql = format!(
        "SELECT * FROM (SELECT *, {rank} AS match_rank FROM gatepass_passes WHERE {}) AS found
         WHERE {behind} ORDER BY match_rank, year DESC, sequence DESC LIMIT {limit}",
        conditions.join(" AND ")
    );
    let rows = tx.rows(&sql, &query.values).await?;
    let mut found: Vec<(Pass, Cursor)> = Vec::with_capacity(rows.len());
    for row in &rows {
        let pass = Pass::read(row)?;
        let cursor = Cursor {
            rank: row.get("match_rank")?,
            year: pass.year,
            sequence: pass.sequence,
        };
        found.push((pass, cursor));
    }
    let limit = usize::try_from(filter.limit).unwrap_or(0);
    let more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().map(|(_, cursor)| *cursor).filter(|_| more);
    Ok(Page {
        items: found.into_iter().map(|(pass, _)| pass).collect(),
        next,
    })
}

pub(crate) async fn counts(tx: &mut Tx) -> Result<Counts, DbError> {
    let rows = tx
        .rows(
            "SELECT status, is_returnable, count(*) AS passes FROM gatepass_passes
             WHERE deleted_at IS NULL GROUP BY status, is_returnable",
            &[],
        )
        .await?;
    let mut counts = Counts::default();
    for row in rows {
        let (status, returnable, passes): (String, bool, i64) = (
            row.get("status")?,
            row.get("is_returnable")?,
            row.get("passes")?,
        );
        for (count, known) in counts.of.iter_mut().zip(Status::ALL) {
            if known.into_str() == status {
                *count += passes;
            }
        }
        if returnable && status == Status::Exited.into_str() {
            counts.awaiting_return += passes;
        }
    }
    Ok(counts)
}

/// Collects the values of a statement built from fixed parts.
#[derive(Default)]
struct Query {
    values: Vec<Value>,
}

impl Query {
    /// Adds a value and returns its placeholder.
    fn bind(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }
}

/// A `LIKE` pattern that matches the word anywhere, with `%` and `_` escaped.
fn pattern(word: &str) -> String {
    let mut pattern = String::from("%");
    for letter in folded(word).chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}
