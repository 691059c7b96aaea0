//! Proposes an assistant over the chosen operations of a document.

use reqwest::Url;
use serde_json::Value;
use toml::Table;

use super::document::Document;
use super::operations::{Endpoint, groups, operations};
use super::security::{SignIn, key_sign_in, reference, sign_in};
use super::tool::{Candidate, draft_tools};
use super::twins::twins;
use super::words::{plain_text, shortened, words};
use crate::proposal::{Draft, Proposal};
use crate::source::Source;

/// More tools than this make a model choose worse, so somebody chooses groups.
const MAX_WITHOUT_CHOICE: usize = 40;
const MAX_TITLE: usize = 60;

/// The input of a proposal besides the document.
pub struct Request<'a> {
    /// The assistant's name; it begins the names of secrets.
    pub name: &'a str,
    /// The role that may use all tools.
    pub role: &'a str,
    /// The document's own address, if it was fetched.
    pub origin: Option<&'a Url>,
    pub selection: Selection,
}

/// The operations to import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All, if they are at most 40.
    Unspecified,
    All,
    /// The operations of these groups: tags, or first segments of paths.
    Only(Vec<String>),
}

/// A tag, or the first segment of the path of operations without one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub name: String,
    pub operations: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum ProposeError {
    #[error("the document has {operations} operations; choose groups of them", operations = .0.iter().map(|group| group.operations).sum::<usize>())]
    TooMany(Vec<Group>),
    #[error("the document has no group {name}; there are {}", known.join(", "))]
    UnknownGroup { name: String, known: Vec<String> },
    #[error("no operation can become a tool: {0}")]
    Nothing(String),
}

pub fn propose(document: &Document, request: &Request) -> Result<Proposal, ProposeError> {
    let (all, mut left_out) = operations(document);
    let chosen = choose(all, &request.selection)?;
    if let Selection::Only(names) = &request.selection {
        left_out.retain(|one| names.iter().any(|name| is_same(&one.group, name)));
    }
    let info = |key| {
        document
            .root()
            .pointer(&format!("/info/{key}"))
            .and_then(Value::as_str)
    };
    let title = match info("title").map(plain_text) {
        Some(title) if !title.is_empty() => shortened(&title, MAX_TITLE),
        _ => request.name.to_owned(),
    };
    let prefix = secret_prefix(request.name);
    let (candidates, mut notes) = draft_tools(document, &chosen, &mut left_out);
    if candidates.is_empty() {
        let reason = left_out
            .first()
            .map_or("there is none".to_owned(), |first| {
                format!("{}: {}", first.request, first.reason)
            });
        return Err(ProposeError::Nothing(reason));
    }
    let sign_in = match candidates.iter().find_map(|tool| tool.secret.as_ref()) {
        Some((name, in_query)) if !has_schemes(document) => key_sign_in(name, *in_query, &prefix),
        _ => sign_in(document, &chosen, &prefix),
    };
    notes.extend(twin_notes(&candidates));
    let draft = Draft {
        name: request.name.to_owned(),
        source: source(document, request, &title, &prefix, &sign_in, &candidates),
        source_reason: format!("Sign-in: {}.", sign_in.reason),
        description: description(info("description").unwrap_or_default(), &title),
        title,
        role: request.role.to_owned(),
        tools: candidates.into_iter().map(|tool| tool.draft).collect(),
    };
    notes.push(format!("Sign-in: {}.", sign_in.reason));
    Ok(draft.finish(left_out, notes))
}

fn choose<'a>(
    all: Vec<Endpoint<'a>>,
    selection: &Selection,
) -> Result<Vec<Endpoint<'a>>, ProposeError> {
    let sizes = groups(&all);
    match selection {
        Selection::All => Ok(all),
        Selection::Unspecified if all.len() <= MAX_WITHOUT_CHOICE => Ok(all),
        Selection::Unspecified => Err(ProposeError::TooMany(
            sizes
                .into_iter()
                .map(|(name, operations)| Group { name, operations })
                .collect(),
        )),
        Selection::Only(names) => {
            let is_group = |name: &String| sizes.iter().any(|(known, _)| is_same(known, name));
            if let Some(name) = names.iter().find(|name| !is_group(name)) {
                return Err(ProposeError::UnknownGroup {
                    name: name.clone(),
                    known: sizes.into_iter().map(|(name, _)| name).collect(),
                });
            }
            let is_chosen =
                |operation: &Endpoint| names.iter().any(|name| is_same(&operation.group, name));
            Ok(all.into_iter().filter(is_chosen).collect())
        }
    }
}

