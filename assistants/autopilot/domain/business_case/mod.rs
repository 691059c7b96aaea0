//! One page to hand to colleagues: what was found out, what it comes to, which robots are in question, and the
//! conversation it came from. The same content as Markdown and as a PDF.

mod chart;
mod markdown;
mod pdf;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::money::about_dollars;
use super::roi::Estimate;
use super::shortlist::Compared;

pub(crate) use chart::bars;

/// The kind under which it is kept.
pub(crate) const KIND: &str = "business_case";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct BusinessCase {
    pub(crate) company: String,
    pub(crate) prepared_by: String,
    pub(crate) prepared_at: DateTime<Utc>,
    /// Where the conversation is.
    pub(crate) conversation_url: String,
    pub(crate) conversation_title: String,
    /// What was said, with the words it came from.
    pub(crate) facts: Vec<Stated>,
    /// The robot that the figures are about, and what they are.
    pub(crate) estimate: Estimate,
    pub(crate) options: Vec<Compared>,
    pub(crate) stakeholders: Vec<String>,
    pub(crate) next_step: Option<String>,
    pub(crate) notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Stated {
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
        let verdict = self.estimate.verdict();
        let mut chars = verdict.chars();
        let first: String = chars
            .next()
            .map(|c| c.to_uppercase().collect())
            .unwrap_or_default();
        format!("{first}{}.", chars.as_str())
    }

    /// The figures, each with its name.
    pub(crate) fn figures(&self) -> Vec<(&'static str, String)> {
        let estimate = &self.estimate;
        vec![
            (
                "Cleaning today",
                format!("{} a month", about_dollars(estimate.current_monthly_cost)),
            ),
            (
                "Robot on lease",
                format!(
                    "{} a month with maintenance",
                    about_dollars(estimate.robot_monthly_cost)
                ),
            ),
            (
                "Net on lease",
                format!(
                    "{} a month, {} a year",
                    about_dollars(estimate.estimated_monthly_savings),
                    about_dollars(estimate.estimated_yearly_savings)
                ),
            ),
            ("Return on lease", format!("{} %", estimate.roi_percent)),
            (
                "Bought",
                format!(
                    "{}, payback: {}",
                    about_dollars(estimate.purchase.price),
                    estimate.purchase.payback
                ),
            ),
            (
                "Hours freed",
                format!(
                    "{} of {} a month",
                    estimate.hours_saved_monthly, estimate.current_monthly_hours
                ),
            ),
            ("Confidence", estimate.confidence.name().to_owned()),
        ]
    }

    /// Each assumption moved by a fifth, and what comes of it.
    pub(crate) fn sensitivity(&self) -> Vec<[String; 4]> {
        let row = |variant: &super::roi::Variant| {
            let (name, value) = match variant.assumption.as_str() {
                "labor_rate" => ("Labour rate", format!("${}", variant.value)),
                _ => ("Utilisation", format!("{:.0} %", variant.value * 100.0)),
            };
            [
                format!("{name} {:+.0} %", variant.change_percent),
                value,
                about_dollars(variant.estimated_monthly_savings),
                variant
                    .payback_months
                    .map_or("does not pay back".to_owned(), |months| {
                        format!("{months} months")
                    }),
            ]
        };
        self.estimate.sensitivity.iter().map(row).collect()
    }

    pub(crate) fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// One A4 page.
    pub(crate) fn to_pdf(&self) -> Result<Vec<u8>, String> {
        pdf::write(self)
    }
}

#[cfg(test)]
#[path = "business_case_tests.rs"]
mod business_case_tests;
