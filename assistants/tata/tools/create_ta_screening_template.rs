//! The interview guide for the recruiter's screening interview.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::module::Module;
use crate::tata::domain::screening::ScreeningInput;
use crate::tata::domain::ta_screening;
use crate::tata::workshop::{Made, Place, Workshop, keep, refused};

pub(super) struct CreateTaScreeningTemplate(pub(super) Arc<Workshop>);

impl Tool for CreateTaScreeningTemplate {
    const NAME: &'static str = Module::TaScreening.facts().tool;
    type Args = ScreeningInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::TaScreening,
            "Create the TA screening template",
            "Create the screening template for the recruiter (Talent Acquisition): motivation, questions for each skill, practical matters, closing.",
        )
        .example("Create the TA screening template", json!({}))
        .example("screening questions for me", json!({}))
        .example("prepare the recruiter's screening template with good-to-haves", json!({ "include_good_to_haves": true }))
        .example("TA screening template in Norwegian", json!({ "language": "no" }))
        .example("Skapa en screeningmall för rekryteraren", json!({}))
        .example("Lav en screeningguide til rekruttereren", json!({}))
        .example("Lag en screeningmal for rekruttereren", json!({}))
        .example("Erstelle den Leitfaden für das Screening durch den Recruiter", json!({}))
        .example("questions for my first call with the candidates", json!({}))
        .example("phone screen questions", json!({}))
        .example("guide for my screening interviews", json!({}))
        .example("Frågor till min telefonintervju", json!({}))
        .example("TA-mall för det första samtalet", json!({}))
        .example("Spørgsmål til min første samtale", json!({}))
        .example("TA-skabelon til telefonscreeningen", json!({}))
        .example("Spørsmål til min telefonscreening", json!({}))
        .example("TA-mal for det første intervjuet", json!({}))
        .example("Fragen für mein Erstgespräch", json!({}))
        .example("TA-Leitfaden für das Telefoninterview", json!({}))
        .example("screening template with a short introduction of the role", json!({ "include_role_intro": true }))
    }

    async fn call(&self, ctx: &ToolContext, args: ScreeningInput) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let profile = self.0.agreed_profile(ctx, &bench).await?;
        let produced =
            ta_screening::process(&args, &profile.content, &bench.desk()).map_err(refused)?;
        let place = Place::of(Module::TaScreening, produced.artifact.language.code())
            .built_from([profile.from]);
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
