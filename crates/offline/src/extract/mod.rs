//! Extracts values for a tool's parameters. Every value occurs in the message or is parsed from it;
//! missing values are left out.

mod choices;
mod dates;
mod names;
mod numbers;
mod passages;
mod terms;
mod texts;
mod unused;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use crate::catalog::{Catalog, Tool};
use crate::dialogue::PersonMessage;
use crate::schema::{Kind, Param};
use crate::text::{Word, words};

/// One message read for one tool.
struct Reading<'a> {
    catalog: &'a Catalog,
    place: usize,
    said: &'a PersonMessage,
    today: Option<NaiveDate>,
    /// The message answers a question, so it contains no request.
    answer: bool,
    /// The person's words without a pasted text.
    text: &'a str,
    words: Vec<Word>,
    /// Byte ranges of `text` that are already values.
    used: Vec<(usize, usize)>,
    /// How many choices were learned rather than named.
    learned: usize,
    found: Map<String, Value>,
}

/// Words of a message that may be conditions and that no value for the tool accounts for.
pub(crate) fn unused(
    catalog: &Catalog,
    place: usize,
    said: &PersonMessage,
    today: Option<NaiveDate>,
) -> Vec<String> {
    read(catalog, place, said, today, false).unused()
}

/// All values that a message gives for a tool.
pub(crate) fn extract(
    catalog: &Catalog,
    place: usize,
    said: &PersonMessage,
    today: Option<NaiveDate>,
    answer: bool,
) -> Map<String, Value> {
    read(catalog, place, said, today, answer).found
}

fn read<'a>(
    catalog: &'a Catalog,
    place: usize,
    said: &'a PersonMessage,
    today: Option<NaiveDate>,
    answer: bool,
) -> Reading<'a> {
    let text = match said.parted() {
        Some((lead, _)) if catalog.tools[place].takes_passage() => lead,
        Some(_) | None => said.text.as_str(),
    };
    let mut reading = Reading {
        catalog,
        place,
        said,
        today,
        answer,
        text,
        words: words(text),
        used: Vec::new(),
        learned: 0,
        found: Map::new(),
    };
    reading.read();
    reading
}

impl<'a> Reading<'a> {
    /// Reads the kinds in order of certainty: each byte belongs to one value at most.
    fn read(&mut self) {
        self.read_files();
        self.read_passages();
        self.read_codes();
        self.read_dates();
        self.read_numbers();
        self.read_choices();
        self.read_terms();
        self.read_names();
        self.read_texts();
    }

    fn tool(&self) -> &'a Tool {
        &self.catalog.tools[self.place]
    }

    fn params(&self, wanted: fn(&Kind) -> bool) -> Vec<&'a Param> {
        let params = self.tool().params.iter();
        params.filter(|param| wanted(&param.kind)).collect()
    }

    fn put(&mut self, param: &Param, value: Value) {
        self.found.insert(param.name.clone(), value);
    }

    /// Stores a value and marks its bytes as used.
    fn take(&mut self, param: &Param, value: Value, start: usize, end: usize) {
        self.used.push((start, end));
        self.put(param, value);
    }

    fn has(&self, param: &Param) -> bool {
        self.found.contains_key(&param.name)
    }

    fn is_used(&self, start: usize, end: usize) -> bool {
        self.used
            .iter()
            .any(|(from, to)| start < *to && *from < end)
    }

    fn read_files(&mut self) {
        let files = self.params(|kind| matches!(kind, Kind::File));
        for (param, number) in files.into_iter().zip(&self.said.files) {
            self.put(param, Value::from(format!("file:{number}")));
        }
    }

    /// Finds codes by pattern, and identifiers: words with digits and letters, or else a number.
    fn read_codes(&mut self) {
        for param in self.params(|kind| matches!(kind, Kind::Pattern(_) | Kind::Identifier)) {
            let place = if let Kind::Pattern(pattern) = &param.kind {
                pattern
                    .find(self.text)
                    .map(|found| (found.start(), found.end()))
            } else {
                let code = self.words.iter().find(|word| is_identifier(word));
                let number = || self.words.iter().find(|word| word.is_number());
                code.or_else(number).map(|word| (word.start, word.end))
            };
            if let Some((start, end)) = place {
                let code = written_as_code(&self.text[start..end]);
                self.take(param, Value::from(code), start, end);
            }
        }
    }
}

/// Writes long codes that start with a letter in capitals: `gp-2026-0007`, but not `n-307`.
fn written_as_code(text: &str) -> String {
    const SHORT: usize = 6;
    let code = text.contains('-') && text.starts_with(char::is_alphabetic) && text.len() > SHORT;
    if code {
        text.to_uppercase()
    } else {
        text.to_owned()
    }
}

fn is_identifier(word: &Word) -> bool {
    let letters = word.lower.chars().any(char::is_alphabetic);
    word.has_digit() && letters && word.lower.chars().count() > 2
}
