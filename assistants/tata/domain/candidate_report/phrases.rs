//! `report.toml`: the sentences of candidate reports and comparisons.

use serde::Deserialize;

use crate::tata::domain::candidate_report::Recommendation;
use crate::tata::domain::candidate_report::evidence::Level;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportPhrases {
    pub(crate) title: String,
    pub(crate) candidate: String,
    pub(crate) interview: String,
    pub(crate) recommended: String,
    pub(crate) not_recommended: String,
    pub(crate) borderline: String,
    pub(crate) rating: String,
    pub(crate) rating_line: String,
    pub(crate) examples: String,
    pub(crate) none: String,
    pub(crate) headings: ReportHeadings,
    pub(crate) summary: ByRecommendation,
    pub(crate) background: BackgroundPhrases,
    pub(crate) motivation: MotivationPhrases,
    pub(crate) skill: SkillPhrases,
    pub(crate) practical: PracticalPhrases,
    pub(crate) risks: RiskPhrases,
    pub(crate) conclusion: ByRecommendation,
    pub(crate) comparison: ComparisonPhrases,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportHeadings {
    pub(crate) summary: String,
    pub(crate) background: String,
    pub(crate) motivation: String,
    pub(crate) highlights: String,
    pub(crate) skills: String,
    pub(crate) practical: String,
    pub(crate) risks: String,
    pub(crate) conclusion: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ByRecommendation {
    recommended: String,
    not_recommended: String,
    borderline: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BackgroundPhrases {
    pub(crate) cv: String,
    pub(crate) interview: String,
    pub(crate) none: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MotivationPhrases {
    pub(crate) some: String,
    pub(crate) none: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkillPhrases {
    summary5: String,
    summary4: String,
    summary3: String,
    summary2: String,
    summary1: String,
    not_discussed: String,
    explanation5: String,
    explanation4: String,
    explanation3: String,
    explanation2: String,
    explanation1: String,
    explanation_not_discussed: String,
    pub(crate) years_short: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PracticalPhrases {
    pub(crate) notice_period: String,
    pub(crate) salary_expectation: String,
    pub(crate) location: String,
    pub(crate) languages: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RiskPhrases {
    pub(crate) low: String,
    pub(crate) not_discussed: String,
    pub(crate) notice: String,
    pub(crate) salary: String,
    pub(crate) motivation: String,
    pub(crate) none: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparisonPhrases {
    pub(crate) title: String,
    pub(crate) criterion: String,
    pub(crate) recommendation: String,
    pub(crate) average: String,
    pub(crate) motivation: String,
}

impl ReportPhrases {
    pub(crate) fn label(&self, recommendation: Recommendation) -> &str {
        match recommendation {
            Recommendation::Recommended => &self.recommended,
            Recommendation::NotRecommended => &self.not_recommended,
            Recommendation::Borderline => &self.borderline,
        }
    }
}

impl ByRecommendation {
    pub(crate) fn by(&self, recommendation: Recommendation) -> &str {
        match recommendation {
            Recommendation::Recommended => &self.recommended,
            Recommendation::NotRecommended => &self.not_recommended,
            Recommendation::Borderline => &self.borderline,
        }
    }
}

impl SkillPhrases {
    pub(crate) fn summary(&self, level: Level) -> &str {
        match level {
            Level::OwnWorkWithResults => &self.summary5,
            Level::OwnWork => &self.summary4,
            Level::Mentioned => &self.summary3,
            Level::Limited => &self.summary2,
            Level::None => &self.summary1,
            Level::NotDiscussed => &self.not_discussed,
        }
    }

    pub(crate) fn explanation(&self, level: Level) -> &str {
        match level {
            Level::OwnWorkWithResults => &self.explanation5,
            Level::OwnWork => &self.explanation4,
            Level::Mentioned => &self.explanation3,
            Level::Limited => &self.explanation2,
            Level::None => &self.explanation1,
            Level::NotDiscussed => &self.explanation_not_discussed,
        }
    }
}
