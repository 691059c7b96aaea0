//! The rules that a model's call must pass: existence, role, phase, needs, schema, approval. Pure
//! functions; a call that passes all of them is a [`GrantedCall`].

mod proposal;

use chrono::{DateTime, Utc};
use jsonschema::error::ValidationErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::access::{Principal, Role};
use crate::consent::{self, Request, Write};
use crate::conversation::Progress;
use crate::handle::Handles;
use crate::message::ToolCall;
use crate::phase::Phase;
use crate::tool::{ApprovalRule, Need, ToolDef};
use crate::toolbox::Toolbox;

use proposal::prefill;
pub(crate) use proposal::propose;
pub use proposal::{FieldProblem, Proposal, Unconfirmed, confirm};

/// A call that passed every rule. Only this module creates one.
#[derive(Clone, Debug, PartialEq)]
pub struct GrantedCall {
    name: String,
    arguments: Map<String, Value>,
}

impl GrantedCall {
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Validated, with handles replaced by their contents.
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.arguments
    }

    pub(crate) fn into_parts(self) -> (String, Map<String, Value>) {
        (self.name, self.arguments)
    }
}

/// The inputs of the rules.
pub struct Grounds<'a> {
    pub toolbox: &'a Toolbox,
    pub principal: &'a Principal,
    pub phase: &'a Phase,
    pub progress: &'a Progress,
    pub handles: &'a Handles,
    /// The person's current message; loaded only when a rule needs it.
    pub message: &'a dyn Fn() -> String,
    /// The person filled in the tool's form, so the arguments are their own.
    pub own_form: bool,
    /// Text that others wrote is in the model's context, possibly from an earlier turn.
    pub foreign_text: bool,
    /// Text that others wrote reached the model in this turn, before it made the call.
    pub untrusted_text: bool,
    /// The model may write, see [`crate::model::Model::may_write`].
    pub may_write: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Run(GrantedCall),
    /// A person decides first.
    Ask(GrantedCall),
    /// A person completes and confirms it first.
    Propose(Proposal),
    Refuse(Refusal),
}

/// The reason why a call did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RefusalReason {
    UnknownTool,
    Role,
    Phase,
    Needs,
    InvalidArguments,
    /// Too many calls, rounds or approvals.
    Limit,
    Declined,
    Expired,
    /// The reply that contained the call was cut off.
    CutOff,
    /// The turn was cancelled or timed out before the call started.
    Stopped,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub reason: RefusalReason,
    /// For the model; names the tool and the next step.
    pub message: String,
}

pub fn decide(call: &ToolCall, grounds: &Grounds<'_>) -> Verdict {
    match usable_tool(call, grounds) {
        Ok(def) if becomes_proposal(def, grounds) => Verdict::Propose(prefill(call, def, grounds)),
        Ok(def) => match check_arguments(call, def, grounds) {
            Ok(granted) if waits_for_approval(def, &granted, grounds) => Verdict::Ask(granted),
            Ok(granted) => Verdict::Run(granted),
            Err(refusal) => Verdict::Refuse(refusal),
        },
        Err(refusal) => Verdict::Refuse(refusal),
    }
}

/// True for a write by a model that may not write. A call that others approve is excluded: a second
/// person cannot complete the requester's form, so it must be complete already.
fn becomes_proposal(def: &ToolDef, grounds: &Grounds<'_>) -> bool {
    !grounds.may_write
        && def.spec.effect.writes()
        && !def.spec.undoable
        && def.spec.approvers().is_empty()
}

/// Finds the tool if this person may use it now. Checks everything but the arguments.
fn usable_tool<'a>(call: &ToolCall, grounds: &Grounds<'a>) -> Result<&'a ToolDef, Refusal> {
    let def = grounds
        .toolbox
        .get(&call.name)
        .ok_or_else(|| refuse(RefusalReason::UnknownTool, unknown_tool(call)))?;
    check_role(def, grounds.principal)?;
    check_phase(def, grounds.phase)?;
    check_needs(def, grounds.progress)?;
    Ok(def)
}

