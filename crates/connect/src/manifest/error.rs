//! Errors for the author of a manifest: file, line, key, problem, and the nearest known key.

use std::fmt;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A manifest that cannot be used, in a sentence for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError {
    pub file: PathBuf,
    pub line: Option<usize>,
    /// Dotted, e.g. `tool.close_ticket.effect`; empty for the whole file.
    pub key: String,
    pub problem: String,
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if !self.key.is_empty() {
            write!(f, ", `{}`", self.key)?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for ManifestError {}

impl ManifestError {
    pub(super) fn of_file(file: &Path, problem: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            key: String::new(),
            problem: problem.into(),
        }
    }
}

/// The text of a manifest and the places of its keys.
pub(super) struct Places {
    file: PathBuf,
    text: String,
    /// The first byte of each key, by its dotted path.
    keys: Vec<(String, usize)>,
}

impl Places {
    pub(super) fn of(file: &Path, text: &str, table: &Spanned<DeTable<'_>>) -> Self {
        let mut keys = Vec::new();
        note_table("", table.get_ref(), &mut keys);
        Self {
            file: file.to_owned(),
            text: text.to_owned(),
            keys,
        }
    }

    /// An error at a key, or at the nearest enclosing key that is written down.
    pub(super) fn error(&self, key: &str, problem: impl Into<String>) -> ManifestError {
        let mut path = key;
        let line = loop {
            if let Some((_, start)) = self.keys.iter().find(|(known, _)| known == path) {
                break Some(line_at(&self.text, *start));
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => break None,
            }
        };
        ManifestError {
            file: self.file.clone(),
            line,
            key: key.to_owned(),
            problem: problem.into(),
        }
    }
}

fn note_table(prefix: &str, table: &DeTable<'_>, keys: &mut Vec<(String, usize)>) {
    for (key, value) in table {
        let path = join(prefix, key.get_ref());
        keys.push((path.clone(), key.span().start));
        note_value(&path, value, keys);
    }
}

fn note_value(path: &str, value: &Spanned<DeValue<'_>>, keys: &mut Vec<(String, usize)>) {
    match value.get_ref() {
        DeValue::Table(table) => note_table(path, table, keys),
        DeValue::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}[{index}]");
                keys.push((path.clone(), item.span().start));
                note_value(&path, item, keys);
            }
        }
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => {}
    }
}

pub(super) fn join(prefix: &str, key: &str) -> String {
    if prefix.is_empty() {
        key.to_owned()
    } else {
        format!("{prefix}.{key}")
    }
}

pub(super) fn line_at(text: &str, start: usize) -> usize {
    let before = text.get(..start).unwrap_or(text);
    before.matches('\n').count() + 1
}

/// The known name that is most like this one.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const CLOSE_ENOUGH: f64 = 0.75;
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(score, _)| *score >= CLOSE_ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// "; did you mean `x`?", or the names that there are.
pub(super) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if known.is_empty() => "; there are none".to_owned(),
        None => format!("; there are {}", known.join(", ")),
    }
}
