//! Suggestion chips: what a recruiter can sensibly do next, from the documents the project has.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::module::Module;
use super::requirement_profile::ProfileStatus;

/// Which documents a project has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelf {
    /// The status of the newest requirement profile.
    pub profile: Option<ProfileStatus>,
    /// Modules with at least one artifact.
    pub made: BTreeSet<Module>,
    pub candidate_reports: usize,
}

/// A suggestion. Clicking it fills the input with `text`, which stays editable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chip {
    pub label: String,
    pub text: String,
}

/// Chips in the order of the standard flow.
pub fn chips(shelf: &Shelf) -> Vec<Chip> {
    let Some(status) = shelf.profile else {
        let alone = [
            Module::RequirementProfile,
            Module::FunnelReport,
            Module::JobAdReview,
            Module::DiReview,
            Module::CalendarInvite,
        ];
        return alone.into_iter().map(module_chip).collect();
    };
    let mut out = Vec::new();
    if status == ProfileStatus::Draft {
        out.push(chip(
            "Confirm the profile",
            "The requirement profile is correct, please confirm it.",
        ));
    }
    let built = [
        Module::JobAd,
        Module::TaScreening,
        Module::HmScreening,
        Module::Headhunting,
    ];
    out.extend(built.into_iter().map(module_chip));
    if shelf.made.contains(&Module::TaScreening) {
        out.push(module_chip(Module::CandidateReport));
    }
    if shelf.candidate_reports > 1 {
        out.push(chip(
            "Compare the candidates",
            "Show a comparison table of the candidates.",
        ));
    }
    if shelf.made.contains(&Module::JobAd) {
        out.push(chip(
            "Check the ad for inclusive language",
            "Review our job ad for inclusive language.",
        ));
    }
    out
}

fn chip(label: &str, text: &str) -> Chip {
    Chip {
        label: label.to_owned(),
        text: text.to_owned(),
    }
}

fn module_chip(module: Module) -> Chip {
    match module {
        Module::RequirementProfile => chip(
            "Requirement profile",
            "Create a requirement profile for the position [title] from these start-up notes:\n",
        ),
        Module::JobAd => chip("Job ad", "Write the job ad."),
        Module::TaScreening => chip("TA screening template", "Create the TA screening template."),
        Module::HmScreening => chip(
            "Hiring manager screening template",
            "Create the screening template for the hiring manager.",
        ),
        Module::Headhunting => chip(
            "Headhunting messages",
            "Write headhunting messages for LinkedIn.",
        ),
        Module::CandidateReport => chip(
            "Candidate report",
            "Create a candidate report for [name], interviewed on [date]. The transcript:\n",
        ),
        Module::FunnelReport => chip(
            "Funnel report",
            "Create a funnel report for the position [title]. The figures:\n",
        ),
        Module::JobAdReview => chip("Review a job ad", "Review this job ad:\n"),
        Module::DiReview => chip(
            "Check for inclusive language",
            "Review this job ad for inclusive language:\n",
        ),
        Module::CalendarInvite => chip(
            "Interview invitation",
            "Write an interview invitation for the position [title].",
        ),
    }
}
