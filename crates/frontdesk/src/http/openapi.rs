//! The OpenAPI 3.1 document, generated from the routes and the types of their handlers.

mod examples;
mod portable;
mod refusals;

use std::collections::BTreeMap;

use frontdesk_core::event::Event;
use schemars::SchemaGenerator;
use schemars::generate::{Contract, SchemaSettings};
use serde_json::{Map, Value, json};

use super::route::{Content, Header, RequestBody, ResponseSpec, Words};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

const DESCRIPTION: &str = "Conversations with assistants, streamed and resumable.\n\n\
    Authenticate with `Authorization: Bearer TOKEN`; `frontdesk token` creates a token. Bodies are JSON, times are UTC (RFC 3339), \
    and lists are paged by an opaque `cursor`. Every error is `{\"error\": {\"code\", \"message\", \"request_id\", \"details\"?}}` \
    with a stable code. The request id is also in the `X-Request-Id` header and in the server's log.\n\n\
    A message is stored before the model runs. Send an `Idempotency-Key` to make a request safe to repeat.\n\n\
    **Streams** are server-sent events (`text/event-stream`): `id` is a strictly increasing position, `event` is the name and \
    `data` is JSON, as described by `TurnEvent`. The texts of all `text.delta` events make up the stored answer, byte for byte; \
    `text.reset` discards the text before it. A client that reconnects with `Last-Event-ID` gets exactly the events it missed, on \
    any node. If the turn ended long ago (one day by default), it gets one `snapshot` instead. A comment every 15 seconds keeps \
    the connection alive; `shutdown` asks the client to reconnect a little later. Closing a stream never stops the turn.";

const SUBJECTS: &[(&str, &str)] = &[
    (
        "conversations",
        "The caller's own conversations and those of their companies",
    ),
    ("messages", "Messages and their answers"),
    ("events", "A stream of changes that concern a person"),
    ("turns", "A message and all steps of its answer"),
    ("approvals", "Calls that wait for a person's decision"),
    ("documents", "Documents that tools produced"),
    ("files", "Files that people uploaded"),
    ("sources", "Indexed documents and their text"),
    ("assistants", "Assistants and their tools"),
    ("people", "The caller and the people they work with"),
    ("companies", "Companies, their members and invitations"),
    ("demo", "Demo personas, on the local machine only"),
    ("records", "Audit log and token usage"),
    ("procedures", "Procedures for tRPC clients"),
    ("operations", "Health checks and metrics"),
];

pub(super) fn document(routes: &[Words]) -> Value {
    let mut shapes = Shapes::new();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for route in routes {
        let verb = route.method.as_str().to_ascii_lowercase();
        let operation = operation(&mut shapes, route);
        paths
            .entry(&route.path)
            .or_default()
            .insert(verb, operation);
    }
    shapes.add::<Event>("TurnEvent");
    let tags = tags(routes);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Frontdesk",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "This server" }],
        "security": [{ "bearer": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "securitySchemes": { "bearer": {
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "A token of the configured issuer, or one that `frontdesk token` made.",
            }},
            "responses": refusals::responses(),
            "schemas": shapes.into_schemas(),
        },
    })
}

/// Requests have optional fields with defaults, responses are complete: one generator for each.
struct Shapes {
    taken: SchemaGenerator,
    given: SchemaGenerator,
}

impl Shapes {
    fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            })
        };
        Self {
            taken: settings().into_generator(),
            given: settings()
                .with(|settings| settings.contract = Contract::Serialize)
                .into_generator(),
        }
    }

    /// Adds a schema that no operation refers to directly.
    fn add<T: schemars::JsonSchema>(&mut self, name: &str) {
        let schema = T::json_schema(&mut self.given);
        self.given
            .definitions_mut()
            .insert(name.to_owned(), schema.to_value());
    }

    fn into_schemas(mut self) -> Map<String, Value> {
        let mut schemas = self.given.take_definitions(true);
        schemas.extend(self.taken.take_definitions(true));
        schemas.insert("Error".to_owned(), refusals::shape());
        portable::make_portable(&mut schemas);
        for (name, schema) in &mut schemas {
            if let (Some(example), Value::Object(schema)) = (examples::of(name), schema) {
                schema.insert("examples".to_owned(), json!([example]));
            }
        }
        schemas
    }
}

