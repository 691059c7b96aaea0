//! An assistant's procedures for tRPC clients. The product owns the protocol.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use frontdesk_core::access::Principal;
use futures_util::stream::BoxStream;
use serde_json::Value;

/// One procedure, by its client name: `gig.aiChat.sendMessage`.
#[derive(Clone)]
pub struct Procedure {
    pub name: &'static str,
    pub kind: ProcedureKind,
    /// Names of output fields that are dates. Clients with a transformer get them as dates.
    pub dates: &'static [&'static str],
    pub run: Arc<dyn RunProcedure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureKind {
    /// Reads, over GET.
    Query,
    /// Writes, over POST.
    Mutation,
    /// Streams values as server-sent events, over GET.
    Subscription,
}

/// The result of a procedure: a stream for a subscription, a value for the other kinds.
pub enum ProcedureOutput {
    Value(Value),
    Stream(BoxStream<'static, Result<Tracked, ProcedureError>>),
}

/// A value of a subscription.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracked {
    /// A client that reconnects sends the id of its last value as `lastEventId` in the input, and receives
    /// the values after it. Without line breaks.
    pub id: String,
    pub data: Value,
}

#[async_trait]
pub trait RunProcedure: Send + Sync {
    /// Validates the input before authentication; `null` if there is none.
    fn check(&self, call: &ProcedureCall) -> Result<(), ProcedureError> {
        let _ = call;
        Ok(())
    }

    /// Runs the procedure. The future is dropped when the client disconnects, so work that must
    /// continue (a turn) runs elsewhere.
    async fn run(
        &self,
        who: &Principal,
        call: ProcedureCall,
    ) -> Result<ProcedureOutput, ProcedureError>;

    /// The assistant's own message for a refusal by the transport.
    fn words(&self, code: ProcedureCode, call: &ProcedureCall) -> Option<String> {
        let _ = (code, call);
        None
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcedureCall {
    pub input: Value,
    /// The raw `Accept-Language` header.
    pub language: Option<String>,
    /// The `Idempotency-Key` header.
    pub key: Option<String>,
}

/// The message is for people and reveals no internals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureError {
    pub code: ProcedureCode,
    pub message: String,
    /// Delay until a retry may succeed.
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

/// The error codes of tRPC.
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
    /// The name, the JSON-RPC code and the HTTP status.
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
