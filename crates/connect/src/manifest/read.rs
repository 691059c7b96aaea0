//! Parses a manifest. `${NAME}` below `source` takes a secret or an address from the settings.

use std::borrow::Cow;
use std::path::Path;

use indexmap::IndexMap;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::error::{ManifestError, Places, join, line_at, nearest};
use super::format::{Manifest, SourceEntry};
use crate::mcp::McpSource;
use crate::source::Source;

/// The value of a name that a manifest refers to.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

const SOURCE: &str = "source";

pub(super) fn parse(
    file: &Path,
    text: &str,
    variables: Variables<'_>,
) -> Result<(Manifest, Places), ManifestError> {
    let mut table = DeTable::parse(text).map_err(|error| {
        let what = match error.span().and_then(|span| text.get(span)) {
            Some(key) if error.message() == "duplicate key" => format!("`{key}` is there twice"),
            Some(_) | None => sentence(error.message()),
        };
        ManifestError {
            line: error.span().map(|span| line_at(text, span.start)),
            ..ManifestError::of_file(file, what)
        }
    })?;
    let places = Places::of(file, text, &table);
    // Only sources contain secrets.
    let sources = table.get_mut().remove(SOURCE);
    let mut manifest: Manifest = read("", table, &places)?;
    if let Some(sources) = sources {
        manifest.source = read_sources(sources, &places, variables)?;
    }
    Ok((manifest, places))
}

fn read_sources(
    sources: Spanned<DeValue<'_>>,
    places: &Places,
    variables: Variables<'_>,
) -> Result<IndexMap<String, SourceEntry>, ManifestError> {
    let DeValue::Table(entries) = sources.into_inner() else {
        return Err(places.error(SOURCE, "must be tables: write [source.NAME]"));
    };
    let mut read_sources = IndexMap::new();
    for (name, entry) in entries {
        let name = name.into_inner().into_owned();
        let key = join(SOURCE, &name);
        let span = entry.span();
        let DeValue::Table(mut entry) = entry.into_inner() else {
            return Err(places.error(&key, "must be a table: write [source.NAME]"));
        };
        for (inner, value) in entry.iter_mut() {
            let key = join(&key, inner.get_ref());
            insert(&key, value, places, variables)?;
        }
        let is_mcp = entry.contains_key("mcp");
        let table = Spanned::new(span, entry);
        // Chosen here, because an untagged enum would hide which key is wrong.
        let source = if is_mcp {
            SourceEntry::Mcp(Box::new(read::<McpSource>(&key, table, places)?))
        } else {
            SourceEntry::Http(Box::new(read::<Source>(&key, table, places)?))
        };
        read_sources.insert(name, source);
    }
    Ok(read_sources)
}

/// Replaces `${NAME}` in the strings of a value.
fn insert(
    key: &str,
    value: &mut Spanned<DeValue<'_>>,
    places: &Places,
    variables: Variables<'_>,
) -> Result<(), ManifestError> {
    match value.get_mut() {
        DeValue::String(text) => {
            if let Some(inserted) =
                inserted(text, variables).map_err(|problem| places.error(key, problem))?
            {
                *text = Cow::Owned(inserted);
            }
            Ok(())
        }
        DeValue::Table(table) => table.iter_mut().try_for_each(|(inner, value)| {
            let key = join(key, inner.get_ref());
            insert(&key, value, places, variables)
        }),
        DeValue::Array(items) => items
            .iter_mut()
            .enumerate()
            .try_for_each(|(at, item)| insert(&format!("{key}[{at}]"), item, places, variables)),
        DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Datetime(_) => {
            Ok(())
        }
    }
}

/// `None` if the text refers to nothing. The problem names the variable and never shows a value.
fn inserted(text: &str, variables: Variables<'_>) -> Result<Option<String>, String> {
    let mut rest = text;
    let mut whole = String::new();
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, left)) = after.split_once('}') else {
            return Err("has `${` without `}`".to_owned());
        };
        let value = variables(name).filter(|value| !value.is_empty()).ok_or_else(|| {
            format!("needs {name}; set it in the environment, or below [variables] in frontdesk.toml")
        })?;
        whole.push_str(before);
        whole.push_str(&value);
        rest = left;
    }
    if whole.is_empty() && rest.len() == text.len() {
        return Ok(None);
    }
    whole.push_str(rest);
    Ok(Some(whole))
}

fn read<T: DeserializeOwned>(
    prefix: &str,
    table: Spanned<DeTable<'_>>,
    places: &Places,
) -> Result<T, ManifestError> {
    serde_path_to_error::deserialize(Deserializer::from(table)).map_err(|error| {
        let path = error.path().to_string();
        let key = match path.as_str() {
            "." => prefix.to_owned(),
            path => join(prefix, path),
        };
        let message = error.into_inner().message().to_owned();
        let key = match unknown_key(&message) {
            // Some deserialisers report the enclosing table.
            Some(name) if !ends_with(&key, name) => join(&key, name),
            Some(_) | None => key,
        };
        places.error(&key, explained(&message))
    })
}

fn ends_with(key: &str, name: &str) -> bool {
    key == name
        || key
            .strip_suffix(name)
            .is_some_and(|rest| rest.ends_with('.'))
}

/// The name in serde's message about a field that there is not.
fn unknown_key(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("unknown field `")?;
    Some(rest.split_once('`')?.0)
}

/// serde's message, with the nearest name in place of the list of all.
fn explained(message: &str) -> String {
    let Some((what, rest)) = message
        .strip_prefix("unknown field `")
        .map(|rest| ("key", rest))
        .or_else(|| {
            message
                .strip_prefix("unknown variant `")
                .map(|rest| ("value", rest))
        })
    else {
        return sentence(message);
    };
    let Some((name, rest)) = rest.split_once('`') else {
        return sentence(message);
    };
    let known: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{name}`; known are {}", known.join(", ")),
    }
}

/// On one line, without an end.
fn sentence(message: &str) -> String {
    let lines: Vec<&str> = message.split_whitespace().collect();
    lines.join(" ")
}