/// The product's tags, then those of assistants.
fn tags(routes: &[Words]) -> Vec<Value> {
    let mut tags: Vec<(&str, &str)> = SUBJECTS.to_vec();
    for route in routes {
        if !tags.iter().any(|(name, _)| *name == route.subject) {
            tags.push((
                route.subject,
                "Data that an assistant shows beside the conversation",
            ));
        }
    }
    tags.iter()
        .map(|(name, about)| json!({ "name": name, "description": about }))
        .collect()
}

fn operation(shapes: &mut Shapes, route: &Words) -> Value {
    let mut responses: BTreeMap<String, Value> = BTreeMap::new();
    for gives in &route.gives {
        let response = responses
            .entry(gives.status.to_string())
            .or_insert_with(|| json!({ "description": gives.about }));
        if let Some((kinds, content)) = content(shapes, gives) {
            for kind in kinds {
                response["content"][*kind] = content.clone();
            }
        }
    }
    for status in refusals::of(route) {
        responses.insert(status.to_string(), refusals::reference(status));
    }
    let mut operation = json!({
        "operationId": route.id,
        "tags": [route.subject],
        "summary": route.summary,
        "parameters": parameters(shapes, route),
        "responses": responses,
    });
    if !route.about.is_empty() {
        operation["description"] = json!(route.about);
    }
    if !route.signed_in {
        operation["security"] = json!([]);
    }
    match &route.takes {
        None => {}
        Some(RequestBody::Json(shape)) => {
            let mut schema = shape(&mut shapes.taken).to_value();
            portable::simplify(&mut schema);
            operation["requestBody"] = json!({
                "required": true,
                "content": { JSON: with_example(schema, &shapes.taken) },
            });
        }
        Some(RequestBody::Attachment) => operation["requestBody"] = upload_form(),
        Some(RequestBody::Files) => operation["requestBody"] = files_form(),
    }
    operation
}

/// The media types of a response and their schema.
fn content(shapes: &mut Shapes, gives: &ResponseSpec) -> Option<(&'static [&'static str], Value)> {
    match &gives.content {
        Content::Json(shape) => {
            let mut schema = shape(&mut shapes.given).to_value();
            portable::simplify(&mut schema);
            Some((&[JSON], with_example(schema, &shapes.given)))
        }
        Content::TurnEvents => Some((
            &[EVENTS],
            json!({
                "schema": { "type": "string", "description": "Server-sent events; the data of each is that of a TurnEvent." },
                "x-event": { "$ref": "#/components/schemas/TurnEvent" },
                "example": examples::of("events of a turn"),
            }),
        )),
        Content::PersonEvents => Some((
            &[EVENTS],
            json!({
                "schema": { "type": "string", "description": "Server-sent events; the data of each is an object with ids to look at." },
                "example": examples::of("events of a person"),
            }),
        )),
        Content::IngestEvents => Some((
            &[EVENTS],
            json!({
                "schema": { "type": "string", "description": "Server-sent events: `progress` with total, done and url; `finished` with a TakenIn, or `failed` with code and message." },
                "example": examples::of("events of an ingestion"),
            }),
        )),
        Content::File(kinds) => Some((
            *kinds,
            json!({ "schema": { "type": "string", "format": "binary" } }),
        )),
        Content::Nothing => None,
    }
}

/// A media type with the example of its schema.
fn with_example(schema: Value, shapes: &SchemaGenerator) -> Value {
    let mut media = json!({});
    if let Some(example) = example(&schema, shapes) {
        media["example"] = example;
    }
    media["schema"] = schema;
    media
}

/// The example of a schema; that of a list has one item. Schemas of assistants contain their own.
fn example(schema: &Value, shapes: &SchemaGenerator) -> Option<Value> {
    if let Some(own) = schema.pointer("/examples/0") {
        return Some(own.clone());
    }
    let name = schema.get("$ref")?.as_str()?.rsplit('/').next()?;
    let definition = || shapes.definitions().get(name);
    let own = || example(definition()?, shapes);
    let list = || {
        let item = definition()?.pointer("/properties/items/items")?;
        Some(examples::list(example(item, shapes)?))
    };
    examples::of(name).or_else(own).or_else(list)
}

