//! Notifications of a role, and marking one as read.

use axum::Json;
use axum::extract::State;
use axum::routing::{MethodRouter, get};
use serde_json::Value;
use uuid::Uuid;

use super::passes::{PAGE, PAGE_MAX, cursor};
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extractors::{QueryFields, Segment};
use crate::service::GatePass;
use crate::tables::notifications::{self, Audience, decode_cursor};
use crate::views;

pub(super) fn of(audience: Audience) -> MethodRouter<GatePass> {
    get(
        move |State(service): State<GatePass>, query: QueryFields| async move {
            inbox(&service, query, audience).await
        },
    )
}

async fn inbox(
    service: &GatePass,
    QueryFields(mut query): QueryFields,
    audience: Audience,
) -> Result<Json<Value>, ApiError> {
    let before = cursor(&mut query, decode_cursor)?;
    let limit = query.number("limit", 1..=PAGE_MAX, PAGE);
    query.finish()?;
    let inbox = service
        .read(move |tx| {
            Box::pin(async move { Ok(notifications::inbox(tx, audience, before, limit).await?) })
        })
        .await?;
    Ok(Json(views::inbox(&inbox)))
}

pub(super) async fn mark_read(
    State(service): State<GatePass>,
    caller: Caller,
    Segment(id): Segment,
) -> Result<Json<Value>, ApiError> {
    let id: Uuid = id.parse().map_err(|_| {
        ApiError::invalid_field(
            "notification_id",
            "uuid",
            "notification_id must be the id of a notification.",
        )
    })?;
    service
        .write(move |tx| {
            Box::pin(async move {
                let found = notifications::find(tx, id).await?;
                let mut found =
                    found.ok_or_else(|| ApiError::not_found("There is no such notification."))?;
                caller.require(&[found.audience.role()])?;
                notifications::mark_read(tx, id).await?;
                found.is_read = true;
                Ok(Json(views::notification(&found)))
            })
        })
        .await
}
