//! Review of a pasted job ad: structure, content and compliance, with an overall score and at most ten recommendations.

mod checks;
mod phrases;
pub mod section;
mod wording;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::checks::{sections_of, structure_issues};
use self::section::{AdSection, find_sections};
use self::wording::{compliance, duplicates};
use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::di_review::language_warning;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::problem::{Problems, given};

pub(crate) use self::phrases::ReviewPhrases;
pub(crate) use self::section::{AdSections, SectionBooks};

const MAX_RECOMMENDATIONS: usize = 10;
const MAX_AD: usize = 1_000_000;
const DUPLICATE_PENALTY: f64 = 5.0;
const MAX_DUPLICATE_PENALTY: f64 = 30.0;

/// The ad to review.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobAdReviewInput {
    /// The job ad, exactly as the recruiter pasted it; the project's own newest ad when absent.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub job_ad_text: String,
    /// The language of the ad, and of the review; the project's language (English by default) when absent.
    #[serde(default)]
    pub language: Option<Language>,
    /// The position title that the headline should name (optional).
    #[serde(default)]
    pub position_title: Option<String>,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum IssueCategory {
    Structure,
    Duplication,
    Compliance,
    BannedWords,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum IssueSeverity {
    Low,
    Medium,
    High,
    Critical,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewIssue {
    pub category: IssueCategory,
    pub severity: IssueSeverity,
    pub description: String,
    pub location: String,
    pub suggestion: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SectionAnalysis {
    pub section: AdSection,
    pub found: bool,
    pub quality_score: f64,
    pub word_count: usize,
    pub issues: Vec<String>,
    pub suggestions: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobAdReview {
    /// 0.3 structure + 0.4 content + 0.3 compliance.
    pub overall_score: f64,
    pub structure_score: f64,
    pub content_score: f64,
    pub compliance_score: f64,
    /// All twelve, in the order of an ad.
    pub section_analyses: Vec<SectionAnalysis>,
    pub issues: Vec<ReviewIssue>,
    pub recommendations: Vec<String>,
    /// The ad as it was given, byte for byte.
    pub original_text: String,
    pub language: Language,
    pub created_at: DateTime<Utc>,
}

pub fn process(
    input: &JobAdReviewInput,
    desk: &Desk<'_>,
) -> Result<Produced<JobAdReview>, Problems> {
    check_input(input)?;
    let language = input.language.unwrap_or(desk.language);
    let voice = desk.voice(language, GermanAddress::Sie);
    let ad = input.job_ad_text.as_str();
    let found = find_sections(ad, &voice.pack.sections);
    let analysed = sections_of(&found, voice, desk);
    let (structure_score, mut issues) =
        structure_issues(&analysed, &found, given(&input.position_title), voice);
    let section_analyses: Vec<SectionAnalysis> = analysed.into_iter().map(|a| a.section).collect();
    let repeated = duplicates(ad, voice, desk);
    let content_score = content_score(&section_analyses, repeated.len());
    let (compliance_score, breaches) = compliance(ad, voice, desk);
    issues.extend(repeated);
    issues.extend(breaches);
    issues.sort_by_key(|i| std::cmp::Reverse(i.severity));
    let review = JobAdReview {
        overall_score: tenth(0.3 * structure_score + 0.4 * content_score + 0.3 * compliance_score),
        structure_score,
        content_score,
        compliance_score,
        recommendations: recommendations(&issues),
        section_analyses,
        issues,
        original_text: input.job_ad_text.clone(),
        language,
        created_at: desk.now,
    };
    Ok(Produced {
        artifact: review,
        warnings: language_warning(ad, language, desk),
    })
}

fn check_input(input: &JobAdReviewInput) -> Result<(), Problems> {
    if input.job_ad_text.trim().is_empty() {
        return Err(Problems::one(
            "job_ad_text",
            "The job ad is empty. Paste the text of the ad that should be reviewed.",
        ));
    }
    if input.job_ad_text.len() > MAX_AD {
        return Err(Problems::one(
            "job_ad_text",
            "The text is longer than a million characters. Paste only the job ad.",
        ));
    }
    Ok(())
}

/// The mean quality of the sections that exist, less 5 for each repetition, at most 30.
fn content_score(sections: &[SectionAnalysis], repeated: usize) -> f64 {
    let found: Vec<f64> = sections
        .iter()
        .filter(|s| s.found)
        .map(|s| s.quality_score)
        .collect();
    if found.is_empty() {
        return 0.0;
    }
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    tenth((mean - (DUPLICATE_PENALTY * repeated as f64).min(MAX_DUPLICATE_PENALTY)).max(0.0))
}

fn tenth(n: f64) -> f64 {
    (n * 10.0).round() / 10.0
}

/// What to do, the most serious first, each once.
fn recommendations(issues: &[ReviewIssue]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for issue in issues {
        if out.len() < MAX_RECOMMENDATIONS && !out.contains(&issue.suggestion) {
            out.push(issue.suggestion.clone());
        }
    }
    out
}

#[cfg(test)]
mod job_ad_review_tests;
