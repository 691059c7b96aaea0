//! Procedures that an assistant offers to clients that speak tRPC: a name, whether it changes
//! anything, and what it does for whom. How that travels is the product's business.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use serde_json::Value;

/// One procedure, by the name that clients call: `gig.aiChat.sendMessage`.
#[derive(Clone)]
pub struct Procedure {
    pub name: &'static str,
    pub kind: ProcedureKind,
    /// Fields of its output that are dates, by name. Clients with a transformer get them as such.
    pub dates: &'static [&'static str],
    pub run: Arc<dyn RunProcedure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureKind {
    /// Reads; asked by GET.
    Query,
    /// Changes something; asked by POST.
    Mutation,
}

/// What a procedure does.
#[async_trait]
pub trait RunProcedure: Send + Sync {
    /// Whether the input can be used at all. Looked at before anybody is asked who they are;
    /// `null` where there is none.
    fn check(&self, call: &ProcedureCall) -> Result<(), ProcedureError> {
        let _ = call;
        Ok(())
    }

    /// Carries it out. Dropped when the client goes away: what must not stop there (a turn) goes
    /// on elsewhere.
    async fn run(&self, who: &Principal, call: ProcedureCall) -> Result<Value, ProcedureError>;

    /// What a person is told when the door itself refuses, in words of its own.
    fn words(&self, code: ProcedureCode, call: &ProcedureCall) -> Option<String> {
        let _ = (code, call);
        None
    }
}

/// What a client asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcedureCall {
    pub input: Value,
    /// `Accept-Language`, as it came.
    pub language: Option<String>,
    /// `Idempotency-Key`, where the client sends one.
    pub key: Option<String>,
}

/// Why there is no result. The message is for people and says nothing from inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureError {
    pub code: ProcedureCode,
    pub message: String,
    /// When asking again makes sense.
    pub retry_after: Option<Duration>,
}

impl ProcedureError {
    pub fn new(code: ProcedureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            retry_after: None,
        }
    }
}

/// The codes that tRPC clients know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureCode {
    ParseError,
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotSupported,
    Timeout,
    Conflict,
    PreconditionFailed,
    PayloadTooLarge,
    UnsupportedMediaType,
    UnprocessableContent,
    TooManyRequests,
    InternalServerError,
    ServiceUnavailable,
}

impl ProcedureCode {
    /// Its name, its number and the status it travels with.
    pub fn wire(self) -> (&'static str, i32, u16) {
        match self {
            Self::ParseError => ("PARSE_ERROR", -32700, 400),
            Self::BadRequest => ("BAD_REQUEST", -32600, 400),
            Self::Unauthorized => ("UNAUTHORIZED", -32001, 401),
            Self::Forbidden => ("FORBIDDEN", -32003, 403),
            Self::NotFound => ("NOT_FOUND", -32004, 404),
            Self::MethodNotSupported => ("METHOD_NOT_SUPPORTED", -32005, 405),
            Self::Timeout => ("TIMEOUT", -32008, 408),
            Self::Conflict => ("CONFLICT", -32009, 409),
            Self::PreconditionFailed => ("PRECONDITION_FAILED", -32012, 412),
            Self::PayloadTooLarge => ("PAYLOAD_TOO_LARGE", -32013, 413),
            Self::UnsupportedMediaType => ("UNSUPPORTED_MEDIA_TYPE", -32015, 415),
            Self::UnprocessableContent => ("UNPROCESSABLE_CONTENT", -32022, 422),
            Self::TooManyRequests => ("TOO_MANY_REQUESTS", -32029, 429),
            Self::InternalServerError => ("INTERNAL_SERVER_ERROR", -32603, 500),
            Self::ServiceUnavailable => ("SERVICE_UNAVAILABLE", -32603, 503),
        }
    }
}
