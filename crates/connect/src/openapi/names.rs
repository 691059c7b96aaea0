//! Tool names: valid, unique and readable.

use std::collections::HashSet;

use super::operations::Endpoint;
use super::words::{literal_segments, words};
use crate::operation::HttpMethod;

/// Servers accept 64 characters; shorter names leave room for a number.
const MAX_NAME: usize = 56;

/// Names in use. The built-in tools keep theirs.
pub(crate) struct Names(HashSet<String>);

impl Names {
    pub(crate) fn new() -> Self {
        Self(HashSet::from(["read_text".to_owned()]))
    }

    /// The name itself, or the first of `name_2`, `name_3` … that is free.
    pub(crate) fn claim(&mut self, name: &str) -> String {
        let mut number = 1;
        let mut unique = name.to_owned();
        while !self.0.insert(unique.clone()) {
            number += 1;
            unique = format!("{name}_{number}");
        }
        unique
    }
}

/// From `operationId`, otherwise from method and path.
pub(super) fn name(operation: &Endpoint) -> String {
    let from_id = words(without_route(operation));
    let is_usable = |word: &String| word.chars().any(|c| c.is_ascii_alphanumeric());
    let parts = if !from_id.iter().any(is_usable) {
        from_path(operation)
    } else {
        from_id
    };
    // The end of `projects.locations.domains.attachTrust` tells more than its beginning.
    let is_hierarchy = operation.id.contains(['.', '/']);
    let fits = |parts: &[String]| parts.join("_").len() <= MAX_NAME;
    let from = (0..parts.len()).find(|from| !is_hierarchy || fits(&parts[*from..]));
    valid(&parts[from.unwrap_or_default()..])
}

/// Some frameworks append path and method: `list_tickets_tickets__get`.
fn without_route<'a>(operation: &Endpoint<'a>) -> &'a str {
    let route: String = operation
        .path
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let suffix = format!("{route}_{}", operation.method.as_str().to_lowercase());
    match operation.id.strip_suffix(&suffix) {
        Some(name) if !name.is_empty() => name,
        _ => operation.id,
    }
}

fn from_path(operation: &Endpoint) -> Vec<String> {
    let ends_with_item = operation.path.trim_end_matches('/').ends_with('}');
    let verb = match (operation.method, ends_with_item) {
        (HttpMethod::Get | HttpMethod::Head, false) => "list",
        (HttpMethod::Get | HttpMethod::Head, true) => "get",
        (HttpMethod::Post, _) => "create",
        (HttpMethod::Put, _) => "replace",
        (HttpMethod::Patch, _) => "update",
        (HttpMethod::Delete, _) => "delete",
    };
    let mut parts = vec![verb.to_owned()];
    parts.extend(literal_segments(operation.path).flat_map(words));
    parts
}

/// Lower-case ASCII words joined by `_`, as many as fit.
pub(crate) fn valid(parts: &[String]) -> String {
    let mut name = String::new();
    for part in parts {
        let ascii: String = part.chars().filter(char::is_ascii_alphanumeric).collect();
        let joint = usize::from(!name.is_empty());
        if ascii.is_empty() {
            continue;
        }
        if name.len() + joint + ascii.len() > MAX_NAME {
            break;
        }
        if joint == 1 {
            name.push('_');
        }
        name.push_str(&ascii);
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name
    } else {
        format!("call_{name}").trim_end_matches('_').to_owned()
    }
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod names_tests;
