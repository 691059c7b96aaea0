//! Failures of chats and gigs, with the design's messages and statuses.

use std::time::Duration;

use axum::http::StatusCode;
use frontdesk_core::conversation_api::ConversationApiError;
use frontdesk_core::store::StoreError;
use frontdesk_db::DbError;

use crate::domain::gig_fields::FieldProblem;
use crate::domain::language::Language;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Empty,
    TooLong,
    BadGig,
    BadLimit,
    BadFilter,
    BadBody,
    NotAnObject,
    BadDecision,
    BadTurn,
    /// A field of a gig.
    BadField(FieldProblem),
    NoWorkspace,
    /// The idempotency key belongs to another request.
    KeyReused,
    /// Nothing waits for a decision, or not this.
    NoApproval,
    /// No message of this chat has this turn.
    NoTurn,
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
            | Self::BadBody
            | Self::NotAnObject
            | Self::BadDecision
            | Self::BadTurn
            | Self::BadField(_)
            | Self::NoWorkspace => StatusCode::BAD_REQUEST,
            Self::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound | Self::NoTurn => StatusCode::NOT_FOUND,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::NoApproval => StatusCode::CONFLICT,
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
            | Self::BadBody
            | Self::NotAnObject
            | Self::BadDecision
            | Self::BadTurn
            | Self::BadField(_)
            | Self::NoWorkspace => "BAD_REQUEST",
            Self::KeyReused => "IDEMPOTENCY_KEY_REUSED",
            Self::Forbidden => "FORBIDDEN",
            Self::NotFound | Self::NoTurn => "NOT_FOUND",
            Self::RateLimited(_) => "RATE_LIMITED",
            Self::NoApproval => "CONFLICT",
            Self::Busy => "TURN_IN_PROGRESS",
            Self::ModelFailed => "AGENT_ERROR",
            Self::Broken => "INTERNAL_ERROR",
            Self::TimedOut => "TIMEOUT",
        }
    }

    pub(crate) fn words(&self, language: Language) -> String {
        let words = match self {
            Self::BadField(problem) => return problem.words(language),
            Self::BadDecision => language.pick(
                "Укажите callId и decision: approve или decline",
                "Give callId, and decision: approve or decline",
            ),
            Self::BadTurn => language.pick(
                "Укажите turnId сообщения, а lastEventId — только полученный от нас",
                "Give the turnId of a message, and as lastEventId only one of ours",
            ),
            Self::NotAnObject => language.pick(
                "Ожидается объект JSON с полями задания",
                "A JSON object with the fields of a gig is expected",
            ),
            Self::NoWorkspace => language.pick(
                "Укажите workspaceId: рабочее пространство, которому принадлежит задание",
                "Give workspaceId: the workspace that the gig belongs to",
            ),
            Self::KeyReused => language.pick(
                "Этот Idempotency-Key уже использован для другого запроса",
                "This Idempotency-Key belongs to another request; use a new one",
            ),
            Self::Empty => language.pick(
                "Сообщение не может быть пустым",
                "The message must not be empty",
            ),
            Self::TooLong => language.pick(
                "Сообщение слишком длинное (макс. 2000 символов)",
                "The message is too long (2000 characters at most)",
            ),
            Self::BadGig => language.pick(
                "Идентификатор задания должен быть UUID",
                "The id of a gig must be a UUID",
            ),
            Self::BadLimit => language.pick(
                "limit должен быть числом от 1 до 50",
                "limit must be a number from 1 to 50",
            ),
            Self::BadFilter => language.pick(
                "Неизвестный параметр или значение отбора кандидатов",
                "A parameter of the candidate list, or its value, is unknown",
            ),
            Self::BadBody => language.pick(
                "Ожидается JSON вида {\"message\": \"…\"}",
                "JSON of the form {\"message\": \"…\"} is expected",
            ),
            Self::Forbidden => language.pick(
                "Нет доступа к этому заданию",
                "You have no access to this gig",
            ),
            Self::NotFound => language.pick("Задание не найдено", "Gig not found"),
            Self::NoTurn => language.pick(
                "В этом чате нет такого сообщения",
                "This chat has no such message",
            ),
            Self::RateLimited(_) => language.pick(
                "Слишком много запросов. Подождите минуту",
                "Too many requests. Please wait a minute",
            ),
            Self::NoApproval => language.pick(
                "Это решение уже принято или больше не нужно",
                "This was decided already, or needs no decision any more",
            ),
            Self::Busy => language.pick(
                "Предыдущее сообщение ещё обрабатывается",
                "The previous message is still being answered",
            ),
            Self::ModelFailed | Self::Broken => language.pick(
                "Не удалось получить ответ. Попробуйте ещё раз",
                "The answer could not be generated. Please try again",
            ),
            Self::TimedOut => language.pick(
                "Ответ не пришёл вовремя. Попробуйте ещё раз",
                "The answer did not come in time. Please try again",
            ),
        };
        words.to_owned()
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
            | Self::NotAnObject
            | Self::BadDecision
            | Self::BadTurn
            | Self::BadField(_)
            | Self::NoWorkspace
            | Self::KeyReused
            | Self::NoApproval
            | Self::NoTurn
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
        StoreError::NotFound | StoreError::AttachmentNotFound => Failure::NotFound,
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
