//! Sentences for each status of the API: 403 names the state and the possible actions, 404 offers
//! the list, 422 names the field and the rule.

use frontdesk_core::tool::ToolErrorKind;
use serde_json::{Value, json};

use super::wording::{self, Violation};
use super::{ErrorInfo, ErrorType};
use crate::api::Refusal;
use crate::call::Call;

pub(super) fn explain(refusal: &Refusal, call: &Call) -> (ErrorInfo, ToolErrorKind) {
    let body = refusal.body.as_ref().unwrap_or(&Value::Null);
    let (info, kind) = match refusal.status {
        400 | 405 | 406 | 409 | 411 | 412 | 414 => (bad_request(body), ToolErrorKind::Invalid),
        401 => (unauthorized(), ToolErrorKind::Failed),
        403 => (forbidden(body, call), ToolErrorKind::Refused),
        404 | 410 => (not_found(call), ToolErrorKind::Refused),
        413 => (too_large(body), ToolErrorKind::Invalid),
        415 => (wrong_format(body), ToolErrorKind::Invalid),
        422 => (invalid(body), ToolErrorKind::Invalid),
        408 | 429 => (busy(refusal), ToolErrorKind::Failed),
        500..=599 => (server_error(refusal), ToolErrorKind::Failed),
        _ => (unexpected(), ToolErrorKind::Failed),
    };
    (info.context("http_status", refusal.status), kind)
}

/// The error for a status outside a tool call.
pub(super) fn without_call(refusal: &Refusal) -> ErrorInfo {
    match refusal.status {
        401 => unauthorized(),
        408 | 429 | 503 => busy(refusal),
        500..=599 => server_error(refusal),
        _ => unexpected(),
    }
}

fn bad_request(body: &Value) -> ErrorInfo {
    let said = wording::message(body);
    ErrorInfo::new(
        ErrorType::BadRequest,
        said.unwrap_or_else(|| "The gate pass system did not understand the request.".to_owned()),
        "Check the values and say again what you want.",
    )
}

fn unauthorized() -> ErrorInfo {
    ErrorInfo::new(
        ErrorType::Unauthorized,
        "The gate pass system did not accept the sign-in.",
        "Nothing was changed. Sign in again; if it stays like this, the operator must check the secret that both systems share.",
    )
    .retry_possible()
}

fn forbidden(body: &Value, call: &Call) -> ErrorInfo {
    let details = wording::details(body);
    let Some(state) = details.get("current_status").and_then(Value::as_str) else {
        return not_allowed(body, details);
    };
    let pass = call.pass_number().unwrap_or("This pass");
    let state = wording::brief(state);
    let never_back =
        details.get("is_returnable") == Some(&json!(false)) && call.entry.name == "scan_return";
    let needed = wording::one_of(details.get("action_allowed_from"));
    let message = if never_back {
        format!("{pass} is {state} and not returnable, so a return cannot be recorded on it.")
    } else if needed.is_empty() {
        format!("{pass} is {state}, which does not allow this.")
    } else {
        format!("{pass} is {state}; this needs a pass that is {needed}.")
    };
    let possible = wording::actions(details.get("allowed_actions"));
    let guidance = if possible.is_empty() {
        "Nothing more can be done with this pass; a new one can be created.".to_owned()
    } else {
        format!("Possible now: {possible}.")
    };
    ErrorInfo::new(ErrorType::Forbidden, message, guidance)
        .context("current_status", state)
        .context(
            "allowed_actions",
            details.get("allowed_actions").cloned().unwrap_or(json!([])),
        )
}

