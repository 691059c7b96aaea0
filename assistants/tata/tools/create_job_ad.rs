//! The job ad, built on the confirmed profile.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::job_ad::{self, JobAdInput};
use crate::tata::domain::module::Module;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct CreateJobAd(pub(super) Arc<Workshop>);

impl Tool for CreateJobAd {
    const NAME: &'static str = Module::JobAd.facts().tool;
    type Args = JobAdInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::JobAd,
            "Write the job ad",
            "Write the job advertisement: headline, intro, role, why, responsibilities, the four must-haves, soft skills, team, \
             process, ending, with alternative headlines and intros.",
        )
        .example("Write the job ad", json!({}))
        .example(
            "Create a job ad in a formal tone, with the salary",
            json!({ "tone": "formal", "include_salary": true }),
        )
        .example("job ad in Danish, friendly", json!({ "language": "da", "tone": "friendly" }))
        .example("Write the advertisement in German", json!({ "language": "de" }))
        .example("Skriv jobbannonsen", json!({}))
        .example("Skriv platsannonsen på svenska", json!({ "language": "sv" }))
        .example("Skriv jobopslaget", json!({}))
        .example("Skriv stillingsannonsen", json!({}))
        .example("Schreibe die Stellenanzeige", json!({}))
        .example("I need a job advert without the salary", json!({ "include_salary": false }))
        .example("job ad, casual tone", json!({ "tone": "casual" }))
        .example("Ta fram en platsannons på engelska", json!({ "language": "en" }))
        .example("Jag behöver en annons, lönen ska inte stå med", json!({ "include_salary": false }))
        .example("Lav et stillingsopslag uden løn", json!({ "include_salary": false }))
        .example("Jeg skal bruge et jobopslag på engelsk", json!({ "language": "en" }))
        .example("Lag en utlysning med lønn", json!({ "include_salary": true }))
        .example("Jeg trenger en stillingsannonse på norsk", json!({ "language": "no" }))
        .example("Formuliere eine Stellenausschreibung ohne Gehalt", json!({ "include_salary": false }))
        .example("Ich brauche ein Stelleninserat auf Englisch", json!({ "language": "en" }))
    }

    async fn call(&self, ctx: &ToolContext, args: JobAdInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let profile = self.0.agreed_profile(ctx, &bench).await?;
        let produced = job_ad::process(&args, &profile.content, &bench.desk()).map_err(refused)?;
        let place =
            Place::of(Module::JobAd, produced.artifact.language.code()).built_from([profile.from]);
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
