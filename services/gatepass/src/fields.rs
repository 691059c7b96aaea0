//! Reads the fields of a request, from JSON or from a query, and reports every violation at
//! once.

use std::collections::BTreeMap;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::{ApiError, Violation};
use crate::pass::{PassNumber, clean};

/// The fields of one request. Take each, then call [`Fields::finish`], which refuses the
/// rest as unknown.
#[derive(Debug)]
pub(crate) struct Fields {
    values: BTreeMap<String, Value>,
    violations: Vec<Violation>,
}

impl Fields {
    /// The fields of a JSON object. Invalid JSON or a repeated field is a bad request.
    pub(crate) fn from_json(body: &[u8]) -> Result<Fields, ApiError> {
        let Object(values) = serde_json::from_slice(body).map_err(|error| {
            ApiError::bad_request(format!("The body must be one JSON object: {error}."))
        })?;
        Ok(Fields::of(values))
    }

    /// The fields of a query string, all of them text.
    pub(crate) fn from_pairs(pairs: Vec<(String, String)>) -> Result<Fields, ApiError> {
        let mut values = BTreeMap::new();
        for (name, value) in pairs {
            if values.contains_key(&name) {
                let message = format!("{} is given twice.", truncated(&name));
                return Err(ApiError::invalid_field(&name, "once", message));
            }
            values.insert(name, Value::String(value));
        }
        Ok(Fields::of(values))
    }

    fn of(values: BTreeMap<String, Value>) -> Fields {
        Fields {
            values,
            violations: Vec::new(),
        }
    }

    /// A required text of 1 to `max` characters.
    pub(crate) fn text(&mut self, field: &str, max: usize) -> String {
        match self.values.remove(field) {
            Some(Value::String(text)) => self.cleaned(field, &text, max),
            Some(Value::Null) | None => self.refuse(field, "required", "is required"),
            Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                self.refuse(field, "text", "must be a text")
            }
        }
    }

    /// An optional text.
    pub(crate) fn optional_text(&mut self, field: &str, max: usize) -> Option<String> {
        match self.values.get(field) {
            None | Some(Value::Null) => {
                self.values.remove(field);
                None
            }
            Some(_) => Some(self.text(field, max)),
        }
    }

    /// A required `true` or `false`.
    pub(crate) fn flag(&mut self, field: &str) -> bool {
        match self.values.remove(field) {
            Some(Value::Bool(flag)) => flag,
            Some(Value::Null) | None => self.refuse(field, "required", "is required"),
            Some(Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_)) => {
                self.refuse(field, "boolean", "must be true or false")
            }
        }
    }

    /// A whole number in a query; `default` if absent.
    pub(crate) fn number(
        &mut self,
        field: &str,
        range: std::ops::RangeInclusive<i64>,
        default: i64,
    ) -> i64 {
        let Some(text) = self.word(field) else {
            return default;
        };
        match text.parse() {
            Ok(number) if range.contains(&number) => number,
            Ok(_) | Err(_) => {
                let rule = format!(
                    "must be a whole number from {} to {}",
                    range.start(),
                    range.end()
                );
                self.refuse(field, "range", &rule)
            }
        }
    }

    /// An optional word from a closed list.
    pub(crate) fn choice<T>(
        &mut self,
        field: &str,
        parse: impl Fn(&str) -> Option<T>,
        words: &[&str],
    ) -> Option<T> {
        let text = self.word(field)?;
        let chosen = parse(&text);
        if chosen.is_none() {
            let rule = format!("must be one of {}", words.join(", "));
            let () = self.refuse(field, "one_of", &rule);
        }
        chosen
    }

    /// An optional short text, if it is valid so far.
    fn word(&mut self, field: &str) -> Option<String> {
        let violations = self.violations.len();
        let text = self.optional_text(field, 200);
        text.filter(|_| self.violations.len() == violations)
    }

    /// Refuses unknown fields and reports every violation.
    pub(crate) fn finish(mut self) -> Result<(), ApiError> {
        for name in std::mem::take(&mut self.values).into_keys() {
            let () = self.refuse(&name, "unknown_field", "is not a field of this request");
        }
        match self.violations.is_empty() {
            true => Ok(()),
            false => Err(ApiError::invalid(self.violations)),
        }
    }

    /// A digest of the fields that does not depend on their order.
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let mut digest = Sha256::new();
        for (name, value) in &self.values {
            let value = value.to_string();
            digest.update(name.len().to_be_bytes());
            digest.update(name);
            digest.update(value.len().to_be_bytes());
            digest.update(value);
        }
        digest.finalize().to_vec()
    }

    fn cleaned(&mut self, field: &str, text: &str, max: usize) -> String {
        match clean(text, max) {
            Ok(text) => text.to_owned(),
            Err(broken) => self.refuse(field, broken.rule(), &broken.sentence()),
        }
    }

    fn refuse<T: Default>(&mut self, field: &str, rule: &'static str, sentence: &str) -> T {
        self.violations.push(Violation {
            field: truncated(field),
            rule,
            message: format!("{} {sentence}.", truncated(field)),
        });
        T::default()
    }
}

/// The pass number in `field`, or a 422 that names the field and the pattern.
pub(crate) fn pass_number(field: &str, text: &str) -> Result<PassNumber, ApiError> {
    text.parse().map_err(|error: crate::pass::MalformedNumber| {
        ApiError::invalid_field(field, "pattern", format!("{error}."))
    })
}

/// Truncates a client's field name for use in a message.
fn truncated(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// A JSON object with unique names: with repeated names, readers would disagree on the
/// value.
struct Object(BTreeMap<String, Value>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut values = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = map.next_value()?;
            if values.contains_key(&name) {
                return Err(A::Error::custom(format!(
                    "{} is given twice",
                    truncated(&name)
                )));
            }
            values.insert(name, value);
        }
        Ok(Object(values))
    }
}
