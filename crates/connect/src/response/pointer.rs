//! JSON pointers that accept other spellings of a name: `person_name` also finds `personName`.

use std::borrow::Cow;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

/// A place in a JSON document, as RFC 6901 writes it: "/data/items"; "" is the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointer {
    text: String,
    tokens: Vec<String>,
}

/// The text is not a JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a JSON pointer; it must be empty or begin with a slash, e.g. \"/data/items\""
)]
pub struct PointerError(pub String);

impl Pointer {
    /// The field of this name at the top.
    pub fn field(name: &str) -> Self {
        Self {
            text: format!("/{}", name.replace('~', "~0").replace('/', "~1")),
            tokens: vec![name.to_owned()],
        }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The value at this place. A key that is missing is looked up in other spellings.
    pub fn find<'a>(&self, document: &'a Value) -> Option<&'a Value> {
        self.tokens
            .iter()
            .try_fold(document, |value, token| match value {
                Value::Object(fields) => fields.get(key(fields, token)?),
                Value::Array(items) => items.get(token.parse::<usize>().ok()?),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
            })
    }

    /// The document's own spelling of the first key, if this place is a field at the top.
    pub(super) fn first_key<'a>(&self, document: &'a Value) -> Option<&'a str> {
        match self.tokens.as_slice() {
            [token] => key(document.as_object()?, token),
            _ => None,
        }
    }

    /// Sets the value at this place and creates the objects on the way.
    pub(crate) fn set(&self, document: &mut Value, value: Value) {
        let mut place = document;
        for token in &self.tokens {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            let Value::Object(fields) = place else {
                return;
            };
            place = fields.entry(token.clone()).or_insert(Value::Null);
        }
        *place = value;
    }
}

/// The object's own spelling of a key.
fn key<'a>(fields: &'a Map<String, Value>, wanted: &str) -> Option<&'a str> {
    if let Some((exact, _)) = fields.get_key_value(wanted) {
        return Some(exact);
    }
    let found = fields.keys().find(|key| same_name(key, wanted));
    found.map(String::as_str)
}

/// Whether two names differ only in case and separators.
pub(super) fn same_name(one: &str, other: &str) -> bool {
    // Most pairs differ in their first letter, which is cheaper to see.
    if let ([a, ..], [b, ..]) = (one.as_bytes(), other.as_bytes())
        && a.is_ascii_alphanumeric()
        && b.is_ascii_alphanumeric()
        && !a.eq_ignore_ascii_case(b)
    {
        return false;
    }
    letters(one).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = char> {
    let kept = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    kept.flat_map(char::to_lowercase)
}

impl FromStr for Pointer {
    type Err = PointerError;

    fn from_str(text: &str) -> Result<Self, PointerError> {
        if !text.is_empty() && !text.starts_with('/') {
            return Err(PointerError(text.to_owned()));
        }
        let tokens = text.split('/').skip(1);
        Ok(Self {
            text: text.to_owned(),
            tokens: tokens
                .map(|token| token.replace("~1", "/").replace("~0", "~"))
                .collect(),
        })
    }
}

impl<'de> Deserialize<'de> for Pointer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Serialize for Pointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl JsonSchema for Pointer {
    fn schema_name() -> Cow<'static, str> {
        "Pointer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(/.*)?$",
            "description": "A JSON pointer, e.g. \"/data/items\".",
        })
    }
}
