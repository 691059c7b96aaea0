//! Multipart forms, with limits on bytes, parts, part headers and time.

use std::time::Duration;

use axum::extract::multipart::MultipartError;
use axum::extract::{DefaultBodyLimit, FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use bytes::Bytes;

/// RFC 2046 allows boundaries of 70 characters; the rest of the header is short.
const MAX_CONTENT_TYPE: usize = 256;
/// In bytes, for the headers of one part: name, file name and type.
const MAX_PART_HEADERS: usize = 8 * 1024;
/// In characters; longer part names are truncated.
const LONGEST_NAME: usize = 60;

#[derive(Clone, Copy, Debug)]
pub struct FormLimits {
    /// All parts, including headers and boundaries.
    pub bytes: usize,
    pub parts: usize,
    /// Time limit for receiving the whole form.
    pub time: Duration,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    pub file_name: Option<String>,
    pub bytes: Bytes,
}

pub type Form = Vec<Part>;

/// The reason a form was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    #[error("send the body as multipart/form-data, without Content-Encoding")]
    NotAForm,
    #[error("the multipart boundary is missing, too long or cannot be read")]
    Boundary,
    #[error("the form is too large")]
    TooLarge,
    #[error("the form has too many parts")]
    TooManyParts,
    #[error("a part of the form has headers that are too long")]
    LongHeaders,
    #[error("the form is truncated or not multipart/form-data")]
    CutOff,
    #[error("the body did not arrive in time; please send it again")]
    Slow,
}

/// Reads a whole form into memory.
pub async fn read_form(mut request: Request, limits: FormLimits) -> Result<Form, FormError> {
    let headers = request.headers();
    let kind = headers.get(header::CONTENT_TYPE);
    let essence = kind
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    let is_form = essence.trim().eq_ignore_ascii_case("multipart/form-data");
    // Bodies are read unchanged: a compressed one could unpack to any size.
    if !is_form || headers.contains_key(header::CONTENT_ENCODING) {
        return Err(FormError::NotAForm);
    }
    if kind.is_some_and(|value| value.len() > MAX_CONTENT_TYPE) {
        return Err(FormError::Boundary);
    }
    DefaultBodyLimit::max(limits.bytes).apply(&mut request);
    let multipart = Multipart::from_request(request, &())
        .await
        .map_err(|_| FormError::Boundary)?;
    let read = tokio::time::timeout(limits.time, read_parts(multipart, limits.parts));
    read.await.unwrap_or(Err(FormError::Slow))
}

async fn read_parts(mut multipart: Multipart, most: usize) -> Result<Form, FormError> {
    let mut parts = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(unreadable)? {
        if parts.len() >= most {
            return Err(FormError::TooManyParts);
        }
        let headers: usize = field
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if headers > MAX_PART_HEADERS {
            return Err(FormError::LongHeaders);
        }
        let name = field.name().unwrap_or_default();
        parts.push(Part {
            name: name.chars().take(LONGEST_NAME).collect(),
            file_name: field.file_name().map(str::to_owned),
            bytes: field.bytes().await.map_err(unreadable)?,
        });
    }
    Ok(parts)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "map_err hands the error over"
)]
fn unreadable(error: MultipartError) -> FormError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => FormError::TooLarge,
        _ => FormError::CutOff,
    }
}
