//! `review.toml`: the sentences of the job ad review.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::tata::domain::job_ad_review::section::AdSection;
use crate::tata::domain::job_ad_review::{IssueCategory, IssueSeverity};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewPhrases {
    pub(crate) title: String,
    pub(crate) overall: String,
    pub(crate) whole_ad: String,
    pub(crate) line: String,
    pub(crate) yes: String,
    pub(crate) no: String,
    pub(crate) no_issues: String,
    pub(crate) issue: String,
    pub(crate) headings: ReviewHeadings,
    pub(crate) severities: BTreeMap<IssueSeverity, String>,
    pub(crate) categories: BTreeMap<IssueCategory, String>,
    pub(crate) sections: BTreeMap<AdSection, String>,
    pub(crate) issues: IssuePhrases,
    pub(crate) suggestions: SuggestionPhrases,
    add: BTreeMap<AdSection, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewHeadings {
    pub(crate) sections: String,
    pub(crate) issues: String,
    pub(crate) recommendations: String,
    pub(crate) section: String,
    pub(crate) found: String,
    pub(crate) quality: String,
    pub(crate) words: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IssuePhrases {
    pub(crate) missing: String,
    pub(crate) short: String,
    pub(crate) long: String,
    pub(crate) no_list: String,
    pub(crate) title: String,
    pub(crate) sentence_twice: String,
    pub(crate) phrase_often: String,
    pub(crate) emoji: String,
    pub(crate) dash: String,
    pub(crate) banned: String,
    pub(crate) term: String,
    pub(crate) letter: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SuggestionPhrases {
    pub(crate) short: String,
    pub(crate) long: String,
    pub(crate) no_list: String,
    pub(crate) title: String,
    pub(crate) duplicate: String,
    pub(crate) emoji: String,
    pub(crate) dash: String,
    pub(crate) replace: String,
    pub(crate) remove: String,
}

impl ReviewPhrases {
    pub(crate) fn section(&self, section: AdSection) -> &str {
        self.sections.get(&section).map_or("", String::as_str)
    }

    /// What to add when the section is missing.
    pub(crate) fn add(&self, section: AdSection) -> &str {
        self.add.get(&section).map_or("", String::as_str)
    }
}
