//! Answers of the Gate Pass API as the page gets them, and what is said when there is none.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::ResponseSpec;
use crate::api::{ApiResponse, Failed, Failure, FileKind, Refusal};
use crate::errors;

/// Where the routes of this file are reached.
const MOUNTED: &str = "/api/v1/gatepass";

/// A good answer: JSON whose links lead to our routes, or a file as it came.
pub(super) fn whole(
    response: &ApiResponse,
    gives: ResponseSpec,
    asked: &[String],
) -> Result<Response, Denied> {
    match gives {
        ResponseSpec::Json => {
            let mut body = response.json()?;
            lead_here(&mut body);
            Ok(Json(body).into_response())
        }
        ResponseSpec::File(kind) => {
            let (bytes, media_type) = response.file(kind)?;
            // HEIC is never opened here and most browsers cannot show it.
            let how = match media_type {
                "image/heic" => "attachment",
                _ => "inline",
            };
            let name = file_name(kind, asked, media_type);
            let disposition = format!("{how}; filename=\"{name}\"");
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
                (
                    header::CONTENT_DISPOSITION,
                    HeaderValue::try_from(disposition)
                        .unwrap_or(HeaderValue::from_static("attachment")),
                ),
            ];
            Ok((headers, bytes).into_response())
        }
    }
}

/// A name for a saved file, of nothing but plain letters.
fn file_name(kind: FileKind, asked: &[String], media_type: &str) -> String {
    let what = asked.iter().rev().find(|part| *part != "print");
    let plain: String = what
        .into_iter()
        .flat_map(|part| part.chars())
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .collect();
    match kind {
        FileKind::Png => format!("{plain}-qr.png"),
        FileKind::Pdf => format!("{plain}.pdf"),
        FileKind::Photo => format!("{plain}.{}", media_type.trim_start_matches("image/")),
    }
}

/// Paths in the API's answers are its own; the page reaches the same things by ours.
fn lead_here(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field.as_str()) {
                    ("file_url", Some(path)) => {
                        if let Some(id) = path.strip_prefix("/media/photo/") {
                            *field = json!(format!("{MOUNTED}/photos/{id}"));
                        }
                    }
                    ("qr_code_url", Some(path)) => {
                        if let Some(number) = path.strip_prefix("/qr/") {
                            *field = json!(format!("{MOUNTED}/passes/{number}/qr"));
                        }
                    }
                    _ => lead_here(field),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(lead_here),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Nothing of this is cached, guessed at or run.
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

/// Why there is no answer, in the platform's form.
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
            details: Some(json!({ "required_roles": needed })),
            ..Self::new(StatusCode::FORBIDDEN, "FORBIDDEN", message)
        }
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

    /// What the API refused, in its own words where they are for people.
    fn refused(refusal: &Refusal) -> Option<Self> {
        let status = StatusCode::from_u16(refusal.status).ok()?;
        // 401 is about the token that we made, not about the person.
        if !status.is_client_error() || status == StatusCode::UNAUTHORIZED {
            return None;
        }
        let body = refusal.body.as_ref()?;
        Some(Self {
            details: body.pointer("/error/details").cloned(),
            ..Self::new(
                status,
                refusal.code().unwrap_or("REFUSED"),
                errors::message(body)?,
            )
        })
    }
}

impl From<Failed> for Denied {
    fn from(failed: Failed) -> Self {
        failed.failure.into()
    }
}

impl From<Failure> for Denied {
    fn from(failure: Failure) -> Self {
        if let Failure::Answered(refusal) = &failure
            && let Some(refused) = Self::refused(refusal)
        {
            return refused;
        }
        tracing::warn!("{failure}");
        let status = match &failure {
            Failure::Timeout => StatusCode::GATEWAY_TIMEOUT,
            Failure::Answered(refusal) if matches!(refusal.status, 429 | 503) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Failure::Refused
            | Failure::NoSuchHost
            | Failure::Unreachable(_)
            | Failure::Lost(_)
            | Failure::Answered(_)
            | Failure::Malformed(_)
            | Failure::TooLarge
            | Failure::Unusable(_) => StatusCode::BAD_GATEWAY,
        };
        Self::new(status, "GATEPASS_UNAVAILABLE", errors::in_words(&failure))
    }
}

impl IntoResponse for Denied {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = self.details {
            error["details"] = details;
        }
        (self.status, Json(json!({ "error": error }))).into_response()
    }
}
