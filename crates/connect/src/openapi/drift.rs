//! Differences between the operations of a manifest and the document that they came from.

use indexmap::IndexMap;

use super::document::{Document, is_true};
use super::operations::operations;
use super::parameters::{Parameters, parameters};
use crate::operation::{Operation, Parameter, Place};

/// A sentence for each difference that makes calls of this operation fail: the operation is gone,
/// a parameter is gone or moved, or a new one is required.
pub fn drift(document: &Document, operation: &Operation) -> Vec<String> {
    let line = &operation.request;
    let (all, _) = operations(document);
    // Parameters of a path may be named differently.
    let is_same_path = |path: &str| shape(path) == shape(&line.path);
    let found = all.iter().find(|endpoint| {
        endpoint.request.method == line.method && is_same_path(&endpoint.request.path)
    });
    let Some(endpoint) = found else {
        let item = document.paths().find(|(path, _)| is_same_path(path));
        let method = line.method.as_str().to_lowercase();
        return vec![match item.map(|(_, item)| item.get(&method)) {
            Some(Some(body)) if is_true(body, "deprecated") => format!("{line} is deprecated"),
            Some(Some(_)) => format!("{line} has a server of its own now"),
            Some(None) => format!("the path of {line} no longer has this method"),
            None => format!("{line} no longer exists"),
        }];
    };
    match parameters(document, endpoint) {
        Ok(declared) => {
            let place = |key: &str, parameter: &Parameter| operation.place(key, parameter);
            differences(&line.to_string(), &operation.parameters, &declared, place)
        }
        Err(error) => vec![format!("{line} cannot be compared: {error}")],
    }
}

/// The path without the names of its parameters.
fn shape(path: &str) -> String {
    let path = path.trim_end_matches('/');
    let pieces = path
        .split('{')
        .map(|piece| piece.split_once('}').map_or(piece, |(_, rest)| rest));
    pieces.collect::<Vec<_>>().join("{}")
}

/// Sentences about parameters that are gone or newly required. `place` tells where a parameter of
/// the manifest is sent.
pub(crate) fn differences(
    subject: &str,
    given: &IndexMap<String, Parameter>,
    declared: &Parameters,
    place: impl Fn(&str, &Parameter) -> Place,
) -> Vec<String> {
    let takes_any_body = declared.all.values().any(|p| p.name.as_deref() == Some(""));
    let is_known = |wire: &str, place: Place| {
        let mut all = declared.all.iter();
        let is_same = |(key, p): (&String, &Parameter)| {
            p.wire(key) == wire && p.place.is_none_or(|declared| declared == place)
        };
        wire.is_empty() || all.any(is_same) || declared.cut.iter().any(|cut| cut == wire)
    };
    let gone = given.iter().filter_map(|(key, parameter)| {
        let (wire, place) = (parameter.wire(key), place(key, parameter));
        // Names in paths are free; nested values and headers may be undeclared.
        let is_free = match place {
            Place::Path | Place::Header | Place::Filter => true,
            Place::Body => takes_any_body || wire.starts_with('/'),
            Place::Query | Place::Form | Place::File => false,
        };
        (!is_free && !is_known(wire, place))
            .then(|| format!("{subject} no longer has the parameter `{wire}`"))
    });
    let gives = |wire: &str| {
        given.iter().any(|(key, parameter)| {
            let own = parameter.wire(key);
            let outer = own
                .strip_prefix('/')
                .and_then(|path| path.split('/').next());
            own.is_empty() || own == wire || outer == Some(wire)
        })
    };
    let required = declared
        .all
        .iter()
        .filter(|(_, p)| p.required == Some(true));
    let missing = required
        .map(|(key, parameter)| parameter.wire(key))
        .filter(|wire| !gives(wire))
        .map(|wire| format!("{subject} now requires the parameter `{wire}`"));
    gone.chain(missing).collect()
}

#[cfg(test)]
#[path = "drift_tests.rs"]
mod drift_tests;
