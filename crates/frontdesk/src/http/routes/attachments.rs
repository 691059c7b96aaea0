//! Documents and files of a conversation; they follow its access.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use frontdesk_core::artifact::{Artifact, ArtifactMark};
use frontdesk_core::id::{ArtifactId, AttachmentId, ConversationId};
use frontdesk_core::store::{Artifacts, Attachments};
use serde::Serialize;

use crate::http::Shared;
use crate::http::caller::Caller;
use crate::http::error::ApiError;
use crate::http::input::Ids;

#[derive(Serialize)]
pub(in crate::http) struct ArtifactEntry {
    id: ArtifactId,
    #[serde(flatten)]
    mark: ArtifactMark,
}

pub(in crate::http) async fn artifacts(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(id): Ids<ConversationId>,
) -> Result<Json<Vec<ArtifactEntry>>, ApiError> {
    let all = shared.desk.store().all(&who, id).await?;
    let entries = all
        .into_iter()
        .map(|(id, mark)| ArtifactEntry { id, mark })
        .collect();
    Ok(Json(entries))
}

pub(in crate::http) async fn artifact(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids((id, artifact)): Ids<(ConversationId, ArtifactId)>,
) -> Result<Json<Artifact>, ApiError> {
    let found = shared.desk.store().artifact(&who, id, artifact).await?;
    Ok(Json(found))
}

/// The bytes as they were kept; never rendered by a browser on our origin.
pub(in crate::http) async fn show(
    State(shared): State<Shared>,
    Caller(who): Caller,
    Ids(id): Ids<AttachmentId>,
) -> Result<Response, ApiError> {
    let (attachment, bytes) = shared.desk.store().attachment(&who, id).await?;
    let kind = HeaderValue::from_str(&attachment.media_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let headers = [
        (header::CONTENT_TYPE, kind),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("attachment"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("sandbox"),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ];
    Ok((headers, bytes).into_response())
}
