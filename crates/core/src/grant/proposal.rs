//! Calls that a person completes. The model's arguments prefill a form, and the confirmed values
//! pass the same rules as any call.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};

use super::{
    GrantedCall, Grounds, Refusal, RefusalReason, insert_own_name, problems, refuse, usable_tool,
};
use crate::form::{self, Field, Input, shown};
use crate::message::ToolCall;
use crate::tool::ToolDef;
use crate::toolbox::Toolbox;

/// A call whose arguments may be incomplete. It cannot run: only [`Proposal::complete`] and
/// [`confirm`] turn it into a [`GrantedCall`].
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    name: String,
    arguments: Map<String, Value>,
}

impl Proposal {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The valid arguments, with handles replaced by their contents.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    /// Grants the call if nothing is missing.
    pub(crate) fn complete(self, toolbox: &Toolbox) -> Result<GrantedCall, Refusal> {
        let arguments = Value::Object(self.arguments.clone());
        if let Some(validator) = toolbox.validator(&self.name)
            && !validator.is_valid(&arguments)
        {
            return Err(refuse(
                RefusalReason::InvalidArguments,
                format!("{}: {}", self.name, problems(validator, &arguments)),
            ));
        }
        Ok(GrantedCall {
            name: self.name,
            arguments: self.arguments,
        })
    }
}

impl From<GrantedCall> for Proposal {
    fn from(granted: GrantedCall) -> Self {
        let (name, arguments) = granted.into_parts();
        Self { name, arguments }
    }
}

/// Builds a proposal under the current role, phase and needs. Valid arguments stay unchanged.
pub(crate) fn propose(call: &ToolCall, grounds: &Grounds<'_>) -> Result<Proposal, Refusal> {
    let def = usable_tool(call, grounds)?;
    Ok(prefill(call, def, grounds))
}

/// Keeps the arguments that match their schema and drops all others, unknown names included.
pub(super) fn prefill(call: &ToolCall, def: &ToolDef, grounds: &Grounds<'_>) -> Proposal {
    let mut given = call.parse_arguments().unwrap_or_default();
    insert_own_name(&mut given, def, grounds.principal);
    let mut arguments = Map::new();
    for (name, value) in given {
        let one = Map::from_iter([(name.clone(), value)]);
        if has_parameter(def, &name)
            && let Ok(resolved) = grounds.handles.resolve(&def.parameters, one)
        {
            arguments.extend(resolved);
        }
    }
    if let Some(validator) = grounds.toolbox.validator(&def.name) {
        let whole = Value::Object(arguments.clone());
        for error in validator.iter_errors(&whole) {
            if let Some(name) = argument_of(&error) {
                arguments.remove(&name);
            }
        }
    }
    Proposal {
        name: def.name.to_string(),
        arguments,
    }
}

/// One field that a person must correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    pub field: String,
    /// The field's label.
    pub label: String,
    /// The expected input, as a sentence.
    pub problem: String,
}

/// The reason why a confirmed call cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// Role, phase or needs.
    Refused(Refusal),
    Fields(Vec<FieldProblem>),
}

/// Checks the arguments that a person confirms by the rules for any call.
pub fn confirm(
    tool: &str,
    mut arguments: Map<String, Value>,
    grounds: &Grounds<'_>,
) -> Result<GrantedCall, Unconfirmed> {
    let call = ToolCall {
        id: String::new(),
        name: tool.to_owned(),
        arguments: String::new(),
    };
    let def = usable_tool(&call, grounds).map_err(Unconfirmed::Refused)?;
    insert_own_name(&mut arguments, def, grounds.principal);
    let fields = form::fields(def);
    let mut found = FieldProblems {
        fields: &fields,
        problems: Vec::new(),
    };
    let mut resolved = Map::new();
    for (name, value) in arguments {
        let one = Map::from_iter([(name.clone(), value)]);
        match grounds.handles.resolve(&def.parameters, one) {
            Ok(one) => resolved.extend(one),
            Err(_) => found.add(&name, "This is not in this conversation.".to_owned()),
        }
    }
    if let Some(validator) = grounds.toolbox.validator(&def.name) {
        let whole = Value::Object(resolved.clone());
        validator
            .iter_errors(&whole)
            .for_each(|error| found.add_error(&error));
    }
    if !found.problems.is_empty() {
        return Err(Unconfirmed::Fields(found.problems));
    }
    Ok(GrantedCall {
        name: def.name.to_string(),
        arguments: resolved,
    })
}

