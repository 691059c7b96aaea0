//! Documents that tools produced: list, show, edit and export.

use axum::response::{IntoResponse, Response};
use frontdesk_core::access::Principal;
use frontdesk_core::artifact::{
    Artifact, ArtifactEdit, ArtifactMark, ExportFormat, OutdatedDocument,
};
use frontdesk_core::id::{ArtifactId, ConversationId};
use frontdesk_core::store::{Artifacts, EditedArtifact, StoreError};
use frontdesk_core::untrusted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::attachments::download;
use super::{
    ApiError, AppState, Caller, Content, Ids, Json, JsonBody, ListResponse, ListResult, Params,
    Route, StatusCode,
};
use crate::http::changes::{LineChange, changes};
use crate::http::markdown;

#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ArtifactEntry {
    id: ArtifactId,
    #[serde(flatten)]
    mark: ArtifactMark,
}

/// A document has a few pages at most.
const MAX_TEXT_BYTES: usize = 256 * 1024;

/// A person's edit: either `text` or `fields`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ArtifactEditRequest {
    /// The whole document as Markdown.
    #[serde(default)]
    text: Option<String>,
    /// Changed fields of the document, by name.
    #[serde(default)]
    fields: Option<Map<String, Value>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Since {
    /// Id of the version to compare with.
    since: String,
}

