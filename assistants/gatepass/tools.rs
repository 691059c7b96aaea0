//! Every tool of the assistant as one entry of `tools.toml`: its name, roles, API request and
//! response handler. A new tool is a new entry.

mod parameters;
mod preview;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use frontdesk_connect::{
    HttpMethod, Lookup, MediaKind, Operation, Pointer, RefusalRule, RequestLine, StateRead,
};
use frontdesk_core::access::Role;
use frontdesk_core::tool::{Effect, ToolDef, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::replies::Reply;
pub(super) use parameters::{Kind, Parameter, STATUSES};

/// One tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) name: String,
    /// In a few words, for people.
    title: String,
    /// For the model.
    pub(super) description: String,
    /// Any of these roles may use it.
    pub(super) roles: Vec<Role>,
    pub(super) request: RequestLine,
    /// Names of its parameters.
    #[serde(default, rename = "parameters")]
    names: Vec<String>,
    #[serde(skip)]
    pub(super) parameters: Vec<Parameter>,
    pub(super) effect: Effect,
    #[serde(default)]
    consent: Consent,
    target: Option<String>,
    pub(super) reply: Reply,
    /// The change in words, e.g. "Approved".
    #[serde(default)]
    pub(super) done: String,
    /// Suggested follow-ups.
    #[serde(default)]
    pub(super) next: Vec<String>,
    /// The request that tells the state of the pass after a failure.
    state: Option<RequestLine>,
    /// The list in which a pass is found by its number if the API wants its id.
    lookup: Option<RequestLine>,
    /// The object in words, and whether people know its identifier.
    #[serde(default = "gate_pass")]
    object: String,
    reference: Option<String>,
    #[serde(default)]
    refusals: Vec<RefusalRule>,
    card: Option<Card>,
    /// Phrasings with their arguments.
    pub(super) examples: Vec<Phrasing>,
}

/// When a person must confirm the call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Consent {
    /// Unless the tool only reads, or the person's message names the target.
    #[default]
    UnlessOrdered,
    /// The call decides about a pass, or deletes it.
    Always,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Phrasing {
    pub(super) say: String,
    pub(super) arguments: Map<String, Value>,
}

/// Texts of the approval card.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Card {
    title: String,
    confirm: String,
    decline: String,
    consequence: String,
    #[serde(default)]
    destructive: bool,
    /// The call is about an existing pass, which the card shows.
    #[serde(default)]
    shows_pass: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    tool: Vec<Entry>,
    parameter: BTreeMap<String, Parameter>,
}

/// The one tool whose approvers a setting can change.
pub(super) const DELETE: &str = "delete_gate_pass";

/// All roles of the assistant.
pub(super) const EVERYONE: &[Role] = &[Role::HR_USER, Role::ADMIN_USER, Role::GATE_USER];

static TABLE: LazyLock<Result<Vec<Entry>, String>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("tools.toml")).map_err(|e| e.to_string())?;
    let mut entries = table.tool;
    for entry in &mut entries {
        for name in &entry.names {
            let parameter = table.parameter.get(name);
            let parameter = parameter.ok_or_else(|| format!("no parameter `{name}`"))?;
            entry.parameters.push(parameter.named(name));
        }
    }
    Ok(entries)
});

fn gate_pass() -> String {
    "gate pass".to_owned()
}

/// All tools, in the order in which they are offered.
pub(super) fn all() -> impl Iterator<Item = &'static Entry> {
    TABLE.as_ref().map(Vec::as_slice).unwrap_or_default().iter()
}

/// The reason why the table cannot be used.
pub(super) fn problem() -> Option<&'static str> {
    TABLE.as_ref().err().map(String::as_str)
}

/// The tools that list passes, or notifications, with their roles.
pub(super) fn lists(reply: Reply) -> Vec<(String, Vec<Role>)> {
    let wanted = match reply {
        Reply::Notifications | Reply::MarkedRead => Reply::Notifications,
        Reply::Pass
        | Reply::Changed
        | Reply::Deleted
        | Reply::Passes
        | Reply::Photos
        | Reply::Qr
        | Reply::Print => Reply::Passes,
    };
    all()
        .filter(|entry| entry.reply == wanted)
        .filter(|entry| wanted != Reply::Passes || entry.parameter(Kind::Status).is_some())
        .map(|entry| (entry.name.clone(), entry.roles.clone()))
        .collect()
}

/// The rules for photos.
#[derive(Clone, Debug)]
pub(super) struct PhotoRules {
    pub(super) max_bytes: u64,
    pub(super) formats: Vec<MediaKind>,
}

impl Entry {
    /// The tool's definition for the platform. Without idempotency keys, a write that was
    /// interrupted must not run again.
    pub(super) fn def(&'static self, timeout: Duration, has_keys: bool) -> ToolDef {
        let description = self.description.as_str();
        let is_post = self.request.method == HttpMethod::Post;
        let mut spec = match self.effect {
            Effect::Read => ToolSpec::read(description),
            Effect::Idempotent if has_keys || !is_post => ToolSpec::idempotent(description),
            Effect::Transactional => ToolSpec::transactional(description),
            Effect::Idempotent | Effect::AtMostOnce => ToolSpec::at_most_once(description),
        };
        spec = spec
            .title(self.title.as_str())
            .roles(self.roles.iter().cloned())
            .timeout(timeout);
        if let Some(target) = &self.target {
            spec = spec.target(target.as_str());
        }
        if self.consent == Consent::Always {
            spec = spec.approval([]);
        }
        if let Some(card) = &self.card {
            spec = card.on(spec);
        }
        if let Some(parameter) = self.parameter(Kind::OwnName) {
            spec = spec.own_name(parameter.name.as_str());
        }
        for example in &self.examples {
            spec = spec.example(
                example.say.as_str(),
                Value::Object(example.arguments.clone()),
            );
        }
        ToolDef {
            name: self.name.as_str().into(),
            parameters: self.operation(None).schema(),
            spec,
        }
    }

    /// The request of the API with its parameters and the shape of its response.
    pub(super) fn operation(&self, photos: Option<&PhotoRules>) -> Operation {
        let mut operation = Operation::new(self.request.clone());
        for parameter in &self.parameters {
            let key = parameter.name.clone();
            operation
                .parameters
                .insert(key, parameter.described(photos));
        }
        operation.response = self.reply.rules();
        operation.object = Some(self.object.clone());
        operation.reference = self.reference.clone();
        operation.refusals = self.refusals.clone();
        operation.state = self.state.clone().map(|request| StateRead {
            request,
            pointer: Pointer::field("status"),
        });
        operation.lookup = self.lookup.clone().map(lookup);
        operation
    }

    /// The parameter of this kind, if the tool has one.
    pub(super) fn parameter(&self, kind: Kind) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.kind == kind)
    }
}

/// Finds a pass by its number in this list.
pub(super) fn lookup(request: RequestLine) -> Lookup {
    Lookup {
        parameter: "pass_id".to_owned(),
        request,
        key: Pointer::field("pass_number"),
        id: Pointer::field("id"),
    }
}

impl Card {
    /// Adds the texts of the card.
    fn on(&'static self, spec: ToolSpec) -> ToolSpec {
        let mut spec = spec
            .card_title(self.title.as_str())
            .verb(self.confirm.as_str())
            .decline(self.decline.as_str())
            .consequence(self.consequence.as_str());
        if self.destructive {
            spec = spec.destructive();
        }
        if self.shows_pass {
            spec = spec.preview(preview::of_pass());
        }
        spec
    }
}

#[cfg(test)]
#[path = "tools/tools_tests.rs"]
mod tools_tests;
