//! A proposed tool of one operation.

use toml::Table;

use super::document::{Document, Unusable, text};
use super::identity::object;
use super::infer::infer;
use super::operations::{Endpoint, LeftOut};
use super::parameters::{Parameters, parameters};
use super::words::{free_name, last_words, literal_segments, plain_text, valid_name, words};
use crate::operation::{HttpMethod, Operation, Place, RequestLine};
use crate::proposal::{ProposedTool, is_taken};
use crate::response::FileKind;

pub(super) struct Candidate {
    pub(super) tool: ProposedTool,
    pub(super) operation: Operation,
    /// All that the document declares besides the parameters of the operation.
    pub(super) declared: Parameters,
}

/// A tool for each operation. Operations that cannot become tools are added to `left_out`.
pub(super) fn candidates(
    document: &Document,
    chosen: &[Endpoint],
    left_out: &mut Vec<LeftOut>,
) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for endpoint in chosen {
        let known = candidates.iter().map(|one| &one.tool);
        let name = free_name(&name(endpoint), |name| is_taken(name, known.clone()));
        match candidate(document, endpoint, name) {
            Ok(candidate) => candidates.push(candidate),
            Err(reason) => left_out.push(endpoint.leave_out(&reason)),
        }
    }
    add_previews(&mut candidates);
    candidates
}

fn candidate(
    document: &Document,
    endpoint: &Endpoint,
    name: String,
) -> Result<Candidate, Unusable> {
    let request = endpoint.request.to_string();
    let line: RequestLine = request.parse().map_err(|_| Unusable::Path)?;
    let mut declared = parameters(document, endpoint)?;
    let mut operation = Operation::new(line);
    operation.parameters = std::mem::take(&mut declared.all);
    operation.response.file = file_kind(document, endpoint);
    operation.object = operation.request.names().last().and_then(object);
    if let Some(problem) = operation.problem() {
        return Err(Unusable::Contradiction(problem));
    }
    let table = Table::try_from(&operation);
    let table = table.map_err(|error| Unusable::Contradiction(error.to_string()))?;
    let inference = infer(endpoint, declared.key_header.is_some());
    let summary = endpoint.summary.trim_end_matches('.');
    let description = describe(endpoint, summary);
    let mut tool = ProposedTool::new(name, request, inference, table, summary, &description);
    if tool.inference.effect.writes()
        && let Some(target) = target(&operation)
    {
        tool.table.insert("target".to_owned(), target.into());
    }
    let bound = operation
        .parameters
        .iter()
        .filter(|(_, p)| p.bind.is_some());
    let bound: Vec<&str> = bound.map(|(key, _)| key.as_str()).collect();
    tool.remark("Filled with the signed-in person", &bound);
    let cut: Vec<&str> = declared.cut.iter().map(String::as_str).collect();
    tool.remark("Left out, because it has many optional parameters", &cut);
    tool.unbound.clone_from(&declared.doubtful);
    Ok(Candidate {
        tool,
        operation,
        declared,
    })
}

fn describe(endpoint: &Endpoint, summary: &str) -> String {
    let description = plain_text(text(endpoint.body, "description"));
    match (summary, description.as_str()) {
        ("", _) => description,
        (summary, "") => format!("{summary}."),
        // Many documents repeat the summary.
        (_, whole) if words(whole).starts_with(&words(summary)) => description,
        (summary, rest) => format!("{summary}. {rest}"),
    }
}

/// From `operationId`, otherwise from method and path.
fn name(operation: &Endpoint) -> String {
    let from_id = words(without_route(operation));
    let is_usable = |word: &String| word.chars().any(|c| c.is_ascii_alphanumeric());
    if !from_id.iter().any(is_usable) {
        valid_name(&from_path(operation))
    } else if operation.id.contains(['.', '/']) {
        // The end of `projects.locations.domains.attachTrust` tells more than its beginning.
        valid_name(last_words(&from_id))
    } else {
        valid_name(&from_id)
    }
}

