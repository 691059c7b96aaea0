//! The stages of a recruitment funnel: which chain each belongs to, who owns its fix, and which document helps.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::module::Module;

/// Named as the input fields that carry the counts.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub(in crate::tata) enum Stage {
    JobAdViews,
    ApplyClicks,
    ApplicationsReceived,
    QualifiedApplications,
    CandidatesSourced,
    CandidatesContacted,
    CandidatesReplied,
    CandidatesInterested,
    TaScreenings,
    HmInterviews,
    CaseInterviews,
    TeamInterviews,
    Tests,
    References,
    OffersMade,
    OffersAccepted,
}

/// Inbound runs from the ad to the offer; sourcing is counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::tata) enum Chain {
    Inbound,
    Sourcing,
}

/// Who carries out a fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::tata) enum Owner {
    Recruiter,
    HiringManager,
    TaOperations,
}

/// What a bottleneck is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tata) enum Signal {
    Conversion,
    Time,
}

impl Stage {
    pub(in crate::tata) const ALL: [Stage; 16] = [
        Stage::JobAdViews,
        Stage::ApplyClicks,
        Stage::ApplicationsReceived,
        Stage::QualifiedApplications,
        Stage::CandidatesSourced,
        Stage::CandidatesContacted,
        Stage::CandidatesReplied,
        Stage::CandidatesInterested,
        Stage::TaScreenings,
        Stage::HmInterviews,
        Stage::CaseInterviews,
        Stage::TeamInterviews,
        Stage::Tests,
        Stage::References,
        Stage::OffersMade,
        Stage::OffersAccepted,
    ];

    pub(in crate::tata) fn field(self) -> &'static str {
        match self {
            Stage::JobAdViews => "job_ad_views",
            Stage::ApplyClicks => "apply_clicks",
            Stage::ApplicationsReceived => "applications_received",
            Stage::QualifiedApplications => "qualified_applications",
            Stage::CandidatesSourced => "candidates_sourced",
            Stage::CandidatesContacted => "candidates_contacted",
            Stage::CandidatesReplied => "candidates_replied",
            Stage::CandidatesInterested => "candidates_interested",
            Stage::TaScreenings => "ta_screenings",
            Stage::HmInterviews => "hm_interviews",
            Stage::CaseInterviews => "case_interviews",
            Stage::TeamInterviews => "team_interviews",
            Stage::Tests => "tests",
            Stage::References => "references",
            Stage::OffersMade => "offers_made",
            Stage::OffersAccepted => "offers_accepted",
        }
    }

    pub(in crate::tata) fn chain(self) -> Chain {
        match self {
            Stage::CandidatesSourced
            | Stage::CandidatesContacted
            | Stage::CandidatesReplied
            | Stage::CandidatesInterested => Chain::Sourcing,
            Stage::JobAdViews
            | Stage::ApplyClicks
            | Stage::ApplicationsReceived
            | Stage::QualifiedApplications
            | Stage::TaScreenings
            | Stage::HmInterviews
            | Stage::CaseInterviews
            | Stage::TeamInterviews
            | Stage::Tests
            | Stage::References
            | Stage::OffersMade
            | Stage::OffersAccepted => Chain::Inbound,
        }
    }

    /// Exactly one owner for each signal of each stage.
    pub(in crate::tata) fn owner(self, signal: Signal) -> Owner {
        match (self, signal) {
            (Stage::ApplicationsReceived | Stage::Tests, Signal::Conversion)
            | (
                Stage::TaScreenings | Stage::Tests | Stage::JobAdViews | Stage::ApplyClicks,
                Signal::Time,
            ) => Owner::TaOperations,
            (
                Stage::CandidatesInterested
                | Stage::CaseInterviews
                | Stage::TeamInterviews
                | Stage::OffersMade,
                Signal::Conversion,
            )
            | (
                Stage::HmInterviews
                | Stage::CaseInterviews
                | Stage::TeamInterviews
                | Stage::OffersMade,
                Signal::Time,
            ) => Owner::HiringManager,
            (
                Stage::JobAdViews
                | Stage::ApplyClicks
                | Stage::QualifiedApplications
                | Stage::CandidatesSourced
                | Stage::CandidatesContacted
                | Stage::CandidatesReplied
                | Stage::TaScreenings
                | Stage::HmInterviews
                | Stage::References
                | Stage::OffersAccepted,
                Signal::Conversion,
            )
            | (
                Stage::ApplicationsReceived
                | Stage::QualifiedApplications
                | Stage::CandidatesSourced
                | Stage::CandidatesContacted
                | Stage::CandidatesReplied
                | Stage::CandidatesInterested
                | Stage::References
                | Stage::OffersAccepted,
                Signal::Time,
            ) => Owner::Recruiter,
        }
    }

    /// The document where the cause usually lies.
    pub(in crate::tata) fn material(self, signal: Signal) -> Module {
        match (self, signal) {
            (
                Stage::JobAdViews
                | Stage::ApplyClicks
                | Stage::ApplicationsReceived
                | Stage::QualifiedApplications,
                Signal::Conversion | Signal::Time,
            ) => Module::JobAd,
            (
                Stage::CandidatesSourced
                | Stage::CandidatesContacted
                | Stage::CandidatesReplied
                | Stage::CandidatesInterested,
                Signal::Conversion | Signal::Time,
            ) => Module::Headhunting,
            (Stage::TaScreenings | Stage::Tests, Signal::Conversion) => Module::RequirementProfile,
            (Stage::HmInterviews | Stage::OffersAccepted, Signal::Conversion) => {
                Module::TaScreening
            }
            (Stage::CaseInterviews | Stage::TeamInterviews, Signal::Conversion) => {
                Module::HmScreening
            }
            (
                Stage::TaScreenings
                | Stage::HmInterviews
                | Stage::CaseInterviews
                | Stage::TeamInterviews,
                Signal::Time,
            ) => Module::CalendarInvite,
            (Stage::References | Stage::OffersMade, Signal::Conversion)
            | (
                Stage::Tests | Stage::References | Stage::OffersMade | Stage::OffersAccepted,
                Signal::Time,
            ) => Module::CandidateReport,
        }
    }
}
