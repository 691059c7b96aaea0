//! What can go wrong with a chat, in the design's words and statuses.

use std::time::Duration;

use axum::http::StatusCode;
use frontdesk_core::conversation_api::ConversationApiError;
use frontdesk_core::store::StoreError;
use frontdesk_db::DbError;

use crate::domain::tongue::Tongue;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Empty,
    TooLong,
    BadGig,
    BadLimit,
    BadFilter,
    BadBody,
    Forbidden,
    NotFound,
    RateLimited(Duration),
    /// The previous message is still being answered.
    Busy,
    ModelFailed,
    TimedOut,
    Broken,
}

impl Failure {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Empty
            | Self::TooLong
            | Self::BadGig
            | Self::BadLimit
            | Self::BadFilter
            | Self::BadBody => StatusCode::BAD_REQUEST,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy => StatusCode::CONFLICT,
            Self::ModelFailed | Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
        }
    }

    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Empty
            | Self::TooLong
            | Self::BadGig
            | Self::BadLimit
            | Self::BadFilter
            | Self::BadBody => "BAD_REQUEST",
            Self::Forbidden => "FORBIDDEN",
            Self::NotFound => "NOT_FOUND",
            Self::RateLimited(_) => "RATE_LIMITED",
            Self::Busy => "TURN_IN_PROGRESS",
            Self::ModelFailed => "AGENT_ERROR",
            Self::Broken => "INTERNAL_ERROR",
            Self::TimedOut => "TIMEOUT",
        }
    }

    pub(crate) fn words(&self, tongue: Tongue) -> &'static str {
        match self {
            Self::Empty => tongue.pick(
                "Сообщение не может быть пустым",
                "The message must not be empty",
            ),
            Self::TooLong => tongue.pick(
                "Сообщение слишком длинное (макс. 2000 символов)",
                "The message is too long (2000 characters at most)",
            ),
            Self::BadGig => tongue.pick(
                "Идентификатор задания должен быть UUID",
                "The id of a gig must be a UUID",
            ),
            Self::BadLimit => tongue.pick(
                "limit должен быть числом от 1 до 50",
                "limit must be a number from 1 to 50",
            ),
            Self::BadFilter => tongue.pick(
                "Неизвестный параметр или значение отбора кандидатов",
                "A parameter for choosing candidates, or its value, is not known",
            ),
            Self::BadBody => tongue.pick(
                "Ожидается JSON вида {\"message\": \"…\"}",
                "JSON of the form {\"message\": \"…\"} is expected",
            ),
            Self::Forbidden => tongue.pick(
                "Нет доступа к этому заданию",
                "You have no access to this gig",
            ),
            Self::NotFound => tongue.pick("Задание не найдено", "Gig not found"),
            Self::RateLimited(_) => tongue.pick(
                "Слишком много запросов. Подождите минуту",
                "Too many requests. Please wait a minute",
            ),
            Self::Busy => tongue.pick(
                "Предыдущее сообщение ещё обрабатывается",
                "The previous message is still being answered",
            ),
            Self::ModelFailed | Self::Broken => tongue.pick(
                "Не удалось получить ответ. Попробуйте ещё раз",
                "There was no answer. Please try again",
            ),
            Self::TimedOut => tongue.pick(
                "Ответ не пришёл вовремя. Попробуйте ещё раз",
                "The answer did not come in time. Please try again",
            ),
        }
    }

    pub(crate) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited(wait) => Some(*wait),
            Self::Empty
            | Self::TooLong
            | Self::BadGig
            | Self::BadLimit
            | Self::BadFilter
            | Self::BadBody
            | Self::Forbidden
            | Self::NotFound
            | Self::Busy
            | Self::ModelFailed
            | Self::TimedOut
            | Self::Broken => None,
        }
    }
}

impl From<DbError> for Failure {
    fn from(error: DbError) -> Self {
        tracing::error!("a gig cannot be read: {error}");
        Self::Broken
    }
}

impl From<ConversationApiError> for Failure {
    fn from(error: ConversationApiError) -> Self {
        match error {
            ConversationApiError::Invalid(_) => Self::Empty,
            ConversationApiError::NotForYou(_) => Self::Forbidden,
            ConversationApiError::Closed => Self::Broken,
            ConversationApiError::Store(error) => stored(error),
        }
    }
}

fn stored(error: StoreError) -> Failure {
    match error {
        StoreError::RateLimited { retry_after }
        | StoreError::BudgetExhausted { retry_after, .. } => Failure::RateLimited(retry_after),
        StoreError::BudgetReserved { .. } | StoreError::TooManyTurns { .. } => {
            Failure::RateLimited(Duration::from_secs(5))
        }
        StoreError::TurnInProgress { .. } => Failure::Busy,
        StoreError::Forbidden | StoreError::NotAMember | StoreError::NotAnAdmin => {
            Failure::Forbidden
        }
        StoreError::NotFound => Failure::NotFound,
        StoreError::KeyReused => Failure::BadBody,
        StoreError::Conflict(_)
        | StoreError::Full { .. }
        | StoreError::BadCursor
        | StoreError::Undecidable(_)
        | StoreError::ChangeRefused(_)
        | StoreError::Fenced
        | StoreError::Unavailable(_)
        | StoreError::Internal(_) => {
            tracing::error!("a chat about a gig failed: {error}");
            Failure::Broken
        }
    }
}
