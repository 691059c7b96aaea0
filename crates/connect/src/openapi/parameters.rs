//! The parameters of an operation: path, query and header parameters, and the fields of its body.

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::document::{Document, Unusable, is_true, list, text};
use super::identity::{self, Identity};
use super::infer::lists;
use super::operations::Endpoint;
use super::schema::{convert, description, is_input, merged};
use super::security::key_place;
use super::words::{free_name, valid_name, words};
use crate::auth::KeyPlace;
use crate::operation::{Parameter, ParameterType, Place};

/// Optional parameters beyond this are left out: a model chooses worse among many.
const MAX_PARAMETERS: usize = 30;
/// Providers refuse longer names.
const MAX_KEY: usize = 60;
/// Ends of the names of parameters that carry a key.
const KEYS: &str = "accesskey accesstoken apikey apitoken authtoken authorization subscriptionkey";
const STANDARD_HEADERS: &str = "accept accept-language content-type if-none-match user-agent";

#[derive(Debug, Default)]
pub(crate) struct Parameters {
    /// By the names that the model sees.
    pub(crate) all: IndexMap<String, Parameter>,
    /// Keys that seem to name the acting person and are not bound.
    pub(crate) doubtful: Vec<String>,
    /// The header in which the operation expects an idempotency key.
    pub(super) key_header: Option<String>,
    /// The source signs in with it, not the model.
    pub(super) key: Option<KeyParameter>,
    /// Names of optional parameters beyond the limit.
    pub(super) cut: Vec<String>,
}

/// A parameter that carries a key.
#[derive(Clone, Debug)]
pub(super) struct KeyParameter {
    pub(super) name: String,
    pub(super) place: KeyPlace,
}

pub(super) fn parameters(
    document: &Document,
    operation: &Endpoint,
) -> Result<Parameters, Unusable> {
    let mut collection = Collection::new(document, &operation.request.path);
    // Those of the path item and of the operation; the operation's win.
    let shared = list(operation.item, "parameters");
    let mut declared: Vec<&Value> = Vec::new();
    for parameter in shared.chain(list(operation.body, "parameters")) {
        let parameter = document.resolve(parameter)?;
        let is_same = |known: &Value| {
            ["name", "in"]
                .iter()
                .all(|key| known.get(key) == parameter.get(key))
        };
        declared.retain(|known| !is_same(known));
        declared.push(parameter);
    }
    for parameter in declared {
        collection.add_declared(parameter)?;
    }
    let in_path = |name: &str| {
        let mut all = collection.found.all.iter();
        all.any(|(key, p)| p.place == Some(Place::Path) && p.wire(key) == name)
    };
    if let Some(name) = operation.request.names().find(|name| !in_path(name)) {
        return Err(Unusable::Undeclared(name.to_owned()));
    }
    if let Some(body) = operation.body.get("requestBody") {
        collection.add_body(document.resolve(body)?)?;
    }
    collection.found.cut_optional();
    Ok(collection.found)
}

/// The properties of an object's schema, with local references. `name` tells what the object is for.
pub(crate) fn schema_parameters(name: &str, schema: Value) -> Result<Parameters, Unusable> {
    let document = Document::of_schema(schema);
    let mut collection = Collection::new(&document, name);
    collection.add_properties(Place::Body, &merged(&document, document.root())?)?;
    collection.found.cut_optional();
    for parameter in collection.found.all.values_mut() {
        parameter.place = None;
    }
    Ok(collection.found)
}

struct Collection<'a> {
    document: &'a Document,
    /// The path, which tells what the operation is about.
    path: &'a str,
    found: Parameters,
}

impl<'a> Collection<'a> {
    fn new(document: &'a Document, path: &'a str) -> Self {
        Self {
            document,
            path,
            found: Parameters::default(),
        }
    }

