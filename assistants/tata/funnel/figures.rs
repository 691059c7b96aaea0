//! Checks funnel figures: impossible ones are refused, unlikely ones are noted.

use std::collections::BTreeMap;

use super::input::{CHAINS, FunnelReportInput, TA_SCREENINGS, stages};
use crate::labels::labels;
use crate::language::Language;

/// Counts and days by stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) counts: BTreeMap<&'static str, u64>,
    pub(super) days: BTreeMap<&'static str, f64>,
}

impl Figures {
    /// The stages of a chain that have a count, in the order of the funnel.
    pub(super) fn of(&self, chain: &'static [&'static str]) -> Vec<(&'static str, u64)> {
        let count = |stage: &&'static str| Some((*stage, *self.counts.get(stage)?));
        chain.iter().filter_map(count).collect()
    }
}

/// The figures, or everything that is wrong with them.
pub(super) fn check(input: &FunnelReportInput) -> Result<Figures, String> {
    let mut wrong = Vec::new();
    if input.job_title.trim().is_empty() {
        wrong.push("The job title is missing. Which position is the report about?".to_owned());
    }
    if input.hiring_manager_name.trim().is_empty() {
        wrong.push("The hiring manager's name is missing.".to_owned());
    }
    if input.number_of_positions < 1 {
        let number = input.number_of_positions;
        wrong.push(format!(
            "The number of positions is {number}; it must be at least 1."
        ));
    }
    let mut counts = BTreeMap::new();
    for (stage, count) in input.counts() {
        match u64::try_from(count) {
            Ok(count) => {
                counts.insert(stage, count);
            }
            Err(_) => wrong.push(negative(stage, count as f64)),
        }
    }
    if let Some(count) = input.offers_rejected.filter(|count| *count < 0) {
        wrong.push(negative("offers_rejected", count as f64));
    }
    if let Some(days) = input.time_to_fill.filter(|days| !is_days(*days)) {
        wrong.push(negative("time_to_fill", days));
    }
    let days = days(input, &mut wrong);
    if counts.is_empty() && wrong.is_empty() {
        wrong.push(
            "The report needs figures: at least one number from the ad (views, clicks, applications), from sourcing or \
             from the interviews."
                .to_owned(),
        );
    }
    match wrong.is_empty() {
        true => Ok(Figures { counts, days }),
        false => Err(wrong.join(" ")),
    }
}

fn is_days(days: f64) -> bool {
    days.is_finite() && days >= 0.0
}

fn negative(field: &str, value: f64) -> String {
    let field = field.replace('_', " ");
    format!("The figure for {field} is {value}; a number of 0 or more is needed.")
}

fn days(input: &FunnelReportInput, wrong: &mut Vec<String>) -> BTreeMap<&'static str, f64> {
    let mut by_stage = BTreeMap::new();
    for (name, days) in &input.time_in_stage {
        let asked = name.to_lowercase().replace(' ', "_");
        match stages().find(|stage| *stage == asked) {
            Some(stage) if is_days(*days) => {
                by_stage.insert(stage, *days);
            }
            Some(stage) => wrong.push(negative(&format!("time in stage {stage}"), *days)),
            None => {
                let known: Vec<&str> = stages().collect();
                let shown: String = name.chars().take(60).collect();
                let known = known.join(", ");
                wrong.push(format!(
                    "time_in_stage: there is no stage “{shown}”. The stages are: {known}."
                ));
            }
        }
    }
    by_stage
}

/// A stage that is larger than the one before it is unlikely; the recruiter is asked to check.
pub(super) fn doubts(figures: &Figures, language: Language) -> Vec<String> {
    let labels = labels(language);
    let shown = |(stage, count): &(&str, u64)| format!("{} ({count})", labels.word(stage));
    let is_sourced = |stage: &&str| figures.counts.get(stage) > Some(&0);
    let sourced = CHAINS[1].1.iter().any(is_sourced);
    let mut notes = Vec::new();
    for (_, chain) in CHAINS {
        let stages = figures.of(chain);
        for (before, after) in stages.iter().zip(stages.iter().skip(1)) {
            let joined = after.0 == TA_SCREENINGS && sourced;
            if after.1 > before.1 && !joined {
                let values = [("after", &*shown(after)), ("before", &*shown(before))];
                notes.push(labels.note("larger", &values));
            }
        }
    }
    notes
}
