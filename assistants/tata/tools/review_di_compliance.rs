//! The review of inclusive language, of a pasted ad or of the project's own. The ad itself is never changed.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::{reviewed_ad, spec_of};
use crate::tata::domain::di_review::{self, DiReviewInput};
use crate::tata::domain::module::Module;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct ReviewDiCompliance(pub(super) Arc<Workshop>);

impl Tool for ReviewDiCompliance {
    const NAME: &'static str = Module::DiReview.facts().tool;
    type Args = DiReviewInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::DiReview,
            "Check for inclusive language",
            "Check a job ad for inclusive language: gender, age, disability, nationality, family, sexual orientation, \
             socio-economic bias, readability, with alternatives and scores. Checks the pasted ad, or the project's own when none \
             is given.",
        )
        .example("Review this job ad for inclusive language", json!({ "job_ad_text": "text:1" }))
        .example("check this ad for bias", json!({ "job_ad_text": "text:1" }))
        .example("Review our job ad for inclusive language", json!({}))
        .example("Granska annonsen för inkluderande språk", json!({ "job_ad_text": "text:1" }))
        .example("Tjek opslaget for inkluderende sprog", json!({ "job_ad_text": "text:1" }))
        .example("Sjekk annonsen for inkluderende språk", json!({ "job_ad_text": "text:1" }))
        .example("Prüfe die Anzeige auf inklusive Sprache", json!({ "job_ad_text": "text:1" }))
        .example("D&I check of this ad", json!({ "job_ad_text": "text:1" }))
        .example("does this ad exclude anybody?", json!({ "job_ad_text": "text:1" }))
        .example("is the wording of this ad biased?", json!({ "job_ad_text": "text:1" }))
        .example("Är annonsen könsneutral?", json!({ "job_ad_text": "text:1" }))
        .example("Är något i annonsen diskriminerande?", json!({ "job_ad_text": "text:1" }))
        .example("Er opslaget kønsneutralt?", json!({ "job_ad_text": "text:1" }))
        .example("Er noget i opslaget diskriminerende?", json!({ "job_ad_text": "text:1" }))
        .example("Er annonsen kjønnsnøytral?", json!({ "job_ad_text": "text:1" }))
        .example("Ist die Anzeige geschlechtsneutral?", json!({ "job_ad_text": "text:1" }))
    }

    async fn call(&self, ctx: &ToolContext, args: DiReviewInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let (job_ad_text, language) =
            reviewed_ad(&self.0, ctx, args.job_ad_text, args.language).await?;
        let input = DiReviewInput {
            job_ad_text,
            language,
        };
        let produced = di_review::process(&input, &bench.desk()).map_err(refused)?;
        keep(ctx, &bench, &Place::of(Module::DiReview, ""), &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
