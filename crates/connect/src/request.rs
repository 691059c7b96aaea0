//! A request that can be sent repeatedly: the same bytes and the same key every time.

use bytes::Bytes;
use frontdesk_core::access::Principal;
use frontdesk_core::conversation::Conversation;
use frontdesk_core::tool::ToolContext;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::multipart::{Form, Part};
use reqwest::{Client, RequestBuilder, Url};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::operation::{Binding, HttpMethod, Operation, Place, RequestLine};
use crate::response::Pointer;

#[derive(Clone, Debug, PartialEq)]
pub struct ApiRequest {
    pub method: HttpMethod,
    pub target: Target,
    pub query: Vec<(String, String)>,
    pub headers: Vec<(String, String)>,
    pub payload: Payload,
    /// Whether the request changes anything; only then it carries the key.
    pub writes: bool,
    /// The same for every attempt at one change.
    pub key: Option<String>,
}

/// The address of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Path segments behind the source's address, not encoded.
    Path(Vec<String>),
    /// An address that the source's host check has passed.
    Url(Url),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Payload {
    Nothing,
    Json(Value),
    Form(Vec<(String, String)>),
    /// `multipart/form-data`.
    Multipart {
        fields: Vec<(String, String)>,
        files: Vec<FilePart>,
    },
}

/// A file of a multipart form.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePart {
    pub field: String,
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

/// An argument that cannot be part of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadArgument {
    /// The value of this parameter cannot be in the address.
    NoIdentifier(String),
    /// The sign-in does not tell the fact that this parameter is bound to.
    Unbound(String),
}

impl ApiRequest {
    /// A plain GET behind the source's address.
    pub fn get(segments: Vec<String>) -> Self {
        Self::read(Target::Path(segments))
    }

    pub(crate) fn read(target: Target) -> Self {
        Self {
            method: HttpMethod::Get,
            target,
            query: Vec::new(),
            headers: Vec::new(),
            payload: Payload::Nothing,
            writes: false,
            key: None,
        }
    }

    /// The request of a granted call. `files` are the contents of its file parameters.
    pub fn new(
        operation: &Operation,
        arguments: &Map<String, Value>,
        ctx: Option<&ToolContext>,
        files: Vec<FilePart>,
    ) -> Result<Self, BadArgument> {
        let line = &operation.request;
        let mut request = Self::get(Vec::new());
        request.method = line.method;
        let mut in_path = Map::new();
        let mut body = Value::Object(Map::new());
        let mut has_body = false;
        let mut fields = Vec::new();
        let mut has_form = false;
        for (key, parameter) in &operation.parameters {
            let place = operation.place(key, parameter);
            has_form |= matches!(place, Place::Form | Place::File);
            has_body |= place == Place::Body;
            let given = arguments.get(key).filter(|value| !value.is_null());
            let bound = parameter.bind.and_then(|binding| bound(binding, ctx?));
            if parameter.bind.is_some() && bound.is_none() {
                // Without it, the call would concern everybody.
                return Err(BadArgument::Unbound(key.clone()));
            }
            let fixed = parameter.value.clone().or(bound);
            let value = match parameter.is_shown() {
                true => given.or(parameter.default.as_ref()).cloned(),
                false => fixed,
            };
            let Some(value) = value else { continue };
            let wire = parameter.wire(key);
            match place {
                Place::Path => {
                    in_path.insert(key.clone(), value.clone());
                    in_path.insert(wire.to_owned(), value);
                }
                Place::Query => request.query.extend(pairs(wire, value)),
                Place::Header => request.headers.push((wire.to_owned(), text(value))),
                Place::Body => match wire {
                    "" => body = value,
                    pointer if pointer.starts_with('/') => {
                        let pointer: Pointer = pointer
                            .parse()
                            .map_err(|_| BadArgument::NoIdentifier(key.clone()))?;
                        pointer.set(&mut body, value);
                    }
                    name => Pointer::field(name).set(&mut body, value),
                },
                Place::Form => fields.extend(pairs(wire, value)),
                Place::File | Place::Filter => {}
            }
        }
        request.target = Target::Path(path(line, &in_path)?);
        request.payload = match (files.is_empty(), has_form, has_body) {
            (false, ..) => Payload::Multipart { fields, files },
            (true, true, _) => Payload::Form(fields),
            (true, false, true) => Payload::Json(body),
            (true, false, false) if line.method.has_body() => Payload::Json(body),
            (true, false, false) => Payload::Nothing,
        };
        Ok(request)
    }

    /// Another read with arguments of the same call, e.g. of the object's state.
    pub(crate) fn reading(
        line: &RequestLine,
        operation: &Operation,
        arguments: &Map<String, Value>,
    ) -> Result<Self, BadArgument> {
        let mut given = arguments.clone();
        for (key, parameter) in &operation.parameters {
            if let Some(value) = arguments.get(key) {
                given.insert(parameter.wire(key).to_owned(), value.clone());
            }
        }
        Ok(Self::get(path(line, &given)?))
    }

