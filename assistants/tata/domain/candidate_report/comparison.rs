//! Compares candidates side by side. Columns are initials; no cell contains a candidate's name.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::candidate_report::CandidateReport;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::library::Library;
use crate::tata::domain::problem::Problems;
use crate::tata::domain::text::words::{shorten, words};
use crate::tata::domain::voice::Voice;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    pub title: String,
    /// The heading of the first column, then one column for each candidate.
    pub columns: Vec<String>,
    pub rows: Vec<ComparisonRow>,
    pub language: Language,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComparisonRow {
    pub criterion: String,
    pub cells: Vec<String>,
}

/// The kind under which comparisons are kept.
pub const KIND: &str = "candidate_comparison";

const MAX_CELL: usize = 240;

pub fn compare(
    reports: &[&CandidateReport],
    language: Language,
    library: &Library,
) -> Result<Comparison, Problems> {
    let [first, _, ..] = reports else {
        return Err(Problems::one(
            "candidate_reports",
            "A comparison needs at least two candidate reports in this project.",
        ));
    };
    let voice = Voice::new(library.pack(language), language, GermanAddress::Sie);
    let phrases = &voice.pack.report;
    let table = Table {
        reports,
        names: names(reports),
    };
    let mut rows = vec![
        table.row(&phrases.comparison.recommendation, |r| {
            phrases.label(r.recommendation).to_owned()
        }),
        table.row(&phrases.comparison.average, |r| {
            voice.decimal(r.average_rating())
        }),
        table.row(&phrases.comparison.motivation, |r| {
            r.motivation_assessment.clone()
        }),
    ];
    for skill in skills(reports) {
        rows.push(table.row(skill, |r| rating(r, skill, voice)));
    }
    rows.push(table.row(&phrases.practical.notice_period, |r| {
        r.practical_details.notice_period.clone()
    }));
    rows.push(table.row(&phrases.practical.salary_expectation, |r| {
        r.practical_details.salary_expectation.clone()
    }));
    rows.push(table.row(&phrases.practical.location, |r| {
        r.practical_details.location.clone()
    }));
    let mut columns = vec![phrases.comparison.criterion.clone()];
    columns.extend(labels(reports));
    let title = voice.say(
        &phrases.comparison.title,
        &[("position", &first.position_name)],
    );
    Ok(Comparison {
        title,
        columns,
        rows,
        language,
    })
}

struct Table<'a> {
    reports: &'a [&'a CandidateReport],
    names: BTreeSet<String>,
}

impl Table<'_> {
    fn row(&self, criterion: &str, cell: impl Fn(&CandidateReport) -> String) -> ComparisonRow {
        let cells = self.reports.iter().map(|r| {
            anonymous(
                &shorten(&cell(r), MAX_CELL),
                &self.names,
                &r.candidate_initials,
            )
        });
        ComparisonRow {
            criterion: criterion.to_owned(),
            cells: cells.collect(),
        }
    }
}

/// Initials; a second AB is "AB 2".
fn labels(reports: &[&CandidateReport]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for (i, report) in reports.iter().enumerate() {
        let initials = &report.candidate_initials;
        let earlier = reports[..i]
            .iter()
            .filter(|r| &r.candidate_initials == initials)
            .count();
        out.push(if earlier == 0 {
            initials.clone()
        } else {
            format!("{initials} {}", earlier + 1)
        });
    }
    out
}

fn skills<'r>(reports: &[&'r CandidateReport]) -> Vec<&'r str> {
    let mut out: Vec<&str> = Vec::new();
    for skill in reports.iter().flat_map(|r| &r.skill_assessments) {
        if !out.contains(&skill.skill_name.as_str()) {
            out.push(&skill.skill_name);
        }
    }
    out
}

fn rating(report: &CandidateReport, skill: &str, voice: Voice<'_>) -> String {
    let found = report
        .skill_assessments
        .iter()
        .find(|s| s.skill_name == skill);
    match found {
        Some(s) => voice.say(&voice.pack.report.rating, &[("n", &s.rating.to_string())]),
        None => voice.pack.common.not_discussed.clone(),
    }
}

fn names(reports: &[&CandidateReport]) -> BTreeSet<String> {
    let all = reports
        .iter()
        .flat_map(|r| words(&r.candidate_full_name))
        .map(|w| w.folded.into_owned());
    all.filter(|w| w.chars().count() > 1).collect()
}

/// People say their own names; a comparison does not repeat them.
fn anonymous(text: &str, names: &BTreeSet<String>, initials: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut replaced_to = None;
    for word in words(text)
        .iter()
        .filter(|w| names.contains(w.folded.as_ref()))
    {
        // "Anna Berg" becomes one set of initials, not two.
        let follows = replaced_to.is_some_and(|end: usize| text[end..word.start].trim().is_empty());
        if !follows {
            out.push_str(&text[from..word.start]);
            out.push_str(initials);
        }
        from = word.end;
        replaced_to = Some(word.end);
    }
    out.push_str(&text[from..]);
    out
}
