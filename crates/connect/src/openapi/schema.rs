//! OpenAPI schemas as plain JSON Schema: references inlined, `allOf` merged, size limited.
//!
//! Keywords with values of a wrong type are dropped, so the result always compiles.

use regex::Regex;
use serde_json::{Map, Value, json};

use super::document::{Document, ReferenceError, reference};
use super::words::{plain_text, shortened};

/// Deeper parts accept any value.
const MAX_DEPTH: usize = 6;
/// Schemas inside one parameter; later ones accept any value.
const MAX_NODES: usize = 120;
/// Longer lists of choices are dropped: they cost more tokens than they help.
const MAX_CHOICES: usize = 60;
/// Parts of one schema; this also ends circles of `allOf`.
const MAX_PARTS: usize = 100;
const MAX_DESCRIPTION: usize = 200;

/// The schema of one parameter.
pub(super) fn convert(document: &Document, schema: &Value) -> Result<Value, ReferenceError> {
    let mut conversion = Conversion {
        document,
        open: Vec::new(),
        nodes: 0,
    };
    conversion.schema(schema)
}

/// The schema with its own references and `allOf` resolved, its properties not converted.
pub(super) fn merged(
    document: &Document,
    schema: &Value,
) -> Result<Map<String, Value>, ReferenceError> {
    let mut into = Map::new();
    let mut parts = MAX_PARTS;
    merge(document, schema, &mut into, &mut parts)?;
    Ok(into)
}

fn merge(
    document: &Document,
    schema: &Value,
    into: &mut Map<String, Value>,
    parts: &mut usize,
) -> Result<(), ReferenceError> {
    let Some(left) = parts.checked_sub(1) else {
        return Ok(());
    };
    *parts = left;
    if let Some(target) = reference(schema) {
        merge(document, document.target(target)?, into, parts)?;
    }
    let Some(fields) = schema.as_object() else {
        return Ok(());
    };
    for part in list(schema, "allOf") {
        merge(document, part, into, parts)?;
    }
    for (key, value) in fields {
        match (key.as_str(), into.get_mut(key)) {
            ("$ref" | "allOf", _) => {}
            ("properties", Some(Value::Object(known))) => {
                let more = value.as_object().cloned().unwrap_or_default();
                known.extend(more);
            }
            ("required", Some(Value::Array(known))) => {
                known.extend(value.as_array().cloned().unwrap_or_default());
            }
            // The outer description and `nullable` describe this use.
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
    Ok(())
}

struct Conversion<'a> {
    document: &'a Document,
    /// References on the way here: meeting one again is a circle.
    open: Vec<String>,
    nodes: usize,
}

impl Conversion<'_> {
    fn schema(&mut self, schema: &Value) -> Result<Value, ReferenceError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.open.len() >= MAX_DEPTH {
            return Ok(json!({}));
        }
        let target = reference(schema).unwrap_or_default().to_owned();
        if !target.is_empty() && self.open.contains(&target) {
            return Ok(json!({}));
        }
        self.open.push(target);
        let converted = self.fields(schema);
        self.open.pop();
        converted
    }

    fn fields(&mut self, schema: &Value) -> Result<Value, ReferenceError> {
        let fields = merged(self.document, schema)?;
        let mut plain = Map::new();
        for (key, value) in &fields {
            if let Some(value) = self.field(key, value)? {
                plain.insert(key.clone(), value);
            }
        }
        close_open_bounds(&fields, &mut plain);
        if fields.get("nullable") == Some(&Value::Bool(true)) {
            allow_null(&mut plain);
        }
        keep_known_required(&mut plain);
        Ok(Value::Object(plain))
    }

    /// `None` drops the keyword.
    fn field(&mut self, key: &str, value: &Value) -> Result<Option<Value>, ReferenceError> {
        Ok(match key {
            "type" => types(value),
            "description" => value.as_str().and_then(description).map(Value::from),
            "enum" => choices(value),
            "const" => Some(value.clone()).filter(is_writable),
            "format" => value.as_str().filter(|f| !f.is_empty()).map(Value::from),
            "pattern" => value
                .as_str()
                .filter(|pattern| Regex::new(pattern).is_ok())
                .map(Value::from),
            "default" => Some(value.clone()).filter(|v| is_writable(v) && !v.is_object()),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                Some(value.clone()).filter(|value| value.is_number() && is_writable(value))
            }
            "multipleOf" => Some(value.clone()).filter(|v| v.as_f64().is_some_and(|v| v > 0.0)),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" => Some(value.clone()).filter(|v| v.is_u64() && is_writable(v)),
            "uniqueItems" => Some(value.clone()).filter(Value::is_boolean),
            "items" if value.is_object() => Some(self.schema(value)?),
            "additionalProperties" if value.is_object() => Some(self.schema(value)?),
            "additionalProperties" => Some(value.clone()).filter(Value::is_boolean),
            "properties" => Some(self.properties(value)?),
            "required" => Some(value.clone()).filter(Value::is_array),
            "anyOf" | "oneOf" => self.branches(value)?,
            _ => None,
        })
    }

    fn properties(&mut self, value: &Value) -> Result<Value, ReferenceError> {
        let mut properties = Map::new();
        for (name, schema) in value.as_object().into_iter().flatten() {
            if is_input(schema) {
                properties.insert(name.clone(), self.schema(schema)?);
            }
        }
        Ok(Value::Object(properties))
    }

    fn branches(&mut self, value: &Value) -> Result<Option<Value>, ReferenceError> {
        let mut branches = Vec::new();
        for branch in value.as_array().into_iter().flatten() {
            branches.push(self.schema(branch)?);
        }
        // A cut branch accepts everything; in `oneOf` it would contradict the others.
        let cut = branches.iter().any(|branch| *branch == json!({}));
        Ok(Some(Value::Array(branches)).filter(|b| !cut && b != &json!([])))
    }
}

