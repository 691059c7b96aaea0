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
    /// An invalid input, in Russian and English.
    Invalid(&'static str, &'static str),
    /// A field of a gig.
    BadField(FieldProblem),
    /// A file that cannot be imported, with the reason.
    BadFile(String),
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
    pub(crate) const EMPTY: Self = Self::Invalid(
        "Сообщение не может быть пустым",
        "The message must not be empty",
    );
    pub(crate) const TOO_LONG: Self = Self::Invalid(
        "Сообщение слишком длинное (макс. 2000 символов)",
        "The message is too long (2000 characters at most)",
    );
    pub(crate) const BAD_GIG: Self = Self::Invalid(
        "Идентификатор задания должен быть UUID",
        "The id of a gig must be a UUID",
    );
    pub(crate) const BAD_LIMIT: Self = Self::Invalid(
        "limit должен быть числом от 1 до 50",
        "limit must be a number from 1 to 50",
    );
    pub(crate) const BAD_FILTER: Self = Self::Invalid(
        "Неизвестный параметр или значение отбора кандидатов",
        "A parameter of the candidate list, or its value, is unknown",
    );
    pub(crate) const BAD_BODY: Self = Self::Invalid(
        "Ожидается JSON вида {\"message\": \"…\"}",
        "JSON of the form {\"message\": \"…\"} is expected",
    );
    pub(crate) const BAD_KEY: Self = Self::Invalid(
        "Idempotency-Key: от 1 до 255 печатных символов",
        "Idempotency-Key: 1 to 255 printable characters",
    );
    pub(crate) const NOT_AN_OBJECT: Self = Self::Invalid(
        "Ожидается объект JSON с полями задания",
        "A JSON object with the fields of a gig is expected",
    );
    pub(crate) const NOT_A_FILE: Self = Self::Invalid(
        "Ожидается JSON вида {\"name\": \"responses.csv\", \"content\": \"…\"}",
        "JSON of the form {\"name\": \"responses.csv\", \"content\": \"…\"} is expected",
    );
    pub(crate) const BAD_DECISION: Self = Self::Invalid(
        "Укажите callId и decision: approve или decline",
        "Give callId, and decision: approve or decline",
    );
    pub(crate) const BAD_TURN: Self = Self::Invalid(
        "Укажите turnId сообщения, а lastEventId — только полученный от нас",
        "Give the turnId of a message, and as lastEventId only one of ours",
    );
    pub(crate) const NO_WORKSPACE: Self = Self::Invalid(
        "Укажите workspaceId: рабочее пространство, которому принадлежит задание",
        "Give workspaceId: the workspace that the gig belongs to",
    );

    /// The status, the code, and the words in Russian and English.
    fn row(&self) -> (StatusCode, &'static str, &'static str, &'static str) {
        let no_answer = |code| {
            let russian = "Не удалось получить ответ. Попробуйте ещё раз";
            let english = "The answer could not be generated. Please try again";
            (StatusCode::INTERNAL_SERVER_ERROR, code, russian, english)
        };
        match self {
            Self::Invalid(russian, english) => {
                (StatusCode::BAD_REQUEST, "BAD_REQUEST", russian, english)
            }
            // The problem has words of its own.
            Self::BadField(_) | Self::BadFile(_) => {
                (StatusCode::BAD_REQUEST, "BAD_REQUEST", "", "")
            }
            Self::KeyReused => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "IDEMPOTENCY_KEY_REUSED",
                "Этот Idempotency-Key уже использован для другого запроса",
                "This Idempotency-Key belongs to another request; use a new one",
            ),
            Self::Forbidden => (
                StatusCode::FORBIDDEN,
                "FORBIDDEN",
                "Нет доступа к этому заданию",
                "You have no access to this gig",
            ),
            Self::NotFound => (
                StatusCode::NOT_FOUND,
                "NOT_FOUND",
                "Задание не найдено",
                "Gig not found",
            ),
            Self::NoTurn => (
                StatusCode::NOT_FOUND,
                "NOT_FOUND",
                "В этом чате нет такого сообщения",
                "This chat has no such message",
            ),
            Self::RateLimited(_) => (
                StatusCode::TOO_MANY_REQUESTS,
                "RATE_LIMITED",
                "Слишком много запросов. Подождите минуту",
                "Too many requests. Please wait a minute",
            ),
            Self::NoApproval => (
                StatusCode::CONFLICT,
                "CONFLICT",
                "Это решение уже принято или больше не нужно",
                "This was decided already, or needs no decision any more",
            ),
            Self::Busy => (
                StatusCode::CONFLICT,
                "TURN_IN_PROGRESS",
                "Предыдущее сообщение ещё обрабатывается",
                "The previous message is still being answered",
            ),
            Self::ModelFailed => no_answer("AGENT_ERROR"),
            Self::Broken => no_answer("INTERNAL_ERROR"),
            Self::TimedOut => (
                StatusCode::REQUEST_TIMEOUT,
                "TIMEOUT",
                "Ответ не пришёл вовремя. Попробуйте ещё раз",
                "The answer did not come in time. Please try again",
            ),
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.row().0
    }

    pub(crate) fn code(&self) -> &'static str {
        self.row().1
    }

    pub(crate) fn words(&self, language: Language) -> String {
        if let Self::BadField(problem) = self {
            return problem.words(language);
        }
        if let Self::BadFile(problem) = self {
            return problem.clone();
        }
        let (_, _, russian, english) = self.row();
        language.pick(russian, english).to_owned()
    }

    pub(crate) fn retry_after(&self) -> Option<Duration> {
        if let Self::RateLimited(wait) = self {
            return Some(*wait);
        }
        None
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
            ConversationApiError::Invalid(_) => Self::EMPTY,
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
        StoreError::KeyReused => Failure::KeyReused,
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
