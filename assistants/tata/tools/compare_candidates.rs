//! All candidates of the project side by side, by their initials alone.

use frontdesk_core::access::Role;
use frontdesk_core::artifact::ArtifactStatus;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::tata::document::Document;
use crate::tata::documents::{Made, Place, keep, of_module};
use crate::tata::drafts::comparison::{KIND, document};
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::project;

pub(super) struct CompareCandidates;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Output language; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl Tool for CompareCandidates {
    const NAME: &'static str = "compare_candidates";
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Compare all candidates of the project in a table with their initials: recommendation, rating of each skill, \
             practical facts. It requires at least two candidate reports first.",
        )
        .title("Compare the candidates")
        .roles([Role::RECRUITER])
        .produces(KIND)
        .needs_artifact(
            Module::CandidateReport.facts().artifact,
            "candidate reports",
        )
        .example("Compare the candidates", json!({}))
        .example("show the candidates side by side", json!({}))
        .example("overview of all candidates in a table", json!({}))
        .example("Jämför kandidaterna", json!({}))
        .example("Sammenlign kandidaterne", json!({}))
        .example("Sammenlign kandidatene", json!({}))
        .example("Vergleiche die Kandidaten", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let reports = of_module(ctx, Module::CandidateReport).await?;
        if reports.len() < 2 {
            return Err(ToolError::refused(
                "A comparison needs at least two candidate reports.",
            ));
        }
        let documents: Vec<&Document> = reports.iter().map(|report| &report.document).collect();
        let language = Language::choose(ctx, args.language);
        let position = project::position(ctx.conversation()).unwrap_or_default();
        let comparison = document(&documents, &position, language);
        let place = Place {
            kind: KIND,
            key: String::new(),
            status: ArtifactStatus::Confirmed,
            built_from: reports.into_iter().map(|report| report.from).collect(),
        };
        keep(ctx, place, &comparison)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
