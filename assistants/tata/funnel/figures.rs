//! Checks funnel figures: what cannot be is refused, what is unlikely is noted.

use std::collections::BTreeMap;

use super::FunnelReportInput;
use super::stage::{Chain, Stage};
use crate::tata::labels::{Labels, labels};
use crate::tata::language::Language;

/// The known counts in the order of the funnel, and the days by stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figures {
    pub(super) counts: Vec<(Stage, u64)>,
    pub(super) days: BTreeMap<Stage, f64>,
}

impl Figures {
    fn of_chain(&self, chain: Chain) -> Vec<(Stage, u64)> {
        let of_chain = |(stage, _): &&(Stage, u64)| stage.chain() == chain;
        self.counts.iter().filter(of_chain).copied().collect()
    }

    /// Screenings take candidates of both chains in.
    fn has_sourcing(&self) -> bool {
        self.of_chain(Chain::Sourcing)
            .iter()
            .any(|(_, count)| *count > 0)
    }

    /// Each chain with its stages.
    pub(super) fn chains(&self) -> impl Iterator<Item = (Chain, Vec<(Stage, u64)>)> {
        [Chain::Inbound, Chain::Sourcing]
            .into_iter()
            .map(|chain| (chain, self.of_chain(chain)))
            .filter(|(_, stages)| !stages.is_empty())
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
        wrong.push(format!(
            "The number of positions is {}; it must be at least 1.",
            input.number_of_positions
        ));
    }
    let mut counts = Vec::new();
    for (stage, count) in given_counts(input) {
        match u64::try_from(count) {
            Ok(count) => counts.push((stage, count)),
            Err(_) => wrong.push(negative(stage.field(), count as f64)),
        }
    }
    if let Some(count) = input.offers_rejected.filter(|count| *count < 0) {
        wrong.push(negative("offers_rejected", count as f64));
    }
    if let Some(days) = input
        .time_to_fill
        .filter(|days| !days.is_finite() || *days < 0.0)
    {
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

fn negative(field: &str, value: f64) -> String {
    let field = field.replace('_', " ");
    format!("The figure for {field} is {value}; a number of 0 or more is needed.")
}

fn days(input: &FunnelReportInput, wrong: &mut Vec<String>) -> BTreeMap<Stage, f64> {
    let mut by_stage = BTreeMap::new();
    for (name, days) in &input.time_in_stage {
        let asked = name.to_lowercase().replace(' ', "_");
        match Stage::ALL.into_iter().find(|stage| stage.field() == asked) {
            Some(_) if !days.is_finite() || *days < 0.0 => wrong.push(format!(
                "The time in stage {name} is {days}; days must be 0 or more."
            )),
            Some(stage) => {
                by_stage.insert(stage, *days);
            }
            None => {
                let known: Vec<&str> = Stage::ALL.iter().map(|stage| stage.field()).collect();
                let shown: String = name.chars().take(60).collect();
                wrong.push(format!(
                    "time_in_stage: there is no stage “{shown}”. The stages are: {}.",
                    known.join(", ")
                ));
            }
        }
    }
    by_stage
}

/// Figures that are unlikely together, for the recruiter.
pub(super) fn doubts(
    input: &FunnelReportInput,
    figures: &Figures,
    language: Language,
) -> Vec<String> {
    let labels = labels(language);
    let mut notes = larger_stages(figures, labels);
    if let (Some(made), Some(accepted)) = (input.offers_made, input.offers_accepted) {
        let rejected = input.offers_rejected.unwrap_or(0);
        if accepted <= made && accepted.saturating_add(rejected) > made {
            notes.push(labels.note("offers", &[]));
        }
    }
    let accepted = input.offers_accepted.unwrap_or(0);
    if accepted > input.number_of_positions {
        notes.push(labels.note("positions", &[]));
    }
    let has_count = |stage: &Stage| figures.counts.iter().any(|(counted, _)| counted == stage);
    let idle: Vec<&str> = figures
        .days
        .keys()
        .filter(|stage| !has_count(stage))
        .map(|stage| labels.stage(stage.field()))
        .collect();
    if !idle.is_empty() {
        notes.push(labels.note("missing_figures", &[("list", &idle.join(", "))]));
    }
    notes
}

fn larger_stages(figures: &Figures, labels: &Labels) -> Vec<String> {
    let mut notes = Vec::new();
    for (_, stages) in figures.chains() {
        for pair in stages.windows(2) {
            let [(before, fewer), (after, more)] = pair else {
                continue;
            };
            let joined = *after == Stage::TaScreenings && figures.has_sourcing();
            if more > fewer && !joined {
                let before = format!("{} ({fewer})", labels.stage(before.field()));
                let after = format!("{} ({more})", labels.stage(after.field()));
                notes.push(labels.note("larger", &[("after", &after), ("before", &before)]));
            }
        }
    }
    notes
}
