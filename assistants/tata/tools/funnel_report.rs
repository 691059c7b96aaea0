//! The funnel report: figures in, conversions and bottlenecks out.

use super::prelude::*;
use crate::documents::name_project;
use crate::funnel::{self, FunnelReportInput};
use crate::writing::spec_of;

pub(super) struct CreateFunnelReport;

impl Tool for CreateFunnelReport {
    const NAME: &'static str = Module::FunnelReport.facts().tool;
    type Args = FunnelReportInput;
    type Output = DocumentOutput;

    fn spec() -> ToolSpec {
        let file = include_str!("../instructions/documents/funnel_report.md");
        spec_of(Module::FunnelReport, file)
    }

    async fn call(
        &self,
        ctx: &ToolContext,
        args: FunnelReportInput,
    ) -> Result<DocumentOutput, ToolError> {
        let language = Language::choose(ctx, args.language)?;
        let report = funnel::document(&args, language).map_err(ToolError::refused)?;
        name_project(ctx, &args.job_title, language);
        keep(ctx, Place::of(Module::FunnelReport, ""), &report)
    }

    fn summary(made: &DocumentOutput) -> String {
        made.summary()
    }
}
