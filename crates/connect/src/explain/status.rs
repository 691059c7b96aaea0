//! Sentences for each status: 403 names the state and the possible actions, 404 offers the list,
//! 422 names the field and the rule.

use frontdesk_core::tool::ToolErrorKind;
use serde_json::{Value, json};

use super::body::{self, Violation};
use super::{CallSubject, ErrorInfo, ErrorType};
use crate::failure::Refusal;
use crate::source::Source;

/// The refusal of a request that came with a success status counts as this one.
const REFUSED_IN_BODY: u16 = 403;

pub(super) fn explain(refusal: &Refusal, subject: &CallSubject<'_>) -> (ErrorInfo, ToolErrorKind) {
    let body = refusal.body.as_ref().unwrap_or(&Value::Null);
    let name = subject.source;
    let (info, kind) = match meaning(refusal, body) {
        400 | 405 | 406 | 409 | 411 | 412 | 414 => bad_request(body, subject),
        401 => (unauthorized(name), ToolErrorKind::Failed),
        402 | 403 | 423 | 451 => (forbidden(body, subject), ToolErrorKind::Refused),
        404 | 410 => (not_found(subject), ToolErrorKind::Refused),
        413 => (too_large(body, subject), ToolErrorKind::Invalid),
        415 => (wrong_format(body, subject), ToolErrorKind::Invalid),
        422 => (invalid(body, subject), ToolErrorKind::Invalid),
        408 | 429 => (busy(refusal, name), ToolErrorKind::Failed),
        500..=599 => (server_error(refusal, name), ToolErrorKind::Failed),
        _ => (unexpected(name), ToolErrorKind::Failed),
    };
    (info.context("http_status", refusal.status), kind)
}

/// The status; for a success status, the one that the body means.
fn meaning(refusal: &Refusal, body: &Value) -> u16 {
    if !(200..300).contains(&refusal.status) {
        return refusal.status;
    }
    let inner = ["status_code", "statusCode", "status", "code"]
        .iter()
        .filter_map(|key| body.get(*key)?.as_u64())
        .find(|code| (400..600).contains(code))
        .and_then(|code| u16::try_from(code).ok());
    inner.unwrap_or_else(|| match body::violations(body).is_empty() {
        true => REFUSED_IN_BODY,
        false => 422,
    })
}

/// The error for a status outside a tool call.
pub(super) fn without_call(refusal: &Refusal, source: &Source) -> ErrorInfo {
    match refusal.status {
        401 => unauthorized(source),
        408 | 429 | 503 => busy(refusal, source),
        500..=599 => server_error(refusal, source),
        _ => unexpected(source),
    }
}

fn said(body: &Value, subject: &CallSubject<'_>) -> Option<String> {
    let text = body::declared_message(body, subject.operation.response.error.as_ref())?;
    let ends = text.ends_with(['.', '!', '?', '…']);
    Some(if ends { text } else { format!("{text}.") })
}

fn bad_request(body: &Value, subject: &CallSubject<'_>) -> (ErrorInfo, ToolErrorKind) {
    if !body::violations(body).is_empty() {
        let info = invalid(body, subject);
        return (
            ErrorInfo {
                error_type: ErrorType::BadRequest,
                ..info
            },
            ToolErrorKind::Invalid,
        );
    }
    let default = format!("{} did not accept the request.", subject.source.title());
    let info = ErrorInfo::new(
        ErrorType::BadRequest,
        said(body, subject).unwrap_or(default),
        "Check the values and say again what you want.",
    );
    (info, ToolErrorKind::Invalid)
}

fn unauthorized(source: &Source) -> ErrorInfo {
    ErrorInfo::new(
        ErrorType::Unauthorized,
        format!("{} did not accept the sign-in.", source.title()),
        "Nothing was changed. Sign in again; if it stays like this, the operator must check the key or secret that both systems share.",
    )
    .retry_possible()
}

fn forbidden(body: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let details = body::details(body);
    let told = ["current_status", "current_state", "status", "state"]
        .iter()
        .find_map(|key| details.get(*key)?.as_str());
    let state = told.map(body::brief).or_else(|| subject.state.clone());
    if let Some(state) = &state
        && let Some(info) = declared(body, state, subject)
    {
        return with_actions(
            info.context("current_status", state.as_str()),
            details,
            subject,
        );
    }
    let Some(state) = state else {
        return not_allowed(body, details, subject);
    };
    let head = subject.head();
    let object = subject
        .reference()
        .unwrap_or_else(|| format!("This {head}"));
    let needed = body::one_of(details.get("action_allowed_from"));
    let message = match said(body, subject) {
        _ if !needed.is_empty() => {
            format!("{object} is {state}; this needs a {head} that is {needed}.")
        }
        Some(reason) => format!("{object} is {state}: {reason}"),
        None => format!("{object} is {state}, which does not allow this."),
    };
    let info = ErrorInfo::new(ErrorType::Forbidden, message, "");
    with_actions(info.context("current_status", state), details, subject)
}

