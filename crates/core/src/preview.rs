//! Current facts about a card's object, loaded for the person who decides.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access::Principal;
use crate::approval::ApprovalCard;
use crate::tool::ToolDef;
use crate::untrusted;

/// Shown if the facts cannot be loaded.
pub const UNAVAILABLE: &str = "The details could not be loaded. Check them before you decide.";

/// How a tool loads its target.
#[derive(Clone, Debug)]
pub struct PreviewSpec {
    /// Read tools of the same toolbox. The first one that the decider may use runs.
    pub reads: Vec<PreviewRead>,
    /// Turns the result of the read into facts; `None` if the result is not such an object.
    pub describe: fn(&Value) -> Option<ObjectFacts>,
    /// Fields of results that a fact shows under another name, with that name.
    pub renamed: Vec<(&'static str, &'static str)>,
}

/// A read tool and the argument that accepts the card's target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewRead {
    pub tool: Cow<'static, str>,
    pub argument: Cow<'static, str>,
}

/// A tool's facts about one object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectFacts {
    /// The person or thing that the object is for, e.g. "Nadia Hussain".
    pub subject: Option<String>,
    /// The object's state, e.g. "pending".
    pub state: Option<String>,
    pub facts: Vec<Fact>,
}

/// One fact about an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// Identifies the fact, so that clients can translate its label.
    pub name: String,
    pub label: String,
    pub value: String,
}

impl Fact {
    pub fn new(name: &str, label: &str, value: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            value: value.into(),
        }
    }
}

/// The current state of a card's object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Preview {
    /// The card's title with the subject: "Reject gate pass GP-2026-0012 for Nadia Hussain".
    pub title: String,
    #[serde(default)]
    pub subject: Option<String>,
    #[serde(default)]
    pub state: Option<String>,
    pub facts: Vec<Fact>,
    /// The reason why there are no facts. The card can still be decided.
    #[serde(default)]
    pub problem: Option<String>,
}

const MOST_FACTS: usize = 12;
const LONGEST_VALUE_CHARS: usize = 400;

impl Preview {
    pub fn of(card: &ApprovalCard, object: ObjectFacts) -> Self {
        let subject = object.subject.map(|subject| short(&subject));
        let subject = subject.filter(|subject| !subject.is_empty());
        Self {
            title: match &subject {
                Some(subject) => format!("{} for {subject}", card.title),
                None => card.title.clone(),
            },
            subject,
            state: object.state.map(|state| short(&state)),
            facts: object
                .facts
                .into_iter()
                .take(MOST_FACTS)
                .map(|fact| Fact {
                    value: short(&fact.value),
                    ..fact
                })
                .collect(),
            problem: None,
        }
    }

    pub fn unavailable(card: &ApprovalCard) -> Self {
        Self {
            problem: Some(UNAVAILABLE.to_owned()),
            ..Self::of(card, ObjectFacts::default())
        }
    }
}

/// Foreign text on one line, cut to the width of a card.
pub(crate) fn short(text: &str) -> String {
    let (text, _) = untrusted::clean(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONGEST_VALUE_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl PreviewSpec {
    pub fn new(describe: fn(&Value) -> Option<ObjectFacts>) -> Self {
        Self {
            reads: Vec::new(),
            describe,
            renamed: Vec::new(),
        }
    }

    /// Declares that the fact `name` shows this field of a result.
    pub fn shows(mut self, field: &'static str, name: &'static str) -> Self {
        self.renamed.push((field, name));
        self
    }

    /// The name of the fact that shows this field.
    pub(crate) fn fact_name<'f>(&self, field: &'f str) -> &'f str {
        let renamed = self.renamed.iter().find(|(shown, _)| *shown == field);
        renamed.map_or(field, |(_, name)| name)
    }

    /// Adds a read tool as the next fallback.
    pub fn read(
        mut self,
        tool: impl Into<Cow<'static, str>>,
        argument: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.reads.push(PreviewRead {
            tool: tool.into(),
            argument: argument.into(),
        });
        self
    }

    /// The first read that this person may run, with its arguments.
    pub fn call_for(
        &self,
        toolbox: &crate::toolbox::Toolbox,
        decider: &Principal,
        target: &str,
    ) -> Option<(&str, Map<String, Value>)> {
        let may_use = |read: &&PreviewRead| {
            let def = toolbox.get(&read.tool);
            def.is_some_and(|def| decider.holds_any(&def.spec.roles))
        };
        let read = self.reads.iter().find(may_use)?;
        let def = toolbox.get(&read.tool)?;
        let argument = (
            read.argument.to_string(),
            typed(def, &read.argument, target),
        );
        Some((&read.tool, Map::from_iter([argument])))
    }
}

/// A card's target is text; a parameter may be a number.
fn typed(def: &ToolDef, argument: &str, target: &str) -> Value {
    let kind = &def.parameters["properties"][argument]["type"];
    let number = matches!(kind.as_str(), Some("integer" | "number"));
    let parsed = number.then(|| serde_json::from_str::<Value>(target).ok());
    parsed
        .flatten()
        .filter(Value::is_number)
        .unwrap_or_else(|| Value::from(target))
}

#[cfg(test)]
#[path = "preview_tests.rs"]
mod preview_tests;
