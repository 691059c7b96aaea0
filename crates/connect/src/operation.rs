//! One request of a system as plain data: its method, path, parameters and response.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use frontdesk_core::handle::SCHEMA_KEYWORD;
use frontdesk_core::tool::NO_SUMMARY;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value, json};

use crate::explain::{BRIEF, brief, markdown};
use crate::response::{MediaKind, Pointer, ResponseRules};

/// One request of a system, and what its response means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Method and path, e.g. "GET /tickets/{ticket_id}".
    pub request: RequestLine,
    /// The parameters by the names that the model sees.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    #[schemars(with = "BTreeMap<String, Parameter>")]
    pub parameters: IndexMap<String, Parameter>,
    #[serde(default, skip_serializing_if = "ResponseRules::is_default")]
    pub response: ResponseRules,
    /// The kind of object that the request is about, in words: "ticket". Messages about failures name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The parameter by which people know the object; by default that of the path. Empty if its
    /// identifier means nothing to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The read that tells the object's state after a refusal or an unknown outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StateRead>,
    /// How an object is found by another name than the one that the path takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lookup: Option<Lookup>,
    /// Sentences for refusals that a value of the response identifies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<RefusalRule>,
    /// The result in words, with `{field}` placeholders; `{count}` is the length of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// A method and a path in which `{name}` stands for a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestLine {
    pub method: HttpMethod,
    pub path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpMethod {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

/// A parameter of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its place in the request. By default: the path if the path names it, else the query of a GET
    /// or DELETE, else the JSON body.
    #[serde(rename = "in", default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Its name in the request; by default its name here. In a JSON body, a pointer such as
    /// "/customer/name" sets a nested value, and "" is the whole body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ParameterType>,
    /// JSON Schema, for everything that the other keys cannot say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The permitted values.
    #[serde(rename = "enum", default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Value>,
    /// For the model, and for the person who fills in the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A parameter of the path is always required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Sent when the model gives no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// A constant that the model never sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// A fact that the server fills in and the model never sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bind: Option<Binding>,
    /// Of a file: the accepted kinds, detected by content. By default all that can be attached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<MediaKind>,
    /// Of a file: the largest size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
}

/// The place of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    Path,
    Query,
    Header,
    /// A field of the JSON body.
    Body,
    /// A field of a form; with a file, of a multipart form.
    Form,
    /// A file of a multipart form.
    File,
    /// Not sent: keeps the items of the list that contain these words.
    Filter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ParameterType {
    String,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
}

/// A fact about the call that the server fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Binding {
    /// The signed-in person's id at the issuer.
    #[serde(rename = "person.id")]
    PersonId,
    #[serde(rename = "person.name")]
    PersonName,
    #[serde(rename = "person.email")]
    PersonEmail,
    #[serde(rename = "conversation.id")]
    ConversationId,
    #[serde(rename = "conversation.subject")]
    ConversationSubject,
    /// Equal for all attempts at one call and different for every other call.
    #[serde(rename = "turn.key")]
    TurnKey,
}

/// A read that tells the state of the object of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StateRead {
    /// Method and path, with parameters of the call, e.g. "GET /tickets/{ticket_id}".
    pub request: RequestLine,
    /// The place of the state in the object.
    pub pointer: Pointer,
    /// The state in which a success leaves the object. If the response shows another one, it is not
    /// known whether the call was carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// If the read is a list: the place of the name by which the call knows the object, e.g. "/number".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Pointer>,
}

/// Finds an object by another name when the path does not know it by the given one, and repeats the
/// request with the object's id. If the response has no object, the one that is found takes its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lookup {
    /// The parameter of the path.
    pub parameter: String,
    /// A list, e.g. "GET /tickets", or a read by the other name, e.g. "GET /tickets/by-number/{number}".
    pub request: RequestLine,
    /// The place of the other name in the object, e.g. "/number".
    pub key: Pointer,
    /// The place of the id in the object, e.g. "/id".
    pub id: Pointer,
}

/// A sentence for a refusal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefusalRule {
    /// The place of the value that identifies the refusal.
    pub pointer: Pointer,
    pub equals: Value,
    /// The sentence, with `{reference}` for the object and `{state}` for its state.
    pub sentence: String,
}

