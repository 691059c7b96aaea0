//! The review of a job ad, pasted or the project's own.

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
use crate::tata::sources::short;

pub(super) struct ReviewJobAd(pub(super) Arc<Resources>);

/// What is reviewed.
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
    /// The position title that the headline should name (optional).
    #[serde(default)]
    position_title: Option<String>,
}

impl Tool for ReviewJobAd {
    const NAME: &'static str = Module::JobAdReview.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::JobAdReview,
            "Review a job ad",
            "Review a job ad for improvements: findings with the quoted words, why, and a rewrite; what is missing; what \
             works. Reviews the pasted ad, or the project's own when none is given.",
        )
        .example("Review this job ad", json!({ "job_ad_text": "text:1" }))
        .example("How good is our ad?", json!({}))
        .example("any feedback on this job ad?", json!({ "job_ad_text": "text:1" }))
        .example("Review our job ad", json!({}))
        .example("Granska den här annonsen", json!({ "job_ad_text": "text:1" }))
        .example("Gennemgå dette jobopslag", json!({ "job_ad_text": "text:1" }))
        .example("Gå gjennom denne stillingsannonsen", json!({ "job_ad_text": "text:1" }))
        .example("Prüfe diese Stellenanzeige", json!({ "job_ad_text": "text:1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let title = args.position_title.as_deref().map(short);
        let title = title.filter(|title| !title.is_empty());
        let request = Request {
            review: Review::JobAd,
            job_ad_text: args.job_ad_text,
            language: args.language,
            details: title
                .map(|title| format!("The position: {title}"))
                .into_iter()
                .collect(),
        };
        review(&self.0, ctx, request).await
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
