//! Checks funnel figures: what cannot be is a problem, what is unlikely is a warning.

use std::collections::BTreeMap;

use crate::tata::domain::funnel_report::FunnelReportInput;
use crate::tata::domain::funnel_report::stage::{Chain, Stage};
use crate::tata::domain::problem::{Problem, Problems, excerpt};
use crate::tata::domain::text::words::normal;

/// The known counts in the order of the funnel, and the days by stage.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figures {
    pub(crate) counts: Vec<(Stage, u64)>,
    pub(crate) days: BTreeMap<Stage, f64>,
}

impl Figures {
    pub(crate) fn has_sourcing(&self) -> bool {
        self.counts
            .iter()
            .any(|(s, n)| s.chain() == Chain::Sourcing && *n > 0)
    }
}

pub(crate) fn check_input(input: &FunnelReportInput) -> Result<(Figures, Vec<Problem>), Problems> {
    let mut found = Vec::new();
    for (field, text, ask) in [
        (
            "job_title",
            &input.job_title,
            "The job title is missing. Which position is the report about?",
        ),
        (
            "hiring_manager_name",
            &input.hiring_manager_name,
            "The hiring manager's name is missing.",
        ),
    ] {
        if text.trim().is_empty() {
            found.push(Problem::new(field, ask));
        }
    }
    if input.number_of_positions < 1 {
        let text = format!(
            "The number of positions is {}; it must be at least 1.",
            input.number_of_positions
        );
        found.push(Problem::new("number_of_positions", text));
    }
    let mut counts = Vec::new();
    for (stage, count) in given_counts(input) {
        match u64::try_from(count) {
            Ok(count) => counts.push((stage, count)),
            Err(_) => found.push(negative(stage.field(), count as f64)),
        }
    }
    if let Some(n) = input.offers_rejected.filter(|n| *n < 0) {
        found.push(negative("offers_rejected", n as f64));
    }
    if let Some(days) = input.time_to_fill.filter(|d| !d.is_finite() || *d < 0.0) {
        found.push(negative("time_to_fill", days));
    }
    let days = days(input, &mut found);
    if counts.is_empty() && found.is_empty() {
        let ask = "The report needs figures: at least one number from the ad (views, clicks, applications), from sourcing \
                   or from the interviews.";
        found.push(Problem::new("applications_received", ask));
    }
    Problems::check(found)?;
    let figures = Figures { counts, days };
    let warnings = inconsistencies(input, &figures);
    Ok((figures, warnings))
}

fn given_counts(input: &FunnelReportInput) -> Vec<(Stage, i64)> {
    let value = |stage: Stage| match stage {
        Stage::JobAdViews => input.job_ad_views,
        Stage::ApplyClicks => input.apply_clicks,
        Stage::ApplicationsReceived => input.applications_received,
        Stage::QualifiedApplications => input.qualified_applications,
        Stage::CandidatesSourced => input.candidates_sourced,
        Stage::CandidatesContacted => input.candidates_contacted,
        Stage::CandidatesReplied => input.candidates_replied,
        Stage::CandidatesInterested => input.candidates_interested,
        Stage::TaScreenings => input.ta_screenings,
        Stage::HmInterviews => input.hm_interviews,
        Stage::CaseInterviews => input.case_interviews,
        Stage::TeamInterviews => input.team_interviews,
        Stage::Tests => input.tests,
        Stage::References => input.references,
        Stage::OffersMade => input.offers_made,
        Stage::OffersAccepted => input.offers_accepted,
    };
    Stage::ALL
        .into_iter()
        .filter_map(|stage| Some((stage, value(stage)?)))
        .collect()
}

fn negative(field: &str, value: f64) -> Problem {
    Problem::new(
        field,
        format!(
            "{} is {value}; a number of 0 or more is needed.",
            words(field)
        ),
    )
}

/// "hm_interviews" is "Hm interviews" in a sentence.
fn words(field: &str) -> String {
    crate::tata::domain::text::words::capitalised(&field.replace('_', " "))
}

fn days(input: &FunnelReportInput, found: &mut Vec<Problem>) -> BTreeMap<Stage, f64> {
    let mut out = BTreeMap::new();
    for (name, days) in &input.time_in_stage {
        let stage = Stage::ALL
            .into_iter()
            .find(|s| normal(&s.field().replace('_', " ")) == normal(&name.replace('_', " ")));
        match stage {
            Some(_) if !days.is_finite() || *days < 0.0 => {
                let text =
                    format!("The time in the stage {name} is {days}; days must be 0 or more.");
                found.push(Problem::new("time_in_stage", text));
            }
            Some(stage) => {
                out.insert(stage, *days);
            }
            None => {
                let known: Vec<&str> = Stage::ALL.iter().map(|s| s.field()).collect();
                let text = format!(
                    "There is no stage “{}”. The stages are: {}.",
                    excerpt(name),
                    known.join(", ")
                );
                found.push(Problem::new("time_in_stage", text));
            }
        }
    }
    out
}

fn inconsistencies(input: &FunnelReportInput, figures: &Figures) -> Vec<Problem> {
    let mut out = Vec::new();
    for chain in [Chain::Inbound, Chain::Sourcing] {
        let stages: Vec<&(Stage, u64)> = figures
            .counts
            .iter()
            .filter(|(s, _)| s.chain() == chain)
            .collect();
        for pair in stages.windows(2) {
            let ((before, a), (after, b)) = (pair[0], pair[1]);
            let joined = *after == Stage::TaScreenings && figures.has_sourcing();
            if b > a && !joined {
                let text = format!(
                    "{} ({b}) is larger than {} ({a}). Please check the two figures.",
                    words(after.field()),
                    words(before.field()).to_lowercase()
                );
                out.push(Problem::new(after.field(), text));
            }
        }
    }
    if let (Some(made), Some(accepted)) = (input.offers_made, input.offers_accepted) {
        let rejected = input.offers_rejected.unwrap_or(0);
        if accepted <= made && accepted.saturating_add(rejected) > made {
            let text = format!(
                "{accepted} offers accepted and {rejected} declined are more than the {made} made."
            );
            out.push(Problem::new("offers_rejected", text));
        }
    }
    if input
        .offers_accepted
        .is_some_and(|n| n > input.number_of_positions)
    {
        out.push(Problem::new(
            "offers_accepted",
            "More offers were accepted than there are positions. Please check.",
        ));
    }
    let idle: Vec<&str> = figures
        .days
        .keys()
        .filter(|s| !figures.counts.iter().any(|(c, _)| c == *s))
        .map(|s| s.field())
        .collect();
    if !idle.is_empty() {
        let text = format!(
            "Days are given without a count for: {}. Add the counts to see these stages.",
            idle.join(", ")
        );
        out.push(Problem::new("time_in_stage", text));
    }
    out
}