struct FieldProblems<'a> {
    fields: &'a [Field],
    problems: Vec<FieldProblem>,
}

impl FieldProblems<'_> {
    /// Keeps only the first problem of each field.
    fn add(&mut self, name: &str, problem: String) {
        if self.problems.iter().any(|found| found.field == name) {
            return;
        }
        let field = self.fields.iter().find(|field| field.name == name);
        self.problems.push(FieldProblem {
            field: name.to_owned(),
            label: field.map_or_else(|| form::words(name), |field| field.label.clone()),
            problem,
        });
    }

    fn add_error(&mut self, error: &ValidationError<'_>) {
        match (error.kind(), argument_of(error)) {
            (ValidationErrorKind::Required { property }, None) => {
                self.add(&shown(property), "This is needed.".to_owned());
            }
            (ValidationErrorKind::AdditionalProperties { unexpected }, None) => {
                for name in unexpected {
                    self.add(name, "There is no such field.".to_owned());
                }
            }
            (_, Some(name)) => {
                let field = self.fields.iter().find(|field| field.name == name);
                let problem = in_words(error.kind(), field);
                self.add(&name, problem);
            }
            // A rule over several arguments.
            (_, None) => self.add("arguments", "These values do not go together.".to_owned()),
        }
    }
}

/// The violated rule in words, without patterns or other schema text.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the library adds kinds; the field's input says what to enter for each of them"
)]
fn in_words(kind: &ValidationErrorKind, field: Option<&Field>) -> String {
    match kind {
        ValidationErrorKind::MinLength { limit: 1 } => "This is needed.".to_owned(),
        ValidationErrorKind::MinLength { limit } => {
            format!("Enter at least {limit} characters.")
        }
        ValidationErrorKind::MaxLength { limit } => format!("Enter at most {limit} characters."),
        ValidationErrorKind::Minimum { limit } => format!("Enter {limit} or more."),
        ValidationErrorKind::Maximum { limit } => format!("Enter {limit} or less."),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("Enter more than {limit}."),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("Enter less than {limit}."),
        ValidationErrorKind::MinItems { limit } => format!("Enter at least {limit}."),
        ValidationErrorKind::MaxItems { limit } => format!("Enter at most {limit}."),
        _ => match field.map(|field| &field.input) {
            Some(Input::Choice(choices)) => {
                let choices: Vec<String> = choices.iter().map(shown).collect();
                format!("Enter one of: {}.", choices.join(", "))
            }
            Some(Input::Text | Input::LongText | Input::Json) | None => {
                "This does not have the right form.".to_owned()
            }
            Some(
                input @ (Input::File
                | Input::Integer
                | Input::Number
                | Input::YesNo
                | Input::Date
                | Input::Time
                | Input::DateTime
                | Input::List(_)),
            ) => format!("Enter this: {}.", input.hint()),
        },
    }
}

/// The argument that an error concerns; `None` if it concerns all of them.
fn argument_of(error: &ValidationError<'_>) -> Option<String> {
    let path = error.instance_path().to_string();
    let name = path.strip_prefix('/')?.split('/').next()?;
    Some(name.replace("~1", "/").replace("~0", "~"))
}

fn has_parameter(def: &ToolDef, name: &str) -> bool {
    let properties = def.parameters.get("properties");
    properties.is_some_and(|properties| properties.get(name).is_some())
}

#[cfg(test)]
#[path = "proposal_tests.rs"]
mod proposal_tests;
