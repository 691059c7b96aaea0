//! Error responses: one envelope, a stable code, and a sentence with the fix. Internal
//! causes go only to the operator's log.

use std::fmt::Display;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::pass::{Action, PassNumber, Status, allowed_actions};

/// A refusal or failure, as returned to the caller.
#[derive(Debug)]
pub(crate) struct ApiError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
    pub details: Option<Value>,
    /// For the operator only.
    cause: Option<String>,
}

/// A field that violates a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub field: String,
    pub rule: &'static str,
    pub message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            details: None,
            cause: None,
        }
    }

    pub(crate) fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    fn with_cause(mut self, cause: impl Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
    }

    pub(crate) fn unauthorized(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
    }

    pub(crate) fn no_such_pass(reference: impl Display) -> Self {
        let message = format!(
            "There is no gate pass {reference}. Check it for typing errors or list the passes."
        );
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
    }

    pub(crate) fn unsupported_type(message: impl Into<String>) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "UNSUPPORTED_MEDIA_TYPE",
            message,
        )
    }

    /// 422: the request is well-formed and violates a rule of one or more fields.
    pub(crate) fn invalid(violations: Vec<Violation>) -> Self {
        let message = violations
            .iter()
            .map(|violation| violation.message.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let fields: Vec<Value> = violations
            .iter()
            .map(|v| json!({"field": v.field, "rule": v.rule, "message": v.message}))
            .collect();
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "VALIDATION_ERROR",
            message,
        )
        .with_details(json!({ "fields": fields }))
    }

    pub(crate) fn invalid_field(
        field: &str,
        rule: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self::invalid(vec![Violation {
            field: field.to_owned(),
            rule,
            message: message.into(),
        }])
    }

    /// 403: the pass is in the wrong state for the action. Names the state and the allowed
    /// actions.
    pub(crate) fn illegal(
        number: &PassNumber,
        status: Status,
        is_returnable: bool,
        action: Action,
    ) -> Self {
        let allowed = allowed_actions(status, is_returnable);
        let from = action.allowed_from();
        let never_back = action == Action::ScanReturn && status == Status::Exited && !is_returnable;
        let reason = if never_back {
            format!("{number} is not returnable, so nobody can be scanned back in on it.")
        } else {
            format!(
                "{number} is {} and cannot be {}; that needs a pass that is {}.",
                status.into_str(),
                action.participle(),
                listed(from.iter().map(|s| s.into_str()), " or "),
            )
        };
        let instead = match allowed.is_empty() {
            true => "Nothing more can be done with it.".to_owned(),
            false => format!(
                "Allowed now: {}.",
                listed(allowed.iter().map(|a| a.into_str()), ", ")
            ),
        };
        Self::new(
            StatusCode::FORBIDDEN,
            "INVALID_STATE",
            format!("{reason} {instead}"),
        )
        .with_details(json!({
            "pass_number": number.as_str(),
            "action": action,
            "current_status": status,
            "is_returnable": is_returnable,
            "allowed_actions": allowed,
            "action_allowed_from": from,
        }))
    }

    /// 500 with a fixed sentence; `cause` is for the log.
    pub(crate) fn internal(cause: impl Display) -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL_ERROR",
            "Something went wrong on our side. Nothing was changed; please try again.",
        )
        .with_cause(cause)
    }

    /// 503: a dependency is temporarily unavailable.
    pub(crate) fn unavailable(cause: impl Display) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "UNAVAILABLE",
            "The gate pass service cannot reach its storage right now. Please try again in a moment.",
        )
        .with_cause(cause)
    }

    /// 503 after a commit without a response: the outcome is unknown.
    pub(crate) fn outcome_unknown(cause: impl Display) -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "OUTCOME_UNKNOWN",
            "The connection was lost while saving: the change may or may not be saved. Look at the pass before \
             trying again, or repeat the request with the same Idempotency-Key.",
        )
        .with_cause(cause)
    }

    /// 507: the disk or the quota is full.
    pub(crate) fn storage_full(cause: impl Display) -> Self {
        Self::new(
            StatusCode::INSUFFICIENT_STORAGE,
            "STORAGE_FULL",
            "There is no room left to store this. Nothing was changed; please tell the operator.",
        )
        .with_cause(cause)
    }

    pub(crate) fn too_many(message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message)
    }

    /// The response body.
    pub(crate) fn body(&self) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(details) = &self.details {
            error["details"] = details.clone();
        }
        json!({ "error": error })
    }
}

fn listed<'a>(words: impl Iterator<Item = &'a str>, separator: &str) -> String {
    words.collect::<Vec<_>>().join(separator)
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if let Some(cause) = &self.cause {
            tracing::error!(error.code = self.code, error.cause = %cause, "gate pass request failed");
        }
        let mut response = (self.status, Json(self.body())).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if matches!(
            self.status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
