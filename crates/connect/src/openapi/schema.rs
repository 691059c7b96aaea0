//! OpenAPI schemas as plain JSON Schema: references inlined, `allOf` merged, size limited.
//!
//! Keywords with values of a wrong type are dropped, so the result always compiles.

use regex::Regex;
use serde_json::{Map, Value, json};

use super::document::{Document, Unusable, is_true, list, reference};
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
/// `file` of older documents is none of them.
const TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "array", "object", "null",
];

/// The schema of one parameter.
pub(super) fn convert(document: &Document, schema: &Value) -> Result<Value, Unusable> {
    let mut conversion = Conversion {
        document,
        open: Vec::new(),
        nodes: 0,
    };
    conversion.schema(schema)
}

/// The schema with its own references and `allOf` resolved, its properties not converted.
pub(super) fn merged(document: &Document, schema: &Value) -> Result<Map<String, Value>, Unusable> {
    let mut into = Map::new();
    merge(document, schema, &mut into, &mut 0)?;
    Ok(into)
}

fn merge(
    document: &Document,
    schema: &Value,
    into: &mut Map<String, Value>,
    parts: &mut usize,
) -> Result<(), Unusable> {
    *parts += 1;
    if *parts > MAX_PARTS {
        return Ok(());
    }
    if let Some(target) = reference(schema) {
        merge(document, document.target(target)?, into, parts)?;
    }
    for part in list(schema, "allOf") {
        merge(document, part, into, parts)?;
    }
    for (key, value) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), into.get_mut(key), value) {
            ("$ref" | "allOf", ..) => {}
            ("properties", Some(Value::Object(known)), Value::Object(more)) => {
                known.extend(more.clone());
            }
            ("required", Some(Value::Array(known)), Value::Array(more)) => {
                known.extend(more.clone());
            }
            ("properties" | "required", Some(_), _) => {}
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
    fn schema(&mut self, schema: &Value) -> Result<Value, Unusable> {
        self.nodes += 1;
        let target = reference(schema).unwrap_or_default().to_owned();
        let is_circle = !target.is_empty() && self.open.contains(&target);
        if is_circle || self.nodes > MAX_NODES || self.open.len() >= MAX_DEPTH {
            return Ok(json!({}));
        }
        self.open.push(target);
        let fields = merged(self.document, schema)?;
        let mut plain = Map::new();
        for (key, value) in &fields {
            if let Some(value) = self.field(key, value)? {
                plain.insert(key.clone(), value);
            }
        }
        self.open.pop();
        close_open_bounds(&fields, &mut plain);
        // `enum` would exclude null, so a nullable list of choices stays as it is.
        if let Some(Value::String(name)) = plain.get("type")
            && fields.get("nullable") == Some(&Value::Bool(true))
            && !plain.contains_key("enum")
        {
            let both = json!([name, "null"]);
            plain.insert("type".to_owned(), both);
        }
        keep_known_required(&mut plain);
        Ok(Value::Object(plain))
    }

    /// `None` drops the keyword.
    fn field(&mut self, key: &str, value: &Value) -> Result<Option<Value>, Unusable> {
        let keep_if = |fits: bool| fits.then(|| value.clone());
        Ok(match key {
            "type" => types(value),
            "description" => value.as_str().and_then(description).map(Value::from),
            "enum" => choices(value),
            "const" => keep_if(is_writable(value)),
            "format" => keep_if(value.as_str().is_some_and(|format| !format.is_empty())),
            "pattern" => keep_if(value.as_str().is_some_and(|text| Regex::new(text).is_ok())),
            "default" => keep_if(is_writable(value) && !value.is_object()),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
                keep_if(value.is_number() && is_writable(value))
            }
            "multipleOf" => keep_if(value.as_f64().is_some_and(|factor| factor > 0.0)),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties"
            | "maxProperties" => keep_if(value.is_u64() && is_writable(value)),
            "uniqueItems" => keep_if(value.is_boolean()),
            "items" | "additionalProperties" if value.is_object() => Some(self.schema(value)?),
            "additionalProperties" => keep_if(value.is_boolean()),
            "properties" => Some(self.properties(value)?),
            "required" => keep_if(value.is_array()),
            "anyOf" | "oneOf" => self.branches(value)?,
            _ => None,
        })
    }

    fn properties(&mut self, value: &Value) -> Result<Value, Unusable> {
        let mut properties = Map::new();
        for (name, schema) in value.as_object().into_iter().flatten() {
            if is_input(schema) {
                properties.insert(name.clone(), self.schema(schema)?);
            }
        }
        Ok(Value::Object(properties))
    }

    fn branches(&mut self, value: &Value) -> Result<Option<Value>, Unusable> {
        let branches = value.as_array().into_iter().flatten();
        let branches: Vec<Value> = branches
            .map(|branch| self.schema(branch))
            .collect::<Result<_, _>>()?;
        // A cut branch accepts everything; in `oneOf` it would contradict the others.
        let is_whole = !branches.is_empty() && !branches.contains(&json!({}));
        Ok(is_whole.then_some(Value::Array(branches)))
    }
}

/// False for properties that only the server sets and for deprecated ones.
pub(super) fn is_input(schema: &Value) -> bool {
    !is_true(schema, "readOnly") && !is_true(schema, "deprecated")
}

/// A description for the model, if it says something.
pub(super) fn description(text: &str) -> Option<String> {
    let text = shortened(&plain_text(text), MAX_DESCRIPTION);
    (!text.is_empty()).then_some(text)
}

/// The known ones of the types.
fn types(value: &Value) -> Option<Value> {
    let is_known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    let Some(names) = value.as_array() else {
        return is_known(value).then(|| value.clone());
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
    let choices = distinct(
        value
            .as_array()?
            .iter()
            .filter(|choice| is_writable(choice)),
    );
    let fits = (1..=MAX_CHOICES).contains(&choices.len());
    fits.then_some(Value::Array(choices))
}

fn distinct<'a>(values: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let mut distinct: Vec<Value> = Vec::new();
    for value in values {
        if !distinct.contains(value) {
            distinct.push(value.clone());
        }
    }
    distinct
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

/// `required` may name only existing inputs, once each.
fn keep_known_required(plain: &mut Map<String, Value>) {
    let Some(Value::Array(required)) = plain.shift_remove("required") else {
        return;
    };
    let known = plain.get("properties").and_then(Value::as_object);
    let exists =
        |name: &&Value| known.is_some_and(|k| name.as_str().is_some_and(|n| k.contains_key(n)));
    let kept = distinct(required.iter().filter(exists));
    if !kept.is_empty() {
        plain.insert("required".to_owned(), Value::Array(kept));
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod schema_tests;