/// False for properties that only the server sets and for deprecated ones.
pub(super) fn is_input(schema: &Value) -> bool {
    let flag = |key| schema.get(key) == Some(&Value::Bool(true));
    !flag("readOnly") && !flag("deprecated")
}

/// A description for the model, if it says something.
pub(super) fn description(text: &str) -> Option<String> {
    let text = shortened(&plain_text(text), MAX_DESCRIPTION);
    (!text.is_empty()).then_some(text)
}

pub(super) fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(key).and_then(Value::as_array);
    list.into_iter().flatten()
}

/// The known types; `file` of older documents is none.
fn types(value: &Value) -> Option<Value> {
    const KNOWN: [&str; 7] = [
        "string", "number", "integer", "boolean", "array", "object", "null",
    ];
    let is_known = |value: &Value| value.as_str().is_some_and(|name| KNOWN.contains(&name));
    let Some(names) = value.as_array() else {
        return Some(value.clone()).filter(is_known);
    };
    let mut known: Vec<Value> = names.iter().filter(|n| is_known(n)).cloned().collect();
    known.dedup();
    (!known.is_empty()).then_some(Value::Array(known))
}

/// True if TOML can hold the value: it has no null and no integers above 64 bits with a sign.
fn is_writable(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Number(number) => !number.is_u64() || number.is_i64(),
        Value::Bool(_) | Value::String(_) => true,
        Value::Array(items) => items.iter().all(is_writable),
        Value::Object(fields) => fields.values().all(is_writable),
    }
}

/// A choice of null is left to `type`.
fn choices(value: &Value) -> Option<Value> {
    let mut choices: Vec<Value> = Vec::new();
    for choice in value
        .as_array()?
        .iter()
        .filter(|choice| is_writable(choice))
    {
        if !choices.contains(choice) {
            choices.push(choice.clone());
        }
    }
    let fits = (1..=MAX_CHOICES).contains(&choices.len());
    fits.then_some(Value::Array(choices))
}

/// OpenAPI 3.0 writes exclusive bounds as booleans.
fn close_open_bounds(fields: &Map<String, Value>, plain: &mut Map<String, Value>) {
    for (bound, exclusive) in [
        ("minimum", "exclusiveMinimum"),
        ("maximum", "exclusiveMaximum"),
    ] {
        if fields.get(exclusive) == Some(&Value::Bool(true))
            && let Some(limit) = plain.shift_remove(bound)
        {
            plain.insert(exclusive.to_owned(), limit);
        }
    }
}

/// `enum` would exclude null, so a nullable list of choices stays as it is.
fn allow_null(plain: &mut Map<String, Value>) {
    if plain.contains_key("enum") {
        return;
    }
    if let Some(Value::String(name)) = plain.get("type") {
        let both = json!([name, "null"]);
        plain.insert("type".to_owned(), both);
    }
}

/// `required` may name only existing inputs, once each.
fn keep_known_required(plain: &mut Map<String, Value>) {
    let Some(Value::Array(required)) = plain.shift_remove("required") else {
        return;
    };
    let properties = plain.get("properties").and_then(Value::as_object);
    let mut kept: Vec<Value> = Vec::new();
    for name in required {
        let exists = name
            .as_str()
            .is_some_and(|name| properties.is_some_and(|known| known.contains_key(name)));
        if exists && !kept.contains(&name) {
            kept.push(name);
        }
    }
    if !kept.is_empty() {
        plain.insert("required".to_owned(), Value::Array(kept));
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod schema_tests;
