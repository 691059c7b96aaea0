//! A candidate report from an interview transcript. Each candidate has a series of their own.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::candidate_report::{self, CandidateReportInput};
use crate::tata::domain::module::Module;
use crate::tata::domain::screening::ScreeningTemplate;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct CreateCandidateReport(pub(super) Arc<Workshop>);

impl Tool for CreateCandidateReport {
    const NAME: &'static str = Module::CandidateReport.facts().tool;
    type Args = CandidateReportInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::CandidateReport,
            "Create a candidate report",
            "Create a candidate report from the transcript of an interview: a rating from 1 to 5 with examples for each skill, \
             motivation, practical details, risks and a recommendation.",
        )
        .example(
            "Create a candidate report for Sara Lind, interviewed on 2026-03-10, here is the transcript",
            json!({ "candidate_name": "Sara Lind", "interview_date": "2026-03-10", "transcript": "text:1" }),
        )
        .example(
            "report on Lars Holm, interview of 2026-11-02, transcript attached",
            json!({ "candidate_name": "Lars Holm", "interview_date": "2026-11-02", "transcript": "text:1" }),
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
        .example("I interviewed Ida Holm on 2026-05-04, here is the transcript", json!({ "candidate_name": "Ida Holm", "interview_date": "2026-05-04", "transcript": "text:1" }))
        .example("Summarise the interview with Ida Holm on 2026-05-04", json!({ "candidate_name": "Ida Holm", "interview_date": "2026-05-04", "transcript": "text:1" }))
        .example("Sammanfatta intervjun med Anna Berg den 2026-04-02", json!({ "candidate_name": "Anna Berg", "interview_date": "2026-04-02", "transcript": "text:1" }))
        .example("Jag intervjuade Anna Berg 2026-04-02, transkriptet är här", json!({ "candidate_name": "Anna Berg", "interview_date": "2026-04-02", "transcript": "text:1" }))
        .example("Opsummer samtalen med Mette Krogh den 2026-04-02", json!({ "candidate_name": "Mette Krogh", "interview_date": "2026-04-02", "transcript": "text:1" }))
        .example("Oppsummer intervjuet med Kari Dahl 2026-04-02", json!({ "candidate_name": "Kari Dahl", "interview_date": "2026-04-02", "transcript": "text:1" }))
        .example("Fasse das Interview mit Jonas Weber vom 2026-04-02 zusammen", json!({ "candidate_name": "Jonas Weber", "interview_date": "2026-04-02", "transcript": "text:1" }))
        .example("Bewertung von Jonas Weber, Interview am 2026-04-02, das Transkript ist unten", json!({ "candidate_name": "Jonas Weber", "interview_date": "2026-04-02", "transcript": "text:1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: CandidateReportInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let profile = self.0.agreed_profile(ctx, &bench).await?;
        let found = self
            .0
            .newest::<ScreeningTemplate>(ctx, Module::TaScreening)
            .await?;
        let Some(template) = found else {
            return Err(ToolError::refused(
                "There is no TA screening template in this project yet.",
            ));
        };
        let produced =
            candidate_report::process(&args, &profile.content, &template.content, &bench.desk())
                .map_err(refused)?;
        let report = &produced.artifact;
        let key = format!(
            "{} {}",
            report.candidate_full_name.to_lowercase(),
            report.interview_date
        );
        let place =
            Place::of(Module::CandidateReport, key).built_from([profile.from, template.from]);
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
