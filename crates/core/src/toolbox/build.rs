//! Builds and validates a toolbox.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::read_text::ReadText;
use super::{Entry, Run, RunByData, Toolbox};
use crate::tool::{Need, Tool, ToolContext, ToolDef, ToolError, ToolOutput, parameters_of};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolboxError {
    #[error("two tools are named {0}")]
    RepeatedName(String),
    #[error("{0:?} is not a tool name: 1–64 letters, digits, `_` or `-`")]
    BadName(String),
    #[error("{0} has no description")]
    NoDescription(String),
    #[error("the parameters of {tool} are not a JSON Schema of an object: {problem}")]
    BadSchema { tool: String, problem: String },
    #[error("{tool} needs {need}, which no tool provides")]
    MissingNeed { tool: String, need: String },
    #[error("these tools need each other in a cycle: {}", .0.join(" → "))]
    CircularNeed(Vec<String>),
    #[error("the target of {tool} is `{argument}`, which is not one of its parameters")]
    UnknownTarget { tool: String, argument: String },
    #[error(
        "{tool} puts the person's own name into `{argument}`, which is not one of its parameters"
    )]
    UnknownOwnName { tool: String, argument: String },
    #[error("the preview of {tool} cannot be read with {read}: {problem}")]
    BadPreview {
        tool: String,
        read: String,
        problem: &'static str,
    },
}

#[derive(Default)]
pub struct ToolboxBuilder {
    tools: Vec<(ToolDef, Run)>,
    phrasings: String,
}

impl ToolboxBuilder {
    /// Adds phrasings by tool (docs/writing-an-assistant.md).
    pub fn phrasings(mut self, list: &str) -> Self {
        self.phrasings.push_str(list);
        self.phrasings.push('\n');
        self
    }

    pub fn tool<T: Tool>(mut self, tool: T) -> Self {
        let def = ToolDef {
            name: T::NAME.into(),
            parameters: parameters_of::<T::Args>(),
            spec: T::spec(),
        };
        let tool = Arc::new(tool);
        let run: Run = Box::new(move |ctx, arguments| {
            let tool = Arc::clone(&tool);
            Box::pin(async move { run_typed(tool.as_ref(), ctx, arguments).await })
        });
        self.tools.push((def, run));
        self
    }

    pub fn data_tool(mut self, def: ToolDef, runner: Arc<dyn RunByData>) -> Self {
        let shared = Arc::new(def.clone());
        let run: Run = Box::new(move |ctx, arguments| {
            let runner = Arc::clone(&runner);
            let def = Arc::clone(&shared);
            Box::pin(async move {
                let ran = runner.run(&def, &ctx, arguments).await;
                let outbox = ctx.take_outbox();
                match ran {
                    Ok((result, summary)) => Ok(ToolOutput {
                        result,
                        summary,
                        outbox,
                    }),
                    Err(error) => Err(error.remembering(outbox.metadata)),
                }
            })
        });
        self.tools.push((def, run));
        self
    }

    pub fn build(mut self) -> Result<Toolbox, ToolboxError> {
        let own = self.tools.len();
        self = self.tool(ReadText);
        let mut by_name = HashMap::new();
        let mut tools = Vec::with_capacity(self.tools.len());
        for (index, (def, run)) in self.tools.into_iter().enumerate() {
            check_def(&def)?;
            if by_name.insert(def.name.to_string(), index).is_some() {
                return Err(ToolboxError::RepeatedName(def.name.into_owned()));
            }
            let validator = jsonschema::validator_for(&def.parameters).map_err(|error| {
                ToolboxError::BadSchema {
                    tool: def.name.to_string(),
                    problem: error.to_string(),
                }
            })?;
            tools.push(Entry {
                def,
                validator,
                run,
            });
        }
        check_needs(&tools)?;
        check_previews(&tools)?;
        Ok(Toolbox {
            tools,
            own,
            by_name,
            phrasings: self.phrasings.into(),
            offers: RwLock::new(HashMap::new()),
        })
    }
}

async fn run_typed<T: Tool>(
    tool: &T,
    ctx: ToolContext,
    arguments: Map<String, Value>,
) -> Result<ToolOutput, ToolError> {
    let args: T::Args = read_arguments(arguments)?;
    let output = match tool.call(&ctx, args).await {
        Ok(output) => output,
        Err(error) => return Err(error.remembering(ctx.take_outbox().metadata)),
    };
    let summary = T::summary(&output);
    let result = serde_json::to_value(&output).map_err(ToolError::failed)?;
    Ok(ToolOutput {
        result,
        summary,
        outbox: ctx.take_outbox(),
    })
}

/// Fails only on values that a schema cannot check (an overflowing number, an invalid date).
fn read_arguments<A: DeserializeOwned>(arguments: Map<String, Value>) -> Result<A, ToolError> {
    let arguments = Value::Object(arguments.into_iter().map(|(k, v)| (k, whole(v))).collect());
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let field = match error.path().to_string().as_str() {
            "." => "arguments".to_owned(),
            path => path.to_owned(),
        };
        ToolError::invalid(&field, &error.into_inner().to_string())
    })
}

