//! Funnel report: conversions of the inbound and the sourcing chain, bottlenecks, and exactly one fix with one owner
//! for each of them.

mod figures;
mod phrases;
pub mod stage;
mod summary;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::phrases::FunnelPhrases;
use self::summary::summary;
use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::funnel_report::figures::{Figures, check_input};
use crate::tata::domain::funnel_report::stage::{Chain, Owner, Signal, Stage};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::module::Module;
use crate::tata::domain::problem::Problems;
use crate::tata::domain::text::words::one_line;
use crate::tata::domain::voice::Voice;

const HIGH_CONVERSION: f64 = 20.0;
const MEDIUM_CONVERSION: f64 = 30.0;
const HIGH_DAYS: f64 = 14.0;
const MEDIUM_DAYS: f64 = 7.0;
const LARGEST_DROPS: usize = 2;

/// The figures of one recruitment, from Jobylon and LinkedIn. Leave out what is not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunnelReportInput {
    /// The job title.
    pub job_title: String,
    /// How many positions are to be filled, at least 1.
    pub number_of_positions: i64,
    /// The hiring manager's name.
    pub hiring_manager_name: String,
    /// Places of work.
    #[serde(default)]
    pub locations: Vec<String>,
    /// How often the job ad was viewed.
    #[serde(default)]
    pub job_ad_views: Option<i64>,
    /// Clicks on the apply button.
    #[serde(default)]
    pub apply_clicks: Option<i64>,
    /// Applications received.
    #[serde(default)]
    pub applications_received: Option<i64>,
    /// Applications that meet the requirements.
    #[serde(default)]
    pub qualified_applications: Option<i64>,
    /// Candidates found by sourcing.
    #[serde(default)]
    pub candidates_sourced: Option<i64>,
    /// Sourced candidates that were contacted.
    #[serde(default)]
    pub candidates_contacted: Option<i64>,
    /// Contacted candidates that replied.
    #[serde(default)]
    pub candidates_replied: Option<i64>,
    /// Candidates that replied and are interested.
    #[serde(default)]
    pub candidates_interested: Option<i64>,
    /// Screenings by Talent Acquisition.
    #[serde(default)]
    pub ta_screenings: Option<i64>,
    /// Interviews with the hiring manager.
    #[serde(default)]
    pub hm_interviews: Option<i64>,
    /// Interviews with a case.
    #[serde(default)]
    pub case_interviews: Option<i64>,
    /// Interviews with the team.
    #[serde(default)]
    pub team_interviews: Option<i64>,
    /// Candidates tested.
    #[serde(default)]
    pub tests: Option<i64>,
    /// Candidates whose references were taken.
    #[serde(default)]
    pub references: Option<i64>,
    /// Offers made.
    #[serde(default)]
    pub offers_made: Option<i64>,
    /// Offers accepted.
    #[serde(default)]
    pub offers_accepted: Option<i64>,
    /// Offers declined.
    #[serde(default)]
    pub offers_rejected: Option<i64>,
    /// Average days in a stage, by the stage's field name, for example {"hm_interviews": 12}.
    #[serde(default)]
    pub time_in_stage: BTreeMap<String, f64>,
    /// Days from opening the position to the accepted offer.
    #[serde(default)]
    pub time_to_fill: Option<f64>,
    /// How the report is laid out: for Word, as a funnel in text, as slides, or as a comparison table.
    #[serde(default)]
    pub format: FunnelFormat,
    /// Output language; the project's language when absent.
    #[serde(default)]
    pub language: Option<Language>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FunnelFormat {
    #[default]
    Word,
    VisualFunnel,
    SlideContent,
    ComparisonTable,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunnelStage {
    pub stage: Stage,
    pub chain: Chain,
    pub name: String,
    pub count: u64,
    /// Percent of the stage before, one decimal; nothing for the first stage of a chain.
    pub conversion_from_previous: Option<f64>,
    /// Percent of the chain's first stage.
    pub cumulative_conversion: f64,
    pub time_in_stage: Option<f64>,
    pub notes: Option<String>,
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "UPPERCASE")]
pub enum BottleneckSeverity {
    Medium,
    High,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bottleneck {
    pub stage: Stage,
    /// The conversion, when it is what is wrong.
    pub conversion_rate: Option<f64>,
    /// The days, when they are what is wrong.
    pub time_in_stage: Option<f64>,
    pub severity: BottleneckSeverity,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuggestedFix {
    pub bottleneck: Stage,
    pub fix: String,
    pub owner: Owner,
    pub related_module: Module,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisualStage {
    pub name: String,
    pub chain: Chain,
    pub count: u64,
    /// Width of the bar in percent of the chain's largest stage.
    pub width: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drop {
    pub from: String,
    pub to: String,
    pub lost: u64,
    pub conversion: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VisualData {
    pub stages: Vec<VisualStage>,
    /// The two stages where the largest share is lost.
    pub largest_drops: Vec<Drop>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunnelReport {
    pub job_title: String,
    pub summary: String,
    pub funnel_table: Vec<FunnelStage>,
    pub bottlenecks: Vec<Bottleneck>,
    pub suggested_fixes: Vec<SuggestedFix>,
    pub visual_data: VisualData,
    pub format: FunnelFormat,
    pub language: Language,
    pub created_at: chrono::DateTime<chrono::Utc>,
}

/// `existing` are the documents the project already has; fixes point to them.
pub fn process(
    input: &FunnelReportInput,
    existing: &BTreeSet<Module>,
    desk: &Desk<'_>,
) -> Result<Produced<FunnelReport>, Problems> {
    let (figures, warnings) = check_input(input)?;
    let language = input.language.unwrap_or(desk.language);
    let voice = desk.voice(language, GermanAddress::Sie);
    let table = table(&figures, voice);
    let bottlenecks = bottlenecks(&table);
    let fixes = bottlenecks
        .iter()
        .map(|b| fix(b, existing, voice))
        .collect();
    let report = FunnelReport {
        job_title: one_line(&input.job_title),
        summary: summary(input, &table, &bottlenecks, voice),
        visual_data: visual(&table),
        suggested_fixes: fixes,
        bottlenecks,
        funnel_table: table,
        format: input.format,
        language,
        created_at: desk.now,
    };
    Ok(Produced {
        artifact: report,
        warnings,
    })
}

/// B/A×100 with one decimal, 0 when A is 0.
pub fn conversion(before: u64, after: u64) -> f64 {
    if before == 0 {
        return 0.0;
    }
    (after as f64 / before as f64 * 1000.0).round() / 10.0
}

fn table(figures: &Figures, voice: Voice<'_>) -> Vec<FunnelStage> {
    let mut rows = Vec::new();
    for chain in [Chain::Inbound, Chain::Sourcing] {
        let stages: Vec<(Stage, u64)> = figures
            .counts
            .iter()
            .copied()
            .filter(|(s, _)| s.chain() == chain)
            .collect();
        for (i, (stage, count)) in stages.iter().enumerate() {
            let previous = i.checked_sub(1).map(|p| stages[p].1);
            rows.push(FunnelStage {
                stage: *stage,
                chain,
                name: voice.pack.funnel.stage(*stage).to_owned(),
                count: *count,
                conversion_from_previous: previous.map(|p| conversion(p, *count)),
                cumulative_conversion: if i == 0 {
                    100.0
                } else {
                    conversion(stages[0].1, *count)
                },
                time_in_stage: figures.days.get(stage).copied(),
                notes: note(*stage, *count, previous, figures, voice),
            });
        }
    }
    rows
}

fn note(
    stage: Stage,
    count: u64,
    previous: Option<u64>,
    figures: &Figures,
    voice: Voice<'_>,
) -> Option<String> {
    let phrases = &voice.pack.funnel.notes;
    let previous = previous?;
    let joined = stage == Stage::TaScreenings && figures.has_sourcing();
    let phrase = match (count > previous, previous == 0 && count == 0) {
        (true, _) if joined => &phrases.joined,
        (true, _) => &phrases.over,
        (false, true) => &phrases.empty,
        (false, false) => return None,
    };
    Some(voice.plain(phrase))
}

/// A stage that nobody could reach is not the bottleneck; the one before it is.
fn bottleneck(row: &FunnelStage, previous: Option<u64>) -> Option<Bottleneck> {
    let rate = row.conversion_from_previous.filter(|_| previous != Some(0));
    let by_rate = rate.and_then(|r| grade(r < HIGH_CONVERSION, r < MEDIUM_CONVERSION));
    let by_time = row
        .time_in_stage
        .and_then(|d| grade(d > HIGH_DAYS, d > MEDIUM_DAYS));
    Some(Bottleneck {
        stage: row.stage,
        conversion_rate: rate.filter(|_| by_rate.is_some()),
        time_in_stage: row.time_in_stage.filter(|_| by_time.is_some()),
        severity: by_rate.max(by_time)?,
    })
}

fn bottlenecks(table: &[FunnelStage]) -> Vec<Bottleneck> {
    let mut out = Vec::new();
    for (i, row) in table.iter().enumerate() {
        let before = i
            .checked_sub(1)
            .map(|p| &table[p])
            .filter(|p| p.chain == row.chain);
        out.extend(bottleneck(row, before.map(|p| p.count)));
    }
    out
}

fn grade(high: bool, medium: bool) -> Option<BottleneckSeverity> {
    match (high, medium) {
        (true, _) => Some(BottleneckSeverity::High),
        (false, true) => Some(BottleneckSeverity::Medium),
        (false, false) => None,
    }
}

/// The more serious signal decides; when both are equal, the lost candidates do.
fn signal(b: &Bottleneck) -> Signal {
    match (b.conversion_rate, b.time_in_stage) {
        (Some(rate), Some(days)) if rate >= HIGH_CONVERSION && days > HIGH_DAYS => Signal::Time,
        (Some(_), _) => Signal::Conversion,
        (None, _) => Signal::Time,
    }
}

fn fix(b: &Bottleneck, existing: &BTreeSet<Module>, voice: Voice<'_>) -> SuggestedFix {
    let phrases = &voice.pack.funnel;
    let signal = signal(b);
    let related_module = b.stage.material(signal);
    let mut fix = voice.plain(phrases.fix_for(b.stage, signal));
    if existing.contains(&related_module) {
        fix.push(' ');
        fix.push_str(&voice.say(
            &phrases.own_material,
            &[("module", voice.module(related_module))],
        ));
    }
    SuggestedFix {
        bottleneck: b.stage,
        fix,
        owner: b.stage.owner(signal),
        related_module,
    }
}

fn visual(table: &[FunnelStage]) -> VisualData {
    let largest = |chain: Chain| {
        table
            .iter()
            .filter(|r| r.chain == chain)
            .map(|r| r.count)
            .max()
            .unwrap_or(0)
    };
    let stages = table.iter().map(|r| VisualStage {
        name: r.name.clone(),
        chain: r.chain,
        count: r.count,
        width: conversion(largest(r.chain), r.count),
    });
    let pairs = table
        .windows(2)
        .filter(|p| p[0].chain == p[1].chain && p[1].count < p[0].count);
    let mut drops: Vec<Drop> = pairs
        .map(|p| Drop {
            from: p[0].name.clone(),
            to: p[1].name.clone(),
            lost: p[0].count - p[1].count,
            conversion: conversion(p[0].count, p[1].count),
        })
        .collect();
    drops.sort_by(|a, b| {
        a.conversion
            .total_cmp(&b.conversion)
            .then(b.lost.cmp(&a.lost))
    });
    drops.truncate(LARGEST_DROPS);
    VisualData {
        stages: stages.collect(),
        largest_drops: drops,
    }
}

#[cfg(test)]
mod funnel_report_tests;