    fn add_declared(&mut self, declared: &Value) -> Result<(), Unusable> {
        let name = text(declared, "name");
        let required = is_true(declared, "required");
        let place = match text(declared, "in") {
            "path" => Place::Path,
            place @ ("query" | "header") if is_key(name) => {
                self.found.key = Some(KeyParameter {
                    name: name.to_owned(),
                    place: key_place(place),
                });
                return Ok(());
            }
            "query" => Place::Query,
            "header" if is_idempotency_key(name) => {
                self.found.key_header = Some(name.to_owned());
                return Ok(());
            }
            // The source sets authentication; other optional headers are for programs.
            "header" if required && !lists(STANDARD_HEADERS, &name.to_lowercase()) => Place::Header,
            "cookie" if required => return Err(Unusable::Cookie(name.to_owned())),
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
        let mut schema = convert(self.document, schema.unwrap_or(&Value::Null))?;
        drop_null(&mut schema);
        if let (Some(text), Some(fields)) = (
            description(text(declared, "description")),
            schema.as_object_mut(),
        ) {
            fields.insert("description".to_owned(), text.into());
        }
        self.add(name, place, schema, required);
        Ok(())
    }

    fn add_body(&mut self, body: &Value) -> Result<(), Unusable> {
        let Some((place, schema)) = body_content(body)? else {
            return Ok(());
        };
        let whole = merged(self.document, schema)?;
        let properties = whole.get("properties").and_then(Value::as_object);
        if properties.is_some_and(|properties| !properties.is_empty()) {
            self.add_properties(place, &whole)?;
        } else if place == Place::Body && !is_empty_object(&whole) {
            let schema = convert(self.document, schema)?;
            self.add("", place, schema, is_true(body, "required"));
        }
        Ok(())
    }

    fn add_properties(&mut self, place: Place, whole: &Map<String, Value>) -> Result<(), Unusable> {
        let required = whole.get("required").and_then(Value::as_array);
        let properties = whole.get("properties").and_then(Value::as_object);
        let inputs = properties
            .into_iter()
            .flatten()
            .filter(|(_, schema)| is_input(schema));
        for (name, schema) in inputs {
            let is_file = place == Place::Form && is_binary(&merged(self.document, schema)?);
            let place = if is_file { Place::File } else { place };
            let schema = convert(self.document, schema)?;
            let is_required = required.is_some_and(|names| names.iter().any(|other| other == name));
            self.add(name, place, schema, is_required);
        }
        Ok(())
    }

    fn add(&mut self, name: &str, place: Place, schema: Value, required: bool) {
        let key = self.free_key(name);
        let mut parameter = parameter(place, schema);
        parameter.required = (required && place != Place::Path).then_some(true);
        parameter.name = (key != name).then(|| name.to_owned());
        match identity::identity(self.path, name, &parameter) {
            Some(Identity::Bound(binding)) => parameter.bind = Some(binding),
            Some(Identity::Doubtful) => self.found.doubtful.push(key.clone()),
            None => {
                let nested = parameter.schema.iter().flat_map(identity::nested);
                let nested = nested.map(|below| format!("{key}.{below}"));
                self.found.doubtful.extend(nested);
            }
        }
        self.found.all.insert(key, parameter);
    }

    /// `filter[state]` as `filter_state`; a second `id` as `id_2`.
    fn free_key(&self, name: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let base = match name {
            "" => "body".to_owned(),
            name if name.len() <= MAX_KEY && name.chars().all(is_plain) => name.to_owned(),
            name => valid_name(&words(name)),
        };
        free_name(&base, |key| self.found.all.contains_key(key))
    }
}

impl Parameters {
    fn cut_optional(&mut self) {
        let is_needed = |parameter: &Parameter| {
            parameter.required == Some(true)
                || parameter.place == Some(Place::Path)
                || parameter.bind.is_some()
        };
        let needed = self.all.values().filter(|p| is_needed(p)).count();
        let mut room = MAX_PARAMETERS.saturating_sub(needed);
        self.all.retain(|key, parameter| {
            let keep = is_needed(parameter) || room > 0;
            if !keep {
                self.cut.push(key.clone());
            } else if !is_needed(parameter) {
                room -= 1;
            }
            keep
        });
    }
}

/// The media type to send and its schema.
fn body_content(body: &Value) -> Result<Option<(Place, &Value)>, Unusable> {
    let Some(content) = body.get("content").and_then(Value::as_object) else {
        return Ok(None);
    };
    let kinds = [
        (Place::Body, ["json", "*/*"]),
        (Place::Form, ["form-urlencoded", "form-data"]),
    ];
    for (place, parts) in kinds {
        let is_wanted = |kind: &str| parts.iter().any(|part| kind.contains(part));
        if let Some((_, media)) = content.iter().find(|(kind, _)| is_wanted(kind)) {
            return Ok(Some((place, media.get("schema").unwrap_or(&Value::Null))));
        }
    }
    match content.keys().next() {
        Some(kind) => Err(Unusable::BodyType(kind.clone())),
        None => Ok(None),
    }
}

/// A parameter whose simple keywords are its own keys, and the others a schema.
fn parameter(place: Place, schema: Value) -> Parameter {
    let mut parameter = Parameter {
        place: Some(place),
        ..Parameter::default()
    };
    let Value::Object(mut rest) = schema else {
        return parameter;
    };
    if let Some(Value::String(text)) = rest.shift_remove("description") {
        parameter.description = Some(text);
    }
    parameter.default = rest.shift_remove("default");
    if let Some(Value::Array(choices)) = rest.shift_remove("enum") {
        parameter.choices = choices;
    }
    let kind = rest.get("type").map(ParameterType::deserialize);
    if let Some(Ok(kind)) = kind {
        rest.shift_remove("type");
        parameter.kind = Some(kind);
    }
    let typed_by = ["type", "anyOf", "oneOf", "const"];
    let is_any = parameter.kind.is_none()
        && parameter.choices.is_empty()
        && !typed_by.iter().any(|key| rest.contains_key(*key));
    if place == Place::Body && is_any {
        // A parameter without a type would be text.
        let all = json!(["string", "number", "boolean", "object", "array"]);
        rest.insert("type".to_owned(), all);
    }
    if place != Place::File && !rest.is_empty() {
        parameter.schema = Some(Value::Object(rest));
    }
    parameter
}

fn is_idempotency_key(name: &str) -> bool {
    words(name).concat().contains("idempotency") || name.eq_ignore_ascii_case("x-request-key")
}

fn is_key(name: &str) -> bool {
    let joined = words(name).concat();
    KEYS.split(' ').any(|key| joined.ends_with(key))
}

/// Some documents declare a body for each operation.
fn is_empty_object(schema: &Map<String, Value>) -> bool {
    let is_object = schema.get("type").is_none_or(|kind| kind == "object");
    let mut open = ["additionalProperties", "anyOf", "oneOf"].iter();
    let is_open = |key: &&str| {
        schema
            .get(*key)
            .is_some_and(|value| value != &Value::Bool(false))
    };
    is_object && !open.any(is_open)
}

fn is_binary(schema: &Map<String, Value>) -> bool {
    let is_binary = |key| schema.get(key).is_some_and(|value| value == "binary");
    is_binary("format") || is_binary("contentEncoding")
}

/// A query or path cannot carry null; an optional parameter is left out instead.
fn drop_null(schema: &mut Value) {
    if let Some(kind) = schema.get_mut("type")
        && let Value::Array(names) = kind
    {
        names.retain(|name| name != "null");
        if let [only] = names.as_slice() {
            *kind = only.clone();
        }
    }
}