    /// The same list from the end of the last page.
    pub(crate) fn next_page(mut self, parameter: &str, cursor: &str) -> Self {
        self.query.retain(|(name, _)| name != parameter);
        self.query.push((parameter.to_owned(), cursor.to_owned()));
        self
    }

    pub(crate) fn builder(&self, http: &Client, base: &Url) -> Result<RequestBuilder, Failure> {
        let mut url = match &self.target {
            Target::Url(url) => url.clone(),
            Target::Path(segments) => {
                let mut url = base.clone();
                match url.path_segments_mut() {
                    Ok(mut path) => {
                        path.pop_if_empty().extend(segments);
                    }
                    Err(()) => {
                        return Err(Failure::Unusable("the address has no path".into()));
                    }
                }
                url
            }
        };
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let mut builder = match self.method {
            HttpMethod::Get => http.get(url),
            HttpMethod::Head => http.head(url),
            HttpMethod::Post => http.post(url),
            HttpMethod::Put => http.put(url),
            HttpMethod::Patch => http.patch(url),
            HttpMethod::Delete => http.delete(url),
        };
        builder = builder.header(
            ACCEPT,
            "application/json, image/*, application/pdf, */*;q=0.5",
        );
        for (name, value) in &self.headers {
            builder = builder.header(name, value);
        }
        Ok(match &self.payload {
            Payload::Nothing => builder,
            Payload::Json(body) => builder.json(body),
            Payload::Form(fields) => builder
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(encoded(fields)),
            Payload::Multipart { fields, files } => builder.multipart(form(fields, files)?),
        })
    }
}

/// The path with its parameters filled in.
pub(crate) fn path(
    line: &RequestLine,
    given: &Map<String, Value>,
) -> Result<Vec<String>, BadArgument> {
    line.parts()
        .map(|part| {
            let mut filled = String::new();
            let mut rest = part;
            let mut is_literal = true;
            while let Some((before, after)) = rest.split_once('{') {
                let (name, after) = after.split_once('}').unwrap_or((after, ""));
                let bad = || BadArgument::NoIdentifier(name.to_owned());
                let value = given.get(name).cloned().ok_or_else(bad)?;
                filled.push_str(before);
                filled.push_str(&segment(&text(value)).ok_or_else(bad)?);
                rest = after;
                is_literal = false;
            }
            filled.push_str(rest);
            match is_literal || !matches!(filled.as_str(), "." | "..") {
                true => Ok(filled),
                false => Err(BadArgument::NoIdentifier(part.to_owned())),
            }
        })
        .collect()
}

/// A value for a path segment; percent-encoding happens later. `.` and `..` would change the path
/// even when encoded.
pub fn segment(text: &str) -> Option<String> {
    let text = text.trim();
    let bad = matches!(text, "" | "." | "..") || text.chars().any(char::is_control);
    (!bad).then(|| text.to_owned())
}

fn text(value: Value) -> String {
    match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    }
}

/// A list becomes one pair per item.
fn pairs(name: &str, value: Value) -> Vec<(String, String)> {
    let pair = |value| (name.to_owned(), text(value));
    if let Value::Array(items) = value {
        items.into_iter().map(pair).collect()
    } else {
        vec![pair(value)]
    }
}

/// The value of a binding in a call, if it is known.
pub(crate) fn bound(binding: Binding, ctx: &ToolContext) -> Option<Value> {
    let of_call = || (binding == Binding::TurnKey).then(|| ctx.idempotency_key());
    let text = fact(binding, ctx.principal(), ctx.conversation()).or_else(of_call);
    text.map(Value::String)
}

/// A fact about a person or a conversation, if it is known.
pub(crate) fn fact(
    binding: Binding,
    who: &Principal,
    conversation: &Conversation,
) -> Option<String> {
    match binding {
        Binding::PersonId => Some(who.subject().to_string()),
        Binding::PersonName => Some(who.name().to_owned()),
        Binding::PersonEmail => who.email().map(str::to_owned),
        Binding::ConversationId => Some(conversation.id.to_string()),
        Binding::ConversationSubject => conversation.subject.clone(),
        // There is no call.
        Binding::TurnKey => None,
    }
}

/// The fields as `application/x-www-form-urlencoded`.
pub(crate) fn encoded(fields: &[(String, String)]) -> String {
    // Only its query is used; the address itself never leaves this function.
    let Ok(mut url) = Url::parse("http://form/") else {
        return String::new();
    };
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}

fn form(fields: &[(String, String)], files: &[FilePart]) -> Result<Form, Failure> {
    let form = fields.iter().fold(Form::new(), |form, (name, value)| {
        form.text(name.clone(), value.clone())
    });
    files.iter().try_fold(form, |form, file| {
        let length = file.bytes.len() as u64;
        let part = Part::stream_with_length(file.bytes.clone(), length)
            .file_name(file.name.clone())
            .mime_str(&file.media_type)
            .map_err(|error| Failure::Unusable(error.into()))?;
        Ok(form.part(file.field.clone(), part))
    })
}