pub(super) fn routes() -> Vec<Route> {
    const SUBJECT: &str = "documents";
    const FILES: &[&str] = &[
        "text/markdown",
        "application/pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ];
    vec![
        Route::get("/conversations/{id}/artifacts", list)
            .named("list_artifacts", SUBJECT, "List the documents of a conversation")
            .gives::<ListResponse<ArtifactEntry>>(200, "All versions, oldest first")
            .refuses(&[403]),
        Route::get("/conversations/{id}/artifacts/{artifact}", show)
            .named("get_artifact", SUBJECT, "Get a document as JSON or as a file")
            .gives::<Artifact>(200, "The document")
            .gives_content(200, "The document", Content::File(FILES))
            .refuses(&[403, 409]),
        Route::put("/conversations/{id}/artifacts/{artifact}", edit)
            .named("edit_artifact", SUBJECT, "Edit a document")
            .about(
                "Makes a new version by the caller, from the newest one. Send the whole document as Markdown in `text`, \
                 or single `fields`. 409 while a turn runs, or when somebody saved another version meanwhile.",
            )
            .takes::<ArtifactEditRequest>()
            .gives::<Artifact>(201, "The new version")
            .refuses(&[403, 409]),
        Route::get(
            "/conversations/{id}/artifacts/{artifact}/changes",
            difference,
        )
        .named(
            "get_artifact_changes",
            SUBJECT,
            "Compare two versions of a document",
        )
        .query::<Since>()
        .gives::<ListResponse<LineChange>>(200, "All lines of both versions in reading order")
        .refuses(&[403]),
    ]
}

async fn list(
    Caller { state, who }: Caller,
    Ids(id): Ids<ConversationId>,
) -> ListResult<ArtifactEntry> {
    let all = state.store().all(&who, id).await?;
    let entries = all
        .into_iter()
        .map(|(id, mark)| ArtifactEntry { id, mark })
        .collect();
    Ok(Json(ListResponse::complete(entries)))
}

/// The document as JSON, or as a file with an extension (`.md`, `.docx`, `.pdf`).
async fn show(
    Caller { state, who }: Caller,
    Ids((conversation, wanted)): Ids<(ConversationId, String)>,
) -> Result<Response, ApiError> {
    let (id, ending) = match wanted.split_once('.') {
        Some((id, ending)) => (id, Some(ending)),
        None => (wanted.as_str(), None),
    };
    let artifact = read(&state, &who, conversation, id).await?;
    match ending {
        None => Ok(Json(artifact).into_response()),
        Some(ending) => export(&state, &who, artifact, ending).await,
    }
}

/// Stores a person's edit as the next version of a document.
async fn edit(
    Caller { state, who }: Caller,
    Ids((conversation, id)): Ids<(ConversationId, String)>,
    body: JsonBody<ArtifactEditRequest>,
) -> Result<(StatusCode, Json<Artifact>), ApiError> {
    let edit = match body.value {
        ArtifactEditRequest {
            text: Some(text),
            fields: None,
        } => ArtifactEdit::Text(checked_text(text)?),
        ArtifactEditRequest {
            text: None,
            fields: Some(fields),
        } => ArtifactEdit::Fields(fields),
        ArtifactEditRequest { .. } => {
            return Err(ApiError::invalid("text", "send either `text` or `fields`"));
        }
    };
    let artifact = read(&state, &who, conversation, &id).await?;
    let store = state.store();
    let assistant = store.get(&who, conversation).await?.assistant;
    let Some(make) = state.app.edits.get(assistant.as_str()) else {
        let problem = "documents of this assistant cannot be edited";
        return Err(ApiError::invalid("artifact", problem));
    };
    let new = make(&artifact, edit).map_err(|problem| ApiError::invalid("text", &problem))?;
    let edited = EditedArtifact {
        id: ArtifactId::from_uuid(state.app.env.id()),
        based_on: artifact.id,
        new,
        now: state.now(),
    };
    let new_version = store.save_edit(&who, conversation, edited).await?;
    Ok((StatusCode::CREATED, Json(new_version)))
}

fn checked_text(text: String) -> Result<String, ApiError> {
    let problem = if untrusted::is_blank(&text) {
        "must not be empty"
    } else if text.len() > MAX_TEXT_BYTES {
        "must have at most 256 KB"
    } else if text.contains('\0') {
        "must not contain NUL characters"
    } else {
        return Ok(text);
    };
    Err(ApiError::invalid("text", problem))
}

/// The line diff of two versions as Markdown.
async fn difference(
    Caller { state, who }: Caller,
    Ids((conversation, id)): Ids<(ConversationId, String)>,
    Params(Since { since }): Params<Since>,
) -> ListResult<LineChange> {
    let new = read(&state, &who, conversation, &id).await?;
    let old = read(&state, &who, conversation, &since).await?;
    let assistant = state.store().get(&who, conversation).await?.assistant;
    let text = |artifact: &Artifact| {
        let own = written(&state, &assistant, artifact, ExportFormat::Markdown);
        own.ok()
            .flatten()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .unwrap_or_else(|| markdown::of(artifact))
    };
    let lines = changes(&text(&old), &text(&new));
    Ok(Json(ListResponse::complete(lines)))
}

async fn read(
    state: &AppState,
    who: &Principal,
    conversation: ConversationId,
    id: &str,
) -> Result<Artifact, ApiError> {
    let missing = || ApiError::not_found("Artifact");
    let id: ArtifactId = id.parse().map_err(|_| missing())?;
    let found = state.store().artifact(who, conversation, id).await;
    match found {
        // Distinguishes a missing artifact from a missing or forbidden conversation.
        Err(StoreError::NotFound) => {
            state.store().get(who, conversation).await?;
            Err(missing())
        }
        other => Ok(other?),
    }
}

/// The document in this format: exported by its assistant, or as generic Markdown.
fn written(
    state: &AppState,
    assistant: &str,
    artifact: &Artifact,
    format: ExportFormat,
) -> Result<Option<Vec<u8>>, OutdatedDocument> {
    let own = match state.app.exports.get(assistant) {
        Some(export) => export(artifact, format)?,
        None => None,
    };
    Ok(match (own, format) {
        (Some(bytes), _) => Some(bytes),
        (None, ExportFormat::Markdown) => Some(markdown::of(artifact).into_bytes()),
        (None, ExportFormat::Docx | ExportFormat::Pdf) => None,
    })
}

async fn export(
    state: &AppState,
    who: &Principal,
    artifact: Artifact,
    ending: &str,
) -> Result<Response, ApiError> {
    let not_offered = || ApiError::not_found("This form of the document");
    let format = ExportFormat::of_ending(ending).ok_or_else(not_offered)?;
    let conversation = state.store().get(who, artifact.conversation).await?;
    let bytes = written(state, &conversation.assistant, &artifact, format)
        .map_err(|outdated| ApiError::conflict("DOCUMENT_OUTDATED", outdated.sentence))?
        .ok_or_else(not_offered)?;
    let name = format!("{}.{}", artifact.title, format.ending());
    Ok(download(format.media_type(), &name, bytes))
}
