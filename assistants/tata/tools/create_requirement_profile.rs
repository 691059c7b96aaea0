//! The requirement profile from the start-up notes: a draft until the recruiter agrees.

use std::sync::Arc;

use frontdesk_core::artifact::ArtifactStatus;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::spec_of;
use crate::tata::domain::module::Module;
use crate::tata::domain::problem::Problem;
use crate::tata::domain::requirement_profile::{self, RequirementProfileInput};
use crate::tata::project;
use crate::tata::workshop::{Made, Place, Workshop, keep, name_project, refused};

pub(super) struct CreateRequirementProfile(pub(super) Arc<Workshop>);

impl Tool for CreateRequirementProfile {
    const NAME: &'static str = Module::RequirementProfile.facts().tool;
    type Args = RequirementProfileInput;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::RequirementProfile,
            "Create the requirement profile",
            "Create the requirement profile of a position from the notes of the start-up meeting: exactly four must-haves with \
             their sources, responsibilities, good-to-haves, soft skills, team. It stays a draft until the recruiter confirms it. \
             If must-haves are missing, it says which to ask for.",
        )
        .example(
            "Create a requirement profile for the position Senior Network Engineer from these start-up notes",
            json!({ "position_title": "Senior Network Engineer", "startup_notes": "text:1" }),
        )
        .example(
            "Here are the notes of the start-up meeting, position Key Account Manager",
            json!({ "position_title": "Key Account Manager", "startup_notes": "text:1" }),
        )
        .example(
            "Make the requirement profile in Swedish, position Projektledare",
            json!({ "position_title": "Projektledare", "startup_notes": "text:1", "language": "sv" }),
        )
        .example(
            "Skapa en kravprofil för tjänsten Nätverkstekniker från anteckningarna",
            json!({ "position_title": "Nätverkstekniker", "startup_notes": "text:1" }),
        )
        .example(
            "Lav en kravprofil for stillingen Netværkstekniker ud fra noterne",
            json!({ "position_title": "Netværkstekniker", "startup_notes": "text:1" }),
        )
        .example(
            "Lag en kravprofil for stillingen Nettverkstekniker fra notatene",
            json!({ "position_title": "Nettverkstekniker", "startup_notes": "text:1" }),
        )
        .example(
            "Erstelle ein Anforderungsprofil für die Stelle Netzwerktechniker aus den Notizen",
            json!({ "position_title": "Netzwerktechniker", "startup_notes": "text:1" }),
        )
        .example("We are hiring a Sales Engineer, notes of the kick-off below, build the requirement profile", json!({ "position_title": "Sales Engineer", "startup_notes": "text:1" }))
        .example("requirement profile for the role Test Lead", json!({ "position_title": "Test Lead", "startup_notes": "text:1" }))
        .example("Vi söker en Ekonomichef, här är anteckningarna från uppstartsmötet", json!({ "position_title": "Ekonomichef", "startup_notes": "text:1" }))
        .example("Gör en kravprofil på Säljare", json!({ "position_title": "Säljare", "startup_notes": "text:1" }))
        .example("Vi skal bruge en kravprofil til stillingen som Salgskonsulent, her er noterne fra opstartsmødet", json!({ "position_title": "Salgskonsulent", "startup_notes": "text:1" }))
        .example("Vi trenger en kravprofil for en Kundekonsulent, notatene fra oppstartsmøtet er her", json!({ "position_title": "Kundekonsulent", "startup_notes": "text:1" }))
        .example("Wir brauchen ein Anforderungsprofil für einen Kundenberater, hier sind die Notizen vom Startgespräch", json!({ "position_title": "Kundenberater", "startup_notes": "text:1" }))
    }

    async fn call(
        &self,
        ctx: &ToolContext,
        args: RequirementProfileInput,
    ) -> Result<Made, ToolError> {
        let bench = self.0.open(ctx).await?;
        let mut produced = requirement_profile::process(&args, &bench.desk()).map_err(refused)?;
        let profile = &produced.artifact;
        ctx.remember(project::GERMAN_ADDRESS, json!(profile.german_address));
        ctx.remember(project::LANGUAGE, json!(profile.language));
        name_project(ctx, &profile.position_title, None);
        // Everything that was built on a profile before was built on an older one from now on.
        let stale = project::stale(ctx.conversation(), u32::MAX);
        if !stale.is_empty() {
            let text = format!(
                "These documents were built on an earlier version of the profile: {}. Make them again when the new one is confirmed.",
                stale.join(", ")
            );
            produced
                .warnings
                .push(Problem::new("requirement_profile", text));
        }
        let place = Place {
            status: ArtifactStatus::Draft,
            ..Place::of(Module::RequirementProfile, "")
        };
        keep(ctx, &bench, &place, &produced)
    }

    fn summary(made: &Made) -> String {
        made.told.clone()
    }
}
