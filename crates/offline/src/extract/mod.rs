//! Values for a tool's parameters, taken from what a person wrote. Every value occurs in the message or is
//! parsed from it; a value that is not there is left out.

mod choices;
mod dates;
mod names;
mod numbers;
mod passages;
mod texts;

use chrono::NaiveDate;
use serde_json::{Map, Value};

use crate::catalog::{Catalog, Tool};
use crate::dialogue::Said;
use crate::schema::{Kind, Param};
use crate::text::{Word, words};

/// One message as seen by one tool.
pub(crate) struct Reading<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) place: usize,
    pub(crate) said: &'a Said,
    /// The date of the server's clock, `YYYY-MM-DD`.
    pub(crate) today: Option<NaiveDate>,
    /// The message answers a question, so it contains no request.
    answer: bool,
    /// The person's words without a pasted text.
    text: &'a str,
    words: Vec<Word>,
    /// Bytes of `text` that already are values.
    used: Vec<(usize, usize)>,
    found: Map<String, Value>,
}

/// All values that a message gives for a tool.
pub(crate) fn extract(
    catalog: &Catalog,
    place: usize,
    said: &Said,
    today: Option<NaiveDate>,
    answer: bool,
) -> Map<String, Value> {
    let takes_passage = catalog.tools[place]
        .params
        .iter()
        .any(|p| matches!(p.kind, Kind::Passage));
    let text = match said.parted() {
        Some((lead, _)) if takes_passage => lead,
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
        found: Map::new(),
    };
    reading.read();
    reading.found
}

impl<'a> Reading<'a> {
    pub(crate) fn tool(&self) -> &'a Tool {
        &self.catalog.tools[self.place]
    }

    fn params(&self, wanted: fn(&Kind) -> bool) -> Vec<&'a Param> {
        let params = self.tool().params.iter();
        params.filter(|param| wanted(&param.kind)).collect()
    }

    /// The kinds in order of how certain they are: what one of them took is not read again.
    fn read(&mut self) {
        self.read_files();
        self.read_passages();
        self.read_codes();
        self.read_dates();
        self.read_numbers();
        self.read_choices();
        self.read_names();
        self.read_texts();
    }

    fn put(&mut self, param: &Param, value: Value) {
        self.found.insert(param.name.clone(), value);
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
        let mut files = self.said.files.iter();
        for param in self.params(|kind| matches!(kind, Kind::File)) {
            if let Some(number) = files.next() {
                self.put(param, Value::from(format!("file:{number}")));
            }
        }
    }

    /// Codes by their pattern, and identifiers: words with a digit that are no plain number.
    fn read_codes(&mut self) {
        for param in self.tool().params.iter() {
            match &param.kind {
                Kind::Pattern(pattern) => {
                    if let Some(code) = pattern.find(self.text) {
                        self.used.push((code.start(), code.end()));
                        let text = code.as_str();
                        // Patterns are matched in any case, but most codes are written in capitals.
                        let exact = pattern.as_str().chars().any(char::is_uppercase);
                        let value = if exact {
                            text.to_uppercase()
                        } else {
                            text.to_owned()
                        };
                        self.put(param, Value::from(value));
                    }
                }
                Kind::Identifier => {
                    let code = self.words.iter().find(|word| is_identifier(word));
                    let number = || self.words.iter().find(|word| word.is_number());
                    if let Some(word) = code.or_else(number) {
                        let (start, end) = (word.start, word.end);
                        let raw = &self.text[start..end];
                        self.used.push((start, end));
                        let code = raw.contains('-') && raw.starts_with(char::is_alphabetic);
                        let long = code && raw.len() > SHORT_CODE;
                        let value = if long {
                            raw.to_uppercase()
                        } else {
                            raw.to_owned()
                        };
                        self.put(param, Value::from(value));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Short codes such as `n-307` are written in small letters.
const SHORT_CODE: usize = 8;

fn is_identifier(word: &Word) -> bool {
    const SHORTEST: usize = 3;
    let letters = word.lower.chars().any(char::is_alphabetic);
    word.has_digit() && letters && word.lower.chars().count() >= SHORTEST
}
