//! The project's documents as people take them away: Markdown and a Word file.

use frontdesk_core::artifact::{Artifact, ExportFormat};

use super::document::Document;
use super::project;

/// A document as a file; `None` for what Tata did not make or does not offer.
pub(super) fn export(artifact: &Artifact, format: ExportFormat) -> Option<Vec<u8>> {
    let document = document(artifact)?;
    match format {
        ExportFormat::Markdown => Some(document.to_markdown().into_bytes()),
        ExportFormat::Docx => document.to_docx(),
        ExportFormat::Pdf => None,
    }
}

/// The document in a stored artifact.
pub(super) fn document(artifact: &Artifact) -> Option<Document> {
    let ours = project::is_ours(&artifact.kind);
    ours.then(|| serde_json::from_value(artifact.content.clone()).ok())?
}
