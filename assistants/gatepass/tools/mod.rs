//! Every tool of the assistant as one entry in a table: its name, roles, API request and response
//! handler. A new tool is a new entry.

mod admin;
mod cards;
mod gate;
mod hr;
mod parameters;
mod shared;

use std::time::Duration;

use frontdesk_core::access::Role;
use frontdesk_core::tool::{Effect, ToolDef, ToolSpec};
use serde_json::Value;

use super::api::Method;
use super::replies::Reply;
pub(super) use parameters::{Kind, Parameter, STATUSES};

/// One tool.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// In a few words, for people.
    pub(super) title: &'static str,
    /// For the model.
    pub(super) description: &'static str,
    pub(super) parameters: &'static [Parameter],
    /// Any of these roles may use it.
    pub(super) roles: &'static [Role],
    pub(super) method: Method,
    /// `{parameter}` is replaced by its value. Other parameters go into the query of a GET, into
    /// the JSON of a POST, or into its form if one of them is a file.
    pub(super) endpoint: &'static str,
    pub(super) effect: Effect,
    pub(super) consent: Consent,
    pub(super) reply: Reply,
    /// Suggested follow-ups.
    pub(super) next: &'static [&'static str],
    /// Phrasings with their arguments.
    pub(super) examples: fn() -> Vec<(&'static str, Value)>,
}

/// When a person must confirm the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    /// Never: the tool only reads.
    None,
    /// Unless the person's message names the value of this parameter.
    UnlessNamed(&'static str),
    /// Always: the call decides about a pass, or deletes it.
    Always,
}

pub(super) const HR: &[Role] = &[Role::HR_USER];
pub(super) const ADMIN: &[Role] = &[Role::ADMIN_USER];
pub(super) const GATE: &[Role] = &[Role::GATE_USER];
const OFFICE: &[Role] = &[Role::ADMIN_USER, Role::HR_USER];

/// All roles of the assistant.
pub(super) const EVERYONE: &[Role] = &[Role::HR_USER, Role::ADMIN_USER, Role::GATE_USER];

/// All tools, in the order in which they are offered.
pub(super) fn all() -> impl Iterator<Item = &'static Entry> {
    [hr::TOOLS, admin::TOOLS, gate::TOOLS, shared::TOOLS]
        .into_iter()
        .flatten()
}

impl Entry {
    /// The tool's definition for the platform.
    pub(super) fn def(&self, timeout: Duration) -> ToolDef {
        let mut spec = match self.effect {
            Effect::Read => ToolSpec::read(self.description),
            Effect::Idempotent => ToolSpec::idempotent(self.description),
            Effect::Transactional => ToolSpec::transactional(self.description),
            Effect::AtMostOnce => ToolSpec::at_most_once(self.description),
        };
        spec = spec
            .title(self.title)
            .roles(self.roles.iter().cloned())
            .timeout(timeout);
        spec = match self.consent {
            Consent::None => spec,
            Consent::UnlessNamed(parameter) => spec.target(parameter),
            Consent::Always => spec.target(parameters::PASS_NUMBER.name).approval([]),
        };
        spec = cards::with_card(self.name, spec);
        if let Some(parameter) = self.parameter(Kind::OwnName) {
            spec = spec.own_name(parameter.name);
        }
        for (say, arguments) in (self.examples)() {
            spec = spec.example(say, arguments);
        }
        ToolDef {
            name: self.name.into(),
            parameters: parameters::schema(self.parameters),
            spec,
        }
    }

    /// The parameter of this kind, if the tool has one.
    pub(super) fn parameter(&self, kind: Kind) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.kind == kind)
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tools_tests;
