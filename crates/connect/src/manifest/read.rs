//! Parses a manifest. `${NAME}` below `source` takes a secret or an address from the settings.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::error::{ManifestError, Problem, at, line_at, nearest};
use super::folder::ManifestFolder;
use super::format::{Manifest, SourceEntry};

/// The value of a name that a manifest refers to.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

const SOURCE: &str = "source";

/// The values of a manifest's file.
pub(super) fn parse(folder: &ManifestFolder) -> Result<Table, ManifestError> {
    let text = &folder.manifest;
    text.parse().map_err(|error: toml::de::Error| {
        let problem = match error.span().and_then(|span| text.get(span)) {
            Some(key) if error.message() == "duplicate key" => format!("`{key}` is there twice"),
            Some(_) | None => one_line(error.message()),
        };
        ManifestError {
            line: error.span().map(|span| line_at(text, span.start)),
            ..ManifestError::of_file(&folder.manifest_file(), problem)
        }
    })
}

pub(super) fn read(mut table: Table, variables: Variables<'_>) -> Result<Manifest, Problem> {
    // Only sources contain secrets.
    let sources = table.remove(SOURCE);
    let mut manifest: Manifest = deserialize("", Value::Table(table))?;
    let Value::Table(sources) = sources.unwrap_or(Value::Table(Table::new())) else {
        return Err(at(SOURCE, "must be tables: write [source.NAME]"));
    };
    for (name, mut source) in sources {
        let key = format!("{SOURCE}.{name}");
        insert(&key, &mut source, variables)?;
        // Chosen here, because an untagged enum would hide which key is wrong.
        let source = match source.get("mcp") {
            Some(_) => SourceEntry::Mcp(deserialize(&key, source)?),
            None => SourceEntry::Http(deserialize(&key, source)?),
        };
        manifest.source.insert(name, source);
    }
    Ok(manifest)
}

/// Replaces `${NAME}` in the strings of a value.
fn insert(key: &str, value: &mut Value, variables: Variables<'_>) -> Result<(), Problem> {
    match value {
        Value::String(text) => {
            *text = inserted(text, variables).map_err(|problem| at(key, problem))?;
            Ok(())
        }
        Value::Table(table) => {
            let mut entries = table.iter_mut();
            entries.try_for_each(|(name, value)| insert(&format!("{key}.{name}"), value, variables))
        }
        Value::Array(items) => {
            let mut items = items.iter_mut().enumerate();
            items.try_for_each(|(index, item)| insert(&format!("{key}[{index}]"), item, variables))
        }
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Datetime(_) => Ok(()),
    }
}

/// The problem names the variable and never shows a value.
fn inserted(text: &str, variables: Variables<'_>) -> Result<String, String> {
    let mut rest = text;
    let mut whole = String::new();
    while let Some((before, after)) = rest.split_once("${") {
        let (name, left) = after.split_once('}').ok_or("has `${` without `}`")?;
        let value = variables(name).filter(|value| !value.is_empty()).ok_or_else(|| {
            format!("needs {name}; set it in the environment, or below [variables] in frontdesk.toml")
        })?;
        whole = whole + before + &value;
        rest = left;
    }
    Ok(whole + rest)
}

fn deserialize<T: DeserializeOwned>(prefix: &str, value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        let key = if path == "." { "" } else { path.as_str() };
        problem(key, toml::de::Error::message(error.inner())).below(prefix)
    })
}

/// serde's message lists all known names; the nearest one is more useful.
fn problem(key: &str, message: &str) -> Problem {
    let (kind, rest) = match message.split_once(" `") {
        Some(("unknown field", rest)) => ("key", rest),
        Some(("unknown variant", rest)) => ("value", rest),
        Some(_) | None => return at(key, one_line(message)),
    };
    let mut names = rest.split('`').step_by(2);
    let name = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    let hint = match nearest(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known are {}", known.join(", ")),
    };
    let text = format!("unknown {kind} `{name}`; {hint}");
    // Some deserialisers report the enclosing table.
    let is_enclosing = kind == "key" && key.rsplit('.').next() != Some(name);
    match is_enclosing {
        true => at(name, text).below(key),
        false => at(key, text),
    }
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
