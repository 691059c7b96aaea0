//! Exports the business case.

use frontdesk_core::artifact::{Artifact, ExportFormat, OutdatedDocument};

use super::domain::business_case::{BusinessCase, KIND};

const EARLIER_FORMULA: OutdatedDocument = OutdatedDocument {
    sentence: "This business case was calculated with an earlier formula and cannot be exported. Make the business case again.",
};

pub(super) fn export(
    artifact: &Artifact,
    format: ExportFormat,
) -> Result<Option<Vec<u8>>, OutdatedDocument> {
    if artifact.kind != KIND {
        return Ok(None);
    }
    let case: BusinessCase =
        serde_json::from_value(artifact.content.clone()).map_err(|_| EARLIER_FORMULA)?;
    Ok(match format {
        ExportFormat::Markdown => Some(case.to_markdown().into_bytes()),
        ExportFormat::Pdf => match case.to_pdf() {
            Ok(bytes) => Some(bytes),
            Err(problem) => {
                tracing::error!("a business case could not be printed: {problem}");
                None
            }
        },
        ExportFormat::Docx => None,
    })
}
