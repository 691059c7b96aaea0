//! All candidates of the project side by side, from their reports, by initials.

use crate::tata::document::{Document, Item, MadeWith};
use crate::tata::drafts::candidate_report::Recommendation;
use crate::tata::labels::labels;
use crate::tata::language::Language;

pub(in crate::tata) const KIND: &str = "candidate_comparison";

/// Sections of a report whose labelled items become rows.
const ROWS: [&str; 3] = ["must_haves", "good_to_haves", "practical"];

pub(in crate::tata) fn document(
    reports: &[&Document],
    position: &str,
    language: Language,
) -> Document {
    let labels = labels(language);
    let title = labels.title(KIND, position);
    let mut document = Document::new(title, language, MadeWith::Code);
    let mut header = vec![labels.word("criterion").to_owned()];
    header.extend(initials(reports));
    let decision = |report: &&Document| match Recommendation::of(report) {
        Some(recommendation) => recommendation.label(language).to_owned(),
        None => labels.word("your_decision").to_owned(),
    };
    let mut first = vec![labels.section("recommendation").to_owned()];
    first.extend(reports.iter().map(decision));
    let mut rows = vec![first];
    for id in ROWS {
        for label in row_labels(reports, id) {
            let cells = reports.iter().map(|report| cell(report, id, &label));
            let cells: Vec<String> = cells.collect();
            rows.push([label].into_iter().chain(cells).collect());
        }
    }
    document.table("comparison", labels.section("comparison"), header, rows);
    document
}

/// The labels of a section in all reports, each once, in order.
fn row_labels(reports: &[&Document], id: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for label in reports
        .iter()
        .flat_map(|report| report.items_of(id))
        .filter_map(|item| item.label.clone())
    {
        if !found.contains(&label) {
            found.push(label);
        }
    }
    found
}

/// The rating, or else the words; skills that were not discussed have neither.
fn cell(report: &Document, id: &str, label: &str) -> String {
    let shown = |item: &Item| match item.rating {
        Some(rating) => format!("{rating}/5"),
        None => item.text.clone(),
    };
    let found: Vec<String> = report
        .items_of(id)
        .filter(|item| item.label.as_deref() == Some(label))
        .map(shown)
        .collect();
    match found.is_empty() {
        true => "–".to_owned(),
        false => found.join("; "),
    }
}

/// "AN" for Anna Nilsson; numbered where two candidates share theirs.
fn initials(reports: &[&Document]) -> Vec<String> {
    let of = |report: &&Document| {
        let name = report.field("candidate").unwrap_or_default();
        let letters = name
            .split_whitespace()
            .filter_map(|word| word.chars().next());
        letters.flat_map(char::to_uppercase).collect::<String>()
    };
    let plain: Vec<String> = reports.iter().map(of).collect();
    let numbered = plain.iter().enumerate().map(|(at, initials)| {
        let before = plain[..at]
            .iter()
            .filter(|other| *other == initials)
            .count();
        match before {
            0 => initials.clone(),
            more => format!("{initials} {}", more + 1),
        }
    });
    numbered.collect()
}
