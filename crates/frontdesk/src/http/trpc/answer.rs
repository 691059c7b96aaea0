//! tRPC responses: results and errors in tRPC's format, single or batched.

use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_bundle::{ProcedureCode, ProcedureError};
use futures_util::StreamExt;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::transformer::Spelling;
use crate::http::guard::ForeignShape;
use crate::metrics::Limit;

pub(super) struct CallAnswer {
    pub(super) path: String,
    pub(super) spelling: Spelling,
    /// Fields of the data that are dates.
    pub(super) dates: &'static [&'static str],
    pub(super) outcome: Outcome,
}

pub(super) enum Outcome {
    Data(Value),
    Error(ProcedureError),
}

pub(super) const REFUSALS: &[(u16, &str)] = &[
    (
        400,
        "The request or the input is invalid: BAD_REQUEST or PARSE_ERROR.",
    ),
    (401, "Not signed in: UNAUTHORIZED."),
    (403, "The caller has no access to it: FORBIDDEN."),
    (
        404,
        "The procedure or its object does not exist: NOT_FOUND.",
    ),
    (
        405,
        "A query by POST or a mutation by GET: METHOD_NOT_SUPPORTED.",
    ),
    (408, "It took too long: TIMEOUT."),
    (409, "Not possible in the current state: CONFLICT."),
    (412, "A precondition is not met: PRECONDITION_FAILED."),
    (413, "The body is too large: PAYLOAD_TOO_LARGE."),
    (415, "The body is not JSON: UNSUPPORTED_MEDIA_TYPE."),
    (422, "The input cannot be processed: UNPROCESSABLE_CONTENT."),
    (
        429,
        "Too many requests; `Retry-After` has the delay: TOO_MANY_REQUESTS.",
    ),
    (500, "An internal error: INTERNAL_SERVER_ERROR."),
];

impl CallAnswer {
    fn status(&self) -> u16 {
        match &self.outcome {
            Outcome::Data(_) => 200,
            Outcome::Error(error) => error.code.wire().2,
        }
    }

    fn body(&self) -> Value {
        match &self.outcome {
            Outcome::Data(data) => {
                let data = self.spelling.write(data.clone(), self.dates);
                json!({ "result": { "data": data } })
            }
            Outcome::Error(error) => {
                let shape = shape(error, Some(&self.path));
                json!({ "error": self.spelling.write(shape, &[]) })
            }
        }
    }

    /// The body before a transformer: in JSON lines the whole line is transformed.
    fn plain_body(&self) -> Value {
        match &self.outcome {
            Outcome::Data(data) => json!({ "result": { "data": data } }),
            Outcome::Error(error) => json!({ "error": shape(error, Some(&self.path)) }),
        }
    }

    fn error(&self) -> Option<&ProcedureError> {
        match &self.outcome {
            Outcome::Data(_) => None,
            Outcome::Error(error) => Some(error),
        }
    }
}

pub(super) fn shape(error: &ProcedureError, path: Option<&str>) -> Value {
    let (code, number, status) = error.code.wire();
    let mut data = json!({ "code": code, "httpStatus": status });
    if let Some(path) = path {
        data["path"] = json!(path);
    }
    json!({ "message": error.message, "code": number, "data": data })
}

pub(super) fn respond(answers: Vec<CallAnswer>, batch: bool) -> Response {
    let mut statuses = answers.iter().map(CallAnswer::status);
    let first = statuses.next().unwrap_or(200);
    let status = match statuses.all(|status| status == first) {
        true => first,
        false => 207,
    };
    let errors: Vec<ProcedureError> = answers
        .iter()
        .filter_map(CallAnswer::error)
        .cloned()
        .collect();
    let mut bodies = answers.iter().map(CallAnswer::body);
    let body = match batch {
        true => Value::Array(bodies.collect()),
        false => bodies.next().unwrap_or_default(),
    };
    build_response(status, body, &errors)
}

