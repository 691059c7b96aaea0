//! An ordered set of tools. It refuses to be built from a bad set, knows who may see
//! what, and runs nothing but a [`GrantedCall`].

mod build;
mod offer;
mod read_text;

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::access::Principal;
use crate::grant::GrantedCall;
use crate::phase::Phase;
use crate::tool::{ToolContext, ToolDef, ToolError, ToolOutput};

pub use build::{ToolboxBuilder, ToolboxError};
use offer::OfferKey;
pub use offer::{Bar, Elsewhere, Offer};

/// Runs tools that are defined by data: one implementation for many definitions.
#[async_trait]
pub trait RunByData: Send + Sync {
    /// The result and what it means in words.
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError>;
}

#[derive(Default)]
pub struct Toolbox {
    /// The assistant's own tools, then those that every assistant has.
    tools: Vec<Entry>,
    own: usize,
    by_name: HashMap<String, usize>,
    phrasings: Arc<str>,
    /// Serialised once for each set of visible tools, then shared by every request.
    offers: RwLock<HashMap<OfferKey, Arc<Offer>>>,
}

struct Entry {
    def: ToolDef,
    validator: Validator,
    run: Run,
}

type Run = Box<
    dyn Fn(ToolContext, Map<String, Value>) -> BoxFuture<'static, Result<ToolOutput, ToolError>>
        + Send
        + Sync,
>;

impl Toolbox {
    pub fn builder() -> ToolboxBuilder {
        ToolboxBuilder::default()
    }

    /// The assistant's definitions, in the order they were added.
    pub fn defs(&self) -> impl Iterator<Item = &ToolDef> {
        self.tools[..self.own].iter().map(|entry| &entry.def)
    }

    /// The tools that every assistant has.
    fn built_in(&self) -> impl Iterator<Item = &ToolDef> {
        self.tools[self.own..].iter().map(|entry| &entry.def)
    }

    pub fn get(&self, name: &str) -> Option<&ToolDef> {
        self.by_name.get(name).map(|index| &self.tools[*index].def)
    }

    /// Whether this person may use the tool in this phase.
    pub fn is_visible(def: &ToolDef, principal: &Principal, phase: &Phase) -> bool {
        Self::bar(def, principal, phase).is_none()
    }

    /// Why this person may not use the tool in this phase.
    fn bar(def: &ToolDef, principal: &Principal, phase: &Phase) -> Option<Bar> {
        if !principal.holds_any(&def.spec.roles) {
            return Some(Bar::Role);
        }
        let here = def.spec.phases.is_empty() || def.spec.phases.contains(phase);
        (!here).then_some(Bar::Phase)
    }

    /// What is wrong with one argument while the others are still unknown: for forms, by
    /// the same schema by which the call is granted later.
    pub fn problem_with(&self, tool: &str, argument: &str, value: &Value) -> Option<String> {
        let mut given = Map::new();
        given.insert(argument.to_owned(), value.clone());
        let given = Value::Object(given);
        self.validator(tool)?.iter_errors(&given).find_map(|error| {
            let path = error.instance_path().to_string();
            let own = path.split('/').nth(1) == Some(argument);
            own.then(|| error.masked_with("the value").to_string())
        })
    }

    pub(crate) fn validator(&self, name: &str) -> Option<&Validator> {
        self.by_name
            .get(name)
            .map(|index| &self.tools[*index].validator)
    }

    /// Runs a call that passed every rule. There is no other way to run a tool.
    pub async fn run(&self, ctx: ToolContext, call: GrantedCall) -> Result<ToolOutput, ToolError> {
        let (name, arguments) = call.into_parts();
        let Some(index) = self.by_name.get(name.as_str()) else {
            return Err(ToolError::refused(format!("Unknown tool: {name}")));
        };
        (self.tools[*index].run)(ctx, arguments).await
    }
}

#[cfg(test)]
#[path = "toolbox_tests.rs"]
mod toolbox_tests;

#[cfg(test)]
mod typed_tests;
