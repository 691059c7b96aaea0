//! Reads comma- or semicolon-separated values with a line of headings, as spreadsheets save them: quotes,
//! doubled quotes, and line breaks within quotes.

use serde_json::{Map, Value};

use super::heading;
use frontdesk_bundle::BoxError;

type Row = Result<Map<String, Value>, String>;

pub(super) fn rows(text: &str) -> Result<Vec<Row>, BoxError> {
    let first = text.lines().next().unwrap_or_default();
    let separator = if first.matches(';').count() > first.matches(',').count() {
        ';'
    } else {
        ','
    };
    let mut records = records(text, separator)?.into_iter();
    let headings: Vec<String> = match records.next() {
        Some(headings) => headings.iter().map(|name| heading(name)).collect(),
        None => return Err("the file is empty".into()),
    };
    let rows = records.filter(|record| record.iter().any(|cell| !cell.trim().is_empty()));
    Ok(rows
        .map(|record| {
            if record.len() > headings.len() {
                return Err(format!(
                    "{} values for {} headings",
                    record.len(),
                    headings.len()
                ));
            }
            let cells = headings
                .iter()
                .cloned()
                .zip(record.into_iter().map(Value::String));
            Ok(cells.collect())
        })
        .collect())
}

fn records(text: &str, separator: char) -> Result<Vec<Vec<String>>, BoxError> {
    let mut records = vec![Vec::new()];
    let mut cell = String::new();
    let mut quoted = false;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if quoted {
            match c {
                '"' if letters.peek() == Some(&'"') => {
                    letters.next();
                    cell.push('"');
                }
                '"' => quoted = false,
                other => cell.push(other),
            }
            continue;
        }
        match c {
            '"' if cell.is_empty() => quoted = true,
            '\r' => {}
            '\n' => {
                end_cell(&mut records, &mut cell);
                records.push(Vec::new());
            }
            other if other == separator => end_cell(&mut records, &mut cell),
            other => cell.push(other),
        }
    }
    if quoted {
        return Err("a quotation mark is never closed".into());
    }
    end_cell(&mut records, &mut cell);
    records.retain(|record| record.iter().any(|cell| !cell.is_empty()));
    Ok(records)
}

fn end_cell(records: &mut [Vec<String>], cell: &mut String) {
    if let Some(record) = records.last_mut() {
        record.push(std::mem::take(cell));
    }
}
