//! The review of inclusive language, of a pasted ad or of the project's own.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::review::{Request, review};
use super::spec_of;
use crate::tata::documents::Made;
use crate::tata::drafting::Resources;
use crate::tata::drafts::review::Review;
use crate::tata::language::Language;
use crate::tata::module::Module;

pub(super) struct ReviewDiCompliance(pub(super) Arc<Resources>);

/// What is checked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The job ad, exactly as the recruiter pasted it; the project's own newest ad when absent.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    job_ad_text: String,
    /// The language of the review; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl Tool for ReviewDiCompliance {
    const NAME: &'static str = Module::DiReview.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::DiReview,
            "Check for inclusive language",
            "Check a job ad for inclusive language and unlawful demands: gender, age, disability, origin, family, health, \
             social background. Findings with the quoted words, why, and a rewrite. Checks the pasted ad, or the project's own \
             when none is given.",
        )
        .example("Review this job ad for inclusive language", json!({ "job_ad_text": "text:1" }))
        .example("check this ad for bias", json!({ "job_ad_text": "text:1" }))
        .example("does this ad exclude anybody?", json!({ "job_ad_text": "text:1" }))
        .example("Review our job ad for inclusive language", json!({}))
        .example("Granska annonsen för inkluderande språk", json!({ "job_ad_text": "text:1" }))
        .example("Tjek opslaget for inkluderende sprog", json!({ "job_ad_text": "text:1" }))
        .example("Sjekk annonsen for inkluderende språk", json!({ "job_ad_text": "text:1" }))
        .example("Prüfe die Anzeige auf inklusive Sprache", json!({ "job_ad_text": "text:1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let request = Request {
            review: Review::Inclusion,
            job_ad_text: args.job_ad_text,
            language: args.language,
            details: Vec::new(),
        };
        review(&self.0, ctx, request).await
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
