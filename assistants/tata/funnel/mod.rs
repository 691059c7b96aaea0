//! The funnel report: conversions of both chains and where candidates are lost. Every figure is
//! computed here, without a model.

mod figures;
mod input;
mod layout;

use serde::Serialize;

use self::figures::Figures;
use self::input::CHAINS;
use super::document::Document;
use super::labels::labels;
use super::language::Language;

pub(super) use input::FunnelReportInput;

const HIGH_CONVERSION: f64 = 20.0;
const MEDIUM_CONVERSION: f64 = 30.0;
const HIGH_DAYS: f64 = 14.0;
const MEDIUM_DAYS: f64 = 7.0;
const LARGEST_DROPS: usize = 2;

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct FunnelStage {
    stage: &'static str,
    chain: &'static str,
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
    stage: &'static str,
    /// The conversion, if it is too low.
    conversion_rate: Option<f64>,
    /// The days, if they are too many.
    time_in_stage: Option<f64>,
    severity: Severity,
}

#[derive(Clone, Debug, PartialEq)]
struct Drop {
    from: &'static str,
    to: &'static str,
    lost: u64,
    conversion: f64,
}

/// The figures that the document and the page's chart show.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Analysis {
    funnel_table: Vec<FunnelStage>,
    bottlenecks: Vec<Bottleneck>,
    /// The two stages where the largest share is lost.
    #[serde(skip)]
    largest_drops: Vec<Drop>,
}

/// The report; the error says which figures cannot be.
pub(super) fn document(input: &FunnelReportInput, language: Language) -> Result<Document, String> {
    let figures = figures::check(input)?;
    let analysis = analyse(&figures, language);
    let mut document = layout::document(input, &analysis, language);
    document.notes = figures::doubts(&figures, language);
    if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(&analysis) {
        document.fields.extend(fields);
    }
    Ok(document)
}

fn analyse(figures: &Figures, language: Language) -> Analysis {
    let table = table(figures, language);
    Analysis {
        bottlenecks: steps(&table).filter_map(bottleneck).collect(),
        largest_drops: largest_drops(&table),
        funnel_table: table,
    }
}

/// B/A×100 with one decimal, 0 when A is 0.
fn conversion(before: u64, after: u64) -> f64 {
    if before == 0 {
        return 0.0;
    }
    (after as f64 / before as f64 * 1000.0).round() / 10.0
}

fn table(figures: &Figures, language: Language) -> Vec<FunnelStage> {
    let mut rows: Vec<FunnelStage> = Vec::new();
    for (chain, stages) in CHAINS {
        let mut first = None;
        let mut previous = None;
        for (stage, count) in figures.of(stages) {
            rows.push(FunnelStage {
                stage,
                chain,
                name: labels(language).word(stage),
                count,
                conversion_from_previous: previous.map(|before| conversion(before, count)),
                cumulative_conversion: first.map_or(100.0, |first| conversion(first, count)),
                time_in_stage: figures.days.get(stage).copied(),
            });
            first = first.or(Some(count));
            previous = Some(count);
        }
    }
    rows
}

/// Each row with the one before it in its chain.
fn steps(table: &[FunnelStage]) -> impl Iterator<Item = (Option<&FunnelStage>, &FunnelStage)> {
    let before = std::iter::once(None).chain(table.iter().map(Some));
    before
        .zip(table)
        .map(|(before, row)| (before.filter(|before| before.chain == row.chain), row))
}

/// A stage that nobody could reach is not the bottleneck; the one before it is.
fn bottleneck((before, row): (Option<&FunnelStage>, &FunnelStage)) -> Option<Bottleneck> {
    let is_reachable = before.is_none_or(|before| before.count > 0);
    let rate = row.conversion_from_previous.filter(|_| is_reachable);
    let by_rate = rate.and_then(|rate| grade(rate < HIGH_CONVERSION, rate < MEDIUM_CONVERSION));
    let days = row.time_in_stage;
    let by_time = days.and_then(|days| grade(days > HIGH_DAYS, days > MEDIUM_DAYS));
    Some(Bottleneck {
        stage: row.stage,
        conversion_rate: rate.filter(|_| by_rate.is_some()),
        time_in_stage: days.filter(|_| by_time.is_some()),
        severity: by_rate.max(by_time)?,
    })
}

fn grade(high: bool, medium: bool) -> Option<Severity> {
    match (high, medium) {
        (true, _) => Some(Severity::High),
        (false, true) => Some(Severity::Medium),
        (false, false) => None,
    }
}

fn largest_drops(table: &[FunnelStage]) -> Vec<Drop> {
    let drops = steps(table).filter_map(|(before, row)| {
        let before = before.filter(|before| before.count > row.count)?;
        Some(Drop {
            from: before.name,
            to: row.name,
            lost: before.count - row.count,
            conversion: conversion(before.count, row.count),
        })
    });
    let mut drops: Vec<Drop> = drops.collect();
    drops.sort_by(|a, b| {
        let by_share = a.conversion.total_cmp(&b.conversion);
        by_share.then(b.lost.cmp(&a.lost))
    });
    drops.truncate(LARGEST_DROPS);
    drops
}

#[cfg(test)]
mod funnel_tests;