impl Operation {
    /// An operation without parameters, with default rules.
    pub fn new(request: RequestLine) -> Self {
        Self {
            request,
            parameters: IndexMap::new(),
            response: ResponseRules::default(),
            object: None,
            reference: None,
            state: None,
            lookup: None,
            refusals: Vec::new(),
            summary: None,
        }
    }

    /// The place of a parameter in the request.
    pub fn place(&self, name: &str, parameter: &Parameter) -> Place {
        if let Some(place) = parameter.place {
            return place;
        }
        if self.request.names().any(|named| named == name) {
            return Place::Path;
        }
        let has_form = self
            .parameters
            .values()
            .any(|other| matches!(other.place, Some(Place::Form | Place::File)));
        match (self.request.method.has_body(), has_form) {
            (false, _) => Place::Query,
            (true, true) => Place::Form,
            (true, false) => Place::Body,
        }
    }

    /// The JSON Schema of the arguments that a model gives.
    pub fn schema(&self) -> Value {
        schema_of(&self.parameters, |key, parameter| {
            self.place(key, parameter)
        })
    }

    /// A result in words, by the template.
    pub fn in_words(&self, value: &Value, arguments: &Map<String, Value>) -> String {
        if let (Some(_), Some(link)) = (self.response.file, value["link"].as_str()) {
            return format!("The file is on another server; open it there: <{link}>");
        }
        let text = |name: &str| {
            let found = value.get(name).or_else(|| arguments.get(name))?;
            Some(markdown(&plain(found)?, BRIEF))
        };
        match &self.summary {
            Some(template) => filled(template, text),
            // The result speaks for itself: it is shown as facts or as a table.
            None => NO_SUMMARY.to_owned(),
        }
    }

    /// The name of a file without its extension.
    pub(crate) fn file_name(&self, arguments: &Map<String, Value>) -> String {
        let template = self.response.file_name.as_deref().unwrap_or("file");
        filled(template, |name| Some(brief(&plain(arguments.get(name)?)?)))
    }

    /// The first contradiction between the path and the parameters, in a sentence for the author.
    pub fn problem(&self) -> Option<String> {
        let is_missing = |name: &&str| {
            let mut known = self.parameters.iter();
            !known.any(|(key, p)| p.wire(key) == *name || key == name)
        };
        if let Some(name) = self.request.names().find(is_missing) {
            return Some(format!(
                "the path has {{{name}}}, but there is no parameter `{name}`"
            ));
        }
        let of_state = self.state.iter().flat_map(|state| state.request.names());
        let of_lookup = self.lookup.iter().map(|lookup| lookup.parameter.as_str());
        if let Some(name) = of_state.chain(of_lookup).find(is_missing) {
            return Some(format!(
                "`state` or `lookup` needs the parameter `{name}`, which there is not"
            ));
        }
        self.parameters.iter().find_map(|(key, parameter)| {
            let place = self.place(key, parameter);
            let wire = parameter.wire(key);
            let in_path = self.request.names().any(|name| name == wire || name == key);
            if place == Place::Path && !in_path {
                return Some(format!(
                    "`{key}` is in the path, but the path has no {{{wire}}}"
                ));
            }
            if parameter.value.is_some() && parameter.bind.is_some() {
                return Some(format!("`{key}` has both `value` and `bind`; keep one"));
            }
            None
        })
    }
}

/// A template with each `{name}` replaced by its text.
fn filled(template: &str, text: impl Fn(&str) -> Option<String>) -> String {
    let mut whole = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) = rest
        .split_once('{')
        .and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        whole.push_str(before);
        whole.push_str(&text(name).unwrap_or_default());
        rest = after;
    }
    whole + rest
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Some(value.to_string())
        }
    }
}

