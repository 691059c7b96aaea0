//! Exports documents as Markdown and as Word files.

use frontdesk_core::artifact::{Artifact, ExportFormat, OutdatedDocument};

use super::document::Document;
use super::project;

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

/// The document in a stored artifact.
pub(super) fn document(artifact: &Artifact) -> Option<Document> {
    let ours = project::is_ours(&artifact.kind);
    ours.then(|| serde_json::from_value(artifact.content.clone()).ok())?
}
