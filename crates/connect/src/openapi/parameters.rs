//! The parameters of an operation: path, query and header parameters, and the fields of its body.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::document::{Document, ReferenceError};
use super::identity::{self, Identity};
use super::operations::Endpoint;
use super::schema::{convert, description, is_input, list, merged};
use super::words::words;
use crate::operation::{Parameter, ParameterType, Place};

/// Optional parameters beyond this are left out: a model chooses worse among many.
const MAX_PARAMETERS: usize = 30;
/// Providers refuse longer names.
const MAX_KEY: usize = 60;

#[derive(Debug, Default)]
pub(super) struct Parameters {
    /// By the names that the model sees.
    pub(super) all: IndexMap<String, Parameter>,
    /// Keys that seem to name the acting person and are not bound.
    pub(super) doubtful: Vec<String>,
    /// The header in which the operation expects an idempotency key.
    pub(super) key_header: Option<String>,
    /// A parameter that carries a key, and whether it is in the query. The source signs in, not
    /// the model.
    pub(super) secret: Option<(String, bool)>,
    /// Names of optional parameters beyond the limit.
    pub(super) cut: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ParametersError {
    #[error(transparent)]
    Reference(#[from] ReferenceError),
    #[error("it needs the cookie `{0}`")]
    Cookie(String),
    #[error("it needs a body of the type {0}")]
    BodyType(String),
    #[error("its path has the parameter `{0}`, which it does not declare")]
    Undeclared(String),
}

pub(super) fn parameters(
    document: &Document,
    operation: &Endpoint,
) -> Result<Parameters, ParametersError> {
    let mut found = Parameters::default();
    for declared in declared(document, operation)? {
        found.add_declared(document, operation, declared)?;
    }
    for name in path_names(operation.path) {
        if !found
            .all
            .iter()
            .any(|(key, p)| p.place == Some(Place::Path) && p.wire(key) == name)
        {
            return Err(ParametersError::Undeclared(name.to_owned()));
        }
    }
    if let Some(body) = operation.body.get("requestBody") {
        found.add_body(document, operation, document.resolve(body)?)?;
    }
    found.cut_optional();
    Ok(found)
}

/// The properties of an object's schema, with local references, and the keys that seem to name the
/// acting person. `name` tells what the object is for.
pub(crate) fn schema_parameters(
    name: &str,
    schema: &Value,
) -> Result<(IndexMap<String, Parameter>, Vec<String>), ReferenceError> {
    let document = Document::of_schema(schema.clone());
    let mut found = Parameters::default();
    let whole = merged(&document, schema)?;
    found.add_properties(&document, name, Place::Body, &whole)?;
    found.cut_optional();
    for parameter in found.all.values_mut() {
        parameter.place = None;
    }
    Ok((found.all, found.doubtful))
}

/// The parameters of the path item and of the operation; the operation's win.
pub(super) fn declared<'a>(
    document: &'a Document,
    operation: &Endpoint<'a>,
) -> Result<Vec<&'a Value>, ReferenceError> {
    let mut declared: Vec<&Value> = Vec::new();
    for parameter in list(operation.item, "parameters").chain(list(operation.body, "parameters")) {
        let parameter = document.resolve(parameter)?;
        declared.retain(|known| !is_same(known, parameter));
        declared.push(parameter);
    }
    Ok(declared)
}

fn is_same(one: &Value, other: &Value) -> bool {
    one.get("name") == other.get("name") && one.get("in") == other.get("in")
}

/// The names in braces.
pub(super) fn path_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        Some(name)
    })
}

/// The media type to send and its schema.
pub(super) fn body_content(body: &Value) -> Result<Option<(Place, &Value)>, String> {
    let Some(content) = body.get("content").and_then(Value::as_object) else {
        return Ok(None);
    };
    let is_json = |kind: &str| kind.contains("json") || kind == "*/*";
    let schema_of = |wanted: &dyn Fn(&str) -> bool| {
        let found = content.iter().find(|(kind, _)| wanted(kind))?;
        Some(found.1.get("schema").unwrap_or(&Value::Null))
    };
    if let Some(schema) = schema_of(&is_json) {
        return Ok(Some((Place::Body, schema)));
    }
    let is_form = |kind: &str| kind.contains("form-urlencoded") || kind.contains("form-data");
    if let Some(schema) = schema_of(&is_form) {
        return Ok(Some((Place::Form, schema)));
    }
    content
        .keys()
        .next()
        .map_or(Ok(None), |kind| Err(kind.clone()))
}

