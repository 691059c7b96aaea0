//! The funnel report as a document: overview, tables, drops, bottlenecks.

use super::stage::{Chain, Owner};
use super::{Analysis, Bottleneck, FunnelFormat, FunnelReportInput, FunnelStage, Severity};
use crate::tata::document::{Document, Item, MadeWith, one_line};
use crate::tata::labels::{Labels, labels};
use crate::tata::language::Language;

const WIDEST_BAR: f64 = 20.0;

pub(super) fn document(
    input: &FunnelReportInput,
    analysis: &Analysis,
    language: Language,
) -> Document {
    let labels = labels(language);
    let title = labels.title("funnel_report", &one_line(&input.job_title));
    let mut document = Document::new(title, language, MadeWith::Code);
    let (tables, texts) = match input.format {
        FunnelFormat::Word | FunnelFormat::VisualFunnel => (true, true),
        FunnelFormat::SlideContent => (false, true),
        FunnelFormat::ComparisonTable => (true, false),
    };
    if texts {
        document.items(
            "overview",
            labels.section("overview"),
            overview(input, language),
        );
    }
    for (chain, id) in [(Chain::Inbound, "inbound"), (Chain::Sourcing, "sourcing")] {
        let of_chain = |row: &&FunnelStage| row.chain == chain;
        let rows: Vec<&FunnelStage> = analysis.funnel_table.iter().filter(of_chain).collect();
        if tables && !rows.is_empty() {
            let bars = input.format == FunnelFormat::VisualFunnel;
            add_table(&mut document, id, &rows, bars);
        }
    }
    if texts {
        let drops = analysis.visual_data.largest_drops.iter().map(|drop| {
            let (lost, fewer) = (drop.lost, labels.word("fewer"));
            let rate = percent(drop.conversion, language);
            let text = format!("{lost} {fewer}, {rate} {}", labels.word("go_on"));
            Item::labelled(format!("{} → {}", drop.from, drop.to), text)
        });
        document.some_items("drops", labels.section("drops"), drops.collect());
        let bottlenecks = analysis.bottlenecks.iter();
        let bottlenecks = bottlenecks.map(|bottleneck| bottleneck_item(bottleneck, language));
        document.some_items(
            "bottlenecks",
            labels.section("bottlenecks"),
            bottlenecks.collect(),
        );
    }
    document
}

fn overview(input: &FunnelReportInput, language: Language) -> Vec<Item> {
    let labels = labels(language);
    let item = |topic: &'static str, text: String| Item::labelled(labels.topic(topic), text);
    let mut items = vec![
        item("positions", input.number_of_positions.to_string()),
        item("manager", input.hiring_manager_name.clone()),
    ];
    let locations: Vec<String> = input
        .locations
        .iter()
        .map(|place| one_line(place))
        .collect();
    if !locations.is_empty() {
        items.push(item("locations", locations.join(", ")));
    }
    items.extend(
        input
            .time_to_fill
            .map(|days| item("time_to_fill", days_text(days, language))),
    );
    items.extend(
        input
            .offers_rejected
            .map(|count| item("rejected", count.to_string())),
    );
    items
}

fn add_table(document: &mut Document, id: &'static str, rows: &[&FunnelStage], bars: bool) {
    let language = document.language;
    let labels = labels(language);
    let columns = ["stage", "count", "conversion", "cumulative", "time"];
    let mut header: Vec<String> = columns.map(|key| labels.word(key).to_owned()).to_vec();
    if bars {
        header.push(labels.word("share").to_owned());
    }
    let largest = rows.iter().map(|row| row.count).max().unwrap_or(0);
    let cells = |row: &&FunnelStage| {
        let previous = row.conversion_from_previous;
        let mut cells = vec![
            row.name.to_owned(),
            row.count.to_string(),
            previous.map_or_else(String::new, |rate| percent(rate, language)),
            percent(row.cumulative_conversion, language),
            row.time_in_stage
                .map_or_else(String::new, |days| days_text(days, language)),
        ];
        if bars {
            let width = super::conversion(largest, row.count) / 100.0 * WIDEST_BAR;
            cells.push("█".repeat((width.round() as usize).max(1)));
        }
        cells
    };
    let rows = rows.iter().map(cells).collect();
    document.table(id, labels.section(id), header, rows);
}

/// What is wrong, how badly, who acts, and which document to look at.
fn bottleneck_item(bottleneck: &Bottleneck, language: Language) -> Item {
    let labels = labels(language);
    let go_on = labels.word("go_on");
    let rate = bottleneck
        .conversion_rate
        .map(|rate| format!("{} {go_on}", percent(rate, language)));
    let time = bottleneck
        .time_in_stage
        .map(|days| days_text(days, language));
    let reasons: Vec<String> = rate.into_iter().chain(time).collect();
    let severity = match bottleneck.severity {
        Severity::High => labels.word("high"),
        Severity::Medium => labels.word("medium"),
    };
    let text = format!(
        "{} ({severity}). {}: {}. {}: {}.",
        reasons.join(", "),
        labels.word("owner"),
        owner(bottleneck.owner, labels),
        labels.word("look_at"),
        labels.module(bottleneck.related),
    );
    Item::labelled(labels.stage(bottleneck.stage.field()), text)
}

fn owner(owner: Owner, labels: &Labels) -> &str {
    labels.word(match owner {
        Owner::Recruiter => "recruiter",
        Owner::HiringManager => "hiring_manager",
        Owner::TaOperations => "ta_operations",
    })
}

/// A decimal point in English, a decimal comma elsewhere.
fn decimal(value: f64, language: Language) -> String {
    let text = format!("{}", (value * 10.0).round() / 10.0);
    match language {
        Language::En => text,
        Language::Sv | Language::Da | Language::No | Language::De => text.replace('.', ","),
    }
}

fn percent(value: f64, language: Language) -> String {
    let number = decimal(value, language);
    match language {
        Language::En => format!("{number}%"),
        Language::Sv | Language::Da | Language::No | Language::De => format!("{number} %"),
    }
}

fn days_text(days: f64, language: Language) -> String {
    format!(
        "{} {}",
        decimal(days, language),
        labels(language).word("days")
    )
}
