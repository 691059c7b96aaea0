//! Failures as the model receives them: the cause, the remedy, and whether a retry can help.

mod local;
mod network;
mod status;
mod wording;

use std::error::Error;

use frontdesk_core::tool::{ToolError, ToolErrorKind};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::api::{Failed, Failure};
use super::call::Call;

pub(super) use local::{bad_segment, check_role, missing_photo, unfit_photo};
pub(super) use wording::message;

/// A failure in the shape that the design prescribes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ErrorInfo {
    pub(super) error_type: ErrorType,
    pub(super) error_message: String,
    pub(super) user_guidance: String,
    pub(super) retry_possible: bool,
    pub(super) related_context: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ErrorType {
    // Responses of the API.
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    ValidationError,
    RateLimited,
    ServerError,
    InvalidResponse,
    // Network failures.
    Timeout,
    ConnectionRefused,
    DnsFailure,
    ConnectionLost,
    ConnectionFailed,
    // Errors before a request is made.
    InvalidFileFormat,
    FileTooLarge,
    MissingParameter,
    InvalidParameter,
    InvalidRole,
    PermissionDenied,
    Internal,
}

impl ErrorInfo {
    fn new(
        error_type: ErrorType,
        error_message: impl Into<String>,
        user_guidance: impl Into<String>,
    ) -> Self {
        Self {
            error_type,
            error_message: error_message.into(),
            user_guidance: user_guidance.into(),
            retry_possible: false,
            related_context: Map::new(),
        }
    }

    fn retry_possible(mut self) -> Self {
        self.retry_possible = true;
        self
    }

    fn context(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.related_context.insert(key.to_owned(), value.into());
        self
    }

    /// The tool error: the sentence for people, the whole info for the model.
    fn into_error(self, kind: ToolErrorKind) -> ToolError {
        let message = format!("{} {}", self.error_message, self.user_guidance);
        ToolError::new(kind, message).details(json!(self))
    }
}

/// The tool error for a failed request.
pub(super) fn explain(failed: Failed, call: &Call) -> ToolError {
    let Failed { failure, unsure } = failed;
    let unsure = unsure && call.entry.effect.writes();
    let (info, kind) = match &failure {
        Failure::Answered(refusal) => status::explain(refusal, call),
        Failure::Timeout
        | Failure::Refused
        | Failure::NoSuchHost
        | Failure::Unreachable(_)
        | Failure::Lost(_)
        | Failure::Malformed(_)
        | Failure::TooLarge
        | Failure::Unusable(_) => (network::explain(&failure), ToolErrorKind::Failed),
    };
    let (mut info, kind) = if unsure {
        (not_known(info), ToolErrorKind::Unknown)
    } else {
        (info, kind)
    };
    about(&mut info, call);
    let mut error = info.into_error(kind);
    error.cause = operators_part(failure);
    error
}

/// The sentence about a failed request.
pub(super) fn in_words(failure: &Failure) -> String {
    let info = match failure {
        Failure::Answered(refusal) => status::without_call(refusal),
        Failure::Timeout
        | Failure::Refused
        | Failure::NoSuchHost
        | Failure::Unreachable(_)
        | Failure::Lost(_)
        | Failure::Malformed(_)
        | Failure::TooLarge
        | Failure::Unusable(_) => network::explain(failure),
    };
    format!("{} {}", info.error_message, info.user_guidance)
}

/// A write with an unknown outcome must not be repeated blindly.
fn not_known(info: ErrorInfo) -> ErrorInfo {
    ErrorInfo {
        user_guidance: "It is not known whether this was carried out: look at the current state before trying again."
            .to_owned(),
        ..info
    }
}

/// Adds the tool and the call's identifiers.
fn about(info: &mut ErrorInfo, call: &Call) {
    info.related_context
        .entry("tool")
        .or_insert_with(|| json!(call.entry.name));
    for key in ["pass_number", "pass_id", "notification_id"] {
        if let Some(value) = call.text(key) {
            info.related_context
                .entry(key)
                .or_insert_with(|| json!(wording::brief(value)));
        }
    }
}

/// The cause for the operator's log; `None` for errors that people can correct themselves.
fn operators_part(failure: Failure) -> Option<Box<dyn Error + Send + Sync>> {
    match &failure {
        Failure::Answered(refusal)
            if (400..500).contains(&refusal.status) && refusal.status != 401 =>
        {
            None
        }
        Failure::Answered(_)
        | Failure::Timeout
        | Failure::Refused
        | Failure::NoSuchHost
        | Failure::Unreachable(_)
        | Failure::Lost(_)
        | Failure::Malformed(_)
        | Failure::TooLarge
        | Failure::Unusable(_) => Some(Box::new(failure)),
    }
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod errors_tests;
