//! Loads, stores and exports the documents of a project.

use frontdesk_core::artifact::{
    Artifact, ArtifactMark, ArtifactStatus, BuiltFrom, ExportFormat, NewArtifact, OutdatedDocument,
};
use frontdesk_core::conversation::DEFAULT_TITLE;
use frontdesk_core::tool::{ToolContext, ToolError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::document::Document;
use super::language::Language;
use super::module::Module;
use super::project;

/// A document of the project with its version and origin.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) document: Document,
    pub(super) from: BuiltFrom,
    pub(super) status: ArtifactStatus,
    pub(super) built_from: Vec<BuiltFrom>,
}

/// Kind, key and origin of a new document.
pub(super) struct Place {
    pub(super) kind: &'static str,
    /// Distinguishes documents of one kind, e.g. by language.
    pub(super) key: String,
    pub(super) status: ArtifactStatus,
    pub(super) built_from: Vec<BuiltFrom>,
}

/// The result of a tool, for the model and for people.
#[derive(Serialize)]
pub(super) struct DocumentOutput {
    document: &'static str,
    title: String,
    /// For a profile only: other documents need no confirmation.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<ArtifactStatus>,
    language: Language,
    markdown: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    fields: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Place {
    pub(super) fn of(module: Module, key: impl Into<String>) -> Self {
        Self {
            kind: module.facts().artifact,
            key: key.into(),
            status: ArtifactStatus::Draft,
            built_from: Vec::new(),
        }
    }

    pub(super) fn built_from(mut self, from: impl IntoIterator<Item = BuiltFrom>) -> Self {
        self.built_from = from.into_iter().collect();
        self
    }
}

impl DocumentOutput {
    /// The document and its notes, for people.
    pub(super) fn summary(&self) -> String {
        let mut summary = self.markdown.clone();
        if !self.notes.is_empty() {
            let notes = self.notes.iter().map(|note| format!("* {note}\n"));
            summary.push_str(&format!("\n---\n\n{}", notes.collect::<String>()));
        }
        summary
    }
}

/// Stores a new document and returns the result of the tool.
pub(super) fn keep(
    ctx: &ToolContext,
    place: Place,
    document: &Document,
) -> Result<DocumentOutput, ToolError> {
    let profile = Module::RequirementProfile.facts().artifact;
    if let Some(on) = place.built_from.iter().find(|from| from.kind == profile)
        && place.kind != profile
    {
        let built_on = project::built_on(place.kind, &place.key);
        ctx.remember(&built_on, json!(on.version));
    }
    let made = DocumentOutput {
        document: place.kind,
        title: document.title.clone(),
        status: (place.kind == profile).then_some(place.status),
        language: document.language,
        markdown: document.to_markdown(),
        fields: document.fields.clone(),
        notes: document.notes.clone(),
    };
    ctx.save(NewArtifact {
        kind: place.kind.to_owned(),
        key: place.key,
        status: place.status,
        title: document.title.clone(),
        content: serde_json::to_value(document).map_err(ToolError::failed)?,
        built_from: place.built_from,
    });
    Ok(made)
}

/// The newest version of every document of the project, oldest series first.
pub(super) async fn all(ctx: &ToolContext) -> Result<Vec<Stored>, ToolError> {
    let conversation = ctx.conversation().id;
    let all = ctx.artifacts().all(ctx.principal(), conversation).await;
    let all = all.map_err(ToolError::failed)?;
    let is_newest = |mark: &ArtifactMark| {
        let mut marks = all.iter().map(|(_, other)| other);
        !marks.any(|other| {
            other.kind == mark.kind && other.key == mark.key && other.version > mark.version
        })
    };
    let mut found = Vec::new();
    for (id, _) in all.iter().filter(|(_, mark)| is_newest(mark)) {
        let artifact = ctx
            .artifacts()
            .artifact(ctx.principal(), conversation, *id)
            .await
            .map_err(ToolError::failed)?;
        found.extend(stored(artifact));
    }
    Ok(found)
}

/// The newest version of each document of a module.
pub(super) async fn of_module(ctx: &ToolContext, module: Module) -> Result<Vec<Stored>, ToolError> {
    let mut found = all(ctx).await?;
    found.retain(|stored| stored.from.kind == module.facts().artifact);
    Ok(found)
}

/// The document of a module that was made last.
pub(super) async fn newest(ctx: &ToolContext, module: Module) -> Result<Option<Stored>, ToolError> {
    Ok(of_module(ctx, module).await?.pop())
}

/// The profile that a document builds on. A granted call includes the confirmation, so a draft is
/// stored as confirmed.
pub(super) async fn agreed_profile(ctx: &ToolContext) -> Result<Stored, ToolError> {
    match newest(ctx, Module::RequirementProfile).await? {
        Some(profile) if profile.status == ArtifactStatus::Confirmed => Ok(profile),
        Some(draft) => Ok(confirm(ctx, &draft)?.0),
        None => Err(ToolError::refused(
            "There is no requirement profile in this project yet.",
        )),
    }
}

/// Keeps a confirmed version of a draft.
pub(super) fn confirm(
    ctx: &ToolContext,
    draft: &Stored,
) -> Result<(Stored, DocumentOutput), ToolError> {
    let place = Place {
        status: ArtifactStatus::Confirmed,
        ..Place::of(Module::RequirementProfile, "").built_from([draft.from.clone()])
    };
    let mut confirmed = draft.clone();
    confirmed.from.version += 1;
    confirmed.status = ArtifactStatus::Confirmed;
    confirmed.built_from.clone_from(&place.built_from);
    Ok((confirmed, keep(ctx, place, &draft.document)?))
}

/// Sets the project's name and language from its first document.
pub(super) fn name_project(ctx: &ToolContext, position: &str, language: Language) {
    let conversation = ctx.conversation();
    let position = position.trim();
    if project::position(conversation).is_none() && !position.is_empty() {
        ctx.remember(project::POSITION, json!(position));
        if conversation.title == DEFAULT_TITLE {
            ctx.retitle(position);
        }
    }
    if project::language(conversation).is_none() {
        ctx.remember(project::LANGUAGE, json!(language));
    }
}

/// A document as a file; `None` for documents of others and for formats that are not offered.
pub(super) fn export(
    artifact: &Artifact,
    format: ExportFormat,
) -> Result<Option<Vec<u8>>, OutdatedDocument> {
    Ok(document(artifact).and_then(|document| match format {
        ExportFormat::Markdown => Some(document.to_markdown().into_bytes()),
        ExportFormat::Docx => document.to_docx(),
        ExportFormat::Pdf => None,
    }))
}

/// `None` for a document of others, or of an earlier version of the product in another form.
pub(super) fn document(artifact: &Artifact) -> Option<Document> {
    let ours = project::is_ours(&artifact.kind);
    ours.then(|| serde_json::from_value(artifact.content.clone()).ok())?
}

fn stored(artifact: Artifact) -> Option<Stored> {
    Some(Stored {
        document: document(&artifact)?,
        from: BuiltFrom {
            kind: artifact.kind,
            key: artifact.key,
            version: artifact.version,
        },
        status: artifact.status,
        built_from: artifact.built_from,
    })
}
