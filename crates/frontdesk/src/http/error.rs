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
        Self {
            details: Some(json!([{ "field": field, "problem": problem }])),
            ..Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "VALIDATION_ERROR",
                format!("{field}: {problem}"),
            )
        }
    }

    fn invalid_fields(problems: &[FieldProblem], message: String) -> Self {
        let details = problems.iter().map(
            |found| json!({ "field": found.field, "label": found.label, "problem": found.problem }),
        );
        Self {
            details: Some(details.collect()),
            ..Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "VALIDATION_ERROR",
                message,
            )
        }
    }

    pub fn rate_limited(retry_after: Duration) -> Self {
        Self {
            retry_after: Some(retry_after),
            limit: Some(Limit::Rate),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "RATE_LIMITED",
                "Too many requests, please wait",
            )
        }
    }

    pub fn agent_error() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "AGENT_ERROR",
            "Unable to generate response, please try again",
        )
    }

    pub fn too_many_streams() -> Self {
        Self {
            retry_after: Some(Duration::from_secs(5)),
            limit: Some(Limit::Streams),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "TOO_MANY_STREAMS",
                "Too many event streams are open, please close some",
            )
        }
    }

    pub fn too_large(message: impl Into<String>) -> Self {
        Self {
            limit: Some(Limit::BodySize),
            ..Self::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
        }
    }

    /// The body did not arrive in time.
    pub fn slow() -> Self {
        Self {
            limit: Some(Limit::SlowBody),
            ..Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "REQUEST_TIMEOUT",
                "The body did not arrive in time; please send it again",
            )
        }
    }

    pub(super) fn unavailable() -> Self {
        Self {
            retry_after: Some(Duration::from_secs(1)),
            ..Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "UNAVAILABLE",
                "The service is not available just now, please try again",
            )
        }
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
            RuntimeError::TooLong { max } => Self {
                limit: Some(Limit::MessageLength),
                ..Self::invalid("content", format!("must be at most {max} characters long"))
            },
            RuntimeError::Invalid { field, problem } => Self::invalid(field, problem),
            RuntimeError::Fields(ref problems) => Self::invalid_fields(problems, error.to_string()),
            RuntimeError::CardWaits { turn, .. } => Self {
                details: Some(json!({ "turn_id": turn })),
                ..Self::conflict("DECISION_PENDING", error.to_string())
            },
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
            UploadError::Unsupported => Self {
                details: Some(json!({ "accepted": Kind::ALL.map(Kind::media_type) })),
                ..Self::new(
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "UNSUPPORTED_MEDIA_TYPE",
                    "Send a JPEG, PNG or HEIC picture, a PDF, a DOCX document or UTF-8 text; the content of this file is none of them",
                )
            },
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
            FormError::NotAForm => Self::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                problem,
            ),
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
            StoreError::BudgetExhausted { retry_after, .. } => Self {
                retry_after: Some(retry_after),
                limit: Some(Limit::TokenBudget),
                ..Self::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "BUDGET_EXHAUSTED",
                    "Today's token budget is used up; it resets at midnight UTC",
                )
            },
            StoreError::BudgetReserved { .. } => Self {
                retry_after: Some(TURNS_END),
                limit: Some(Limit::TokenBudget),
                ..Self::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "BUDGET_EXHAUSTED",
                    "The rest of today's token budget is reserved for messages that are being answered; wait until one of them is done",
                )
            },
            StoreError::TurnInProgress { turn } => Self {
                details: Some(json!({ "turn_id": turn })),
                ..Self::conflict(
                    "TURN_IN_PROGRESS",
                    "The previous message is still being answered",
                )
            },
            StoreError::Conflict(problem) => Self::conflict("CONFLICT", problem),
            StoreError::RateLimited { retry_after } => Self::rate_limited(retry_after),
            StoreError::TooManyTurns { .. } => Self {
                message: error.to_string(),
                limit: Some(Limit::TurnsInFlight),
                ..Self::rate_limited(TURNS_END)
            },
            StoreError::Full { limit } => Self {
                limit: Some(Limit::Storage),
                ..Self::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "QUOTA_EXCEEDED",
                    format!(
                        "The file storage is full: the limit is {} MB. Delete conversations that you no longer need",
                        limit / (1024 * 1024)
                    ),
                )
            },
            StoreError::KeyReused => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
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