fn unknown_tool(call: &ToolCall) -> String {
    const SHOWN: usize = 80;
    let name: String = call.name.chars().take(SHOWN).collect();
    format!("Unknown tool: {name}")
}

fn check_role(def: &ToolDef, principal: &Principal) -> Result<(), Refusal> {
    if principal.holds_any(&def.spec.roles) {
        return Ok(());
    }
    let held: Vec<&str> = principal.roles().iter().map(Role::as_str).collect();
    let held = if held.is_empty() {
        "somebody without a role".to_owned()
    } else {
        held.join(" and ")
    };
    Err(lacks_role(def, &format!("you are signed in as {held}")))
}

/// Checks that the roles are still proven: a turn that waited may outlive its sign-in.
pub(crate) fn check_sign_in(
    def: &ToolDef,
    principal: &Principal,
    now: DateTime<Utc>,
) -> Result<(), Refusal> {
    if def.spec.roles.is_empty() || !principal.has_expired(now) {
        return Ok(());
    }
    Err(lacks_role(def, "your sign-in has run out, sign in again"))
}

fn lacks_role(def: &ToolDef, standing: &str) -> Refusal {
    let needed: Vec<&str> = def.spec.roles.iter().map(Role::as_str).collect();
    let needed = needed.join(" or ");
    refuse(
        RefusalReason::Role,
        format!("{} needs the role {needed}; {standing}", def.name),
    )
}

fn check_phase(def: &ToolDef, phase: &Phase) -> Result<(), Refusal> {
    if def.spec.phases.is_empty() || def.spec.phases.contains(phase) {
        return Ok(());
    }
    let allowed: Vec<&str> = def.spec.phases.iter().map(Phase::as_str).collect();
    Err(refuse(
        RefusalReason::Phase,
        format!(
            "{} can be used in the phase {}; this conversation is in {phase}",
            def.name,
            allowed.join(" or ")
        ),
    ))
}

/// Refuses a call whose needs are missing. An unconfirmed draft does not refuse it: the person is
/// asked, see [`unconfirmed`].
fn check_needs(def: &ToolDef, progress: &Progress) -> Result<(), Refusal> {
    let is_missing = |need: &&Need| match need {
        Need::Artifact { kind, .. } => !progress.has_artifact(kind, false),
        Need::Tool(name) => !progress.tools_done.contains(name.as_ref()),
    };
    if !def.spec.needs.iter().any(|need| is_missing(&need)) {
        return Ok(());
    }
    let drafts = unconfirmed(def, progress)
        .into_iter()
        .map(|words| format!("{words} to be confirmed"));
    let missing: Vec<String> = def
        .spec
        .needs
        .iter()
        .filter(is_missing)
        .map(|need| match need {
            Need::Artifact { words, .. } => words.to_string(),
            Need::Tool(name) => name.to_string(),
        })
        .chain(drafts)
        .collect();
    Err(refuse(
        RefusalReason::Needs,
        format!(
            "Cannot execute {}: requires {}",
            def.name,
            missing.join(", ")
        ),
    ))
}

/// Titles of unconfirmed drafts that the tool builds on. Approving the call confirms them.
pub(crate) fn unconfirmed<'d>(def: &'d ToolDef, progress: &Progress) -> Vec<&'d str> {
    let draft = |need: &'d Need| match need {
        Need::Artifact {
            kind,
            words,
            confirmed: true,
        } => (progress.has_artifact(kind, false) && !progress.has_artifact(kind, true))
            .then_some(words.as_ref()),
        Need::Artifact { .. } | Need::Tool(_) => None,
    };
    def.spec.needs.iter().filter_map(draft).collect()
}

