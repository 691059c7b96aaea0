//! The funnel report: conversions of both chains and where candidates are lost. Every figure is
//! computed here; no model takes part.

mod figures;
mod layout;
pub(super) mod stage;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::figures::Figures;
use self::stage::{Chain, Owner, Signal, Stage};
use super::document::Document;
use super::labels::labels;
use super::language::Language;

const HIGH_CONVERSION: f64 = 20.0;
const MEDIUM_CONVERSION: f64 = 30.0;
const HIGH_DAYS: f64 = 14.0;
const MEDIUM_DAYS: f64 = 7.0;
const LARGEST_DROPS: usize = 2;

/// The figures of one recruitment, from Jobylon and LinkedIn. Leave out what is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FunnelReportInput {
    /// The job title.
    pub(super) job_title: String,
    /// How many positions are to be filled, at least 1.
    pub(super) number_of_positions: i64,
    /// The hiring manager's name.
    pub(super) hiring_manager_name: String,
    /// Places of work.
    #[serde(default)]
    pub(super) locations: Vec<String>,
    /// How often the job ad was viewed.
    #[serde(default)]
    pub(super) job_ad_views: Option<i64>,
    /// Clicks on the apply button.
    #[serde(default)]
    pub(super) apply_clicks: Option<i64>,
    /// Applications received.
    #[serde(default)]
    pub(super) applications_received: Option<i64>,
    /// Applications that meet the requirements.
    #[serde(default)]
    pub(super) qualified_applications: Option<i64>,
    /// Candidates found by sourcing.
    #[serde(default)]
    pub(super) candidates_sourced: Option<i64>,
    /// Sourced candidates that were contacted.
    #[serde(default)]
    pub(super) candidates_contacted: Option<i64>,
    /// Contacted candidates that replied.
    #[serde(default)]
    pub(super) candidates_replied: Option<i64>,
    /// Candidates that replied and are interested.
    #[serde(default)]
    pub(super) candidates_interested: Option<i64>,
    /// Screenings by Talent Acquisition.
    #[serde(default)]
    pub(super) ta_screenings: Option<i64>,
    /// Interviews with the hiring manager.
    #[serde(default)]
    pub(super) hm_interviews: Option<i64>,
    /// Interviews with a case.
    #[serde(default)]
    pub(super) case_interviews: Option<i64>,
    /// Interviews with the team.
    #[serde(default)]
    pub(super) team_interviews: Option<i64>,
    /// Candidates tested.
    #[serde(default)]
    pub(super) tests: Option<i64>,
    /// Candidates whose references were taken.
    #[serde(default)]
    pub(super) references: Option<i64>,
    /// Offers made.
    #[serde(default)]
    pub(super) offers_made: Option<i64>,
    /// Offers accepted.
    #[serde(default)]
    pub(super) offers_accepted: Option<i64>,
    /// Offers declined.
    #[serde(default)]
    pub(super) offers_rejected: Option<i64>,
    /// Average days in a stage, by the stage's field name, for example {"hm_interviews": 12}. Weeks are given as days.
    #[serde(default)]
    pub(super) time_in_stage: BTreeMap<String, f64>,
    /// Days from opening the position to the accepted offer; weeks are given as days.
    #[serde(default)]
    pub(super) time_to_fill: Option<f64>,
    /// How the report is laid out: for Word, as a funnel in text, as slides, or as a comparison table.
    #[serde(default)]
    pub(super) format: FunnelFormat,
    /// Output language; that of the request when absent.
    #[serde(default)]
    pub(super) language: Option<Language>,
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

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct FunnelStage {
    stage: Stage,
    chain: Chain,
    name: &'static str,
    count: u64,
    /// Percent of the stage before, one decimal; nothing for the first stage of a chain.
    conversion_from_previous: Option<f64>,
    /// Percent of the chain's first stage.
    cumulative_conversion: f64,
    time_in_stage: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
enum Severity {
    Medium,
    High,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Bottleneck {
    stage: Stage,
    /// The conversion, when it is what is wrong.
    conversion_rate: Option<f64>,
    /// The days, when they are what is wrong.
    time_in_stage: Option<f64>,
    severity: Severity,
    owner: Owner,
    /// The kind of document where the cause usually lies.
    related: &'static str,
}

/// A bar of the page's chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Bar {
    name: &'static str,
    chain: Chain,
    count: u64,
    /// Percent of the chain's largest stage.
    width: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Drop {
    from: &'static str,
    to: &'static str,
    lost: u64,
    conversion: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Chart {
    stages: Vec<Bar>,
    /// The two stages where the largest share is lost.
    largest_drops: Vec<Drop>,
}

/// The figures that the document and the page's chart show.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Analysis {
    funnel_table: Vec<FunnelStage>,
    bottlenecks: Vec<Bottleneck>,
    visual_data: Chart,
}

/// The report; the error says which figures cannot be.
pub(super) fn document(input: &FunnelReportInput, language: Language) -> Result<Document, String> {
    let figures = figures::check(input)?;
    let table = table(&figures, language);
    let analysis = Analysis {
        bottlenecks: bottlenecks(&table),
        visual_data: chart(&table),
        funnel_table: table,
    };
    let mut document = layout::document(input, &analysis, language);
    document.notes = figures::doubts(input, &figures, language);
    if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(&analysis) {
        document.fields.extend(fields);
    }
    Ok(document)
}

/// B/A×100 with one decimal, 0 when A is 0.
fn conversion(before: u64, after: u64) -> f64 {
    if before == 0 {
        return 0.0;
    }
    (after as f64 / before as f64 * 1000.0).round() / 10.0
}

fn table(figures: &Figures, language: Language) -> Vec<FunnelStage> {
    let mut rows = Vec::new();
    for (chain, stages) in figures.chains() {
        let mut previous = None;
        for (stage, count) in &stages {
            let first = stages.first().map_or(0, |(_, count)| *count);
            rows.push(FunnelStage {
                stage: *stage,
                chain,
                name: labels(language).stage(stage.field()),
                count: *count,
                conversion_from_previous: previous.map(|before| conversion(before, *count)),
                cumulative_conversion: match previous {
                    None => 100.0,
                    Some(_) => conversion(first, *count),
                },
                time_in_stage: figures.days.get(stage).copied(),
            });
            previous = Some(*count);
        }
    }
    rows
}

/// A stage that nobody could reach is not the bottleneck; the one before it is.
fn bottleneck(row: &FunnelStage, previous: Option<u64>) -> Option<Bottleneck> {
    let rate = row.conversion_from_previous.filter(|_| previous != Some(0));
    let by_rate = rate.and_then(|rate| grade(rate < HIGH_CONVERSION, rate < MEDIUM_CONVERSION));
    let by_time = row
        .time_in_stage
        .and_then(|days| grade(days > HIGH_DAYS, days > MEDIUM_DAYS));
    let signal = match (by_rate, by_time) {
        // The more serious signal decides; when both are equal, the lost candidates do.
        (Some(rate), Some(time)) if time > rate => Signal::Time,
        (Some(_), _) => Signal::Conversion,
        (None, _) => Signal::Time,
    };
    Some(Bottleneck {
        stage: row.stage,
        conversion_rate: rate.filter(|_| by_rate.is_some()),
        time_in_stage: row.time_in_stage.filter(|_| by_time.is_some()),
        severity: by_rate.max(by_time)?,
        owner: row.stage.owner(signal),
        related: row.stage.material(signal).facts().artifact,
    })
}

fn bottlenecks(table: &[FunnelStage]) -> Vec<Bottleneck> {
    let mut found = Vec::new();
    for (at, row) in table.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| table.get(at));
        let before = before.filter(|before| before.chain == row.chain);
        found.extend(bottleneck(row, before.map(|before| before.count)));
    }
    found
}

