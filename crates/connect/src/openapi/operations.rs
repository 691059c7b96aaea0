//! The operations of a document, and those that cannot become tools.

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::Document;
use super::schema::list;
use super::words::{literal_segments, plain_text};
use crate::operation::HttpMethod;

/// One method of one path.
pub(super) struct Endpoint<'a> {
    pub(super) method: HttpMethod,
    pub(super) path: &'a str,
    /// `operationId`, or an empty text.
    pub(super) id: &'a str,
    /// The first tag, or the first literal segment of the path.
    pub(super) group: String,
    pub(super) summary: String,
    pub(super) description: String,
    /// The path item, whose parameters all its operations share.
    pub(super) item: &'a Value,
    pub(super) body: &'a Value,
}

/// An operation that becomes no tool, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub request: String,
    pub reason: String,
    /// The group of an operation.
    pub(crate) group: String,
}

impl Endpoint<'_> {
    pub(super) fn request(&self) -> String {
        format!("{} {}", self.method.as_str(), self.path)
    }

    pub(super) fn leave_out(&self, reason: impl ToString) -> LeftOut {
        LeftOut {
            request: self.request(),
            reason: reason.to_string(),
            group: self.group.clone(),
        }
    }
}

pub(super) fn operations(document: &Document) -> (Vec<Endpoint<'_>>, Vec<LeftOut>) {
    let mut operations = Vec::new();
    let mut left_out = Vec::new();
    for (path, item) in document.paths() {
        let item = match document.resolve(item) {
            Ok(item) => item,
            Err(error) => {
                left_out.push(LeftOut {
                    request: path.to_owned(),
                    reason: error.to_string(),
                    group: literal_segments(path).next().unwrap_or_default().to_owned(),
                });
                continue;
            }
        };
        for method in HttpMethod::ALL {
            // A HEAD answers nothing that a model could use.
            let body = item.get(method.as_str().to_lowercase());
            let body = body.filter(|body| body.is_object() && method != HttpMethod::Head);
            let Some(body) = body else {
                continue;
            };
            let operation = operation(path, method, item, body);
            if body.get("deprecated") == Some(&Value::Bool(true)) {
                left_out.push(operation.leave_out("it is deprecated"));
            } else if has_own_server(document, item, body) {
                left_out.push(operation.leave_out("it has a server of its own"));
            } else {
                operations.push(operation);
            }
        }
    }
    (operations, left_out)
}

/// One source has one address.
fn has_own_server(document: &Document, item: &Value, body: &Value) -> bool {
    let own = body.get("servers").or(item.get("servers"));
    let of_document = document.root().get("servers").and_then(first_url);
    own.and_then(first_url)
        .is_some_and(|own| Some(own) != of_document)
}

fn first_url(servers: &Value) -> Option<&str> {
    let url = servers.pointer("/0/url").and_then(Value::as_str)?;
    Some(url.trim_end_matches('/'))
}

fn operation<'a>(
    path: &'a str,
    method: HttpMethod,
    item: &'a Value,
    body: &'a Value,
) -> Endpoint<'a> {
    let text = |key| body.get(key).and_then(Value::as_str).unwrap_or_default();
    let tag = list(body, "tags").find_map(Value::as_str);
    let group = tag.or_else(|| literal_segments(path).next());
    Endpoint {
        method,
        path,
        id: text("operationId"),
        group: group.unwrap_or("other").to_owned(),
        summary: plain_text(text("summary")),
        description: plain_text(text("description")),
        item,
        body,
    }
}

/// Groups and their sizes, largest first.
pub(super) fn groups(operations: &[Endpoint]) -> Vec<(String, usize)> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for operation in operations {
        *sizes.entry(operation.group.as_str()).or_default() += 1;
    }
    let mut groups: Vec<(String, usize)> = sizes
        .into_iter()
        .map(|(name, size)| (name.to_owned(), size))
        .collect();
    groups.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    groups
}
