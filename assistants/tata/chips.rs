//! Suggestions for the next message, from the documents that the project has.

use frontdesk_core::artifact::{ArtifactMark, ArtifactStatus};

use super::module::Module;

/// First messages. Each leads to a document, with and without a language model.
pub(super) const FIRST: &[&str] = &[
    "I need to hire a tester. Must have SQL, Python and Java.",
    "Review this ad: We seek a sales rockstar.",
    "Check this ad for inclusive language: We seek a young rockstar.",
    "Funnel report, position Controller, 1 opening, hiring manager Sofia Ek: 640 views, 75 clicks on apply, 31 applications, 9 qualified.",
];

/// In the order of the standard flow, without documents that the project already has.
pub(super) fn chips(documents: &[ArtifactMark]) -> Vec<&'static str> {
    let all = |module: Module| {
        let kind = module.facts().artifact;
        documents.iter().filter(move |mark| mark.kind == kind)
    };
    let is_missing = |module| all(module).next().is_none();
    if is_missing(Module::RequirementProfile) {
        // A quick reply is short.
        return FIRST[..FIRST.len() - 1].to_vec();
    }
    let mut profiles = all(Module::RequirementProfile);
    let is_draft = profiles.any(|mark| mark.status == ArtifactStatus::Draft);
    #[rustfmt::skip]
    let next = [
        (is_draft, "Confirm the requirement profile."),
        (is_missing(Module::JobAd), "Write the job ad."),
        (is_missing(Module::TaScreening), "Create the TA screening template."),
        (is_missing(Module::HmScreening), "Create the hiring manager's template."),
        (is_missing(Module::Headhunting), "Write headhunting messages."),
        (all(Module::CandidateReport).count() > 1, "Compare the candidates."),
        (!is_missing(Module::JobAd), "Check the ad for inclusive language."),
    ];
    let fits = next.into_iter().filter(|(fits, _)| *fits);
    fits.map(|(_, text)| text).collect()
}

#[cfg(test)]
#[path = "chips_tests.rs"]
mod chips_tests;
