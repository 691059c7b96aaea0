//! The recruiter's screening guide, built on the confirmed profile.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::screening::{Args, Guide};
use super::spec_of;
use crate::tata::documents::{Made, Place, keep};
use crate::tata::drafting::{Resources, Task, write};
use crate::tata::drafts::ta_screening::{INSTRUCTIONS, document, fallback};
use crate::tata::module::Module;

pub(super) struct CreateTaScreeningTemplate(pub(super) Arc<Resources>);

impl Tool for CreateTaScreeningTemplate {
    const NAME: &'static str = Module::TaScreening.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::TaScreening,
            "Create the TA screening template",
            "Create the screening template for the recruiter (Talent Acquisition): motivation, questions for each skill, practical matters, closing.",
        )
        .example("Create the TA screening template", json!({}))
        .example("screening questions for me", json!({}))
        .example("phone screen questions for my first call with the candidates", json!({}))
        .example("prepare the recruiter's screening template with good-to-haves", json!({ "include_good_to_haves": true }))
        .example("TA screening template in Norwegian", json!({ "language": "no" }))
        .example("Skapa en screeningmall för rekryteraren", json!({}))
        .example("Lav en screeningguide til rekruttereren", json!({}))
        .example("Lag en screeningmal for rekruttereren", json!({}))
        .example("Erstelle den Leitfaden für das Screening durch den Recruiter", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let guide = Guide::prepare(ctx, args).await?;
        let style = self.0.guide(ctx).await?;
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing the screening guide…",
            language: guide.language,
            guide: &style,
            details: guide.details(),
            sources: &guide.sources,
            known: guide.areas.clone(),
        };
        let mut written = match write(ctx, task).await? {
            Some((draft, notes)) => {
                let mut written = document(draft, &guide.subject());
                written.notes = notes;
                written
            }
            None => fallback(&guide.profile.document.for_candidates(), &guide.subject()),
        };
        written.notes.extend(guide.sources.notes);
        let place = Place::of(Module::TaScreening, guide.language.code());
        keep(ctx, place.built_from([guide.profile.from]), &written)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
