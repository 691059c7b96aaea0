//! The interview guide for the hiring manager, with room for notes.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::hm_screening;
use crate::tata::domain::module::Module;
use crate::tata::domain::screening::ScreeningInput;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct CreateHmScreeningTemplate(pub(super) Arc<Workshop>);

impl Tool for CreateHmScreeningTemplate {
    const NAME: &'static str = Module::HmScreening.facts().tool;
    type Args = ScreeningInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::HmScreening,
            "Create the screening template for the hiring manager",
            "Create the interview template for the hiring manager: the same sections as the recruiter has, with room for notes after every question.",
        )
        .example("Create the screening template for the hiring manager", json!({}))
        .example("interview questions for the hiring manager", json!({}))
        .example("hiring manager template with an introduction of the role", json!({ "include_role_intro": true }))
        .example("Skapa en intervjumall för den rekryterande chefen", json!({}))
        .example("Lav en interviewguide til den ansættende leder", json!({}))
        .example("Lag en intervjumal for ansettende leder", json!({}))
        .example("Erstelle den Interviewleitfaden für die Führungskraft", json!({}))
        .example("the manager needs questions for the interview", json!({}))
        .example("guide for the interview with the boss", json!({}))
        .example("HM template", json!({}))
        .example("Frågor till chefens intervju", json!({}))
        .example("Mall åt chefen", json!({}))
        .example("Lederen skal bruge en skabelon til samtalerne", json!({}))
        .example("Spørgsmål til lederens samtale", json!({}))
        .example("Lederen trenger en mal til intervjuene", json!({}))
        .example("Spørsmål til lederens intervju", json!({}))
        .example("Fragen für das Gespräch der Führungskraft", json!({}))
        .example("Leitfaden für den Vorgesetzten", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: ScreeningInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let profile = self.0.agreed_profile(ctx, &bench).await?;
        let produced =
            hm_screening::process(&args, &profile.content, &bench.desk()).map_err(refused)?;
        let place = Place::of(Module::HmScreening, produced.artifact.language.code())
            .built_from([profile.from]);
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
