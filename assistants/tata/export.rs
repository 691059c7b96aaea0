//! The project's documents as people take them away: Markdown, a Word file, and what changed between two versions.

use frontdesk_core::artifact::{Artifact, ExportFormat};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::domain::calendar_invite::CalendarInvite;
use super::domain::candidate_report::CandidateReport;
use super::domain::candidate_report::comparison::{self, Comparison};
use super::domain::di_review::DiReview;
use super::domain::document::Document;
use super::domain::funnel_report::FunnelReport;
use super::domain::headhunting::HeadhuntingMessages;
use super::domain::job_ad::JobAd;
use super::domain::job_ad_review::JobAdReview;
use super::domain::library::Library;
use super::domain::module::Module;
use super::domain::print::Printed;
use super::domain::requirement_profile::RequirementProfile;
use super::domain::screening::ScreeningTemplate;
use super::workshop::LIBRARY;

/// A document as a file.
pub(super) fn export(artifact: &Artifact, format: ExportFormat) -> Option<Vec<u8>> {
    let document = document(artifact, LIBRARY.as_ref().ok()?)?;
    match format {
        ExportFormat::Markdown => Some(document.to_markdown().into_bytes()),
        ExportFormat::Docx => Some(document.to_docx()),
        ExportFormat::Pdf => None,
    }
}

/// What a person reads of a stored artifact; `None` for a kind that Tata does not make.
pub(super) fn document(artifact: &Artifact, library: &Library) -> Option<Document> {
    let content = &artifact.content;
    if artifact.kind == comparison::KIND {
        return printed::<Comparison>(content, library);
    }
    match Module::of_artifact(&artifact.kind)? {
        Module::RequirementProfile => printed::<RequirementProfile>(content, library),
        Module::JobAd => printed::<JobAd>(content, library),
        Module::TaScreening | Module::HmScreening => printed::<ScreeningTemplate>(content, library),
        Module::Headhunting => printed::<HeadhuntingMessages>(content, library),
        Module::CandidateReport => printed::<CandidateReport>(content, library),
        Module::FunnelReport => printed::<FunnelReport>(content, library),
        Module::JobAdReview => printed::<JobAdReview>(content, library),
        Module::DiReview => printed::<DiReview>(content, library),
        Module::CalendarInvite => printed::<CalendarInvite>(content, library),
    }
}

fn printed<A: DeserializeOwned + Printed>(content: &Value, library: &Library) -> Option<Document> {
    let artifact: A = serde_json::from_value(content.clone()).ok()?;
    Some(artifact.document(library))
}
