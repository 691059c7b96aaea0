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
    let (title, name) = (subject.source.title(), &subject.source.name);
    let said = |error_type, default: String, guidance: &str| {
        ErrorInfo::new(error_type, said(body, subject).unwrap_or(default), guidance)
    };
    let (info, kind) = match meaning(refusal, body) {
        400 | 405 | 406 | 409 | 411 | 412 | 414 => {
            let default = format!("{title} did not accept the request.");
            let guidance = "Check the values and say again what you want.";
            let info = match body::violations(body).is_empty() {
                true => said(ErrorType::BadRequest, default, guidance),
                false => invalid(body, subject),
            };
            let error_type = ErrorType::BadRequest;
            (ErrorInfo { error_type, ..info }, ToolErrorKind::Invalid)
        }
        402 | 403 | 423 | 451 => (forbidden(body, subject), ToolErrorKind::Refused),
        404 | 410 => (not_found(subject), ToolErrorKind::Refused),
        413 => {
            let default = format!("What was sent is too large for {name}.");
            let info = said(ErrorType::FileTooLarge, default, "Send a smaller one.");
            (info, ToolErrorKind::Invalid)
        }
        415 => {
            let default = format!("{title} does not take this kind of file.");
            let guidance = accepted_kinds(subject);
            let info = said(ErrorType::InvalidFileFormat, default, &guidance);
            (info, ToolErrorKind::Invalid)
        }
        422 => (invalid(body, subject), ToolErrorKind::Invalid),
        status => (
            without_call(status, refusal, subject.source),
            ToolErrorKind::Failed,
        ),
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

/// The error for a status that is not about the values of the call.
pub(super) fn without_call(status: u16, refusal: &Refusal, source: &Source) -> ErrorInfo {
    let (title, name) = (source.title(), &source.name);
    let later = "Try again in a moment; if it stays like this, tell whoever runs";
    match (status, refusal.retry_after) {
        (401, _) => ErrorInfo::new(
            ErrorType::Unauthorized,
            format!("{title} did not accept the sign-in."),
            "Nothing was changed. Sign in again; if it stays like this, the operator must check the key or secret that both systems share.",
        )
        .retry_possible(),
        (408 | 429, wait) => {
            let seconds = wait.map(|wait| wait.as_secs());
            let when = seconds.map_or("a minute".to_owned(), |seconds| {
                format!("{} seconds", seconds.max(1))
            });
            let info = ErrorInfo::new(
                ErrorType::RateLimited,
                format!("{title} has too much to do right now."),
                format!("Nothing was changed. Try again in {when}."),
            )
            .retry_possible();
            match seconds {
                Some(seconds) => info.context("retry_after_seconds", seconds),
                None => info,
            }
        }
        (status @ 500..=599, _) => ErrorInfo::new(
            ErrorType::ServerError,
            format!("{title} had an internal error ({status})."),
            format!("{later} {name}."),
        )
        .retry_possible(),
        (_, _) => ErrorInfo::new(
            ErrorType::InvalidResponse,
            format!("{title} answered in a way that cannot be used."),
            wrong_address(source),
        ),
    }
}

fn wrong_address(source: &Source) -> String {
    format!(
        "Tell the operator; the setting {} may lead to another system.",
        source.address_setting
    )
}

fn said(body: &Value, subject: &CallSubject<'_>) -> Option<String> {
    let text = body::declared_message(body, subject.operation.response.error.as_ref())?;
    let ends = text.ends_with(['.', '!', '?', '…']);
    Some(if ends { text } else { format!("{text}.") })
}

fn forbidden(body: &Value, subject: &CallSubject<'_>) -> ErrorInfo {
    let details = body::details(body);
    let told = ["current_status", "current_state", "status", "state"]
        .iter()
        .find_map(|key| details.get(*key)?.as_str());
    let Some(state) = told.map(body::brief).or_else(|| subject.state.clone()) else {
        return not_allowed(body, details, subject);
    };
    let head = subject.head();
    let object = subject.reference();
    let object = object.unwrap_or_else(|| format!("This {head}"));
    let needed = body::one_of(details.get("action_allowed_from"));
    let message = match (
        declared(body, &object, &state, subject),
        said(body, subject),
    ) {
        (Some(sentence), _) => sentence,
        (None, _) if !needed.is_empty() => {
            format!("{object} is {state}; this needs a {head} that is {needed}.")
        }
        (None, Some(reason)) => format!("{object} is {state}: {reason}"),
        (None, None) => format!("{object} is {state}, which does not allow this."),
    };
    let info = ErrorInfo::new(ErrorType::Forbidden, message, "");
    with_actions(info.context("current_status", state), details, subject)
}

/// The sentence that the operation declares for this refusal.
fn declared(body: &Value, object: &str, state: &str, subject: &CallSubject<'_>) -> Option<String> {
    let rules = &subject.operation.refusals;
    let rule = rules
        .iter()
        .find(|rule| rule.pointer.find(body) == Some(&rule.equals))?;
    let sentence = rule.sentence.replace("{reference}", object);
    Some(sentence.replace("{state}", state))
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
    let info =
        |message: String, guidance: String| ErrorInfo::new(ErrorType::NotFound, message, guidance);
    if subject.identifiers().next().is_none() {
        let message = format!("{} does not know this request.", subject.source.title());
        return info(message, wrong_address(subject.source));
    }
    let message = match subject.reference() {
        Some(reference) => format!("There is no {noun} {reference}."),
        None => format!("There is no such {noun}."),
    };
    let check = "Check it for typing errors, or";
    match subject.list_tool {
        Some(list) => {
            let objects = subject.plural();
            info(
                message,
                format!("{check} let me list the {objects} there are."),
            )
            .context("suggested_tool", list)
        }
        None => info(
            message,
            format!("{check} read it again from the {}.", subject.head()),
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

fn accepted_kinds(subject: &CallSubject<'_>) -> String {
    let parameters = subject.operation.parameters.values();
    let accepted = parameters.flat_map(|parameter| &parameter.accept);
    let names: Vec<&str> = accepted.map(|kind| kind.as_str()).collect();
    match body::listed(&names) {
        kinds if kinds.is_empty() => "Attach another kind of file.".to_owned(),
        kinds => format!("Attach a {kinds} file."),
    }
}
