//! Proposes an assistant over the chosen operations of a document.

use reqwest::Url;
use toml::Table;

use super::document::{Document, text};
use super::operations::{Endpoint, Group, groups, operations};
use super::security::{reference, sign_in};
use super::tool::{Candidate, candidates};
use super::words::{plain_text, shortened, words};
use crate::auth::Auth;
use crate::proposal::{Draft, MAX_TITLE, Proposal, table};
use crate::source::Source;

/// More tools than this make a model choose worse, so somebody chooses groups.
const MAX_WITHOUT_CHOICE: usize = 40;
const MAX_DESCRIPTION: usize = 120;

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
    left_out.retain(|one| request.selection.has(&one.group));
    let info = |key| {
        let info = document.root().get("info");
        plain_text(info.map(|info| text(info, key)).unwrap_or_default())
    };
    let title = match shortened(&info("title"), MAX_TITLE) {
        title if title.is_empty() => request.name.to_owned(),
        title => title,
    };
    let description = match shortened(&info("description"), MAX_DESCRIPTION) {
        description if description.is_empty() => format!("Works with {title}"),
        description => description,
    };
    let candidates = candidates(document, &chosen, &mut left_out);
    if candidates.is_empty() {
        let reason = match left_out.first() {
            Some(first) => format!("{}: {}", first.request, first.reason),
            None => "there is none".to_owned(),
        };
        return Err(ProposeError::Nothing(reason));
    }
    let prefix = request.name.to_uppercase();
    let prefix = prefix.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let key = candidates.iter().find_map(|one| one.declared.key.as_ref());
    let (auth, reason) = sign_in(document, &chosen, key, &prefix);
    let reason = format!("Sign-in: {reason}.");
    let address = base_url(document, request.origin).unwrap_or_else(|| reference(&prefix, "URL"));
    let draft = Draft {
        name: request.name,
        source: source(address, &title, auth, request.origin, &candidates),
        source_reason: reason.clone(),
        description,
        title,
        role: request.role,
        tools: candidates.into_iter().map(|one| one.tool).collect(),
        left_out,
    };
    let mut proposal = draft.finish();
    proposal.notes.push(reason);
    Ok(proposal)
}

impl Selection {
    fn has(&self, group: &str) -> bool {
        match self {
            Self::Unspecified | Self::All => true,
            Self::Only(names) => names.iter().any(|name| is_same(name, group)),
        }
    }
}

fn is_same(group: &str, name: &str) -> bool {
    group.trim().to_lowercase() == name.trim().to_lowercase()
}

fn choose<'a>(
    mut all: Vec<Endpoint<'a>>,
    selection: &Selection,
) -> Result<Vec<Endpoint<'a>>, ProposeError> {
    let groups = groups(&all);
    match selection {
        Selection::Unspecified if all.len() > MAX_WITHOUT_CHOICE => {
            return Err(ProposeError::TooMany(groups));
        }
        Selection::Unspecified | Selection::All => {}
        Selection::Only(names) => {
            let is_group = |name: &&String| groups.iter().any(|known| is_same(&known.name, name));
            if let Some(name) = names.iter().find(|name| !is_group(name)) {
                return Err(ProposeError::UnknownGroup {
                    name: name.clone(),
                    known: groups.into_iter().map(|known| known.name).collect(),
                });
            }
        }
    }
    all.retain(|one| selection.has(&one.group));
    Ok(all)
}

fn source(
    address: String,
    title: &str,
    auth: Auth,
    origin: Option<&Url>,
    candidates: &[Candidate],
) -> Table {
    let mut keys = candidates.iter().map(|one| &one.declared.key_header);
    let source = Source {
        name: source_name(title),
        auth,
        idempotency_header: keys.find_map(Clone::clone),
        openapi: origin.map(ToString::to_string),
        ..Source::at(address)
    };
    table(source)
}

/// `Swagger Petstore - OpenAPI 3.0` as `the Swagger Petstore API`.
fn source_name(title: &str) -> String {
    let marks = [" - ", " – ", ": ", "("];
    let end = marks.iter().filter_map(|mark| title.find(mark)).min();
    let short = title[..end.unwrap_or(title.len())].trim();
    let words = words(short);
    let has_article = words.first().is_some_and(|word| word == "the");
    let article = if has_article { "" } else { "the " };
    let is_api = words.iter().any(|word| word == "api");
    let kind = if is_api { "" } else { " API" };
    format!("{article}{short}{kind}")
}

/// The first server's address, completed by the document's own.
fn base_url(document: &Document, origin: Option<&Url>) -> Option<String> {
    let server = document.root().pointer("/servers/0");
    let url = server.and_then(|server| server.get("url")?.as_str());
    let mut address = url.unwrap_or("/").to_owned();
    let variables = server.and_then(|server| server.get("variables")?.as_object());
    for (name, variable) in variables.into_iter().flatten() {
        address = address.replace(&format!("{{{name}}}"), text(variable, "default"));
    }
    let url = match Url::parse(&address) {
        Ok(url) => url,
        Err(_) => origin?.join(&address).ok()?,
    };
    let usable = matches!(url.scheme(), "http" | "https") && !address.contains(['{', '}']);
    usable.then(|| url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
#[path = "propose_tests.rs"]
mod propose_tests;
