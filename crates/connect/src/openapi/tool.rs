//! A proposed tool of one operation.

use toml::{Table, Value};

use super::document::Document;
use super::infer::infer;
use super::names::{Names, name};
use super::operations::{Endpoint, LeftOut};
use super::parameters::{Parameters, parameters, path_names};
use super::words::{capitalised, shortened, words};
use crate::operation::{Operation, Place, RequestLine};
use crate::proposal::{DraftTool, ProposedTool};
use crate::response::FileKind;

const MAX_TITLE: usize = 60;
/// Each description is sent to the model with every message.
const MAX_DESCRIPTION: usize = 300;

pub(super) struct Candidate {
    pub(super) draft: DraftTool,
    pub(super) description: String,
    pub(super) key_header: Option<String>,
    pub(super) secret: Option<(String, bool)>,
    operation: Operation,
}

/// A tool for each operation, and sentences about doubtful parameters. Operations that cannot
/// become tools are added to `left_out`.
pub(super) fn draft_tools(
    document: &Document,
    chosen: &[Endpoint],
    left_out: &mut Vec<LeftOut>,
) -> (Vec<Candidate>, Vec<String>) {
    let mut names = Names::new();
    let mut candidates = Vec::new();
    let mut notes = Vec::new();
    for endpoint in chosen {
        match operation(document, endpoint) {
            Ok((operation, table, found)) => {
                let tool = names.claim(&name(endpoint));
                notes.extend(found.doubtful.iter().map(|key| {
                    format!("`{tool}`: `{key}` may be the signed-in person; if so, bind it or give it a constant value.")
                }));
                candidates.push(candidate(endpoint, tool, operation, table, found));
            }
            Err(reason) => left_out.push(endpoint.leave_out(reason)),
        }
    }
    add_previews(&mut candidates);
    (candidates, notes)
}

/// The operation, and as a part of a manifest.
fn operation(
    document: &Document,
    endpoint: &Endpoint,
) -> Result<(Operation, Table, Parameters), String> {
    let request: RequestLine = endpoint
        .request()
        .parse()
        .map_err(|_| "its path is not a plain path".to_owned())?;
    let mut found = parameters(document, endpoint).map_err(|error| error.to_string())?;
    let mut operation = Operation::new(request);
    operation.parameters = std::mem::take(&mut found.all);
    operation.response.file = file_kind(document, endpoint);
    if let Some(problem) = operation.problem() {
        return Err(problem);
    }
    let mut table = Table::try_from(&operation).map_err(|error| error.to_string())?;
    table.remove("request");
    Ok((operation, table, found))
}

fn candidate(
    endpoint: &Endpoint,
    name: String,
    operation: Operation,
    table: Table,
    found: Parameters,
) -> Candidate {
    let inference = infer(endpoint, found.key_header.is_some());
    let title = title(endpoint, &name);
    let description = describe(endpoint, &title);
    let proposed = ProposedTool {
        name,
        request: endpoint.request(),
        effect: inference.effect,
        always_asks: inference.always_asks,
        reason: inference.reason,
        doubtful: inference.doubtful,
    };
    let request = ("request", endpoint.request());
    let mut draft = DraftTool::new(proposed, title, description.clone(), request);
    if draft.proposed.effect.writes()
        && let Some(target) = target(endpoint, &operation)
    {
        draft.table.insert("target".to_owned(), target.into());
    }
    draft.remarks.extend(bound_remark(&operation));
    if !found.cut.is_empty() {
        let list = found.cut.join(", ");
        draft.remarks.push(format!(
            "Left out, because it has many optional parameters: {list}"
        ));
    }
    draft.table.extend(table);
    Candidate {
        draft,
        description,
        key_header: found.key_header,
        secret: found.secret,
        operation,
    }
}

fn title(endpoint: &Endpoint, name: &str) -> String {
    let summary = endpoint.summary.trim_end_matches('.');
    if !summary.is_empty() && summary.chars().count() <= MAX_TITLE {
        return summary.to_owned();
    }
    capitalised(&name.replace('_', " "))
}

fn describe(endpoint: &Endpoint, title: &str) -> String {
    let summary = endpoint.summary.trim_end_matches('.');
    let text = match (summary, endpoint.description.as_str()) {
        ("", "") => format!("{title}."),
        ("", description) => description.to_owned(),
        (summary, "") => format!("{summary}."),
        // Many documents repeat the summary.
        (summary, description) if words(description).starts_with(&words(summary)) => {
            description.to_owned()
        }
        (summary, description) => format!("{summary}. {description}"),
    };
    shortened(&text, MAX_DESCRIPTION)
}

/// The last parameter of the path that the model gives.
fn target(endpoint: &Endpoint, operation: &Operation) -> Option<String> {
    let last = path_names(endpoint.path).last()?;
    let (key, parameter) = operation
        .parameters
        .iter()
        .find(|(key, p)| p.place == Some(Place::Path) && p.wire(key) == last)?;
    parameter.is_shown().then(|| key.clone())
}

fn bound_remark(operation: &Operation) -> Option<String> {
    let bound: Vec<&str> = operation
        .parameters
        .iter()
        .filter(|(_, parameter)| parameter.bind.is_some())
        .map(|(key, _)| key.as_str())
        .collect();
    let list = bound.join(", ");
    (!bound.is_empty()).then(|| format!("Filled with the signed-in person: {list}"))
}

/// The kind of file that a successful response is.
fn file_kind(document: &Document, endpoint: &Endpoint) -> Option<FileKind> {
    let responses = endpoint.body.get("responses")?.as_object()?;
    let (_, success) = responses
        .iter()
        .find(|(status, _)| status.starts_with('2'))?;
    let content = document
        .resolve(success)
        .ok()?
        .get("content")?
        .as_object()?;
    let kinds = || content.keys().map(String::as_str);
    if kinds().any(|kind| kind.contains("json") || kind == "*/*") {
        return None;
    }
    kinds().find_map(|kind| match kind {
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
        .filter(|tool| !tool.draft.proposed.effect.writes() && has_only_path(&tool.operation))
        .map(|tool| {
            let all = tool.operation.parameters.iter();
            let shown = all
                .filter(|(_, p)| p.is_shown())
                .map(|(key, _)| key.clone());
            let path = tool.operation.request.path.clone();
            (path, tool.draft.proposed.name.clone(), shown.collect())
        })
        .collect();
    for Candidate {
        draft, operation, ..
    } in candidates
    {
        let target = draft.table.get("target").and_then(Value::as_str);
        let path = &operation.request.path;
        let (Some(target), Some(end)) = (target, path.rfind('}')) else {
            continue;
        };
        // A preview takes the target in the parameter of the same name, or in its only one.
        let takes = |shown: &[String]| shown.len() == 1 || shown.iter().any(|key| key == target);
        let read = reads
            .iter()
            .find(|(read, _, shown)| *read == path[..=end] && takes(shown));
        if let Some((_, name, _)) = read {
            draft
                .table
                .insert("preview".to_owned(), name.as_str().into());
        }
    }
}

/// True if one parameter of the path suffices to read the object.
fn has_only_path(operation: &Operation) -> bool {
    let mut required = operation
        .parameters
        .iter()
        .filter(|(_, p)| p.required == Some(true) || p.place == Some(Place::Path));
    let first = required.next();
    first.is_some_and(|(_, p)| p.place == Some(Place::Path) && p.is_shown())
        && required.next().is_none()
}