fn is_same(group: &str, name: &str) -> bool {
    group.trim().to_lowercase() == name.trim().to_lowercase()
}

fn has_schemes(document: &Document) -> bool {
    let schemes = document.root().pointer("/components/securitySchemes");
    schemes
        .and_then(Value::as_object)
        .is_some_and(|schemes| !schemes.is_empty())
}

fn secret_prefix(name: &str) -> String {
    name.to_uppercase()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

fn description(text: &str, title: &str) -> String {
    const MAX_DESCRIPTION: usize = 120;
    let text = shortened(&plain_text(text), MAX_DESCRIPTION);
    if text.is_empty() {
        format!("Works with {title}")
    } else {
        text
    }
}

fn source(
    document: &Document,
    request: &Request,
    title: &str,
    prefix: &str,
    sign_in: &SignIn,
    candidates: &[Candidate],
) -> Table {
    let address = base_url(document, request.origin).unwrap_or_else(|| reference(prefix, "URL"));
    let mut source = Source::at(address);
    source.name = source_name(title);
    source.auth = sign_in.auth.clone();
    source.idempotency_header = candidates.iter().find_map(|tool| tool.key_header.clone());
    // Plain data without nulls; a failure leaves an empty table, which `frontdesk check` reports.
    let mut table = Table::try_from(&source).unwrap_or_default();
    if let Some(origin) = request.origin {
        table.insert("openapi".to_owned(), origin.as_str().into());
    }
    table
}

/// `Swagger Petstore - OpenAPI 3.0` as `the Swagger Petstore API`.
fn source_name(title: &str) -> String {
    let end = [" - ", " – ", ": ", "("]
        .iter()
        .filter_map(|mark| title.find(mark))
        .min();
    let short = title[..end.unwrap_or(title.len())].trim();
    let ends_with_api = words(short).last().is_some_and(|word| word == "api");
    let article = if words(short).first().is_some_and(|word| word == "the") {
        ""
    } else {
        "the "
    };
    let kind = if ends_with_api { "" } else { " API" };
    format!("{article}{short}{kind}")
}

/// The first server's address, completed by the document's own.
fn base_url(document: &Document, origin: Option<&Url>) -> Option<String> {
    let server = document.root().pointer("/servers/0");
    let mut address = match server
        .and_then(|server| server.get("url"))
        .and_then(Value::as_str)
    {
        Some(url) => url.to_owned(),
        None => "/".to_owned(),
    };
    let variables = server
        .and_then(|server| server.get("variables"))
        .and_then(Value::as_object);
    for (name, variable) in variables.into_iter().flatten() {
        let value = variable
            .get("default")
            .and_then(Value::as_str)
            .unwrap_or_default();
        address = address.replace(&format!("{{{name}}}"), value);
    }
    let url = match Url::parse(&address) {
        Ok(url) => url,
        Err(_) => origin?.join(&address).ok()?,
    };
    let usable = matches!(url.scheme(), "http" | "https") && !address.contains(['{', '}']);
    usable.then(|| url.as_str().trim_end_matches('/').to_owned())
}

fn twin_notes(candidates: &[Candidate]) -> Vec<String> {
    let described: Vec<(&str, &str)> = candidates
        .iter()
        .map(|tool| (tool.draft.proposed.name.as_str(), tool.description.as_str()))
        .collect();
    twins(&described)
        .into_iter()
        .map(|(one, other)| {
            format!("`{one}` and `{other}` have nearly the same description; say how they differ.")
        })
        .collect()
}

#[cfg(test)]
#[path = "propose_tests.rs"]
mod propose_tests;
