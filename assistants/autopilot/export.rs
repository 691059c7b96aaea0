//! Exports the business case.

use frontdesk_core::artifact::{Artifact, ExportFormat};

use super::domain::business_case::{BusinessCase, KIND};

pub(super) fn export(artifact: &Artifact, format: ExportFormat) -> Option<Vec<u8>> {
    if artifact.kind != KIND {
        return None;
    }
    let case: BusinessCase = serde_json::from_value(artifact.content.clone()).ok()?;
    match format {
        ExportFormat::Markdown => Some(case.to_markdown().into_bytes()),
        ExportFormat::Pdf => match case.to_pdf() {
            Ok(bytes) => Some(bytes),
            Err(problem) => {
                tracing::error!("a business case could not be printed: {problem}");
                None
            }
        },
        ExportFormat::Docx => None,
    }
}
