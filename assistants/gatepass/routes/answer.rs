//! Responses of the Gate Pass API as the page gets them, and the errors when there is none.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_connect::explain::{in_words, message};
use frontdesk_connect::{CallResult, Failure, Refusal, Source};
use frontdesk_core::access::Role;
use frontdesk_core::tool::ProducedFile;
use serde_json::{Value, json as value};

use super::{ResponseSpec, page};

/// The response for a result.
pub(super) fn json(gives: ResponseSpec, mut result: CallResult) -> Result<Response, Failure> {
    let body = match gives {
        ResponseSpec::Passes => page::passes(result),
        ResponseSpec::Counts => page::counts(result),
        ResponseSpec::Pass => page::pass(result)?,
        ResponseSpec::Notifications => page::notifications(result),
        ResponseSpec::Notification => result.value,
        ResponseSpec::File | ResponseSpec::Photo => {
            return Ok(match result.files.pop() {
                Some(content) => file(content),
                None => {
                    let address = result.value["link"].as_str().unwrap_or_default();
                    Denied::elsewhere(address).into_response()
                }
            });
        }
    };
    Ok(Json(body).into_response())
}

/// A file, unchanged.
pub(super) fn file(content: ProducedFile) -> Response {
    // Most browsers cannot show HEIC, and a foreign HTML page must not open here.
    let how = match content.media_type.as_str() {
        "image/heic" | "text/html" => "attachment",
        _ => "inline",
    };
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let name: String = content.name.chars().filter(is_plain).collect();
    let header = |text: &str, default| {
        HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(default))
    };
    let disposition = format!("{how}; filename=\"{name}\"");
    let headers = [
        (
            header::CONTENT_TYPE,
            header(&content.media_type, "application/octet-stream"),
        ),
        (
            header::CONTENT_DISPOSITION,
            header(&disposition, "attachment"),
        ),
    ];
    (headers, content.bytes).into_response()
}

/// Headers against caching and script execution.
pub(super) async fn inert(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"),
    );
    response
}

/// An error response in the platform's format.
#[derive(Debug)]
pub(super) struct Denied {
    status: StatusCode,
    code: String,
    message: String,
    details: Option<Value>,
}

impl Denied {
    fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.to_owned(),
            message: message.into(),
            details: None,
        }
    }

    pub(super) fn role(needed: &[&Role]) -> Self {
        let mut needed: Vec<&str> = needed.iter().map(|role| role.as_str()).collect();
        needed.dedup();
        let message = format!("This needs the role {}", needed.join(" or "));
        Self {
            details: Some(value!({ "required_roles": needed })),
            ..Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
        }
    }

    pub(super) fn elsewhere(address: &str) -> Self {
        let message = format!("This file is on another server; open it there: {address}");
        Self::new(StatusCode::NOT_FOUND, "FILE_ELSEWHERE", message)
    }

    fn invalid(message: String) -> Self {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Self::new(status, "VALIDATION_ERROR", message)
    }

    pub(super) fn unknown_query(name: &str, known: &[&str]) -> Self {
        let name: String = name.chars().take(40).collect();
        let message = match known {
            [] => format!("`{name}` is not known here; this address takes no query"),
            known => format!("`{name}` is not known here; there is {}", known.join(", ")),
        };
        Self::invalid(message)
    }

    pub(super) fn bad_segment(name: &str) -> Self {
        Self::invalid(format!(
            "`{name}` is not an identifier of the gate pass system"
        ))
    }

    /// A refusal of the API, with its message if that is a sentence for people.
    fn refused(refusal: &Refusal) -> Option<Self> {
        let status = StatusCode::from_u16(refusal.status).ok()?;
        // A 401 is about the token that we signed, not about the person.
        if !status.is_client_error() || status == StatusCode::UNAUTHORIZED {
            return None;
        }
        let body = refusal.body.as_ref()?;
        Some(Self {
            details: body.pointer("/error/details").cloned(),
            ..Self::new(status, refusal.code().unwrap_or("REFUSED"), message(body)?)
        })
    }

    /// The reason why there is no response.
    pub(super) fn because(failure: &Failure, source: &Source) -> Self {
        let refusal = failure.refusal();
        tracing::warn!("{}", failure.in_log(&source.name));
        if let Some(refused) = refusal.and_then(Self::refused) {
            return refused;
        }
        let status = match (failure, refusal.map(|refusal| refusal.status)) {
            (Failure::Timeout, _) => StatusCode::GATEWAY_TIMEOUT,
            (_, Some(429 | 503)) => StatusCode::SERVICE_UNAVAILABLE,
            (_, _) => StatusCode::BAD_GATEWAY,
        };
        Self::new(status, "GATEPASS_UNAVAILABLE", in_words(failure, source))
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let mut error = value!({ "code": self.code, "message": self.message });
        if let Some(details) = self.details {
            error["details"] = details;
        }
        (self.status, Json(value!({ "error": error }))).into_response()
    }
}