/// The JSON Schema of the parameters that a model gives.
pub(crate) fn schema_of(
    parameters: &IndexMap<String, Parameter>,
    place: impl Fn(&str, &Parameter) -> Place,
) -> Value {
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    for (key, parameter) in parameters.iter().filter(|(_, p)| p.is_shown()) {
        let place = place(key, parameter);
        properties.insert(key.clone(), parameter.schema(place));
        if place == Place::Path || parameter.required == Some(true) {
            required.push(key);
        }
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

impl Parameter {
    /// Whether the model gives its value.
    pub fn is_shown(&self) -> bool {
        self.value.is_none() && self.bind.is_none()
    }

    /// Its name in the request.
    pub fn wire<'a>(&'a self, key: &'a str) -> &'a str {
        self.name.as_deref().unwrap_or(key)
    }

    fn schema(&self, place: Place) -> Value {
        let declared = self.schema.as_ref().and_then(Value::as_object);
        let mut schema = declared.cloned().unwrap_or_default();
        let mut kind = self.kind;
        if place == Place::File {
            schema.insert(SCHEMA_KEYWORD.to_owned(), json!("file"));
            kind = Some(ParameterType::String);
        }
        let is_typed = ["type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"]
            .iter()
            .any(|key| schema.contains_key(*key));
        if let Some(kind) = kind {
            schema.insert("type".to_owned(), json!(kind));
        } else if !is_typed && self.choices.is_empty() {
            schema.insert("type".to_owned(), json!(ParameterType::String));
        }
        if !self.choices.is_empty() {
            schema.insert("enum".to_owned(), json!(self.choices));
        }
        if let Some(default) = &self.default {
            schema.insert("default".to_owned(), default.clone());
        }
        if let Some(description) = &self.description {
            schema.insert("description".to_owned(), json!(description));
        }
        Value::Object(schema)
    }
}

impl HttpMethod {
    pub const ALL: [HttpMethod; 6] = [
        HttpMethod::Get,
        HttpMethod::Head,
        HttpMethod::Post,
        HttpMethod::Put,
        HttpMethod::Patch,
        HttpMethod::Delete,
    ];

    pub(crate) fn has_body(self) -> bool {
        match self {
            HttpMethod::Get | HttpMethod::Head | HttpMethod::Delete => false,
            HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => true,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            HttpMethod::Get => "GET",
            HttpMethod::Head => "HEAD",
            HttpMethod::Post => "POST",
            HttpMethod::Put => "PUT",
            HttpMethod::Patch => "PATCH",
            HttpMethod::Delete => "DELETE",
        }
    }
}

impl RequestLine {
    pub fn new(method: HttpMethod, path: impl Into<String>) -> Self {
        Self {
            method,
            path: path.into(),
        }
    }

    /// The parts of the path between slashes.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter(|part| !part.is_empty())
    }

    /// The names of the parameters in the path.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let pieces = self.path.split('{').skip(1);
        pieces.filter_map(|piece| piece.split_once('}').map(|(name, _)| name))
    }
}

/// The text is not a method and a path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a request; write a method and a path, e.g. \"GET /tickets/{{ticket_id}}\"")]
pub struct RequestLineError(pub String);

impl FromStr for RequestLine {
    type Err = RequestLineError;

    fn from_str(text: &str) -> Result<Self, RequestLineError> {
        let error = || RequestLineError(text.to_owned());
        let (method, path) = text.trim().split_once(' ').ok_or_else(error)?;
        let path = path.trim();
        let method = HttpMethod::ALL
            .into_iter()
            .find(|known| known.as_str() == method)
            .ok_or_else(error)?;
        let balanced = path.matches('{').count() == path.matches('}').count();
        let plain = !path.contains(char::is_whitespace) && !path.contains(['?', '#', '\\']);
        let climbs = path.split('/').any(|part| part == "." || part == "..");
        if !path.starts_with('/') || !balanced || !plain || climbs {
            return Err(error());
        }
        Ok(Self::new(method, path))
    }
}

impl fmt::Display for RequestLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method.as_str(), self.path)
    }
}

impl<'de> Deserialize<'de> for RequestLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Serialize for RequestLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for RequestLine {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RequestLine".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^(GET|HEAD|POST|PUT|PATCH|DELETE) /[^?# ]*$",
            "examples": ["GET /tickets/{ticket_id}"],
        })
    }
}
