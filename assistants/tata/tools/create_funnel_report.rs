//! The funnel report: figures in, conversions and bottlenecks out.

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::documents::{Made, Place, keep, name_project};
use crate::tata::funnel::{self, FunnelReportInput};
use crate::tata::language::Language;
use crate::tata::module::Module;

pub(super) struct CreateFunnelReport;

impl Tool for CreateFunnelReport {
    const NAME: &'static str = Module::FunnelReport.facts().tool;
    type Args = FunnelReportInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::FunnelReport,
            "Create the funnel report",
            "Create the funnel report of a recruitment from Jobylon and LinkedIn figures: conversion of each stage, largest \
             drops, bottlenecks and who owns each. Needs only the figures; durations are in days.",
        )
        .example(
            "Create a funnel report for the position Data Analyst, 1 position, hiring manager Nils Dahl: 900 views, 120 apply clicks, 40 applications",
            json!({ "job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl",
                    "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }),
        )
        .example(
            "funnel report as slides for Data Analyst, 1 position, hiring manager Nils Dahl: 40 applications, time to fill 16 days",
            json!({ "job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl",
                    "applications_received": 40, "time_to_fill": 16, "format": "slide_content" }),
        )
        .example(
            "funnel for the role Data Analyst, 1 opening, HM Nils Dahl: 100 sourced, 60 contacted, 20 replied, 8 interested",
            json!({ "job_title": "Data Analyst", "number_of_positions": 1, "hiring_manager_name": "Nils Dahl",
                    "candidates_sourced": 100, "candidates_contacted": 60, "candidates_replied": 20, "candidates_interested": 8 }),
        )
        .example(
            "Trattrapport för tjänsten Säljare, 2 tjänster, rekryterande chef Nils Dahl: 900 visningar, 120 klick, 40 ansökningar",
            json!({ "job_title": "Säljare", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl",
                    "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }),
        )
        .example(
            "Tragtrapport for stillingen Sælger, 2 stillinger, ansættende leder Nils Dahl: 900 visninger, 120 klik, 40 ansøgninger",
            json!({ "job_title": "Sælger", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl",
                    "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }),
        )
        .example(
            "Traktrapport for stillingen Selger, 2 stillinger, ansettende leder Nils Dahl: 900 visninger, 120 klikk, 40 søknader",
            json!({ "job_title": "Selger", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl",
                    "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }),
        )
        .example(
            "Trichterbericht für die Stelle Verkäufer, 2 Stellen, Führungskraft Nils Dahl: 900 Aufrufe, 120 Klicks, 40 Bewerbungen",
            json!({ "job_title": "Verkäufer", "number_of_positions": 2, "hiring_manager_name": "Nils Dahl",
                    "job_ad_views": 900, "apply_clicks": 120, "applications_received": 40 }),
        )
    }

    async fn call(&self, ctx: &ToolContext, args: FunnelReportInput) -> Result<Made, ToolError> {
        let language = Language::choose(ctx, args.language);
        let report = funnel::document(&args, language).map_err(ToolError::refused)?;
        name_project(ctx, &args.job_title, language);
        keep(ctx, Place::of(Module::FunnelReport, ""), &report)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
