//! `job_ad.toml`: the phrases of a job ad.

use serde::Deserialize;

/// `job_ad.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobAdPhrases {
    pub(super) headline: String,
    pub(super) headline_location: String,
    pub(super) alternative_headlines: Vec<String>,
    pub(super) alternative_intros: Vec<String>,
    pub(crate) salary: String,
    pub(super) intro: ByTone,
    pub(super) role: RolePhrases,
    pub(super) why: WhyPhrases,
    pub(super) soft_skills: SoftSkillPhrases,
    pub(super) team: TeamPhrases,
    pub(super) process: ProcessPhrases,
    pub(super) ending: EndingPhrases,
    pub(crate) headings: AdHeadings,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByTone {
    pub(super) formal: String,
    pub(super) casual: String,
    pub(super) friendly: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RolePhrases {
    pub(super) opening: String,
    pub(super) requirements: String,
    pub(super) mission: String,
    pub(super) performance: String,
    pub(super) challenges: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WhyPhrases {
    pub(super) motivations: String,
    pub(super) responsibility: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoftSkillPhrases {
    pub(super) some: String,
    pub(super) none: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamPhrases {
    pub(super) size: String,
    pub(super) location: String,
    pub(super) style: String,
    pub(super) unknown: String,
    pub(super) company: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProcessPhrases {
    pub(super) standard: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndingPhrases {
    pub(super) formal: String,
    pub(super) casual: String,
    pub(super) friendly: String,
    pub(super) good_to_haves: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdHeadings {
    pub(crate) role: String,
    pub(crate) why: String,
    pub(crate) responsibilities: String,
    pub(crate) requirements: String,
    pub(crate) good_to_haves: String,
    pub(crate) soft_skills: String,
    pub(crate) team: String,
    pub(crate) process: String,
    pub(crate) ending: String,
}