fn grade(high: bool, medium: bool) -> Option<Severity> {
    match (high, medium) {
        (true, _) => Some(Severity::High),
        (false, true) => Some(Severity::Medium),
        (false, false) => None,
    }
}

fn chart(table: &[FunnelStage]) -> Chart {
    let largest = |chain: Chain| {
        let of_chain = table.iter().filter(|row| row.chain == chain);
        of_chain.map(|row| row.count).max().unwrap_or(0)
    };
    let stages = table.iter().map(|row| Bar {
        name: row.name,
        chain: row.chain,
        count: row.count,
        width: conversion(largest(row.chain), row.count),
    });
    let mut drops: Vec<Drop> = table
        .iter()
        .zip(table.iter().skip(1))
        .filter(|(before, after)| before.chain == after.chain && after.count < before.count)
        .map(|(before, after)| Drop {
            from: before.name,
            to: after.name,
            lost: before.count - after.count,
            conversion: conversion(before.count, after.count),
        })
        .collect();
    drops.sort_by(|a, b| {
        a.conversion
            .total_cmp(&b.conversion)
            .then(b.lost.cmp(&a.lost))
    });
    drops.truncate(LARGEST_DROPS);
    Chart {
        stages: stages.collect(),
        largest_drops: drops,
    }
}

#[cfg(test)]
mod funnel_tests;
