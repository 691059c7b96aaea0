//! A candidate report from an interview transcript. Each candidate has a series of their own.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{numbered, spec_of, texts_of};
use crate::tata::date_text::read_date;
use crate::tata::documents::{Made, Place, agreed_profile, keep, newest};
use crate::tata::drafting::{Resources, Task, write};
use crate::tata::drafts::candidate_report::{INSTRUCTIONS, Subject, document, fallback};
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::sources::{Sources, short};

pub(super) struct CreateCandidateReport(pub(super) Arc<Resources>);

/// What the recruiter brings for a report.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The interview transcript, exactly as the recruiter pasted it.
    #[schemars(extend("x-handle" = "text"))]
    transcript: String,
    /// The candidate's full name.
    candidate_name: String,
    /// The date of the interview, as YYYY-MM-DD.
    interview_date: String,
    /// The candidate's CV as text (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    candidate_cv: Option<String>,
    /// Output language; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl Tool for CreateCandidateReport {
    const NAME: &'static str = Module::CandidateReport.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::CandidateReport,
            "Create a candidate report",
            "Create a candidate report from the transcript of an interview: for each skill the candidate's own words and a \
             proposed rating, what was not discussed, practical facts. The recommendation is left to the recruiter.",
        )
        .example(
            "Create a candidate report for Sara Lind, interviewed on 2026-03-10, here is the transcript",
            json!({ "candidate_name": "Sara Lind", "interview_date": "2026-03-10", "transcript": "text:1" }),
        )
        .example(
            "I interviewed Ida Holm on 2026-05-04, here is the transcript",
            json!({ "candidate_name": "Ida Holm", "interview_date": "2026-05-04", "transcript": "text:1" }),
        )
        .example(
            "Skapa en kandidatrapport för Anna Berg, intervju 2026-04-02",
            json!({ "candidate_name": "Anna Berg", "interview_date": "2026-04-02", "transcript": "text:1" }),
        )
        .example(
            "Lav en kandidatrapport om Mette Krogh, samtale 2026-04-02",
            json!({ "candidate_name": "Mette Krogh", "interview_date": "2026-04-02", "transcript": "text:1" }),
        )
        .example(
            "Lag en kandidatrapport for Kari Dahl, intervju 2026-04-02",
            json!({ "candidate_name": "Kari Dahl", "interview_date": "2026-04-02", "transcript": "text:1" }),
        )
        .example(
            "Erstelle einen Kandidatenbericht für Jonas Weber, Gespräch am 2026-04-02",
            json!({ "candidate_name": "Jonas Weber", "interview_date": "2026-04-02", "transcript": "text:1" }),
        )
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let (candidate, date) = checked(&args)?;
        let profile = agreed_profile(ctx).await?;
        let Some(template) = newest(ctx, Module::TaScreening).await? else {
            return Err(ToolError::refused(
                "There is no TA screening template in this project yet.",
            ));
        };
        let language = Language::choose(ctx, args.language);
        let must_haves = texts_of(&profile.document, "must_haves");
        let good_to_haves = texts_of(&profile.document, "good_to_haves");
        let about = Subject {
            candidate: &candidate,
            interview_date: &date,
            must_haves: &must_haves,
            good_to_haves: &good_to_haves,
            language,
        };
        let mut sources = Sources::new(labels(language));
        sources.add_argument(ctx, "transcript", Some(&args.transcript));
        sources.add_argument(ctx, "candidate_cv", args.candidate_cv.as_deref());
        let guide = self.0.guide(ctx).await?;
        let skills: Vec<String> = must_haves.iter().chain(&good_to_haves).cloned().collect();
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing the candidate report…",
            language,
            guide: &guide,
            details: vec![
                format!("The candidate: {candidate}"),
                format!("The skills:\n{}", numbered(&skills)),
            ],
            sources: &sources,
            known: vec![date.clone(), skills.join("; ")],
        };
        let mut report = match write(ctx, task).await? {
            Some((draft, notes)) => {
                let mut report = document(draft, &about);
                report.notes = notes;
                report
            }
            None => fallback(&about),
        };
        report.notes.extend(sources.notes);
        let key = format!("{} {date}", candidate.to_lowercase());
        let place = Place::of(Module::CandidateReport, key);
        keep(
            ctx,
            place.built_from([profile.from, template.from]),
            &report,
        )
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}

/// The candidate's name and the date; the error asks for what is missing.
fn checked(args: &Args) -> Result<(String, String), ToolError> {
    let candidate = short(&args.candidate_name);
    let mut wrong = Vec::new();
    if args.transcript.trim().is_empty() {
        wrong.push("The transcript is empty. Paste the transcript of the interview.".to_owned());
    }
    if candidate.is_empty() {
        wrong.push("The candidate name is missing.".to_owned());
    }
    let date = match args.interview_date.trim() {
        "" => Err("The interview date is missing.".to_owned()),
        text => read_date(text).map(|date| short(&date.written())),
    };
    match date {
        Ok(date) if wrong.is_empty() => Ok((candidate, date)),
        Ok(_) => Err(ToolError::refused(wrong.join(" "))),
        Err(problem) => {
            wrong.push(problem);
            Err(ToolError::refused(wrong.join(" ")))
        }
    }
}
