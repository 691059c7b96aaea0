//! A person's own change to a document: its text as Markdown, or one of its fields.

use frontdesk_core::artifact::{Artifact, ArtifactEdit, ArtifactStatus, NewArtifact};

use super::document::{Document, MadeWith};
use super::documents;
use super::module::Module;
use super::recommendation;

/// The next version of the document. The error is a sentence for the person.
pub(super) fn edit(artifact: &Artifact, edit: ArtifactEdit) -> Result<NewArtifact, String> {
    let previous = documents::document(artifact)
        .ok_or("This document was made in an older form and cannot be edited. Make it again.")?;
    let is_report = Module::of_artifact(&artifact.kind) == Some(Module::CandidateReport);
    let mut document = previous.clone();
    match edit {
        ArtifactEdit::Text(text) => {
            document = Document::read_markdown(&text, &previous)?;
            recommendation::follow_text(&mut document);
        }
        ArtifactEdit::Fields(fields) => {
            for (name, value) in &fields {
                if !is_report || name != recommendation::FIELD {
                    return Err(format!(
                        "This document has no field `{name}` that can be set."
                    ));
                }
                recommendation::set(&mut document, recommendation::read(value)?);
            }
        }
    }
    if document == previous {
        return Err("Nothing was changed.".to_owned());
    }
    document.made_with = MadeWith::Person;
    document.notes.clear();
    Ok(NewArtifact {
        kind: artifact.kind.clone(),
        key: artifact.key.clone(),
        // Others are built on the profile, so a changed one is agreed with again.
        status: ArtifactStatus::Draft,
        title: document.title.clone(),
        content: serde_json::to_value(&document).map_err(|error| error.to_string())?,
        built_from: artifact.built_from.clone(),
    })
}

#[cfg(test)]
mod edit_tests;
