//! Errors for the author of a manifest: file, line, key, problem, and the nearest known key.

use std::fmt;
use std::path::{Path, PathBuf};

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
    pub fn of_file(file: &Path, problem: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            key: String::new(),
            problem: problem.into(),
        }
    }
}

/// A problem at a key of the manifest.
pub(super) struct Problem {
    key: String,
    text: String,
}

pub(super) fn at(key: impl Into<String>, text: impl Into<String>) -> Problem {
    Problem {
        key: key.into(),
        text: text.into(),
    }
}

impl Problem {
    /// The problem of a part, whose key is below this one.
    pub(super) fn below(self, prefix: &str) -> Self {
        let key = match (prefix, self.key.as_str()) {
            (prefix, "") => prefix.to_owned(),
            ("", key) => key.to_owned(),
            (prefix, key) => format!("{prefix}.{key}"),
        };
        Self { key, ..self }
    }

    /// The error, with the line of the key or of the nearest enclosing key that is written down.
    pub(super) fn in_file(self, file: &Path, text: &str) -> ManifestError {
        ManifestError {
            line: line_of(text, &self.key),
            key: self.key,
            ..ManifestError::of_file(file, self.text)
        }
    }
}

fn line_of(text: &str, key: &str) -> Option<usize> {
    let mut value = DeValue::Table(DeTable::parse(text).ok()?.into_inner());
    let mut start = None;
    for step in key.split(['.', '[']).map(|step| step.trim_end_matches(']')) {
        let found = match &mut value {
            DeValue::Table(table) => {
                let entry = table.remove_entry(step);
                entry.map(|(key, value)| (key.span().start, value))
            }
            DeValue::Array(items) => {
                let item = step.parse().ok().and_then(|index: usize| items.get(index));
                item.map(|item| (item.span().start, item.clone()))
            }
            DeValue::String(_)
            | DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => None,
        };
        let Some((begin, inner)) = found else { break };
        start = Some(begin);
        value = inner.into_inner();
    }
    Some(line_at(text, start?))
}

pub(super) fn line_at(text: &str, start: usize) -> usize {
    let before = text.get(..start).unwrap_or(text);
    before.matches('\n').count() + 1
}

/// The known name that is most like this one.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    const CLOSE_ENOUGH: f64 = 0.75;
    let scored = known
        .iter()
        .map(|other| (strsim::jaro_winkler(name, other), *other));
    let near = scored.filter(|(score, _)| *score >= CLOSE_ENOUGH);
    near.max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// A sentence about a name that does not exist, with the nearest one or all that there are.
pub(super) fn unknown<'a>(
    kind: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let hint = match nearest(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are {}", known.join(", ")),
    };
    format!("there is no {kind} `{name}`; {hint}")
}
