//! All candidates of the project side by side, by their initials alone.

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::artifact::ArtifactStatus;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::tata::domain::candidate_report::CandidateReport;
use crate::tata::domain::candidate_report::comparison::{KIND, compare};
use crate::tata::domain::desk::Produced;
use crate::tata::domain::language::Language;
use crate::tata::domain::module::Module;
use crate::tata::workshop::{Earlier, Made, Place, Workshop, keep, refused};

pub(super) struct CompareCandidates(pub(super) Arc<Workshop>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Output language; the project's language when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl Tool for CompareCandidates {
    const NAME: &'static str = "compare_candidates";
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Compare all candidates of the project in a table with their initials: recommendation, average, motivation, each \
             skill, notice period, salary, location. It requires at least two candidate reports first.",
        )
        .title("Compare the candidates")
        .undoable()
        .roles([Role::RECRUITER])
        .produces(KIND)
        .needs_artifact(
            Module::CandidateReport.facts().artifact,
            "candidate reports",
        )
        .example("Compare the candidates", json!({}))
        .example("comparison table", json!({}))
        .example("show the candidates side by side", json!({}))
        .example("Jämför kandidaterna", json!({}))
        .example("Sammenlign kandidaterne", json!({}))
        .example("Sammenlign kandidatene", json!({}))
        .example("Vergleiche die Kandidaten", json!({}))
        .example("Put the candidates next to each other", json!({}))
        .example("overview of all candidates in a table", json!({}))
        .example("Ställ kandidaterna mot varandra", json!({}))
        .example("Kandidatjämförelse", json!({}))
        .example("Stil kandidaterne op mod hinanden", json!({}))
        .example("Sett kandidatene opp mot hverandre", json!({}))
        .example("Kandidatenvergleich", json!({}))
        .example("Stelle die Kandidaten gegenüber", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let reports: Vec<Earlier<CandidateReport>> =
            self.0.series(ctx, Module::CandidateReport).await?;
        let contents: Vec<&CandidateReport> = reports.iter().map(|r| &r.content).collect();
        let language = args.language.unwrap_or(bench.language);
        let comparison = compare(&contents, language, self.0.library).map_err(refused)?;
        let place = Place {
            kind: KIND,
            key: String::new(),
            status: ArtifactStatus::Confirmed,
            built_from: reports.into_iter().map(|r| r.from).collect(),
        };
        let produced = Produced {
            artifact: comparison,
            warnings: Vec::new(),
        };
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
