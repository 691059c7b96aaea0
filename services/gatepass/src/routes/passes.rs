//! Passes: created by HR, decided by admins, read by all roles.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::{MethodRouter, post};
use serde_json::{Value, json};

use crate::auth::Caller;
use crate::changes::{self, Actor, NewPass};
use crate::error::ApiError;
use crate::extractors::{QueryFields, Segment, json_fields};
use crate::fields::{Fields, pass_number};
use crate::idempotency::{self, Answer, run_once};
use crate::pass::{Action, DESCRIPTION_MAX, NAME_MAX, PassNumber, Status};
use crate::service::GatePass;
use crate::tables::history;
use crate::tables::lists::{self, Cursor, Filter};
use crate::tables::passes::{self, PassRef};
use crate::views;

/// Default page size.
pub(super) const PAGE: i64 = 50;
/// Maximum page size.
pub(super) const PAGE_MAX: i64 = 100;
/// In characters.
const SEARCH_MAX: usize = 200;

pub(super) async fn create(
    State(service): State<GatePass>,
    caller: Caller,
    headers: HeaderMap,
    body: Body,
) -> Result<Answer, ApiError> {
    let key = idempotency::key(&headers, &caller, "create_gate_pass")?;
    let mut fields = json_fields(&headers, body).await?;
    let fingerprint = fields.fingerprint();
    let new = NewPass {
        person_name: fields.text("person_name", NAME_MAX),
        description: fields.text("description", DESCRIPTION_MAX),
        is_returnable: fields.flag("is_returnable"),
    };
    fields.finish()?;
    let zone = service.settings.time_zone;
    let actor = Actor {
        caller,
        now: service.now(),
    };
    run_once(&service, key, fingerprint, move |tx| {
        Box::pin(async move { changes::create(tx, new, zone, &actor).await })
    })
    .await
}

/// A route that decides about a pass; `name` identifies it among idempotency keys.
pub(super) fn decision(action: Action, name: &'static str) -> MethodRouter<GatePass> {
    post(
        move |state: State<GatePass>,
              caller: Caller,
              pass: Segment,
              headers: HeaderMap,
              body: Body| decide(state, caller, pass, headers, body, (action, name)),
    )
}

async fn decide(
    State(service): State<GatePass>,
    caller: Caller,
    Segment(number): Segment,
    headers: HeaderMap,
    body: Body,
    (action, route): (Action, &'static str),
) -> Result<Answer, ApiError> {
    let key = idempotency::key(&headers, &caller, route)?;
    let number = pass_number("pass_number", &number)?;
    let mut fields = json_fields(&headers, body).await?;
    let mut fingerprint = fields.fingerprint();
    fingerprint.extend_from_slice(number.as_str().as_bytes());
    // The contract has this field, but it is ignored: the caller's token decides the name.
    fields.optional_text("name", NAME_MAX);
    fields.finish()?;
    let actor = Actor {
        caller,
        now: service.now(),
    };
    run_once(&service, key, fingerprint, move |tx| {
        Box::pin(async move { changes::decide_on(tx, number, action, &actor).await })
    })
    .await
}

pub(super) async fn list(
    State(service): State<GatePass>,
    QueryFields(mut query): QueryFields,
) -> Result<Json<Value>, ApiError> {
    let words = Status::ALL.map(|status| status.into_str());
    let status = query.choice("status", |word| word.parse().ok(), &words);
    listed(&service, query, status).await
}

pub(super) async fn pending(
    State(service): State<GatePass>,
    QueryFields(query): QueryFields,
) -> Result<Json<Value>, ApiError> {
    listed(&service, query, Some(Status::Pending)).await
}

async fn listed(
    service: &GatePass,
    mut query: Fields,
    status: Option<Status>,
) -> Result<Json<Value>, ApiError> {
    let filter = Filter {
        status,
        search: query.optional_text("q", SEARCH_MAX),
        after: cursor(&mut query, Cursor::decode)?,
        limit: query.number("limit", 1..=PAGE_MAX, PAGE),
    };
    query.finish()?;
    let (page, history) = service
        .read(move |tx| {
            Box::pin(async move {
                let page = lists::page(tx, &filter).await?;
                let ids: Vec<_> = page.items.iter().map(|pass| pass.id).collect();
                let history = history::of(tx, &ids).await?;
                Ok((page, history))
            })
        })
        .await?;
    Ok(Json(json!({
        "items": page.items.iter().map(|pass| views::pass(pass, &history)).collect::<Vec<_>>(),
        "cursor": page.next.map(Cursor::encode),
        "has_more": page.next.is_some(),
    })))
}

/// Decodes a cursor; a foreign one is a bad request.
pub(super) fn cursor<T>(
    query: &mut Fields,
    decode: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ApiError> {
    let Some(text) = query.optional_text("cursor", 200) else {
        return Ok(None);
    };
    let cursor = decode(&text).ok_or_else(|| {
        ApiError::bad_request("cursor is not valid for this list; start again without it.")
    })?;
    Ok(Some(cursor))
}

pub(super) async fn counts(State(service): State<GatePass>) -> Result<Json<Value>, ApiError> {
    let counts = service
        .read(|tx| Box::pin(async move { Ok(lists::counts(tx).await?) }))
        .await?;
    Ok(Json(views::counts(&counts)))
}

pub(super) async fn by_id(
    State(service): State<GatePass>,
    Segment(text): Segment,
) -> Result<Json<Value>, ApiError> {
    let id = text.parse().map(PassRef::Id).ok();
    let number = || text.parse::<PassNumber>().map(PassRef::Number).ok();
    let pass = id.or_else(number).ok_or_else(|| {
        ApiError::invalid_field(
            "pass_id",
            "uuid",
            "pass_id must be the id of a pass, or a number such as GP-2026-0001.",
        )
    })?;
    one(&service, pass).await
}

pub(super) async fn by_number(
    State(service): State<GatePass>,
    Segment(text): Segment,
) -> Result<Json<Value>, ApiError> {
    let number = pass_number("pass_number", &text)?;
    one(&service, PassRef::Number(number)).await
}

async fn one(service: &GatePass, wanted: PassRef) -> Result<Json<Value>, ApiError> {
    service
        .read(move |tx| {
            Box::pin(async move {
                let found = passes::get(tx, &wanted).await?;
                Ok(Json(changes::detail(tx, &found).await?))
            })
        })
        .await
}
