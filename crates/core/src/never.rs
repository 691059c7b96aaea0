//! Invariants about who may call what: `Gate_User: delete_*` says that nobody with only this role
//! can call a tool whose name matches. Roles add rights and never remove any, so checking each role
//! alone covers everybody.

use std::fmt;
use std::str::FromStr;

use crate::access::Role;
use crate::assistant::Assistant;
use crate::phase::Phase;
use crate::tool::{ApprovalRule, ToolDef};

/// A rule that must hold for an assistant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never {
    who: Who,
    /// A tool name, in which `*` stands for any characters.
    tools: String,
    /// The rule is about calls that nobody confirms.
    unasked: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    Anybody,
    Role(Role),
}

/// The text is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a rule; write \"ROLE: TOOL\", e.g. \"Guest: delete_*\", or \"*: delete_* unasked\" for calls that nobody confirms"
)]
pub struct NotARule(String);

/// A call that a rule forbids and the assistant allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub rule: Never,
    /// `None`: everybody who is signed in.
    pub role: Option<Role>,
    pub tool: String,
    pub phase: Phase,
    pub always_asks: bool,
}

impl FromStr for Never {
    type Err = NotARule;

    fn from_str(text: &str) -> Result<Self, NotARule> {
        let error = || NotARule(text.to_owned());
        let (who, rest) = text.split_once(':').ok_or_else(error)?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (tools, unasked) = match words[..] {
            [tools] => (tools, false),
            [tools, "unasked"] => (tools, true),
            _ => return Err(error()),
        };
        let who = match who.trim() {
            "" => return Err(error()),
            "*" => Who::Anybody,
            role => Who::Role(Role::declared(role.to_owned())),
        };
        Ok(Self {
            who,
            tools: tools.to_owned(),
            unasked,
        })
    }
}

impl fmt::Display for Never {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = match &self.who {
            Who::Anybody => "*",
            Who::Role(role) => role.as_str(),
        };
        let unasked = if self.unasked { " unasked" } else { "" };
        write!(f, "{who}: {}{unasked}", self.tools)
    }
}

impl Never {
    /// The role that the rule names.
    pub fn role(&self) -> Option<&Role> {
        match &self.who {
            Who::Anybody => None,
            Who::Role(role) => Some(role),
        }
    }

    /// True if the rule is about at least one tool.
    pub fn applies_to(&self, assistant: &Assistant) -> bool {
        assistant.toolbox.defs().any(|def| self.names(def))
    }

    /// A forbidden call that the assistant allows; `None` proves the rule.
    pub fn counterexample(&self, assistant: &Assistant) -> Option<Counterexample> {
        let def = assistant
            .toolbox
            .defs()
            .find(|def| self.names(def) && self.is_allowed(def, assistant))?;
        Some(Counterexample {
            rule: self.clone(),
            role: match &self.who {
                Who::Role(role) => Some(role.clone()),
                Who::Anybody => [&def.spec.roles, &assistant.roles]
                    .into_iter()
                    .find_map(|roles| roles.first())
                    .cloned(),
            },
            tool: def.name.to_string(),
            phase: match def.spec.phases.first() {
                Some(phase) => phase.clone(),
                None => assistant.first_phase(),
            },
            always_asks: always_asks(def),
        })
    }

    fn names(&self, def: &ToolDef) -> bool {
        matches(&self.tools, &def.name)
    }

    fn is_allowed(&self, def: &ToolDef, assistant: &Assistant) -> bool {
        if self.unasked && always_asks(def) {
            return false;
        }
        match &self.who {
            Who::Anybody => true,
            Who::Role(role) => allows(&assistant.roles, role) && allows(&def.spec.roles, role),
        }
    }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let who = match &self.role {
            Some(role) => format!("a person with the role {role}"),
            None => "everybody who is signed in".to_owned(),
        };
        let asks = if self.always_asks {
            "; a card asks first"
        } else {
            ""
        };
        let phase = if self.phase == Phase::DEFAULT {
            String::new()
        } else {
            format!(" in the phase {}", self.phase)
        };
        write!(
            f,
            "\"{}\" does not hold: {who} can call {}{phase}{asks}",
            self.rule, self.tool
        )
    }
}

fn always_asks(def: &ToolDef) -> bool {
    matches!(def.spec.approval, ApprovalRule::Always { .. })
}

fn allows(roles: &[Role], role: &Role) -> bool {
    roles.is_empty() || roles.contains(role)
}

/// Whether the whole name matches; `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(left) = name.strip_prefix(before) else {
        return false;
    };
    (0..=left.len())
        .filter(|start| left.is_char_boundary(*start))
        .any(|start| matches(rest, &left[start..]))
}

#[cfg(test)]
#[path = "never_tests.rs"]
mod never_tests;
