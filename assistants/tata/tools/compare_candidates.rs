//! All candidates of the project side by side, from their reports, by their initials alone.

use super::prelude::*;
use crate::document::MadeWith;
use crate::documents::of_module;
use crate::project;
use crate::recommendation;

pub(crate) const KIND: &str = "candidate_comparison";

/// Sections of a report whose labelled items become rows.
const ROWS: [&str; 3] = ["must_haves", "good_to_haves", "practical"];

pub(super) struct CompareCandidates;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

impl Tool for CompareCandidates {
    const NAME: &'static str = "compare_candidates";
    type Args = Args;
    type Output = DocumentOutput;

    fn spec() -> ToolSpec {
        let reports = Module::CandidateReport.facts().artifact;
        let spec = ToolSpec::transactional(
            "Compare all candidates of the project in a table with their initials: recommendation, rating of each skill, \
             practical facts. It requires at least two candidate reports first.",
        )
        .title("Compare the candidates")
        .undoable()
        .roles([Role::RECRUITER])
        .produces(KIND)
        .needs_artifact(reports, "candidate reports");
        with_examples(spec, Self::NAME)
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<DocumentOutput, ToolError> {
        let reports = of_module(ctx, Module::CandidateReport).await?;
        if reports.len() < 2 {
            return Err(ToolError::refused(
                "A comparison needs at least two candidate reports.",
            ));
        }
        let documents: Vec<&Document> = reports.iter().map(|report| &report.document).collect();
        let language = Language::choose(ctx, args.language)?;
        let position = project::position(ctx.conversation()).unwrap_or_default();
        let comparison = compare(&documents, &position, language);
        let place = Place {
            kind: KIND,
            key: String::new(),
            status: ArtifactStatus::Draft,
            built_from: reports.into_iter().map(|report| report.from).collect(),
        };
        keep(ctx, place, &comparison)
    }

    fn summary(made: &DocumentOutput) -> String {
        made.summary()
    }
}

fn compare(reports: &[&Document], position: &str, language: Language) -> Document {
    let labels = labels(language);
    let mut document = Document::new(labels.title(KIND, position), language, MadeWith::Code);
    let mut header = vec![labels.word("criterion").to_owned()];
    header.extend(initials(reports));
    let open = labels.word("your_decision");
    let decisions = reports
        .iter()
        .map(|report| recommendation::of(report).map_or(open, |decision| labels.choice(decision)));
    let decisions = [labels.heading(recommendation::FIELD)]
        .into_iter()
        .chain(decisions);
    let mut rows = vec![decisions.map(str::to_owned).collect()];
    for id in ROWS {
        for label in row_labels(reports, id) {
            let cells = reports.iter().map(|report| cell(report, id, &label));
            rows.push([label.clone()].into_iter().chain(cells).collect());
        }
    }
    document.table("comparison", header, rows);
    document
}

/// The labels of a section in all reports, each once, in order.
fn row_labels(reports: &[&Document], id: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let items = reports.iter().flat_map(|report| report.items_of(id));
    for label in items.filter_map(|item| item.label.as_ref()) {
        if !found.contains(label) {
            found.push(label.clone());
        }
    }
    found
}

/// The rating, or else the words.
fn cell(report: &Document, id: &str, label: &str) -> String {
    let shown = |item: &Item| match item.rating {
        Some(rating) => format!("{rating}/5"),
        None => item.text.clone(),
    };
    let items = report.items_of(id);
    let same = items.filter(|item| item.label.as_deref() == Some(label));
    let found: Vec<String> = same.map(shown).collect();
    match found.is_empty() {
        true => "–".to_owned(),
        false => found.join("; "),
    }
}

/// "AN" for Anna Nilsson; numbered where two candidates share theirs.
fn initials(reports: &[&Document]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for report in reports {
        let name = report.field("candidate").unwrap_or_default();
        let letters = name
            .split_whitespace()
            .filter_map(|word| word.chars().next());
        let initials: String = letters.flat_map(char::to_uppercase).collect();
        let numbered = (2..).map(|number| format!("{initials} {number}"));
        let mut free = [initials.clone()].into_iter().chain(numbered);
        found.extend(free.find(|initials| !found.contains(initials)));
    }
    found
}