/// Some frameworks append path and method: `list_tickets_tickets__get`.
fn without_route<'a>(operation: &Endpoint<'a>) -> &'a str {
    let route = operation
        .request
        .path
        .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let suffix = format!(
        "{route}_{}",
        operation.request.method.as_str().to_lowercase()
    );
    match operation.id.strip_suffix(&suffix) {
        Some(name) if !name.is_empty() => name,
        _ => operation.id,
    }
}

fn from_path(operation: &Endpoint) -> Vec<String> {
    let path = &operation.request.path;
    let ends_with_item = path.trim_end_matches('/').ends_with('}');
    let verb = match (operation.request.method, ends_with_item) {
        (HttpMethod::Get | HttpMethod::Head, false) => "list",
        (HttpMethod::Get | HttpMethod::Head, true) => "get",
        (HttpMethod::Post, _) => "create",
        (HttpMethod::Put, _) => "replace",
        (HttpMethod::Patch, _) => "update",
        (HttpMethod::Delete, _) => "delete",
    };
    let segments = literal_segments(path).flat_map(words);
    std::iter::once(verb.to_owned()).chain(segments).collect()
}

/// The last parameter of the path that the model gives.
fn target(operation: &Operation) -> Option<&str> {
    let last = operation.request.names().last()?;
    let mut all = operation.parameters.iter();
    let (key, parameter) =
        all.find(|(key, p)| p.place == Some(Place::Path) && p.wire(key) == last)?;
    parameter.is_shown().then_some(key)
}

/// The kind of file that a successful response is.
fn file_kind(document: &Document, endpoint: &Endpoint) -> Option<FileKind> {
    let responses = endpoint.body.get("responses")?.as_object()?;
    let mut responses = responses.iter();
    let (_, success) = responses.find(|(status, _)| status.starts_with('2'))?;
    let content = document
        .resolve(success)
        .ok()?
        .get("content")?
        .as_object()?;
    let mut kinds = content.keys().map(String::as_str);
    if kinds
        .clone()
        .any(|kind| kind.contains("json") || kind == "*/*")
    {
        return None;
    }
    kinds.find_map(|kind| match kind {
        kind if kind.starts_with("image/") => Some(FileKind::Image),
        "application/pdf" | "text/html" => Some(FileKind::Document),
        "application/octet-stream" | "application/zip" => Some(FileKind::Any),
        _ => None,
    })
}

/// A write on `/tickets/{id}/…` shows the object as `GET /tickets/{id}` reads it.
fn add_previews(candidates: &mut [Candidate]) {
    let reads: Vec<(String, String, Vec<String>)> = candidates
        .iter()
        .filter(|one| !one.tool.inference.effect.writes() && has_only_path(&one.operation))
        .map(|one| {
            let shown = one
                .operation
                .parameters
                .iter()
                .filter(|(_, p)| p.is_shown());
            let shown = shown.map(|(key, _)| key.clone()).collect();
            let path = one.operation.request.path.clone();
            (path, one.tool.name.clone(), shown)
        })
        .collect();
    for Candidate {
        tool, operation, ..
    } in candidates
    {
        let target = tool.table.get("target").and_then(toml::Value::as_str);
        let path = &operation.request.path;
        let (Some(target), Some(end)) = (target, path.rfind('}')) else {
            continue;
        };
        // A preview takes the target in the parameter of the same name, or in its only one.
        let takes = |shown: &[String]| shown.len() == 1 || shown.iter().any(|key| key == target);
        let mut reads = reads.iter();
        let read = reads.find(|(read, _, shown)| *read == path[..=end] && takes(shown));
        if let Some((_, name, _)) = read {
            tool.table
                .insert("preview".to_owned(), name.as_str().into());
        }
    }
}

/// True if one parameter of the path suffices to read the object.
fn has_only_path(operation: &Operation) -> bool {
    let is_path = |p: &&crate::operation::Parameter| p.place == Some(Place::Path);
    let all = operation.parameters.values();
    let mut required = all.filter(|p| p.required == Some(true) || is_path(p));
    let first = required.next();
    first.is_some_and(|p| is_path(&p) && p.is_shown()) && required.next().is_none()
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod names_tests;
