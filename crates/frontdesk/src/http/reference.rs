//! The API reference: the OpenAPI document at `/openapi.json` and an HTML page at `/api`, rendered
//! by the server without external resources. Its script only filters; the page works without it.

use std::sync::OnceLock;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse};
use axum::routing::get;
use serde_json::Value;

use super::AppState;
use super::escape;
use super::reference_curl::curl;
use super::route::Words;

const CSP: &str = "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Both forms, rendered on first use so that they do not slow down the start.
pub(super) struct Reference {
    own: Vec<Words>,
    made: OnceLock<RenderedReference>,
}

struct RenderedReference {
    document: String,
    page: String,
}

impl Reference {
    pub(super) fn with(own: Vec<Words>) -> Self {
        Self {
            own,
            made: OnceLock::new(),
        }
    }

    fn made(&self) -> &RenderedReference {
        self.made.get_or_init(|| {
            let document = super::document(&self.own);
            RenderedReference {
                document: document.to_string(),
                page: page(&document),
            }
        })
    }
}

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/openapi.json", get(document))
        .route("/api", get(shown))
        .route("/api/reference.css", get(style))
        .route("/api/reference.js", get(script))
}

async fn document(State(state): State<AppState>) -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, state.reference.made().document.clone())
}

async fn shown(State(state): State<AppState>) -> impl IntoResponse {
    let headers = [(header::CONTENT_SECURITY_POLICY, CSP)];
    (headers, Html(state.reference.made().page.clone()))
}

async fn style() -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/css; charset=utf-8")];
    (kind, include_str!("reference.css"))
}

async fn script() -> impl IntoResponse {
    let kind = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];
    (kind, include_str!("reference.js"))
}

fn page(document: &Value) -> String {
    let mut contents = String::new();
    let mut body = String::new();
    for tag in list(&document["tags"]) {
        let subject = text(&tag["name"]);
        let operations = operations_of(document, subject);
        if operations.is_empty() {
            continue;
        }
        contents.push_str(&format!("<a href=\"#{0}\">{0}</a> ", escape(subject)));
        body.push_str(&format!(
            "<h2 id=\"{0}\">{0}</h2><p>{1}</p>",
            escape(subject),
            escape(text(&tag["description"]))
        ));
        for (path, verb, operation) in operations {
            body.push_str(&shown_operation(document, path, verb, operation));
        }
    }
    body.push_str("<h2 id=\"shapes\">shapes</h2>");
    for (name, schema) in fields(&document["components"]["schemas"]) {
        body.push_str(&format!(
            "<details id=\"{0}\"><summary><code>{0}</code> {1}</summary>{2}</details>",
            escape(name),
            escape(text(&schema["description"])),
            shown_shape(schema)
        ));
    }
    let about: String = text(&document["info"]["description"])
        .split("\n\n")
        .map(|paragraph| format!("<p>{}</p>", marked(paragraph)))
        .collect();
    include_str!("reference.html")
        .replace("{version}", &escape(text(&document["info"]["version"])))
        .replace("{about}", &about)
        .replace("{contents}", &contents)
        .replace("{body}", &body)
}

fn operations_of<'a>(document: &'a Value, subject: &str) -> Vec<(&'a str, &'a str, &'a Value)> {
    let mut found = Vec::new();
    for (path, operations) in fields(&document["paths"]) {
        for (verb, operation) in fields(operations) {
            if operation["tags"][0] == subject {
                found.push((path, verb, operation));
            }
        }
    }
    found
}

