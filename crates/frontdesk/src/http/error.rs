//! Error responses: a stable code and a message, without internal details.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_core::approval::DecideError;
use frontdesk_core::grant::FieldProblem;
use frontdesk_core::store::StoreError;
use frontdesk_files::{FormError, Kind, UploadError};
use serde_json::{Value, json};

use crate::identity::TokenError;
use crate::metrics::Limit;
use crate::runtime::RuntimeError;

/// Retry hint for too many concurrent turns: one of them has probably ended by then.
const TURNS_END: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
    pub details: Option<Value>,
    pub retry_after: Option<Duration>,
    /// The limit that was exceeded, for metrics.
    pub limit: Option<Limit>,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            details: None,
            retry_after: None,
            limit: None,
        }
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST", message)
    }

    pub fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", message)
    }

    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "NOT_FOUND",
            format!("{what} not found"),
        )
    }

    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    pub fn invalid(field: &str, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self::unprocessable("VALIDATION_ERROR", format!("{field}: {problem}"))
            .details(json!([{ "field": field, "problem": problem }]))
    }

    fn invalid_fields(problems: &[FieldProblem], message: String) -> Self {
        let details = problems.iter().map(
            |found| json!({ "field": found.field, "label": found.label, "problem": found.problem }),
        );
        Self::unprocessable("VALIDATION_ERROR", message).details(details.collect())
    }

    fn unprocessable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    fn too_many(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, message)
    }

    pub fn unsupported(message: impl Into<String>) -> Self {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Self::new(status, "UNSUPPORTED_MEDIA_TYPE", message)
    }

    pub fn service_unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
    }

    fn limit(self, limit: Limit) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }

    fn retry_after(self, wait: Duration) -> Self {
        Self {
            retry_after: Some(wait),
            ..self
        }
    }

    fn details(self, details: Value) -> Self {
        Self {
            details: Some(details),
            ..self
        }
    }

    pub fn rate_limited(retry_after: Duration) -> Self {
        Self::too_many("RATE_LIMITED", "Too many requests, please wait")
            .limit(Limit::Rate)
            .retry_after(retry_after)
    }

    pub fn agent_error() -> Self {
        let message = "Unable to generate response, please try again";
        Self::service_unavailable("AGENT_ERROR", message)
    }

    pub fn too_many_streams() -> Self {
        let message = "Too many event streams are open, please close some";
        Self::too_many("TOO_MANY_STREAMS", message)
            .limit(Limit::Streams)
            .retry_after(Duration::from_secs(5))
    }

    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
            .limit(Limit::BodySize)
    }

    /// The body did not arrive in time.
    pub fn slow() -> Self {
        let message = "The body did not arrive in time; please send it again";
        Self::new(StatusCode::REQUEST_TIMEOUT, "REQUEST_TIMEOUT", message).limit(Limit::SlowBody)
    }

    pub(super) fn unavailable() -> Self {
        let message = "The service is not available just now, please try again";
        Self::service_unavailable("UNAVAILABLE", message).retry_after(Duration::from_secs(1))
    }

    pub(in crate::http) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "INTERNAL_ERROR",
            "Something went wrong on our side",
        )
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = self.details {
            error["details"] = details;
        }
        let mut response = (self.status, Json(json!({ "error": error }))).into_response();
        if let Some(limit) = self.limit {
            response.extensions_mut().insert(limit);
        }
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after {
            // Rounded up: a retry a moment too early would be refused again.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

impl From<TokenError> for ApiError {
    fn from(error: TokenError) -> Self {
        let code = match error {
            TokenError::Expired => "TOKEN_EXPIRED",
            TokenError::Signature => "INVALID_SIGNATURE",
            TokenError::Invalid => "INVALID_TOKEN",
            TokenError::Unavailable => return Self::unavailable(),
            TokenError::NotOurs { .. } => {
                tracing::error!("a token could not be signed: {error}");
                return Self::internal();
            }
        };
        Self::new(StatusCode::UNAUTHORIZED, code, error.to_string())
    }
}

impl From<RuntimeError> for ApiError {
    fn from(error: RuntimeError) -> Self {
        match error {
            RuntimeError::UnknownAssistant(_) => Self::invalid("assistant", error.to_string()),
            RuntimeError::NotForYou { .. } => Self::forbidden(error.to_string()),
            RuntimeError::TooLong { max } => {
                let problem = format!("must be at most {max} characters long");
                Self::invalid("content", problem).limit(Limit::MessageLength)
            }
            RuntimeError::Invalid { field, problem } => Self::invalid(field, problem),
            RuntimeError::Fields(ref problems) => Self::invalid_fields(problems, error.to_string()),
            RuntimeError::CardWaits { turn, .. } => {
                Self::conflict("DECISION_PENDING", error.to_string())
                    .details(json!({ "turn_id": turn }))
            }
            RuntimeError::File(refused) => refused.into(),
            RuntimeError::Store(error) => error.into(),
        }
    }
}

/// Names the requested object in errors, for objects other than conversations.
pub trait Naming<T> {
    fn naming(self, what: &str) -> Result<T, ApiError>;
}

impl<T> Naming<T> for Result<T, StoreError> {
    fn naming(self, what: &str) -> Result<T, ApiError> {
        self.map_err(|error| {
            if matches!(error, StoreError::NotFound) {
                let mut letters = what.chars();
                let first = letters.next().map(|c| c.to_ascii_uppercase());
                ApiError::not_found(&first.into_iter().chain(letters).collect::<String>())
            } else if matches!(error, StoreError::Forbidden) {
                ApiError::forbidden(format!("You don't have access to this {what}"))
            } else {
                error.into()
            }
        })
    }
}

impl From<UploadError> for ApiError {
    fn from(refused: UploadError) -> Self {
        match refused {
            UploadError::TooLarge { .. } => Self::too_large(refused.to_string()),
            UploadError::Unsupported => Self::unsupported(
                "Send a JPEG, PNG or HEIC picture, a PDF, a DOCX document or UTF-8 text; the content of this file is none of them",
            )
            .details(json!({ "accepted": Kind::ALL.map(Kind::media_type) })),
            UploadError::Empty
            | UploadError::TooManyPixels { .. }
            | UploadError::TooMuchMemory
            | UploadError::Damaged(_) => Self::invalid("file", refused.to_string()),
        }
    }
}

impl From<FormError> for ApiError {
    fn from(error: FormError) -> Self {
        let problem = error.to_string();
        match error {
            FormError::NotAForm => Self::unsupported(problem),
            FormError::TooLarge => Self::too_large(problem),
            FormError::Slow => Self::slow(),
            FormError::Boundary
            | FormError::TooManyParts
            | FormError::LongHeaders
            | FormError::CutOff => Self::bad_request(problem),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::not_found("Conversation"),
            StoreError::AttachmentNotFound => Self::not_found("Attachment"),
            StoreError::Forbidden => Self::forbidden("You don't have access to this conversation"),
            StoreError::NotAMember => Self::forbidden("You're not a member of this company"),
            StoreError::NotAnAdmin => {
                Self::forbidden("Only the owner and admins of this company may do this")
            }
            StoreError::BudgetExhausted { retry_after, .. } => {
                let message = "Today's token budget is used up; it resets at midnight UTC";
                Self::too_many("BUDGET_EXHAUSTED", message)
                    .limit(Limit::TokenBudget)
                    .retry_after(retry_after)
            }
            StoreError::BudgetReserved { .. } => {
                let message = "The rest of today's token budget is reserved for messages that are being answered; wait until one of them is done";
                Self::too_many("BUDGET_EXHAUSTED", message)
                    .limit(Limit::TokenBudget)
                    .retry_after(TURNS_END)
            }
            StoreError::TurnInProgress { turn } => {
                let message = "The previous message is still being answered";
                Self::conflict("TURN_IN_PROGRESS", message).details(json!({ "turn_id": turn }))
            }
            StoreError::Conflict(problem) => Self::conflict("CONFLICT", problem),
            StoreError::RateLimited { retry_after } => Self::rate_limited(retry_after),
            StoreError::TooManyTurns { .. } => Self::too_many("RATE_LIMITED", error.to_string())
                .limit(Limit::TurnsInFlight)
                .retry_after(TURNS_END),
            StoreError::Full { limit } => {
                let megabytes = limit / (1024 * 1024);
                let message = format!(
                    "The file storage is full: the limit is {megabytes} MB. Delete conversations that you no longer need"
                );
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "QUOTA_EXCEEDED", message)
                    .limit(Limit::Storage)
            }
            StoreError::KeyReused => Self::unprocessable(
                "IDEMPOTENCY_KEY_REUSED",
                "This Idempotency-Key was used for a different request",
            ),
            StoreError::BadCursor => Self::bad_request("The cursor is not valid"),
            StoreError::Undecidable(error @ DecideError::Expired) => {
                Self::new(StatusCode::GONE, "APPROVAL_EXPIRED", error.to_string())
            }
            StoreError::Undecidable(
                error @ (DecideError::NotAnApprover(_) | DecideError::NotTheRequester),
            ) => Self::forbidden(error.to_string()),
            StoreError::ChangeRefused(problem) => Self::conflict("CONFLICT", problem),
            StoreError::Fenced | StoreError::Unavailable(_) => {
                tracing::error!("the store is not available: {error}");
                Self::unavailable()
            }
            StoreError::Internal(_) => {
                tracing::error!("a request failed: {error}");
                Self::internal()
            }
        }
    }
}
