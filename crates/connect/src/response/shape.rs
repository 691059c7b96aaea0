//! Finds the list or the object in a response, whatever it is wrapped in.

use serde_json::{Map, Value};

use super::pointer::{Pointer, same_name};

/// Names under which APIs send a list.
const LISTS: &str = "items data results result records rows entries values list";

/// Names under which APIs send one object.
const OBJECTS: &str = "data result item object record value response payload";

/// Names beside a list.
const PAGING: &str = "count total next previous prev page pages per_page limit offset cursor has_more \
    success message meta links _links pagination paging page_info page_size total_count \
    total_pages current_page next_page next_cursor object url status";

/// Names beside an object.
const FLAGS: &str = "success ok message status status_code code error errors meta";

/// Wrappers inside wrappers that are followed, e.g. `{"data": {"items": []}}`.
const DEPTH: usize = 3;

/// The list in a response: the body itself, the field that holds it, or the only list in it.
pub fn items(body: &Value) -> Option<&Vec<Value>> {
    list_within(body, DEPTH)
}

fn list_within(body: &Value, depth: usize) -> Option<&Vec<Value>> {
    let fields = match body {
        Value::Array(items) => return Some(items),
        Value::Object(fields) if depth > 0 => fields,
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return None;
        }
    };
    let held = LISTS.split(' ').filter_map(|name| named(fields, name));
    let found = held.clone().find_map(Value::as_array);
    let mut nested = held.filter_map(|value| list_within(value, depth - 1));
    found
        .or_else(|| nested.next())
        .or_else(|| only(fields.values().filter_map(Value::as_array)))
        .or_else(|| {
            only(
                fields
                    .values()
                    .filter_map(|value| list_within(value, depth - 1)),
            )
        })
}

/// The object in a response. `wanted` are places in it, of which the best fit has the most; without
/// them, only the usual wrappers are removed.
pub fn object<'a>(body: &'a Value, wanted: &[&Pointer]) -> Option<&'a Value> {
    if wanted.is_empty() {
        return Some(unwrapped(body, DEPTH));
    }
    let mut best: Option<(usize, &Value)> = None;
    for candidate in candidates(body, DEPTH) {
        let fit = wanted
            .iter()
            .filter(|place| place.find(candidate).is_some_and(|value| !value.is_null()))
            .count();
        if fit > best.map_or(0, |(fit, _)| fit) {
            best = Some((fit, candidate));
        }
    }
    best.map(|(_, found)| found)
}

/// The body and the objects in it, outermost first.
fn candidates(body: &Value, depth: usize) -> Vec<&Value> {
    let Value::Object(fields) = body else {
        return Vec::new();
    };
    let mut found = vec![body];
    if depth > 0 {
        found.extend(
            fields
                .values()
                .flat_map(|value| candidates(value, depth - 1)),
        );
    }
    found
}

/// An object in a usual wrapper: the wrapper has one object and otherwise only flags and messages.
fn unwrapped(body: &Value, depth: usize) -> &Value {
    let Value::Object(fields) = body else {
        return body;
    };
    let plain = |key: &str| is_one_of(key, FLAGS);
    let mut content = fields.iter().filter(|(key, _)| !plain(key));
    match (content.next(), content.next()) {
        (Some((key, inner @ Value::Object(_))), None) if depth > 0 && is_one_of(key, OBJECTS) => {
            unwrapped(inner, depth - 1)
        }
        _ => body,
    }
}

/// The address of the next page, as the response names it.
pub(crate) fn next_link(body: &Value) -> Option<&str> {
    [
        "/next",
        "/links/next",
        "/links/next/href",
        "/_links/next/href",
    ]
    .iter()
    .filter_map(|place| body.pointer(place)?.as_str())
    .find(|link| !link.is_empty())
}

/// Whether a body without declared places is a list: an array, or a wrapper of one.
pub(super) fn is_list(body: &Value) -> bool {
    match body {
        Value::Array(_) => true,
        Value::Object(fields) => {
            let paging = fields
                .keys()
                .all(|key| is_one_of(key, LISTS) || is_one_of(key, PAGING));
            paging && items(body).is_some()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn is_one_of(key: &str, names: &str) -> bool {
    names.split(' ').any(|name| same_name(name, key))
}

fn named<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    fields.get(name).or_else(|| {
        let mut found = fields.iter().filter(|(key, _)| same_name(key, name));
        found.next().map(|(_, value)| value)
    })
}

fn only<T>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.next().is_none().then_some(first)
}