/// JSON Schema accepts 1e3 and 5.0 as integers; serde does not.
fn whole(value: Value) -> Value {
    /// Floats represent every integer up to here.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64());
            match float.filter(|float| float.fract() == 0.0 && float.abs() <= EXACT) {
                Some(float) => Value::from(float as i64),
                None => Value::Number(number),
            }
        }
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(fields) => fields.into_iter().map(|(k, v)| (k, whole(v))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

fn check_def(def: &ToolDef) -> Result<(), ToolboxError> {
    let name = def.name.as_ref();
    let good = (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if !good {
        return Err(ToolboxError::BadName(name.to_owned()));
    }
    if def.spec.description.trim().is_empty() {
        return Err(ToolboxError::NoDescription(name.to_owned()));
    }
    if def.parameters.get("type").and_then(Value::as_str) != Some("object") {
        return Err(ToolboxError::BadSchema {
            tool: name.to_owned(),
            problem: "its `type` must be \"object\"".to_owned(),
        });
    }
    if let Some(target) = def.spec.target.as_deref().filter(|a| !has(def, a)) {
        return Err(ToolboxError::UnknownTarget {
            tool: name.to_owned(),
            argument: target.to_owned(),
        });
    }
    if let Some(own) = def.spec.own_name.as_deref().filter(|a| !has(def, a)) {
        return Err(ToolboxError::UnknownOwnName {
            tool: name.to_owned(),
            argument: own.to_owned(),
        });
    }
    Ok(())
}

fn has(def: &ToolDef, argument: &str) -> bool {
    let properties = def.parameters.get("properties");
    properties.is_some_and(|properties| properties.get(argument).is_some())
}

fn check_needs(tools: &[Entry]) -> Result<(), ToolboxError> {
    for Entry { def, .. } in tools {
        for need in &def.spec.needs {
            if !tools.iter().any(|other| provides(&other.def, need)) {
                return Err(ToolboxError::MissingNeed {
                    tool: def.name.to_string(),
                    need: match need {
                        Need::Artifact { kind, .. } => format!("an artifact {kind}"),
                        Need::Tool(name) => format!("the tool {name}"),
                    },
                });
            }
        }
    }
    check_order(tools)
}

/// A preview runs without approval, so it may only read.
fn check_previews(tools: &[Entry]) -> Result<(), ToolboxError> {
    for Entry { def, .. } in tools {
        for read in def.spec.preview.iter().flat_map(|preview| &preview.reads) {
            let found = tools.iter().find(|other| other.def.name == read.tool);
            let problem = match found.map(|found| &found.def) {
                None => "there is no such tool",
                Some(found) if found.spec.effect.writes() => "it writes",
                Some(found) if !has(found, &read.argument) => "it has no such parameter",
                Some(_) => continue,
            };
            return Err(ToolboxError::BadPreview {
                tool: def.name.to_string(),
                read: format!("{} ({})", read.tool, read.argument),
                problem,
            });
        }
    }
    Ok(())
}

/// Every tool must become usable: other usable tools must meet its needs.
fn check_order(tools: &[Entry]) -> Result<(), ToolboxError> {
    let mut stuck: Vec<&ToolDef> = tools.iter().map(|entry| &entry.def).collect();
    let mut usable: Vec<&ToolDef> = Vec::new();
    loop {
        let is_met = |need: &Need| usable.iter().any(|other| provides(other, need));
        let (ready, rest): (Vec<&ToolDef>, Vec<&ToolDef>) = stuck
            .iter()
            .partition(|def| def.spec.needs.iter().all(is_met));
        stuck = rest;
        if ready.is_empty() {
            break;
        }
        usable.extend(ready);
    }
    match find_cycle(&stuck) {
        Some(names) => Err(ToolboxError::CircularNeed(names)),
        None => Ok(()),
    }
}

/// A cycle of tools that need each other.
fn find_cycle(stuck: &[&ToolDef]) -> Option<Vec<String>> {
    let mut path: Vec<&ToolDef> = vec![stuck.first()?];
    loop {
        let here = path.last()?;
        let next = stuck
            .iter()
            .find(|other| here.spec.needs.iter().any(|need| provides(other, need)))?;
        let back = path.iter().position(|def| def.name == next.name);
        path.push(next);
        if let Some(start) = back {
            let names = path[start..].iter().map(|def| def.name.to_string());
            return Some(names.collect());
        }
    }
}

fn provides(def: &ToolDef, need: &Need) -> bool {
    match need {
        Need::Artifact { kind, .. } => def.spec.produces.as_ref() == Some(kind),
        Need::Tool(name) => def.name == *name,
    }
}
