//! Responses of the Gate Pass API as the page gets them, and the errors when there is none.

use axum::Json;
use axum::extract::RawPathParams;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_connect::explain::{in_words, message};
use frontdesk_connect::{Failure, FileAnswer, Refusal, Source};
use serde_json::{Value, json as value};

use super::{ResponseSpec, page};

/// A JSON response in the page's form.
pub(super) fn json(
    gives: ResponseSpec,
    body: Value,
    query: &[(String, String)],
) -> Result<Response, Failure> {
    let body = match gives {
        ResponseSpec::Passes => page::passes(body, query)?,
        ResponseSpec::Counts => page::counts(body)?,
        ResponseSpec::Pass => page::pass(body)?,
        ResponseSpec::Notifications => page::notifications(body)?,
        ResponseSpec::Notification => page::notification(body)?,
        ResponseSpec::File(_) => return Err(Failure::Malformed("the answer is a file")),
    };
    Ok(Json(body).into_response())
}

/// A file, unchanged.
pub(super) fn file(found: FileAnswer, asked: &RawPathParams) -> Result<Response, Denied> {
    let content = match found {
        FileAnswer::Content(content) => content,
        FileAnswer::Elsewhere(url) => {
            let message = format!("This file is on another server; open it there: {url}");
            return Err(Denied::new(
                StatusCode::NOT_FOUND,
                "FILE_ELSEWHERE",
                message,
            ));
        }
    };
    // Most browsers cannot show HEIC, and a foreign HTML page must not open here.
    let how = match content.media_type.as_str() {
        "image/heic" | "text/html" => "attachment",
        _ => "inline",
    };
    let plain: String = asked
        .iter()
        .flat_map(|(_, value)| value.chars())
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect();
    let is_picture_of_pass = asked.iter().any(|(name, _)| name == "pass_number")
        && content.media_type.starts_with("image/");
    let suffix = if is_picture_of_pass { "-qr" } else { "" };
    let name = format!("{plain}{suffix}.{}", content.extension);
    let header = |text: &str| HeaderValue::try_from(text).ok();
    let octets = HeaderValue::from_static("application/octet-stream");
    let attachment = HeaderValue::from_static("attachment");
    let disposition = format!("{how}; filename=\"{name}\"");
    let headers = [
        (
            header::CONTENT_TYPE,
            header(&content.media_type).unwrap_or(octets),
        ),
        (
            header::CONTENT_DISPOSITION,
            header(&disposition).unwrap_or(attachment),
        ),
    ];
    Ok((headers, content.bytes).into_response())
}

/// Headers against caching, content sniffing and script execution.
pub(super) async fn inert(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
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

    pub(super) fn role(needed: Vec<&str>) -> Self {
        let message = format!("This needs the role {}", needed.join(" or "));
        Self {
            details: Some(value!({ "required_roles": needed })),
            ..Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
        }
    }

    /// The design has no list for guards; only the bundled API does.
    pub(super) fn no_list() -> Self {
        let message = "The gate pass system has no list for guards; open a pass by its number";
        Self::new(StatusCode::NOT_FOUND, "NO_LIST", message)
    }

    pub(super) fn unknown_query(name: &str, known: &[&str]) -> Self {
        let name: String = name.chars().take(40).collect();
        let message = match known {
            [] => format!("`{name}` is not known here; this address takes no query"),
            known => format!("`{name}` is not known here; there is {}", known.join(", ")),
        };
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "VALIDATION_ERROR",
            message,
        )
    }

    pub(super) fn bad_segment(name: &str) -> Self {
        let message = format!("`{name}` is not an identifier of the gate pass system");
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "VALIDATION_ERROR",
            message,
        )
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