/// The answers as `httpBatchStreamLink` reads them: one head line that holds every answer. The status is 200;
/// each answer says by itself whether it is an error.
pub(super) fn json_lines(answers: Vec<CallAnswer>) -> Response {
    let errors: Vec<ProcedureError> = answers
        .iter()
        .filter_map(CallAnswer::error)
        .cloned()
        .collect();
    let places = answers.iter().enumerate();
    let head: Map<String, Value> = places
        .map(|(place, answer)| (place.to_string(), json!([[answer.plain_body()]])))
        .collect();
    let spelling = answers
        .first()
        .map_or(Spelling::Plain, |first| first.spelling);
    let dates: Vec<&str> = answers
        .iter()
        .flat_map(|answer| answer.dates)
        .copied()
        .collect();
    let line = spelling.write(Value::Object(head), &dates);
    let mut response = build_response(200, line, &errors);
    let body = std::mem::take(response.body_mut());
    let end = Body::from("\n");
    *response.body_mut() = Body::from_stream(body.into_data_stream().chain(end.into_data_stream()));
    response.headers_mut().remove(header::CONTENT_LENGTH);
    response
}

/// A request that could not be read as calls at all.
pub(super) fn whole(error: &ProcedureError) -> Response {
    let body = json!({ "error": shape(error, None) });
    build_response(error.code.wire().2, body, std::slice::from_ref(error))
}

fn build_response(status: u16, body: Value, errors: &[ProcedureError]) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(body)).into_response();
    response.extensions_mut().insert(ForeignShape);
    let limit = errors.iter().find_map(|error| limit(error.code));
    if let Some(limit) = limit {
        response.extensions_mut().insert(limit);
    }
    let headers = response.headers_mut();
    headers.insert(
        header::VARY,
        HeaderValue::from_static("trpc-accept, accept"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if status == StatusCode::UNAUTHORIZED {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    let longest = errors.iter().filter_map(|error| error.retry_after).max();
    if let Some(wait) = longest {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds(wait)));
    }
    response
}

/// Rounded up: a retry a moment too early would be refused again.
fn seconds(wait: Duration) -> u64 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    seconds.max(1)
}

/// The limit that was exceeded, for metrics.
fn limit(code: ProcedureCode) -> Option<Limit> {
    match code {
        ProcedureCode::TooManyRequests => Some(Limit::Rate),
        ProcedureCode::PayloadTooLarge => Some(Limit::BodySize),
        ProcedureCode::ParseError
        | ProcedureCode::BadRequest
        | ProcedureCode::Unauthorized
        | ProcedureCode::Forbidden
        | ProcedureCode::NotFound
        | ProcedureCode::MethodNotSupported
        | ProcedureCode::Timeout
        | ProcedureCode::Conflict
        | ProcedureCode::PreconditionFailed
        | ProcedureCode::UnsupportedMediaType
        | ProcedureCode::UnprocessableContent
        | ProcedureCode::InternalServerError
        | ProcedureCode::ServiceUnavailable => None,
    }
}

fn result_shape() -> Value {
    json!({
        "type": "object", "required": ["result"],
        "properties": { "result": { "type": "object", "required": ["data"], "properties": { "data": {} } } },
    })
}

fn error_shape() -> Value {
    let data = json!({
        "type": "object", "required": ["code", "httpStatus"],
        "properties": {
            "code": { "type": "string", "pattern": "^[A-Z_]+$" },
            "httpStatus": { "type": "integer" },
            "path": { "type": "string" },
        },
    });
    let plain = json!({
        "type": "object", "required": ["message", "code", "data"],
        "properties": { "message": { "type": "string" }, "code": { "type": "integer" }, "data": data },
    });
    let wrapped =
        json!({ "type": "object", "required": ["json"], "properties": { "json": plain } });
    json!({
        "type": "object", "required": ["error"],
        "properties": { "error": { "anyOf": [plain, wrapped] } },
    })
}

pub(super) fn input(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "The input of the procedure; of a batch, an object of inputs by place.",
        "examples": [{ "message": "Who fits the budget?" }],
    })
}

pub(super) fn results(_: &mut SchemaGenerator) -> Schema {
    let one = json!({ "anyOf": [result_shape(), error_shape()] });
    json_schema!({
        "anyOf": [one, { "type": "array", "items": one }],
        "examples": [{ "result": { "data": { "success": true } } }],
    })
}

pub(super) fn refusals(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "anyOf": [error_shape(), { "type": "array", "items": error_shape() }],
        "examples": [{ "error": {
            "message": "No procedure found on path \"nobody.knows\"", "code": -32004,
            "data": { "code": "NOT_FOUND", "httpStatus": 404, "path": "nobody.knows" },
        }}],
    })
}