impl Parameters {
    fn add_declared(
        &mut self,
        document: &Document,
        operation: &Endpoint,
        declared: &Value,
    ) -> Result<(), ParametersError> {
        let text = |key| {
            declared
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let name = text("name");
        let required = declared.get("required") == Some(&Value::Bool(true));
        let place = match text("in") {
            "path" => Place::Path,
            "query" | "header" if is_key(name) => {
                self.secret = Some((name.to_owned(), text("in") == "query"));
                return Ok(());
            }
            "query" => Place::Query,
            "header" if is_idempotency_key(name) => {
                self.key_header = Some(name.to_owned());
                return Ok(());
            }
            // The source sets authentication; other optional headers are for programs.
            "header" if required && !is_standard_header(name) => Place::Header,
            "cookie" if required => return Err(ParametersError::Cookie(name.to_owned())),
            _ => return Ok(()),
        };
        if !required && !is_input(declared) {
            return Ok(());
        }
        let in_content = || {
            let content = declared.get("content")?.as_object()?;
            content.values().next()?.get("schema")
        };
        let schema = declared.get("schema").or_else(in_content);
        let mut schema = convert(document, schema.unwrap_or(&Value::Null))?;
        drop_null(&mut schema);
        if let (Some(text), Some(fields)) =
            (description(text("description")), schema.as_object_mut())
        {
            fields.insert("description".to_owned(), text.into());
        }
        self.add(operation.path, name, place, schema, required);
        Ok(())
    }

    fn add_body(
        &mut self,
        document: &Document,
        operation: &Endpoint,
        body: &Value,
    ) -> Result<(), ParametersError> {
        let content = body_content(body).map_err(ParametersError::BodyType)?;
        let Some((place, schema)) = content else {
            return Ok(());
        };
        let whole = merged(document, schema)?;
        let has_fields = whole
            .get("properties")
            .and_then(Value::as_object)
            .is_some_and(|properties| !properties.is_empty());
        if has_fields {
            self.add_properties(document, operation.path, place, &whole)?;
        } else if place == Place::Body && !is_empty_object(&whole) {
            let required = body.get("required") == Some(&Value::Bool(true));
            let schema = convert(document, schema)?;
            self.add(operation.path, "", place, schema, required);
        }
        Ok(())
    }

    fn add_properties(
        &mut self,
        document: &Document,
        path: &str,
        place: Place,
        whole: &Map<String, Value>,
    ) -> Result<(), ReferenceError> {
        let required = whole.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|other| other == name));
        let properties = whole.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            if !is_input(schema) {
                continue;
            }
            let file = place == Place::Form && is_binary(&merged(document, schema)?);
            let place = if file { Place::File } else { place };
            let schema = convert(document, schema)?;
            self.add(path, name, place, schema, is_required(name));
        }
        Ok(())
    }

    fn add(&mut self, path: &str, name: &str, place: Place, schema: Value, required: bool) {
        let key = self.free_key(name);
        let mut parameter = parameter(place, &schema);
        parameter.required = (required && place != Place::Path).then_some(true);
        parameter.name = (key != name).then(|| name.to_owned());
        match identity::identity(path, name, &parameter) {
            Some(Identity::Bound(binding)) => parameter.bind = Some(binding),
            Some(Identity::Doubtful) => self.doubtful.push(key.clone()),
            None => {
                let schema = parameter.schema.iter();
                let nested = schema.flat_map(identity::nested);
                self.doubtful
                    .extend(nested.map(|below| format!("{key}.{below}")));
            }
        }
        self.all.insert(key, parameter);
    }

    /// `filter[state]` as `filter_state`; a second `id` as `id_2`.
    fn free_key(&self, name: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let plain = !name.is_empty() && name.len() <= MAX_KEY && name.chars().all(is_plain);
        let base = if plain {
            name.to_owned()
        } else if name.is_empty() {
            "body".to_owned()
        } else {
            super::names::valid(&words(name))
        };
        let mut key = base.clone();
        let mut number = 1;
        while self.all.contains_key(&key) {
            number += 1;
            key = format!("{base}_{number}");
        }
        key
    }

    fn cut_optional(&mut self) {
        let is_needed = |parameter: &Parameter| {
            parameter.required == Some(true)
                || parameter.place == Some(Place::Path)
                || parameter.bind.is_some()
        };
        let needed = self.all.values().filter(|p| is_needed(p)).count();
        let mut room = MAX_PARAMETERS.saturating_sub(needed);
        let cut = &mut self.cut;
        self.all.retain(|key, parameter| {
            if is_needed(parameter) {
                return true;
            }
            let keep = room > 0;
            room = room.saturating_sub(1);
            if !keep {
                cut.push(key.clone());
            }
            keep
        });
    }
}