/// The sentence that the operation declares for this refusal.
fn declared(body: &Value, state: &str, subject: &CallSubject<'_>) -> Option<ErrorInfo> {
    let rules = &subject.operation.refusals;
    let rule = rules
        .iter()
        .find(|rule| rule.pointer.find(body) == Some(&rule.equals))?;
    let object = subject.reference();
    let object = object.unwrap_or_else(|| format!("This {}", subject.head()));
    let sentence = rule.sentence.replace("{reference}", &object);
    let sentence = sentence.replace("{state}", state);
    Some(ErrorInfo::new(ErrorType::Forbidden, sentence, ""))
}

/// Adds the actions that are possible instead, if the system names them.
fn with_actions(mut info: ErrorInfo, details: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let list = details.get("allowed_actions");
    let actions: Vec<String> = body::words(list)
        .into_iter()
        .map(|action| match subject.source.actions.get(&action) {
            Some(words) => words.clone(),
            None => action.replace('_', " "),
        })
        .collect();
    info.user_guidance = match (list, actions.is_empty()) {
        (Some(_), true) => format!("Nothing more can be done with this {}.", subject.head()),
        (_, false) => format!("Possible now: {}.", actions.join(", ")),
        (None, true) => format!(
            "Choose an action that fits this state of the {}.",
            subject.head()
        ),
    };
    info.context("allowed_actions", list.cloned().unwrap_or(json!([])))
}

/// A refusal without a state: a missing role, or a system that gives no reason.
fn not_allowed(body: &Value, details: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let roles = body::one_of(details.get("required_roles"));
    if !roles.is_empty() {
        let needed = details.get("required_roles").cloned();
        return ErrorInfo::new(
            ErrorType::PermissionDenied,
            format!("{} asks for the role {roles}.", subject.source.title()),
            "Ask a colleague who has it.",
        )
        .context("required_roles", needed.unwrap_or(Value::Null));
    }
    let default = || {
        format!(
            "{} does not allow this in the current state of the {}.",
            subject.source.title(),
            subject.head()
        )
    };
    ErrorInfo::new(
        ErrorType::Forbidden,
        said(body, subject).unwrap_or_else(default),
        format!("Ask me to show the {} to see its state.", subject.head()),
    )
}

fn not_found(subject: &CallSubject<'_>) -> ErrorInfo {
    let noun = subject.noun();
    if subject.identifiers().next().is_none() {
        return ErrorInfo::new(
            ErrorType::NotFound,
            format!("{} does not know this request.", subject.source.title()),
            format!(
                "Tell the operator; the setting {} may lead to another system.",
                subject.source.address_setting
            ),
        );
    }
    let message = match subject.reference() {
        Some(reference) => format!("There is no {noun} {reference}."),
        None => format!("There is no such {noun}."),
    };
    match subject.list_tool {
        Some(list) => ErrorInfo::new(
            ErrorType::NotFound,
            message,
            format!(
                "Check it for typing errors, or let me list the {} there are.",
                subject.plural()
            ),
        )
        .context("suggested_tool", list),
        None => ErrorInfo::new(
            ErrorType::NotFound,
            message,
            format!(
                "Check it for typing errors, or read it again from the {}.",
                subject.head()
            ),
        ),
    }
}

fn invalid(body: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let violations = body::violations(body);
    if violations.is_empty() {
        let default = format!("{} did not accept a value.", subject.source.title());
        return ErrorInfo::new(
            ErrorType::ValidationError,
            said(body, subject).unwrap_or(default),
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

fn too_large(body: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let default = || format!("What was sent is too large for {}.", subject.source.name);
    ErrorInfo::new(
        ErrorType::FileTooLarge,
        said(body, subject).unwrap_or_else(default),
        "Send a smaller one.",
    )
}

fn wrong_format(body: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let default = || {
        format!(
            "{} does not take this kind of file.",
            subject.source.title()
        )
    };
    let accepted: Vec<&str> = subject
        .operation
        .parameters
        .values()
        .flat_map(|parameter| parameter.accept.iter().map(|kind| kind.as_str()))
        .collect();
    let guidance = match accepted.split_last() {
        None => "Attach another kind of file.".to_owned(),
        Some((last, [])) => format!("Attach a {last} file."),
        Some((last, others)) => format!("Attach a {} or {last} file.", others.join(", ")),
    };
    ErrorInfo::new(
        ErrorType::InvalidFileFormat,
        said(body, subject).unwrap_or_else(default),
        guidance,
    )
}

fn busy(refusal: &Refusal, source: &Source) -> ErrorInfo {
    let info = ErrorInfo::new(
        ErrorType::RateLimited,
        format!("{} has too much to do right now.", source.title()),
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

fn server_error(refusal: &Refusal, source: &Source) -> ErrorInfo {
    ErrorInfo::new(
        ErrorType::ServerError,
        format!(
            "{} had an internal error ({}).",
            source.title(),
            refusal.status
        ),
        format!(
            "Try again in a moment; if it stays like this, tell whoever runs {}.",
            source.name
        ),
    )
    .retry_possible()
}

fn unexpected(source: &Source) -> ErrorInfo {
    ErrorInfo::new(
        ErrorType::InvalidResponse,
        format!("{} answered in a way that cannot be used.", source.title()),
        format!(
            "Tell the operator; the setting {} may lead to another system.",
            source.address_setting
        ),
    )
}
