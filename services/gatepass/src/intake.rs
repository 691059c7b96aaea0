//! Reading what a request brings: its caller, a part of its path, its query, JSON, or the form of a scan. Every one
//! of them is bounded in size and time before it is looked at.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{
    DefaultBodyLimit, FromRequest, FromRequestParts, Multipart, Path, Query, Request,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::auth::Caller;
use crate::error::{ApiError, Violation};
use crate::fields::{Fields, pass_number};
use crate::pass::PassNumber;

#[cfg(test)]
#[path = "intake_tests.rs"]
mod tests;

/// No JSON that this API takes comes near it.
const MAX_JSON: usize = 64 * 1024;
/// What a form may hold beside its photo.
pub(crate) const FORM_OVERHEAD: usize = 64 * 1024;
/// A body must arrive within this time.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Two fields, and some patience with clients that send empty ones.
const MAX_PARTS: usize = 8;
/// The headers of one part: its name, its file name and its type.
const MAX_PART_HEADERS: usize = 8 * 1024;
/// RFC 2046 allows boundaries of 70 characters; around it there is little else.
const MAX_CONTENT_TYPE: usize = 256;

/// The caller whom the guard of the route let in.
impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.ok_or_else(|| ApiError::internal("a route was reached without passing its guard"))
    }
}

/// The one variable part of a path.
pub(crate) struct Segment(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(segment)| Segment(segment))
            .map_err(|_| ApiError::bad_request("The path must be valid UTF-8."))
    }
}

/// The query as fields.
pub(crate) struct QueryFields(pub(crate) Fields);

impl<S: Send + Sync> FromRequestParts<S> for QueryFields {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let pairs = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Query(pairs) = pairs.map_err(|_| ApiError::bad_request("The query cannot be read."))?;
        Fields::from_pairs(pairs).map(QueryFields)
    }
}

/// The fields of a JSON body. No body at all is an object without fields.
pub(crate) async fn json_fields(headers: &HeaderMap, body: Body) -> Result<Fields, ApiError> {
    refuse_encoding(headers)?;
    let read = tokio::time::timeout(BODY_TIME, to_bytes(body, MAX_JSON))
        .await
        .map_err(|_| slow())?;
    let bytes = read.map_err(|error| match is_length_limit(&error) {
        true => ApiError::too_large(format!("The body must have at most {MAX_JSON} bytes.")),
        false => ApiError::bad_request("The body ended before it was complete."),
    })?;
    if bytes.is_empty() {
        return Fields::from_json(b"{}");
    }
    if media_type(headers) != Some("application/json".to_owned()) {
        return Err(ApiError::unsupported_type(
            "Send the body as Content-Type: application/json.",
        ));
    }
    Fields::from_json(&bytes)
}

/// A scan: which pass, and the picture as it came.
pub(crate) struct ScanForm {
    pub(crate) pass_number: PassNumber,
    pub(crate) photo: Vec<u8>,
}

impl ScanForm {
    pub(crate) async fn read(mut request: Request, max_photo: usize) -> Result<ScanForm, ApiError> {
        refuse_encoding(request.headers())?;
        if media_type(request.headers()).as_deref() != Some("multipart/form-data") {
            return Err(ApiError::unsupported_type(
                "Send a scan as multipart/form-data with the fields pass_number and photo.",
            ));
        }
        let type_length = request
            .headers()
            .get(header::CONTENT_TYPE)
            .map_or(0, |value| value.len());
        if type_length > MAX_CONTENT_TYPE {
            return Err(ApiError::bad_request("The multipart boundary is too long."));
        }
        DefaultBodyLimit::max(max_photo + FORM_OVERHEAD).apply(&mut request);
        let multipart = Multipart::from_request(request, &()).await.map_err(|_| {
            ApiError::bad_request("The multipart boundary is missing or cannot be read.")
        })?;
        let read = tokio::time::timeout(BODY_TIME, read_parts(multipart, max_photo));
        read.await.map_err(|_| slow())?
    }

    /// The same for the same pass and the same picture, whatever boundary the client chose.
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let mut digest = Sha256::new();
        digest.update(self.pass_number.as_str());
        digest.update([0]);
        digest.update(&self.photo);
        digest.finalize().to_vec()
    }
}

async fn read_parts(mut multipart: Multipart, max_photo: usize) -> Result<ScanForm, ApiError> {
    let unreadable = |error: MultipartError| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(format!(
            "photo is larger than {max_photo} bytes; send a smaller one."
        )),
        _ => ApiError::bad_request(
            "The form cannot be read: it is cut off or not multipart/form-data.",
        ),
    };
    let (mut number, mut photo) = (None, None);
    let mut parts = 0;
    while let Some(field) = multipart.next_field().await.map_err(unreadable)? {
        parts += 1;
        if parts > MAX_PARTS {
            return Err(ApiError::bad_request(
                "The form has too many parts; send pass_number and photo.",
            ));
        }
        let headers: usize = field
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if headers > MAX_PART_HEADERS {
            return Err(ApiError::bad_request(
                "A part of the form has headers that are too long.",
            ));
        }
        let place = match name(&field) {
            "pass_number" => &mut number,
            "photo" => &mut photo,
            other => {
                let message =
                    format!("{other} is not a field of this form; send pass_number and photo.");
                return Err(ApiError::invalid_field(other, "unknown_field", message));
            }
        };
        if place.is_some() {
            let field = name(&field);
            return Err(ApiError::invalid_field(
                field,
                "once",
                format!("{field} is given twice."),
            ));
        }
        *place = Some(field.bytes().await.map_err(unreadable)?);
    }
    let missing = |field: &str, what: &str| Violation {
        field: field.to_owned(),
        rule: "required",
        message: format!("{field} is required: {what}."),
    };
    match (number, photo) {
        (Some(number), Some(photo)) => Ok(ScanForm {
            pass_number: pass_number("pass_number", &String::from_utf8_lossy(&number))?,
            photo: photo.into(),
        }),
        (number, photo) => {
            let absent = [
                number.is_none().then(|| {
                    missing(
                        "pass_number",
                        "the number on the pass, such as GP-2026-0001",
                    )
                }),
                photo
                    .is_none()
                    .then(|| missing("photo", "attach a picture of the person")),
            ];
            Err(ApiError::invalid(absent.into_iter().flatten().collect()))
        }
    }
}

/// The name of a part; what is sent as its file name is never looked at.
fn name<'a>(field: &'a Field<'_>) -> &'a str {
    let name = field.name().unwrap_or("");
    name.get(..60).unwrap_or(name)
}

fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    value
        .split(';')
        .next()
        .map(|essence| essence.trim().to_ascii_lowercase())
}

/// We read bodies as they are: a compressed one could unfold to anything.
fn refuse_encoding(headers: &HeaderMap) -> Result<(), ApiError> {
    match headers.contains_key(header::CONTENT_ENCODING) {
        true => Err(ApiError::unsupported_type(
            "Send the body without Content-Encoding.",
        )),
        false => Ok(()),
    }
}

fn is_length_limit(error: &axum::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(current) = cause {
        if current.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = current.source();
    }
    false
}

fn slow() -> ApiError {
    ApiError::new(
        StatusCode::REQUEST_TIMEOUT,
        "TIMEOUT",
        "The body did not arrive in time; please send it again.",
    )
}