/// A parameter whose simple keywords are its own keys, and the others a schema.
fn parameter(place: Place, schema: &Value) -> Parameter {
    let mut rest = schema.as_object().cloned().unwrap_or_default();
    let mut parameter = Parameter {
        place: Some(place),
        ..Parameter::default()
    };
    if let Some(Value::String(text)) = rest.shift_remove("description") {
        parameter.description = Some(text);
    }
    parameter.default = rest.shift_remove("default");
    if let Some(Value::Array(choices)) = rest.shift_remove("enum") {
        parameter.choices = choices;
    }
    if let Some(kind) = rest
        .get("type")
        .and_then(|kind| ParameterType::deserialize(kind).ok())
    {
        rest.shift_remove("type");
        parameter.kind = Some(kind);
    }
    let is_typed = ["type", "anyOf", "oneOf", "const"]
        .iter()
        .any(|key| rest.contains_key(*key));
    let is_any = parameter.kind.is_none() && parameter.choices.is_empty() && !is_typed;
    if place == Place::Body && is_any {
        // A parameter without a type would be text.
        rest.insert(
            "type".to_owned(),
            json!(["string", "number", "boolean", "object", "array"]),
        );
    }
    if place != Place::File && !rest.is_empty() {
        parameter.schema = Some(Value::Object(rest));
    }
    parameter
}

fn is_idempotency_key(name: &str) -> bool {
    words(name).join("").contains("idempotency") || name.eq_ignore_ascii_case("x-request-key")
}

fn is_key(name: &str) -> bool {
    const KEYS: [&str; 7] = [
        "accesskey",
        "accesstoken",
        "apikey",
        "apitoken",
        "authtoken",
        "authorization",
        "subscriptionkey",
    ];
    let joined = words(name).concat();
    KEYS.iter().any(|key| joined.ends_with(key))
}

fn is_standard_header(name: &str) -> bool {
    const STANDARD: [&str; 5] = [
        "accept",
        "accept-language",
        "content-type",
        "user-agent",
        "if-none-match",
    ];
    STANDARD.contains(&name.to_lowercase().as_str())
}

/// Some documents declare a body for each operation.
fn is_empty_object(schema: &Map<String, Value>) -> bool {
    let is_object = schema.get("type").is_none_or(|kind| kind == "object");
    let is_open = ["additionalProperties", "anyOf", "oneOf"]
        .iter()
        .any(|key| {
            schema
                .get(*key)
                .is_some_and(|value| value != &Value::Bool(false))
        });
    is_object && !is_open
}

fn is_binary(schema: &Map<String, Value>) -> bool {
    let text = |key| schema.get(key).and_then(Value::as_str);
    text("format") == Some("binary") || text("contentEncoding") == Some("binary")
}

/// A query or path cannot carry null; an optional parameter is left out instead.
fn drop_null(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Array(names)) = fields.get_mut("type") {
        names.retain(|name| name != "null");
        if let [only] = names.as_slice() {
            let only = only.clone();
            fields.insert("type".to_owned(), only);
        }
    }
}
