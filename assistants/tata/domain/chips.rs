//! Suggestion chips: what a recruiter can sensibly do next, from the documents the project has. Clicking one fills the
//! input, which stays editable.

use std::collections::BTreeSet;

use super::module::Module;
use super::requirement_profile::ProfileStatus;

/// Which documents a project has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shelf {
    /// The status of the newest requirement profile.
    pub(crate) profile: Option<ProfileStatus>,
    /// Modules with at least one artifact.
    pub(crate) made: BTreeSet<Module>,
    pub(crate) candidate_reports: usize,
}

/// What stands alone and can be asked for at once.
pub(crate) const FIRST: &[&str] = &[
    text(Module::RequirementProfile),
    text(Module::FunnelReport),
    text(Module::JobAdReview),
    text(Module::DiReview),
    text(Module::CalendarInvite),
];

/// Chips in the order of the standard flow, what is missing first.
pub(crate) fn chips(shelf: &Shelf) -> Vec<&'static str> {
    let Some(status) = shelf.profile else {
        return FIRST.to_vec();
    };
    let mut out = Vec::new();
    if status == ProfileStatus::Draft {
        out.push("Confirm the requirement profile.");
    }
    let of_the_profile = [
        Module::JobAd,
        Module::TaScreening,
        Module::HmScreening,
        Module::Headhunting,
    ];
    // What is there already can be made again, after what is still missing.
    let made = |module: &Module| shelf.made.contains(module);
    let (again, missing): (Vec<Module>, Vec<Module>) = of_the_profile.into_iter().partition(made);
    out.extend(missing.into_iter().map(text));
    if shelf.made.contains(&Module::TaScreening) {
        out.push(text(Module::CandidateReport));
    }
    if shelf.candidate_reports > 1 {
        out.push("Compare the candidates.");
    }
    if shelf.made.contains(&Module::JobAd) {
        out.push("Review our job ad for inclusive language.");
    }
    out.extend(again.into_iter().map(text));
    out
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
            "Write an interview invitation for the position [title], hiring manager [name], title: [manager's title], interview type: case, Teams, 60 minutes, Jobylon"
        }
    }
}
