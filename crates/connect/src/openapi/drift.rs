//! Differences between the operations of a manifest and the document that they came from.

use serde_json::Value;

use super::document::Document;
use super::operations::{Endpoint, operations};
use super::parameters::{Parameters, parameters};
use crate::operation::{Operation, Place};

/// A sentence for each difference that makes calls of this operation fail: the operation is gone,
/// a parameter is gone or moved, or a new one is required.
pub fn drift(document: &Document, operation: &Operation) -> Vec<String> {
    let request = operation.request.to_string();
    let (all, _) = operations(document);
    let Some(endpoint) = all.iter().find(|endpoint| is_same(endpoint, operation)) else {
        return vec![gone(document, operation, &request)];
    };
    let declared = match parameters(document, endpoint) {
        Ok(declared) => declared,
        Err(error) => return vec![format!("{request} cannot be compared: {error}")],
    };
    let mut found = Vec::new();
    found.extend(unknown_parameters(operation, &declared, &request));
    found.extend(missing_parameters(operation, &declared, &request));
    found
}

/// Parameters of a path may be named differently.
fn is_same(endpoint: &Endpoint, operation: &Operation) -> bool {
    endpoint.method.as_str() == operation.request.method.as_str()
        && shape(endpoint.path) == shape(&operation.request.path)
}

/// The path without the names of its parameters.
fn shape(path: &str) -> String {
    let mut shape = String::new();
    let mut in_braces = false;
    for c in path.trim_end_matches('/').chars() {
        in_braces = (in_braces || c == '{') && c != '}';
        if !in_braces {
            shape.push(c);
        }
    }
    shape
}

fn gone(document: &Document, operation: &Operation, request: &str) -> String {
    let method = operation.request.method.as_str().to_lowercase();
    let same_path = document
        .paths()
        .find(|(path, _)| shape(path) == shape(&operation.request.path));
    match same_path.map(|(_, item)| item.get(&method)) {
        Some(Some(body)) if body.get("deprecated") == Some(&Value::Bool(true)) => {
            format!("{request} is deprecated")
        }
        Some(Some(_)) => format!("{request} has a server of its own now"),
        Some(None) => format!("the path of {request} no longer has this method"),
        None => format!("{request} no longer exists"),
    }
}

fn unknown_parameters(operation: &Operation, declared: &Parameters, request: &str) -> Vec<String> {
    let takes_any_body = declared.all.values().any(|p| p.name.as_deref() == Some(""));
    let is_known = |key: &str, place: Place| {
        declared
            .all
            .iter()
            .any(|(other, p)| p.wire(other) == key && p.place == Some(place))
            || declared.cut.iter().any(|cut| cut == key)
    };
    operation
        .parameters
        .iter()
        .filter_map(|(key, parameter)| {
            let place = operation.place(key, parameter);
            // Names in paths are free; nested values and headers may be undeclared.
            let is_free = match place {
                Place::Path | Place::Header | Place::Filter => true,
                Place::Body => takes_any_body || parameter.wire(key).starts_with('/'),
                Place::Query | Place::Form | Place::File => false,
            };
            let wire = parameter.wire(key);
            (!is_free && !wire.is_empty() && !is_known(wire, place))
                .then(|| format!("{request} no longer has the parameter `{wire}`"))
        })
        .collect()
}

fn missing_parameters(operation: &Operation, declared: &Parameters, request: &str) -> Vec<String> {
    let gives = |wire: &str| {
        operation.parameters.iter().any(|(key, parameter)| {
            let own = parameter.wire(key);
            let outer = own.strip_prefix('/').map(|path| path.split('/').next());
            own.is_empty() || own == wire || outer == Some(Some(wire))
        })
    };
    declared
        .all
        .iter()
        .filter(|(_, parameter)| parameter.required == Some(true))
        .map(|(key, parameter)| parameter.wire(key))
        .filter(|wire| !gives(wire))
        .map(|wire| format!("{request} now requires the parameter `{wire}`"))
        .collect()
}

#[cfg(test)]
#[path = "drift_tests.rs"]
mod drift_tests;
