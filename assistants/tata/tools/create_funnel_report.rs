//! The funnel report: figures in, bottlenecks and one fix for each out.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::funnel_report::{self, FunnelReportInput};
use crate::tata::domain::module::Module;
use crate::tata::project;
use crate::tata::workshop::{Made, Place, Workshop, keep, name_project, refused};

pub(super) struct CreateFunnelReport(pub(super) Arc<Workshop>);

impl Tool for CreateFunnelReport {
    const NAME: &'static str = Module::FunnelReport.facts().tool;
    type Args = FunnelReportInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::FunnelReport,
            "Create the funnel report",
            "Create the funnel report of a recruitment from Jobylon and LinkedIn figures: conversion of each stage, bottlenecks, \
             and one fix with one owner for each. Needs only the figures.",
        )
        .example(
            "Create a funnel report for the position Data Analyst, 1 position, hiring manager Nils Dahl: 900 views, 120 apply clicks, 40 applications",
            json!({ "job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl",
                    "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }),
        )
        .example(
            "funnel report for Network Engineer, 2 positions, hiring manager Anna Berg: 1200 views, 300 apply clicks, 80 applications received",
            json!({ "job_title": "Network Engineer", "number_of_positions": 2, "hiring_manager_name": "Anna Berg",
                    "job_ad_views": 1200, "apply_clicks": 300, "applications_received": 80 }),
        )
        .example("funnel report as slides for Data Analyst, 1 position, hiring manager Nils Dahl: 40 applications", json!({ "job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl", "applications_received": 40, "format": "slide_content" }))
        .example("funnel for the role Data Analyst, 1 opening, HM Nils Dahl: 100 sourced, 60 contacted, 20 replied, 8 interested", json!({ "job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl", "candidates_sourced": 100, "candidates_contacted": 60, "candidates_replied": 20, "candidates_interested": 8 }))
        .example("Trattrapport för tjänsten Säljare, 2 tjänster, rekryterande chef Nils Dahl: 900 visningar, 120 klick, 40 ansökningar", json!({ "job_title": "Säljare", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl", "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }))
        .example("Tragtrapport for stillingen Sælger, 2 stillinger, ansættende leder Nils Dahl: 900 visninger, 120 klik, 40 ansøgninger", json!({ "job_title": "Sælger", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl", "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }))
        .example("Traktrapport for stillingen Selger, 2 stillinger, ansettende leder Nils Dahl: 900 visninger, 120 klikk, 40 søknader", json!({ "job_title": "Selger", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl", "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }))
        .example("Trichterbericht für die Stelle Verkäufer, 2 Stellen, Führungskraft Nils Dahl: 900 Aufrufe, 120 Klicks, 40 Bewerbungen", json!({ "job_title": "Verkäufer", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl", "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }))
    }

    async fn call(&self, ctx: &ToolContext, args: FunnelReportInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let existing = project::made(ctx.conversation());
        let produced = funnel_report::process(&args, &existing, &bench.desk()).map_err(refused)?;
        name_project(ctx, &produced.artifact.job_title, args.language);
        keep(ctx, &bench, &Place::of(Module::FunnelReport, ""), &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
