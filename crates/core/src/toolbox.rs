//! An ordered set of tools. Validates the set, decides visibility, and runs only a [`GrantedCall`].

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
    /// Returns the result and its summary.
    async fn run(
        &self,
        def: &ToolDef,
        ctx: &ToolContext,
        arguments: Map<String, Value>,
    ) -> Result<(Value, String), ToolError>;
}

#[derive(Default)]
pub struct Toolbox {
    /// The assistant's tools, then the built-in ones.
    tools: Vec<Entry>,
    own: usize,
    by_name: HashMap<String, usize>,
    phrasings: Arc<str>,
    /// Cache: one serialised offer per set of visible tools, shared by all requests.
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

    /// The assistant's definitions, in the order of their addition.
    pub fn defs(&self) -> impl Iterator<Item = &ToolDef> {
        self.tools[..self.own].iter().map(|entry| &entry.def)
    }

    /// The tools of every assistant.
    fn built_in(&self) -> impl Iterator<Item = &ToolDef> {
        self.tools[self.own..].iter().map(|entry| &entry.def)
    }

    pub fn get(&self, name: &str) -> Option<&ToolDef> {
        self.by_name.get(name).map(|index| &self.tools[*index].def)
    }

    pub fn is_visible(def: &ToolDef, principal: &Principal, phase: &Phase) -> bool {
        Self::bar(def, principal, phase).is_none()
    }

    fn bar(def: &ToolDef, principal: &Principal, phase: &Phase) -> Option<Bar> {
        if !principal.holds_any(&def.spec.roles) {
            return Some(Bar::Role);
        }
        let here = def.spec.phases.is_empty() || def.spec.phases.contains(phase);
        (!here).then_some(Bar::Phase)
    }

    /// Validates one argument while the others are unknown. Forms use it; the grant checks the
    /// whole call against the same schema.
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

    /// Runs a call that passed every rule. No other function runs a tool.
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
