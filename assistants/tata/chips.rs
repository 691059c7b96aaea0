//! Suggestions: what a recruiter can sensibly do next, from the documents the project has.

use frontdesk_core::artifact::{ArtifactMark, ArtifactStatus};

use super::module::Module;

/// What stands alone and can be asked for at once.
pub(super) const FIRST: &[&str] = &[
    text(Module::RequirementProfile),
    text(Module::FunnelReport),
    text(Module::JobAdReview),
    text(Module::DiReview),
    text(Module::CalendarInvite),
];

/// In the order of the standard flow; what is there already is not suggested again.
pub(super) fn chips(documents: &[ArtifactMark]) -> Vec<&'static str> {
    let count = |module: Module| {
        let kind = module.facts().artifact;
        documents.iter().filter(|mark| mark.kind == kind).count()
    };
    let is_draft = |mark: &ArtifactMark| mark.status == ArtifactStatus::Draft;
    if count(Module::RequirementProfile) == 0 {
        return FIRST.to_vec();
    }
    let next = [
        (
            documents.iter().any(is_draft),
            "Confirm the requirement profile.",
        ),
        (count(Module::JobAd) == 0, text(Module::JobAd)),
        (count(Module::TaScreening) == 0, text(Module::TaScreening)),
        (count(Module::HmScreening) == 0, text(Module::HmScreening)),
        (count(Module::Headhunting) == 0, text(Module::Headhunting)),
        (
            count(Module::TaScreening) > 0,
            text(Module::CandidateReport),
        ),
        (
            count(Module::CandidateReport) > 1,
            "Compare the candidates.",
        ),
        (
            count(Module::JobAd) > 0,
            "Review our job ad for inclusive language.",
        ),
    ];
    let fits = next.into_iter().filter(|(fits, _)| *fits);
    fits.map(|(_, text)| text).collect()
}

const fn text(module: Module) -> &'static str {
    match module {
        Module::RequirementProfile => {
            "Create the requirement profile. Position: [title]. The start-up notes:\n"
        }
        Module::JobAd => "Write the job ad.",
        Module::TaScreening => "Create the TA screening template.",
        Module::HmScreening => "Create the screening template for the hiring manager.",
        Module::Headhunting => "Write headhunting messages for LinkedIn.",
        Module::CandidateReport => {
            "Create a candidate report for [name], interviewed on [date]. The transcript:\n"
        }
        Module::FunnelReport => {
            "Create a funnel report, job title: [title], 1 position, hiring manager: [name], [n] views, [n] apply clicks, [n] applications received"
        }
        Module::JobAdReview => "Review this job ad:\n",
        Module::DiReview => "Review this job ad for inclusive language:\n",
        Module::CalendarInvite => {
            "Write an interview invitation for the position [title], hiring manager [name], interview type: case, Teams, 60 minutes, Jobylon"
        }
    }
}

#[cfg(test)]
mod chips_tests {
    use super::*;

    fn mark(module: Module, status: ArtifactStatus, key: &str) -> ArtifactMark {
        ArtifactMark {
            kind: module.facts().artifact.to_owned(),
            key: key.to_owned(),
            version: 1,
            status,
        }
    }

    #[test]
    fn a_draft_waits_for_confirmation_first() {
        assert_eq!(chips(&[]), FIRST);
        let draft = mark(Module::RequirementProfile, ArtifactStatus::Draft, "");
        assert_eq!(chips(&[draft])[0], "Confirm the requirement profile.");
    }

    #[test]
    fn what_is_made_is_not_suggested_again() {
        let profile = mark(Module::RequirementProfile, ArtifactStatus::Confirmed, "");
        let ad = mark(Module::JobAd, ArtifactStatus::Confirmed, "en");
        let guide = mark(Module::TaScreening, ArtifactStatus::Confirmed, "en");
        let report = |key| mark(Module::CandidateReport, ArtifactStatus::Confirmed, key);
        let next = chips(&[profile, ad, guide, report("a"), report("b")]);
        assert!(!next.contains(&"Write the job ad.") && next.contains(&"Compare the candidates."));
        assert!(next.contains(&"Write headhunting messages for LinkedIn."));
    }
}