fn shown_operation(document: &Value, path: &str, verb: &str, operation: &Value) -> String {
    let mut out = format!(
        "<details id=\"{}\"><summary><b class=\"{verb}\">{verb}</b> <code>{}</code> {}</summary>",
        escape(text(&operation["operationId"])),
        escape(path),
        escape(text(&operation["summary"]))
    );
    out.push_str(&format!(
        "<p>{}</p>",
        marked(text(&operation["description"]))
    ));
    if operation["security"].is_null() {
        out.push_str("<p class=\"note\">Signed in.</p>");
    }
    let parameters: String = list(&operation["parameters"])
        .map(|parameter| {
            format!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                escape(text(&parameter["name"])),
                escape(text(&parameter["in"])),
                marked(text(&parameter["description"]))
            )
        })
        .collect();
    if !parameters.is_empty() {
        out.push_str(&format!("<h4>Parameters</h4><table>{parameters}</table>"));
    }
    let body = &operation["requestBody"]["content"];
    if !body.is_null() {
        out.push_str(&format!("<h4>Body</h4>{}", shown_content(body)));
    }
    out.push_str(&format!(
        "<h4>Example</h4><pre>{}</pre>",
        escape(&curl(path, verb, operation))
    ));
    out.push_str("<h4>Answers</h4>");
    for (status, response) in fields(&operation["responses"]) {
        let state = text(&response["$ref"])
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let response = match state {
            "" => response,
            name => &document["components"]["responses"][name],
        };
        out.push_str(&format!(
            "<p><b>{}</b> {}</p>",
            escape(status),
            marked(text(&response["description"]))
        ));
        if state.is_empty() {
            out.push_str(&shown_content(&response["content"]));
        }
    }
    out + "</details>"
}

fn shown_content(content: &Value) -> String {
    fields(content)
        .map(|(kind, media)| {
            let example = match &media["example"] {
                Value::Null => String::new(),
                Value::String(example) => format!("<pre>{}</pre>", escape(example)),
                example @ (Value::Bool(_)
                | Value::Number(_)
                | Value::Array(_)
                | Value::Object(_)) => format!("<pre>{}</pre>", escape(&pretty(example))),
            };
            format!(
                "<p><code>{}</code> {}</p>{example}",
                escape(kind),
                kind_of(&media["schema"])
            )
        })
        .collect()
}

fn shown_shape(schema: &Value) -> String {
    let needed: Vec<&str> = list(&schema["required"]).map(text).collect();
    let rows: String = fields(&schema["properties"])
        .map(|(name, property)| {
            let mark = if needed.contains(&name) {
                ""
            } else {
                " <i>may be absent</i>"
            };
            format!(
                "<tr><td><code>{}</code>{mark}</td><td>{}</td><td>{}</td></tr>",
                escape(name),
                kind_of(property),
                marked(text(&property["description"]))
            )
        })
        .collect();
    if rows.is_empty() {
        return format!("<pre>{}</pre>", escape(&pretty(schema)));
    }
    format!("<table>{rows}</table>")
}

/// A short name of a type, linked if it has its own section.
fn kind_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.rsplit('/').next()) {
        return format!("<a href=\"#{0}\">{0}</a>", escape(name));
    }
    if !schema["items"].is_null() {
        return format!("list of {}", kind_of(&schema["items"]));
    }
    for choice in ["anyOf", "oneOf"] {
        if !schema[choice].is_null() {
            let kinds: Vec<String> = list(&schema[choice]).map(kind_of).collect();
            return kinds.join(" or ");
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" or "),
        kind @ (Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Object(_)) => text(kind).to_owned(),
    };
    match text(&schema["format"]) {
        "" => escape(&kind),
        format => format!("{} ({})", escape(&kind), escape(format)),
    }
}

/// Escapes the text and renders Markdown's `code` and **strong**.
fn marked(markdown: &str) -> String {
    let mut out = escape(markdown);
    for (mark, open, close) in [("**", "<b>", "</b>"), ("`", "<code>", "</code>")] {
        while let Some((before, rest)) = out.split_once(mark) {
            let Some((inside, after)) = rest.split_once(mark) else {
                break;
            };
            out = format!("{before}{open}{inside}{close}{after}");
        }
    }
    out
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn fields(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let fields = value.as_object().into_iter().flatten();
    fields.map(|(name, value)| (name.as_str(), value))
}