fn check_arguments(
    call: &ToolCall,
    def: &ToolDef,
    grounds: &Grounds<'_>,
) -> Result<GrantedCall, Refusal> {
    let invalid = |problem: String| {
        refuse(
            RefusalReason::InvalidArguments,
            format!("{}: {problem}", def.name),
        )
    };
    let mut arguments = call
        .parse_arguments()
        .map_err(|error| invalid(error.to_string()))?;
    insert_own_name(&mut arguments, def, grounds.principal);
    let arguments = grounds
        .handles
        .resolve(&def.parameters, arguments)
        .map_err(|error| invalid(error.to_string()))?;
    let arguments = Value::Object(arguments);
    if let Some(validator) = grounds.toolbox.validator(&def.name)
        && !validator.is_valid(&arguments)
    {
        return Err(invalid(problems(validator, &arguments)));
    }
    let Value::Object(arguments) = arguments else {
        return Err(invalid("the arguments must be a JSON object".to_owned()));
    };
    Ok(GrantedCall {
        name: def.name.to_string(),
        arguments,
    })
}

/// The signed-in person acts, whatever a model or a form names.
fn insert_own_name(arguments: &mut Map<String, Value>, def: &ToolDef, principal: &Principal) {
    if let Some(own) = &def.spec.own_name {
        let name = Value::String(principal.name().to_owned());
        arguments.insert(own.to_string(), name);
    }
}

/// The first violations, each with its field. Names may come from the model, so each is shortened.
fn problems(validator: &jsonschema::Validator, arguments: &Value) -> String {
    const SHOWN: usize = 5;
    const SHOWN_CHARS: usize = 300;
    let mut found = validator.iter_errors(arguments).map(|error| {
        let at = error.instance_path().to_string();
        let field = at.trim_start_matches('/').replace('/', ".");
        let problem = if let ValidationErrorKind::Enum { options } = error.kind() {
            format!("`{field}`: the value is not one of {}", listed(options))
        } else if field.is_empty() {
            error.masked_with("the arguments").to_string()
        } else {
            format!("`{field}`: {}", error.masked_with("the value"))
        };
        match problem.char_indices().nth(SHOWN_CHARS) {
            Some((end, _)) => format!("{}…", &problem[..end]),
            None => problem,
        }
    });
    let mut shown: Vec<String> = found.by_ref().take(SHOWN).collect();
    if found.next().is_some() {
        shown.push("…".to_owned());
    }
    shown.join("; ")
}

/// Lists every option, because the model must choose among them.
fn listed(options: &Value) -> String {
    let options = options.as_array().into_iter().flatten();
    let options: Vec<String> = options.map(Value::to_string).collect();
    options.join(", ")
}

fn waits_for_approval(def: &ToolDef, call: &GrantedCall, grounds: &Grounds<'_>) -> bool {
    let write = Write {
        always_asks: matches!(def.spec.approval, ApprovalRule::Always { .. }),
        builds_on_draft: !unconfirmed(def, grounds.progress).is_empty(),
        // A read changes nothing, so there is nothing to undo.
        undoable: def.spec.undoable || !def.spec.effect.writes(),
        may_write: grounds.may_write,
        request: request(def, call, grounds),
        untrusted_text: grounds.untrusted_text && !grounds.own_form,
    };
    consent::wait_reason(write).is_some()
}

/// How the person requested this call. Loads their message only if it decides.
fn request(def: &ToolDef, call: &GrantedCall, grounds: &Grounds<'_>) -> Request {
    let Some(target) = &def.spec.target else {
        return match grounds.own_form || !grounds.foreign_text {
            true => Request::OnlyTheirWords,
            false => Request::Unclear,
        };
    };
    let named = match call.arguments.get(target.as_ref()) {
        Some(Value::String(value)) => consent::names(&(grounds.message)(), value),
        Some(Value::Number(value)) => consent::names(&(grounds.message)(), &value.to_string()),
        Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => false,
    };
    match named || grounds.own_form {
        true => Request::NamesTarget,
        false => Request::Unclear,
    }
}

fn refuse(reason: RefusalReason, message: String) -> Refusal {
    Refusal { reason, message }
}

#[cfg(test)]
#[path = "grant_tests.rs"]
mod grant_tests;
