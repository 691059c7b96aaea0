//! Rules that turn a response into a result: success, wrappers, names, ids, times, files.

mod media;
mod pointer;
mod shape;
mod success;
mod time;

use std::collections::BTreeMap;

use chrono_tz::Tz;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::tool::CallResult;

pub use media::MediaKind;
pub(crate) use media::embedded;
pub use media::{Content, link};
pub use pointer::{Pointer, PointerError};
pub(crate) use shape::next_link;
pub use shape::{items, object};
pub(crate) use success::refused;
pub use time::moment;

/// How a response becomes a result. Everything has a default that fits common APIs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResponseRules {
    /// Whether the response is a list. By default its shape decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<bool>,
    /// The place of the list, e.g. "/data/items". Common wrappers are found without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Pointer>,
    /// The place of the object, e.g. "/result". Common wrappers are found without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Pointer>,
    /// The fields of the result, or of each item, by the names that the model sees. Without them,
    /// all fields are passed on as they are.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Field>")]
    pub fields: IndexMap<String, Field>,
    /// Passes on the fields that `fields` does not name, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub rest: bool,
    /// The rule that a successful response satisfies besides its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub success: Option<BodyRule>,
    /// The place of the sentence for people in an error response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Pointer>,
    /// The response is a file, which is passed on byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileKind>,
    /// The name of the file without its extension, with `{argument}` placeholders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_name: Option<String>,
    /// The items of the list link to files of this kind, which are attached to the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attach: Option<FileKind>,
    /// How the next page of a list is requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_page: Option<NextPage>,
}

/// A value that the body of a successful response has at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyRule {
    pub pointer: Pointer,
    pub equals: Value,
}

/// A field of a result: its place, or its place and its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Field {
    At(Pointer),
    As(TypedField),
}

/// A field of a result whose notation varies between systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TypedField {
    pub at: Pointer,
    #[serde(rename = "as")]
    pub kind: FieldKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FieldKind {
    /// Text; a number becomes its digits. For ids.
    Text,
    /// A time in any common notation; it becomes RFC 3339 in UTC.
    Time,
}

/// The file that a response is or contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// PNG, JPEG, HEIC, GIF, WebP or SVG.
    Image,
    /// PDF or HTML.
    Document,
    Any,
}

/// How the next page of a list is requested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NextPage {
    /// The place of the cursor; it is absent or null on the last page.
    pub cursor: Pointer,
    /// The query parameter that takes the cursor.
    pub parameter: String,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl ResponseRules {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The result in a body: the list with `count`, `has_more` and `items`, or the object.
    pub fn read(&self, body: Value, zone: Tz) -> Result<CallResult, Failure> {
        match self.is_list(&body) {
            true => self.list_in(body, zone),
            false => Ok(self.object_in(body, zone)),
        }
    }

    pub(crate) fn is_list(&self, body: &Value) -> bool {
        let detected = || self.items.is_some() || (self.value.is_none() && shape::is_list(body));
        self.list.unwrap_or_else(detected)
    }

    /// The object in a body, or the body without one.
    pub(crate) fn object_in(&self, body: Value, zone: Tz) -> CallResult {
        let found = match &self.value {
            Some(pointer) => pointer.find(&body),
            None => {
                let wanted: Vec<&Pointer> = self.fields.values().map(Field::pointer).collect();
                object(&body, &wanted)
            }
        };
        let is_body = found.is_some_and(|found| std::ptr::eq(found, &body));
        let has_object = found.is_some();
        let value = match found.filter(|_| !(is_body && self.fields.is_empty())) {
            Some(found) => self.select(found, zone),
            None => body,
        };
        CallResult {
            value,
            has_object,
            ..CallResult::default()
        }
    }

    pub(crate) fn list_in(&self, body: Value, zone: Tz) -> Result<CallResult, Failure> {
        let items = match &self.items {
            Some(pointer) => pointer.find(&body).and_then(Value::as_array),
            None => items(&body),
        };
        let items = items.ok_or(Failure::Malformed("the answer is not a list"))?;
        let items = items.iter().map(|item| self.select(item, zone)).collect();
        let has_more = body.get("has_more") == Some(&Value::Bool(true));
        let cursor = self
            .next_page
            .as_ref()
            .and_then(|rule| rule.cursor_in(&body));
        let mut result = CallResult {
            cursor,
            ..CallResult::of_list(items, has_more)
        };
        if let (true, Value::Object(list), Value::Object(all)) =
            (self.rest, &mut result.value, body)
        {
            let is_plain = |value: &Value| !value.is_array() && !value.is_object();
            let beside = all.into_iter().filter(|(_, value)| is_plain(value));
            beside.for_each(|(key, value)| {
                list.entry(key).or_insert(value);
            });
        }
        Ok(result)
    }

    /// The declared fields of an object; any other value stays as it is.
    fn select(&self, value: &Value, zone: Tz) -> Value {
        let Value::Object(all) = value else {
            return value.clone();
        };
        if self.fields.is_empty() {
            return value.clone();
        }
        let mut chosen = Map::new();
        let mut used = Vec::new();
        for (name, field) in &self.fields {
            let found = field.pointer().find(value);
            let Some(found) = found.filter(|found| !found.is_null()) else {
                continue;
            };
            used.extend(field.pointer().first_key(value));
            chosen.insert(name.clone(), field.read(found, zone));
        }
        if self.rest {
            let others = all.iter().filter(|(key, _)| !used.contains(&key.as_str()));
            for (key, other) in others {
                chosen.entry(key.clone()).or_insert_with(|| other.clone());
            }
        }
        Value::Object(chosen)
    }
}

impl NextPage {
    /// The cursor in a response; there is none on the last page.
    pub(crate) fn cursor_in(&self, body: &Value) -> Option<String> {
        identifier(self.cursor.find(body)?).filter(|text| !text.is_empty())
    }
}

/// An id as text; systems also send numbers.
pub(crate) fn identifier(value: &Value) -> Option<String> {
    let number = || value.as_number().map(ToString::to_string);
    value.as_str().map(str::to_owned).or_else(number)
}

impl Field {
    fn pointer(&self) -> &Pointer {
        match self {
            Field::At(pointer) => pointer,
            Field::As(typed) => &typed.at,
        }
    }

    fn read(&self, found: &Value, zone: Tz) -> Value {
        let text = match self {
            Field::At(_) => None,
            Field::As(typed) => match typed.kind {
                FieldKind::Text => identifier(found),
                FieldKind::Time => moment(found, zone)
                    .map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)),
            },
        };
        text.map_or_else(|| found.clone(), Value::String)
    }
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod response_tests;