/// A refusal without a state: a missing role, or a system that gives no reason.
fn not_allowed(body: &Value, details: &Value) -> ErrorInfo {
    let roles = wording::one_of(details.get("required_roles"));
    if !roles.is_empty() {
        return ErrorInfo::new(
            ErrorType::PermissionDenied,
            format!("The gate pass system asks for the role {roles}."),
            "Ask a colleague who has it.",
        )
        .context(
            "required_roles",
            details
                .get("required_roles")
                .cloned()
                .unwrap_or(Value::Null),
        );
    }
    let said = wording::message(body);
    ErrorInfo::new(
        ErrorType::Forbidden,
        said.unwrap_or_else(|| {
            "The gate pass system does not allow this in the current state of the pass.".to_owned()
        }),
        "Ask me to show the pass to see its state.",
    )
}

fn not_found(call: &Call) -> ErrorInfo {
    if call.text("notification_id").is_some() {
        return ErrorInfo::new(
            ErrorType::NotFound,
            "There is no such notification.",
            "Ask for your notifications to see which there are.",
        );
    }
    let reference = call
        .pass_number()
        .or_else(|| call.text("pass_id"))
        .unwrap_or("");
    let message = format!("There is no gate pass {}.", wording::brief(reference));
    match call.lists_with {
        Some(list) => ErrorInfo::new(
            ErrorType::NotFound,
            message,
            "Check it for typing errors, or let me list the gate passes there are.",
        )
        .context("suggested_tool", list),
        None => ErrorInfo::new(
            ErrorType::NotFound,
            message,
            "Check it for typing errors, or read it again from the pass or its QR code.",
        ),
    }
}

fn invalid(body: &Value) -> ErrorInfo {
    let violations = wording::violations(body);
    if violations.is_empty() {
        let said = wording::message(body);
        return ErrorInfo::new(
            ErrorType::ValidationError,
            said.unwrap_or_else(|| "The gate pass system did not accept a value.".to_owned()),
            "Correct it and try again.",
        );
    }
    let sentences: Vec<String> = violations.iter().map(Violation::sentence).collect();
    let mut fields: Vec<&str> = violations.iter().map(|v| v.field.as_str()).collect();
    fields.dedup();
    ErrorInfo::new(
        ErrorType::ValidationError,
        sentences.join(" "),
        format!("Correct {} and try again.", fields.join(" and ")),
    )
    .context("fields", json!(violations))
}

fn too_large(body: &Value) -> ErrorInfo {
    let said = wording::message(body);
    ErrorInfo::new(
        ErrorType::FileTooLarge,
        said.unwrap_or_else(|| "What was sent is too large for the gate pass system.".to_owned()),
        "Send a smaller one.",
    )
}

fn wrong_format(body: &Value) -> ErrorInfo {
    let said = wording::message(body);
    ErrorInfo::new(
        ErrorType::InvalidFileFormat,
        said.unwrap_or_else(|| "The gate pass system does not take this kind of file.".to_owned()),
        "Attach a JPEG, PNG or HEIC photo.",
    )
}

fn busy(refusal: &Refusal) -> ErrorInfo {
    let info = ErrorInfo::new(
        ErrorType::RateLimited,
        "The gate pass system has too much to do right now.",
        match refusal.retry_after {
            Some(wait) => format!(
                "Nothing was changed. Try again in {} seconds.",
                wait.as_secs().max(1)
            ),
            None => "Nothing was changed. Try again in a minute.".to_owned(),
        },
    )
    .retry_possible();
    match refusal.retry_after {
        Some(wait) => info.context("retry_after_seconds", wait.as_secs()),
        None => info,
    }
}

fn server_error(refusal: &Refusal) -> ErrorInfo {
    ErrorInfo::new(
        ErrorType::ServerError,
        format!(
            "The gate pass system had an internal error ({}).",
            refusal.status
        ),
        "Try again in a moment; if it stays like this, tell whoever runs the gate pass system.",
    )
    .retry_possible()
}

fn unexpected() -> ErrorInfo {
    ErrorInfo::new(
        ErrorType::InvalidResponse,
        "The gate pass system answered in a way that is not part of its contract.",
        "Tell the operator; the setting API_BASE_URL may lead to another system.",
    )
}
