//! The card of a waiting call: its title, object and the sources of its values.

use chrono::{DateTime, Duration, Utc};
use serde_json::{Map, Value};

use super::Turn;
use crate::approval::{APPROVAL_SECONDS, ApprovalCard, CardTarget, Seal};
use crate::form::{self, Field, Input};
use crate::grant::{self, Proposal};
use crate::message::ToolCall;
use crate::origin::{ModelContext, Origin, OriginSource};
use crate::preview;
use crate::store::Opening;
use crate::tool::ToolDef;
use crate::transcript;

impl Turn {
    pub(super) fn card(
        &self,
        call: &ToolCall,
        def: &ToolDef,
        proposal: &Proposal,
        now: DateTime<Utc>,
    ) -> ApprovalCard {
        // Requesters may edit their own call; other approvers decide on the call as requested.
        let editable = def.spec.approvers().is_empty();
        let fields = form::fields(def);
        let arguments = proposal.arguments();
        let target = target_of(def, arguments);
        ApprovalCard {
            call_id: call.id.clone(),
            tool: def.name.to_string(),
            title: self.card_title(def, arguments),
            arguments: Value::Object(arguments.clone()),
            seal: self.seal(call, proposal),
            requested_by: self.principal.profile(),
            requester: self.principal.name().to_owned(),
            approvers: def.spec.approvers().to_vec(),
            expires_at: now + Duration::seconds(APPROVAL_SECONDS),
            editable,
            origins: self.origins(call, def, arguments, &fields),
            form: if editable { fields } else { Vec::new() },
            confirm: def.verb(),
            decline: def.decline(),
            consequence: def.spec.consequence.as_deref().unwrap_or("").to_owned(),
            destructive: def.spec.destructive,
            preview: def.spec.preview.is_some() && target.is_some(),
            target,
        }
    }

    pub(super) fn seal(&self, call: &ToolCall, proposal: &Proposal) -> Seal {
        Seal::over(
            proposal.name(),
            proposal.arguments(),
            self.id,
            &call.id,
            self.principal.profile(),
        )
    }

    /// The subject of the decision, including an unconfirmed draft that the call builds on.
    fn card_title(&self, def: &ToolDef, arguments: &Map<String, Value>) -> String {
        let title = title_with_object(def, arguments).unwrap_or_else(|| def.title());
        match grant::unconfirmed(def, &self.conversation.progress)[..] {
            [] => title,
            ref drafts => format!("Confirm {}, then: {title}", drafts.join(" and ")),
        }
    }

    /// The sources of values that the person did not type in the current message or a form. Skips
    /// choices and booleans, which are interpretations that the card shows anyway.
    fn origins(
        &self,
        call: &ToolCall,
        def: &ToolDef,
        arguments: &Map<String, Value>,
        fields: &[Field],
    ) -> Vec<Origin> {
        if matches!(self.opening, Opening::Form { .. }) {
            return Vec::new();
        }
        let mut messages = transcript::parse_joined(&self.history);
        messages.extend(transcript::parse_joined(&self.tail));
        let toolbox = &self.assistant.toolbox;
        let shown = ModelContext {
            current: &self.current_message(),
            messages: &messages,
            title_of: &|tool| match toolbox.get(tool) {
                Some(def) => def.title(),
                None => form::words(tool),
            },
            target: def.spec.target.as_deref(),
        };
        let written = call.parse_arguments().unwrap_or_default();
        let looked_for = fields.iter().filter(|field| {
            // The person's own name comes from the sign-in and is not a field.
            !matches!(field.input, Input::Choice(_) | Input::YesNo)
        });
        looked_for
            .filter_map(|field| {
                let value = arguments.get(&field.name)?;
                // A handle was replaced by its content.
                let by_handle = written.get(&field.name).is_some_and(|own| own != value);
                let source = match by_handle && value.is_string() {
                    true => OriginSource::Text,
                    false => shown.source_of(value)?,
                };
                Some(Origin {
                    argument: field.name.clone(),
                    source,
                })
            })
            .collect()
    }
}

fn target_of(def: &ToolDef, arguments: &Map<String, Value>) -> Option<CardTarget> {
    let argument = def.spec.target.as_deref()?;
    let value = text_of(arguments, argument)?;
    Some(CardTarget {
        argument: argument.to_owned(),
        value,
    })
}

/// The tool's card title with argument values; `None` while one is missing.
fn title_with_object(def: &ToolDef, arguments: &Map<String, Value>) -> Option<String> {
    let template = def.spec.card_title.as_deref()?;
    let mut title = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let (argument, after) = behind.split_once('}')?;
        title.push_str(before);
        title.push_str(&text_of(arguments, argument)?);
        rest = after;
    }
    title.push_str(rest);
    Some(title)
}

/// A text or a number on one line.
fn text_of(arguments: &Map<String, Value>, argument: &str) -> Option<String> {
    let text = match arguments.get(argument)? {
        Value::String(text) => preview::short(text),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}
