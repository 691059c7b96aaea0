//! The operations of a document, and those that cannot become tools.

use indexmap::IndexMap;
use serde_json::Value;

use super::document::{Document, Unusable, is_true, list, text};
use super::words::{literal_segments, plain_text};
use crate::operation::{HttpMethod, RequestLine};

/// One method of one path.
pub(super) struct Endpoint<'a> {
    pub(super) request: RequestLine,
    /// `operationId`, or an empty text.
    pub(super) id: &'a str,
    /// The first tag, or the first literal segment of the path.
    pub(super) group: String,
    pub(super) summary: String,
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

/// A tag, or the first segment of the path of operations without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: String,
    pub operations: usize,
}

impl<'a> Endpoint<'a> {
    fn new(method: HttpMethod, path: &str, item: &'a Value, body: &'a Value) -> Self {
        let tag = list(body, "tags").find_map(Value::as_str);
        let group = tag.or_else(|| literal_segments(path).next());
        Self {
            request: RequestLine::new(method, path),
            id: text(body, "operationId"),
            group: group.unwrap_or("other").to_owned(),
            summary: plain_text(text(body, "summary")),
            item,
            body,
        }
    }

    pub(super) fn leave_out(&self, reason: &Unusable) -> LeftOut {
        LeftOut {
            request: self.request.to_string(),
            reason: reason.to_string(),
            group: self.group.clone(),
        }
    }

    /// A reason that needs no look at the parameters.
    fn problem(&self, document: &Document) -> Option<Unusable> {
        let first_url = |servers: &'a Value| {
            let url = servers.pointer("/0/url").and_then(Value::as_str)?;
            Some(url.trim_end_matches('/'))
        };
        let own = self.body.get("servers").or(self.item.get("servers"));
        let own = own.and_then(first_url);
        let shared = document.root().pointer("/servers/0/url");
        let shared = shared.and_then(Value::as_str);
        if is_true(self.body, "deprecated") {
            Some(Unusable::Deprecated)
        } else if own.is_some() && own != shared.map(|url| url.trim_end_matches('/')) {
            // One source has one address.
            Some(Unusable::OwnServer)
        } else {
            None
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
        // A HEAD answers nothing that a model could use.
        let methods = HttpMethod::ALL
            .into_iter()
            .filter(|m| *m != HttpMethod::Head);
        for method in methods {
            let body = item.get(method.as_str().to_lowercase());
            let Some(body) = body.filter(|body| body.is_object()) else {
                continue;
            };
            let endpoint = Endpoint::new(method, path, item, body);
            match endpoint.problem(document) {
                Some(reason) => left_out.push(endpoint.leave_out(&reason)),
                None => operations.push(endpoint),
            }
        }
    }
    (operations, left_out)
}

/// Groups and their sizes, largest first.
pub(super) fn groups(operations: &[Endpoint]) -> Vec<Group> {
    let mut sizes: IndexMap<&str, usize> = IndexMap::new();
    for operation in operations {
        *sizes.entry(operation.group.as_str()).or_default() += 1;
    }
    sizes.sort_by(|name, size, other, more| more.cmp(size).then(name.cmp(other)));
    let groups = sizes.into_iter().map(|(name, operations)| Group {
        name: name.to_owned(),
        operations,
    });
    groups.collect()
}
