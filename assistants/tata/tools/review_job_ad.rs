//! The review of a pasted job ad, or of the project's own.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::{reviewed_ad, spec_of};
use crate::tata::domain::job_ad_review::{self, JobAdReviewInput};
use crate::tata::domain::module::Module;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct ReviewJobAd(pub(super) Arc<Workshop>);

impl Tool for ReviewJobAd {
    const NAME: &'static str = Module::JobAdReview.facts().tool;
    type Args = JobAdReviewInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::JobAdReview,
            "Review a job ad",
            "Review a job ad for improvements: twelve sections, duplications, banned words, form, with scores and \
             recommendations. Reviews the pasted ad, or the project's own when none is given.",
        )
        .example("Review this job ad", json!({ "job_ad_text": "text:1" }))
        .example("How good is this advertisement?", json!({ "job_ad_text": "text:1" }))
        .example("Review our job ad", json!({}))
        .example("Granska den här annonsen", json!({ "job_ad_text": "text:1" }))
        .example("Gennemgå dette jobopslag", json!({ "job_ad_text": "text:1" }))
        .example("Gå gjennom denne stillingsannonsen", json!({ "job_ad_text": "text:1" }))
        .example("Prüfe diese Stellenanzeige", json!({ "job_ad_text": "text:1" }))
        .example("What do you think of this ad?", json!({ "job_ad_text": "text:1" }))
        .example("any feedback on this job ad?", json!({ "job_ad_text": "text:1" }))
        .example("thoughts on this advert", json!({ "job_ad_text": "text:1" }))
        .example("Vad tycker du om annonsen?", json!({ "job_ad_text": "text:1" }))
        .example("Kolla igenom annonsen", json!({ "job_ad_text": "text:1" }))
        .example("Hvad synes du om opslaget?", json!({ "job_ad_text": "text:1" }))
        .example("Kig opslaget igennem", json!({ "job_ad_text": "text:1" }))
        .example("Hva synes du om annonsen?", json!({ "job_ad_text": "text:1" }))
        .example("Se gjennom annonsen", json!({ "job_ad_text": "text:1" }))
        .example("Was hältst du von der Anzeige?", json!({ "job_ad_text": "text:1" }))
        .example("Feedback zu dieser Anzeige", json!({ "job_ad_text": "text:1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: JobAdReviewInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let (job_ad_text, language) =
            reviewed_ad(&self.0, ctx, args.job_ad_text, args.language).await?;
        let input = JobAdReviewInput {
            job_ad_text,
            language,
            ..args
        };
        let produced = job_ad_review::process(&input, &bench.desk()).map_err(refused)?;
        keep(ctx, &bench, &Place::of(Module::JobAdReview, ""), &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
