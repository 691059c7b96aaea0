//! The arguments of a funnel report and the stages they count.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::language::Language;

/// From the ad to the offer, named as the arguments that carry the counts.
const INBOUND: [&str; 12] = [
    "job_ad_views",
    "apply_clicks",
    "applications_received",
    "qualified_applications",
    TA_SCREENINGS,
    "hm_interviews",
    "case_interviews",
    "team_interviews",
    "tests",
    "references",
    "offers_made",
    "offers_accepted",
];
/// Sourcing is counted separately.
const SOURCING: [&str; 4] = [
    "candidates_sourced",
    "candidates_contacted",
    "candidates_replied",
    "candidates_interested",
];
/// Here candidates of both chains come together.
pub(super) const TA_SCREENINGS: &str = "ta_screenings";

pub(super) const CHAINS: [(&str, &[&str]); 2] = [("inbound", &INBOUND), ("sourcing", &SOURCING)];

pub(super) fn stages() -> impl Iterator<Item = &'static str> {
    CHAINS.into_iter().flat_map(|(_, stages)| stages).copied()
}

/// The figures of one recruitment, from Jobylon and LinkedIn. Leave out what is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FunnelReportInput {
    /// The job title.
    pub(crate) job_title: String,
    /// How many positions are to be filled, at least 1.
    pub(super) number_of_positions: i64,
    /// The hiring manager's name.
    pub(super) hiring_manager_name: String,
    /// Places of work.
    #[serde(default)]
    pub(super) locations: Vec<String>,
    /// How often the job ad was viewed.
    pub(super) job_ad_views: Option<i64>,
    /// Clicks on the apply button.
    pub(super) apply_clicks: Option<i64>,
    /// Applications received.
    pub(super) applications_received: Option<i64>,
    /// Applications that meet the requirements.
    pub(super) qualified_applications: Option<i64>,
    /// Candidates found by sourcing.
    pub(super) candidates_sourced: Option<i64>,
    /// Sourced candidates that were contacted.
    pub(super) candidates_contacted: Option<i64>,
    /// Contacted candidates that replied.
    pub(super) candidates_replied: Option<i64>,
    /// Candidates that replied and are interested.
    pub(super) candidates_interested: Option<i64>,
    /// Screenings by Talent Acquisition.
    pub(super) ta_screenings: Option<i64>,
    /// Interviews with the hiring manager.
    pub(super) hm_interviews: Option<i64>,
    /// Interviews with a case.
    pub(super) case_interviews: Option<i64>,
    /// Interviews with the team.
    pub(super) team_interviews: Option<i64>,
    /// Candidates tested.
    pub(super) tests: Option<i64>,
    /// Candidates whose references were taken.
    pub(super) references: Option<i64>,
    /// Offers made.
    pub(super) offers_made: Option<i64>,
    /// Offers accepted.
    pub(super) offers_accepted: Option<i64>,
    /// Offers declined.
    pub(super) offers_rejected: Option<i64>,
    /// Average days in a stage, by the stage's field name, for example {"hm_interviews": 12}. Weeks are given as days.
    #[serde(default)]
    pub(super) time_in_stage: BTreeMap<String, f64>,
    /// Days from opening the position to the accepted offer; weeks are given as days.
    pub(super) time_to_fill: Option<f64>,
    /// How the report is laid out: for Word, as a funnel in text, as slides, or as a comparison table.
    #[serde(default)]
    pub(super) format: FunnelFormat,
    /// Output language; that of the request when absent.
    pub(crate) language: Option<Language>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum FunnelFormat {
    #[default]
    Word,
    VisualFunnel,
    SlideContent,
    ComparisonTable,
}

impl FunnelReportInput {
    /// The counts that were given, by stage.
    pub(super) fn counts(&self) -> BTreeMap<&'static str, i64> {
        let all = serde_json::to_value(self).unwrap_or_default();
        let count = |stage: &'static str| Some((stage, all.get(stage)?.as_i64()?));
        stages().filter_map(count).collect()
    }
}
