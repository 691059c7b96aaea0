//! The funnel report as a document: overview, tables, drops, bottlenecks.

use super::input::{CHAINS, FunnelFormat, FunnelReportInput};
use super::{Analysis, Bottleneck, Drop, FunnelStage, Severity};
use crate::document::{Document, Item, MadeWith, one_line};
use crate::labels::{Labels, labels};
use crate::language::Language;

pub(super) fn document(
    input: &FunnelReportInput,
    analysis: &Analysis,
    language: Language,
) -> Document {
    let labels = labels(language);
    let title = labels.title("funnel_report", &one_line(&input.job_title));
    let mut document = Document::new(title, language, MadeWith::Code);
    let texts = input.format != FunnelFormat::ComparisonTable;
    if texts {
        document.items("overview", overview(input, labels, language));
    }
    for (chain, _) in CHAINS {
        let rows = analysis
            .funnel_table
            .iter()
            .filter(|row| row.chain == chain);
        let rows: Vec<&FunnelStage> = rows.collect();
        if input.format != FunnelFormat::SlideContent && !rows.is_empty() {
            add_table(&mut document, chain, &rows);
        }
    }
    if texts {
        let drops = analysis.largest_drops.iter();
        let drops = drops.map(|drop| drop_item(drop, labels, language));
        document.some_items("drops", drops.collect());
        let bottlenecks = analysis.bottlenecks.iter();
        let bottlenecks = bottlenecks.map(|found| bottleneck_item(found, labels, language));
        document.some_items("bottlenecks", bottlenecks.collect());
    }
    document
}

fn overview(input: &FunnelReportInput, labels: &Labels, language: Language) -> Vec<Item> {
    let item = |topic: &str, text: String| Item::labelled(labels.word(topic), text);
    let mut items = vec![
        item("positions", input.number_of_positions.to_string()),
        item("manager", input.hiring_manager_name.clone()),
    ];
    if !input.locations.is_empty() {
        items.push(item("locations", input.locations.join(", ")));
    }
    let days = input.time_to_fill.map(|days| days_text(days, language));
    items.extend(days.map(|days| item("time_to_fill", days)));
    let rejected = input.offers_rejected;
    items.extend(rejected.map(|count| item("rejected", count.to_string())));
    items
}

fn add_table(document: &mut Document, id: &str, rows: &[&FunnelStage]) {
    let language = document.language;
    let labels = labels(language);
    let columns = ["stage", "count", "conversion", "cumulative", "time"];
    let header = columns.map(|key| labels.word(key).to_owned()).to_vec();
    let cells = |row: &&FunnelStage| {
        let (previous, time) = (row.conversion_from_previous, row.time_in_stage);
        vec![
            row.name.to_owned(),
            row.count.to_string(),
            previous.map_or_else(String::new, |rate| percent(rate, language)),
            percent(row.cumulative_conversion, language),
            time.map_or_else(String::new, |days| days_text(days, language)),
        ]
    };
    document.table(id, header, rows.iter().map(cells).collect());
}

fn drop_item(drop: &Drop, labels: &Labels, language: Language) -> Item {
    let (lost, rate) = (drop.lost, percent(drop.conversion, language));
    let (fewer, go_on) = (labels.word("fewer"), labels.word("go_on"));
    let label = format!("{} → {}", drop.from, drop.to);
    Item::labelled(label, format!("{lost} {fewer}, {rate} {go_on}"))
}

fn bottleneck_item(found: &Bottleneck, labels: &Labels, language: Language) -> Item {
    let go_on = labels.word("go_on");
    let rate = found
        .conversion_rate
        .map(|rate| format!("{} {go_on}", percent(rate, language)));
    let time = found.time_in_stage.map(|days| days_text(days, language));
    let reasons: Vec<String> = rate.into_iter().chain(time).collect();
    let severity = match found.severity {
        Severity::High => labels.word("high"),
        Severity::Medium => labels.word("medium"),
    };
    let text = format!("{} ({severity})", reasons.join(", "));
    Item::labelled(labels.word(found.stage), text)
}

/// A decimal point in English, a decimal comma elsewhere.
fn decimal(value: f64, language: Language) -> String {
    let text = format!("{}", (value * 10.0).round() / 10.0);
    match language == Language::En {
        true => text,
        false => text.replace('.', ","),
    }
}

fn percent(value: f64, language: Language) -> String {
    let space = if language == Language::En { "" } else { " " };
    format!("{}{space}%", decimal(value, language))
}

fn days_text(days: f64, language: Language) -> String {
    format!(
        "{} {}",
        decimal(days, language),
        labels(language).word("days")
    )
}
