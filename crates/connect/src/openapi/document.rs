//! A document as JSON, and its local references.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

/// Larger than any published document that we know, small enough to parse in a second.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// A chain of references that is longer is a circle.
const MAX_HOPS: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    #[error("the document has {0} MB; at most {max} MB are read", max = MAX_BYTES / 1024 / 1024)]
    TooLarge(usize),
    #[error("the document is neither JSON nor YAML: {0}")]
    Unreadable(String),
    #[error(
        "this is a Swagger 2.0 document; convert it to OpenAPI 3 first, for example with `npx swagger2openapi FILE`"
    )]
    Swagger2,
    #[error("the document says `openapi: {0}`; versions 3.0 and 3.1 are read")]
    Version(String),
    #[error("the document has no field `openapi`, so it is not an OpenAPI document")]
    NotOpenApi,
    #[error("the document has no `paths`, so there is nothing to import")]
    NoPaths,
}

/// Why an operation cannot become a tool.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("it is deprecated")]
    Deprecated,
    #[error("it has a server of its own")]
    OwnServer,
    #[error("its path is not a plain path")]
    Path,
    #[error(
        "it refers to another document ({0}); bundle the documents into one first, for example with `npx @redocly/cli bundle FILE`"
    )]
    Remote(String),
    #[error("it refers to {0}, which the document does not contain")]
    Missing(String),
    #[error("it refers to {0}, which refers to itself")]
    Circular(String),
    #[error("it needs the cookie `{0}`")]
    Cookie(String),
    #[error("it needs a body of the type {0}")]
    BodyType(String),
    #[error("its path has the parameter `{0}`, which it does not declare")]
    Undeclared(String),
    #[error("{0}")]
    Contradiction(String),
}

/// An OpenAPI 3 document with at least one path.
pub struct Document {
    root: Value,
}

impl Document {
    pub fn parse(text: &str) -> Result<Self, DocumentError> {
        if text.len() > MAX_BYTES {
            return Err(DocumentError::TooLarge(text.len() / 1024 / 1024));
        }
        let root = parse(text.trim_start_matches('\u{feff}'))?;
        if root.get("swagger").is_some() {
            return Err(DocumentError::Swagger2);
        }
        // YAML reads `openapi: 3.1` as a number.
        let version = match root.get("openapi") {
            Some(Value::String(version)) => version.clone(),
            Some(other) => other.to_string(),
            None => return Err(DocumentError::NotOpenApi),
        };
        if !version.starts_with("3.") {
            return Err(DocumentError::Version(version));
        }
        let document = Self { root };
        if document.paths().next().is_none() {
            return Err(DocumentError::NoPaths);
        }
        Ok(document)
    }

    /// A schema alone: its references lead into itself.
    pub(super) fn of_schema(schema: Value) -> Self {
        Self { root: schema }
    }

    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = (&str, &Value)> {
        let paths = self.root.get("paths").and_then(Value::as_object);
        let pairs = paths.into_iter().flat_map(Map::iter);
        let pairs = pairs.map(|(path, item)| (path.as_str(), item));
        pairs.filter(|(path, _)| path.starts_with('/'))
    }

    /// Follows `$ref`s until a value without one.
    pub(super) fn resolve<'a>(&'a self, value: &'a Value) -> Result<&'a Value, Unusable> {
        let mut value = value;
        for _ in 0..MAX_HOPS {
            match reference(value) {
                Some(target) => value = self.target(target)?,
                None => return Ok(value),
            }
        }
        let target = reference(value).unwrap_or_default();
        Err(Unusable::Circular(target.to_owned()))
    }

    pub(super) fn target(&self, reference: &str) -> Result<&Value, Unusable> {
        let Some(pointer) = reference.strip_prefix('#') else {
            return Err(Unusable::Remote(reference.to_owned()));
        };
        let decoded: Cow<str> = percent_decode_str(pointer).decode_utf8_lossy();
        let found = self.root.pointer(&decoded);
        found.ok_or_else(|| Unusable::Missing(reference.to_owned()))
    }
}

pub(super) fn reference(value: &Value) -> Option<&str> {
    value.get("$ref").and_then(Value::as_str)
}

/// The items of a list below a key; none if there is no list.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(key).and_then(Value::as_array);
    list.into_iter().flatten()
}

/// The text below a key; empty if there is none.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

/// The message of a JSON error if the text looks like JSON, otherwise of the YAML error.
fn parse(text: &str) -> Result<Value, DocumentError> {
    let json_error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    if text.trim_start().starts_with(['{', '[']) {
        return Err(DocumentError::Unreadable(json_error.to_string()));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: 1_000_000,
            max_events: 3_000_000,
            max_depth: 128,
        },
    };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let message = error.without_snippet().to_string();
        DocumentError::Unreadable(message.lines().next().unwrap_or_default().to_owned())
    })
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod document_tests;
