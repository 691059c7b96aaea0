//! Suggestions: what a recruiter can sensibly do next, from the documents the project has.

use frontdesk_core::artifact::{ArtifactMark, ArtifactStatus};

use super::module::Module;

/// What stands alone, with example data: each works as it is, with and without a language model.
pub(super) const FIRST: &[&str] = &[
    "I need to hire a tester. Must have SQL, Python and Java.",
    "Funnel, job title: Tester, 1 position, Eva Lind, 40 views.",
    "Review this job ad: We seek a young sales rockstar.",
    "Check for inclusive language: We seek a young salesman.",
    "Granska annonsen: Vi söker en ung säljare till oss.",
];

/// In the order of the standard flow; what is there already is not suggested again.
pub(super) fn chips(documents: &[ArtifactMark]) -> Vec<&'static str> {
    let count = |module: Module| {
        let kind = module.facts().artifact;
        documents.iter().filter(|mark| mark.kind == kind).count()
    };
    let is_draft = |mark: &ArtifactMark| {
        Module::of_artifact(&mark.kind) == Some(Module::RequirementProfile)
            && mark.status == ArtifactStatus::Draft
    };
    if count(Module::RequirementProfile) == 0 {
        return FIRST.to_vec();
    }
    let is_missing = |module| count(module) == 0;
    #[rustfmt::skip]
    let next = [
        (documents.iter().any(is_draft), "Confirm the requirement profile."),
        (is_missing(Module::JobAd), "Write the job ad."),
        (is_missing(Module::TaScreening), "Create the TA screening template."),
        (is_missing(Module::HmScreening), "Create the screening template for the hiring manager."),
        (is_missing(Module::Headhunting), "Write headhunting messages for LinkedIn."),
        (count(Module::CandidateReport) > 1, "Compare the candidates."),
        (!is_missing(Module::JobAd), "Review our job ad for inclusive language."),
    ];
    let fits = next.into_iter().filter(|(fits, _)| *fits);
    fits.map(|(_, text)| text).collect()
}

#[cfg(test)]
#[path = "chips_tests.rs"]
mod chips_tests;
