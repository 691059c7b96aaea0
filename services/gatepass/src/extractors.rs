//! Extractors: the caller, a path segment, the query, JSON, or the form of a scan. Each is
//! bounded in size and time.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use frontdesk_files::{Form, FormError, FormLimits, read_form};
use sha2::{Digest, Sha256};

use crate::auth::Caller;
use crate::error::{ApiError, Violation};
use crate::fields::{Fields, pass_number};
use crate::pass::PassNumber;

#[cfg(test)]
#[path = "extractors_tests.rs"]
mod tests;

/// In bytes; far above any valid JSON body of this API.
const MAX_JSON: usize = 64 * 1024;
/// Bytes of a form besides its photo.
pub(crate) const FORM_OVERHEAD: usize = 64 * 1024;
/// Time limit for receiving a body.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Two fields, plus some tolerance for clients that send empty ones.
const MAX_PARTS: usize = 8;

/// The caller admitted by the guard of the route.
impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.ok_or_else(|| ApiError::internal("a route ran without its guard"))
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

/// The fields of a JSON body. A missing body is an object without fields.
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

/// A scan: the pass number and the unprocessed picture.
pub(crate) struct ScanForm {
    pub(crate) pass_number: PassNumber,
    pub(crate) photo: Vec<u8>,
}

impl ScanForm {
    pub(crate) async fn read(request: Request, max_photo: usize) -> Result<ScanForm, ApiError> {
        let limits = FormLimits {
            bytes: max_photo + FORM_OVERHEAD,
            parts: MAX_PARTS,
            time: BODY_TIME,
        };
        let form = read_form(request, limits).await;
        pick(form.map_err(|error| unreadable(error, max_photo))?)
    }

    /// Depends only on the pass and the picture, not on the client's boundary.
    pub(crate) fn fingerprint(&self) -> Vec<u8> {
        let mut digest = Sha256::new();
        digest.update(self.pass_number.as_str());
        digest.update([0]);
        digest.update(&self.photo);
        digest.finalize().to_vec()
    }
}

fn unreadable(error: FormError, max_photo: usize) -> ApiError {
    match error {
        FormError::NotAForm => ApiError::unsupported_type(
            "Send a scan as multipart/form-data with the fields pass_number and photo, without Content-Encoding.",
        ),
        FormError::Boundary => {
            ApiError::bad_request("The multipart boundary is missing, too long or cannot be read.")
        }
        FormError::TooLarge => ApiError::too_large(format!(
            "photo is larger than {max_photo} bytes; send a smaller one."
        )),
        FormError::TooManyParts => {
            ApiError::bad_request("The form has too many parts; send pass_number and photo.")
        }
        FormError::LongHeaders => {
            ApiError::bad_request("A part of the form has headers that are too long.")
        }
        FormError::CutOff => {
            ApiError::bad_request("The form is truncated or not multipart/form-data.")
        }
        FormError::Slow => slow(),
    }
}

/// File names are ignored.
fn pick(form: Form) -> Result<ScanForm, ApiError> {
    let (mut number, mut photo) = (None, None);
    for part in form {
        let place = match part.name.as_str() {
            "pass_number" => &mut number,
            "photo" => &mut photo,
            other => {
                let message =
                    format!("{other} is not a field of this form; send pass_number and photo.");
                return Err(ApiError::invalid_field(other, "unknown_field", message));
            }
        };
        if place.replace(part.bytes).is_some() {
            let message = format!("{} is given twice.", part.name);
            return Err(ApiError::invalid_field(&part.name, "once", message));
        }
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

fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    value
        .split(';')
        .next()
        .map(|essence| essence.trim().to_ascii_lowercase())
}

/// Bodies are read unchanged: a compressed one could unpack to any size.
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
