//! The business case: one page with the figures and their derivation, the shortlist, the facts and the decision. The same
//! content as Markdown and as PDF.

mod markdown;
mod pdf;

use chrono::{DateTime, Utc};
use frontdesk_print::PrintError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::roi::{Estimate, Step, Variant};
use super::shortlist::ComparisonRow;

/// The kind of the artifact.
pub(crate) const KIND: &str = "business_case";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct BusinessCase {
    pub(crate) company: String,
    pub(crate) prepared_by: String,
    pub(crate) prepared_at: DateTime<Utc>,
    /// The address of the conversation.
    pub(crate) conversation_url: String,
    pub(crate) conversation_title: String,
    /// Facts with their quotes.
    pub(crate) facts: Vec<FactLine>,
    pub(crate) estimate: Estimate,
    pub(crate) options: Vec<ComparisonRow>,
    pub(crate) stakeholders: Vec<String>,
    pub(crate) next_step: Option<String>,
    pub(crate) notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct FactLine {
    pub(crate) label: String,
    pub(crate) value: String,
    pub(crate) quote: String,
}

impl BusinessCase {
    pub(crate) fn title(&self) -> String {
        format!(
            "Business case: {} for {}",
            self.estimate.robot, self.company
        )
    }

    /// The result in a sentence, losses included.
    pub(crate) fn headline(&self) -> String {
        self.estimate.verdict()
    }

    fn people(&self) -> String {
        match self.stakeholders.is_empty() {
            true => "not named yet".to_owned(),
            false => self.stakeholders.join(", "),
        }
    }

    fn next(&self) -> &str {
        self.next_step.as_deref().unwrap_or("not agreed yet")
    }

    /// Label, formula and result of each step.
    fn steps(&self) -> Vec<Vec<String>> {
        let row = |step: &Step| {
            let label = step.name.label().to_owned();
            vec![label, step.formula.clone(), step.result.clone()]
        };
        self.estimate.derivation.iter().map(row).collect()
    }

    /// Each value moved by a fifth: the change, the savings and the payback.
    fn sensitivity(&self) -> Vec<Vec<String>> {
        let row = |variant: &Variant| {
            vec![
                format!("{} {:+.0} %", variant.name.label(), variant.change_percent),
                variant.estimated_monthly_savings.dollars(),
                variant.payback.in_words(),
            ]
        };
        self.estimate.sensitivity.iter().map(row).collect()
    }

    pub(crate) fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// One A4 page.
    pub(crate) fn to_pdf(&self) -> Result<Vec<u8>, PrintError> {
        pdf::write(self)
    }
}

#[cfg(test)]
#[path = "business_case_tests.rs"]
mod business_case_tests;
