//! All operations of `/api/v1`, one file per subject.

mod about;
mod api_tokens;
mod approvals;
mod artifacts;
mod attachments;
mod audit;
mod catalogue;
mod collections;
mod companies;
mod conversations;
mod demo;
mod events;
mod export;
mod feedback;
mod inbox;
mod inbox_mail;
mod ingest;
mod installation;
mod manifests;
mod messages;
mod operator;
mod people;
mod presence;
mod search;
mod shares;
mod sign_in;
mod turns;
pub(crate) mod usage;
mod versions;

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::NoContent;
use frontdesk_bundle::ListResponse;

use super::AppState;
use super::body::{JsonBody, MESSAGE_BYTES};
use super::caller::{Caller, VerifiedToken};
use super::created::Created;
use super::error::{ApiError, Naming};
use super::input::{
    Ids, Params, check_length, checked_days, checked_limit, idempotency_key, limit_shape,
};
use super::route::{Content, Header, RequestBody, Route};

pub(super) use attachments::UPLOADS_AT_ONCE;

type JsonResult<T> = Result<Json<T>, ApiError>;
type ListResult<T> = JsonResult<ListResponse<T>>;

const PREFIX: &str = "/api/v1";

pub(super) fn api() -> impl Iterator<Item = Route> {
    [
        conversations::routes(),
        messages::routes(),
        versions::routes(),
        presence::routes(),
        shares::routes(),
        export::routes(),
        turns::routes(),
        approvals::routes(),
        inbox::routes(),
        inbox_mail::routes(),
        search::routes(),
        artifacts::routes(),
        attachments::routes(),
        catalogue::routes(),
        about::routes(),
        feedback::routes(),
        people::routes(),
        api_tokens::routes(),
        companies::routes(),
        audit::routes(),
        usage::routes(),
        operator::routes(),
        installation::routes(),
        manifests::routes(),
        collections::routes(),
        ingest::routes(),
        events::routes(),
        demo::routes(),
        sign_in::routes(),
    ]
    .into_iter()
    .flatten()
    .map(|route| route.under(PREFIX))
}