fn parameters(shapes: &mut Shapes, route: &Words) -> Vec<Value> {
    let mut parameters: Vec<Value> = Vec::new();
    for segment in route.path.split('/') {
        let name = segment.strip_prefix('{').and_then(|s| s.strip_suffix('}'));
        if let Some(name) = name {
            let text = route.names.iter().find(|known| known.name == name);
            let (about, schema) = match text {
                Some(known) => (known.about, json!({ "type": "string", "minLength": 1 })),
                None => path_parameter(name),
            };
            parameters.push(json!({
                "name": name, "in": "path", "required": true, "description": about, "schema": schema,
            }));
        }
    }
    if let Some(shape) = route.query {
        let mut schema = shape(&mut shapes.taken).to_value();
        portable::simplify(&mut schema);
        let fields = schema["properties"].as_object().cloned();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, mut schema) in fields.unwrap_or_default() {
            let about = schema
                .as_object_mut()
                .and_then(|schema| schema.remove("description"));
            plain(&mut schema);
            let mut parameter = json!({ "name": name, "in": "query", "required": required.contains(&json!(name)), "schema": schema });
            if let Some(about) = about {
                parameter["description"] = about;
            }
            parameters.push(parameter);
        }
    }
    for header in &route.headers {
        parameters.push(match header {
            Header::IdempotencyKey => json!({
                "name": "Idempotency-Key", "in": "header", "required": false,
                "description": "Repeating a request with the same key has no second effect and gives the first answer.",
                "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" },
            }),
            Header::LastEventId => json!({
                "name": "Last-Event-ID", "in": "header", "required": false,
                "description": "The `id` of the last event seen; only what came after it is sent.",
                "schema": { "type": "integer", "minimum": 0 },
            }),
        });
    }
    parameters
}

/// An optional parameter is absent, never null.
fn plain(schema: &mut Value) {
    let Value::Object(schema) = schema else {
        return;
    };
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
}

fn path_parameter(name: &str) -> (&'static str, Value) {
    let uuid = json!({ "type": "string", "format": "uuid" });
    match name {
        "id" => ("Its id.", uuid),
        "turn" => ("The turn's id: `metadata.turn_id` of a message.", uuid),
        "call" => (
            "The `call_id` of the card.",
            json!({ "type": "string", "minLength": 1 }),
        ),
        "name" => ("Its name.", json!({ "type": "string", "minLength": 1 })),
        "artifact" => (
            "Id of the document, which returns JSON; with the suffix `.md`, `.docx` or `.pdf` it returns a file, if the document has that format.",
            json!({ "type": "string", "pattern": "^[0-9a-f-]{36}(\\.(md|docx|pdf))?$" }),
        ),
        _ => ("An id.", uuid),
    }
}

fn upload_form() -> Value {
    json!({
        "required": true,
        "content": { "multipart/form-data": { "schema": {
            "type": "object",
            "required": ["conversation_id", "file"],
            "additionalProperties": false,
            "properties": {
                "conversation_id": { "type": "string", "format": "uuid" },
                "file": {
                    "type": "string", "format": "binary",
                    "description": "A JPEG, PNG or HEIC picture, a PDF, a DOCX document or UTF-8 text of at most 10 MB. What it \
                        is, its content says; pictures are encoded anew and lose everything but the picture.",
                },
            },
        }}},
    })
}

fn files_form() -> Value {
    json!({
        "required": true,
        "content": { "multipart/form-data": { "schema": {
            "type": "object",
            "required": ["file"],
            "additionalProperties": false,
            "properties": {
                "file": {
                    "type": "array", "items": { "type": "string", "format": "binary" }, "minItems": 1, "maxItems": 20,
                    "description": "Markdown, HTML, PDF, Word, PowerPoint, Excel, EPUB or text, 25 MB together. A file's name is its path in the collection.",
                },
                "folder": { "type": "string", "description": "Put before each file's name." },
                "metadata": { "type": "string", "description": "Values by which searches can filter, as a JSON object of texts." },
                "company_id": { "type": "string", "format": "uuid", "description": "The company that they are for; everyone when absent." },
            },
        }}},
    })
}

#[cfg(test)]
#[path = "openapi_tests.rs"]
mod openapi_tests;
