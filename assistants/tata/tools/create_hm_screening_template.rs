//! The hiring manager's interview guide, built on the confirmed profile.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use serde_json::json;

use super::screening::{Args, Guide};
use super::spec_of;
use crate::tata::documents::{Made, Place, keep};
use crate::tata::drafting::{Resources, Task, write};
use crate::tata::drafts::hm_screening::{INSTRUCTIONS, document, fallback};
use crate::tata::module::Module;

pub(super) struct CreateHmScreeningTemplate(pub(super) Arc<Resources>);

impl Tool for CreateHmScreeningTemplate {
    const NAME: &'static str = Module::HmScreening.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::HmScreening,
            "Create the hiring manager's template",
            "Create the interview template for the hiring manager: deeper questions for each skill, situations from the work, what a good answer looks like, what to tell the candidate.",
        )
        .example("Create the screening template for the hiring manager", json!({}))
        .example("The hiring manager needs something to ask in her interview on Thursday", json!({}))
        .example("interview questions for the manager", json!({}))
        .example("HM screening template with an introduction of the role", json!({ "include_role_intro": true }))
        .example("Skapa en intervjuguide för rekryterande chef", json!({}))
        .example("Lav en interviewguide til den ansættende leder", json!({}))
        .example("Lag en intervjuguide for ansettende leder", json!({}))
        .example("Erstelle den Leitfaden für die Führungskraft", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let guide = Guide::prepare(ctx, args).await?;
        let style = self.0.guide(ctx).await?;
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing the guide for the hiring manager…",
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
        let place = Place::of(Module::HmScreening, guide.language.code());
        keep(ctx, place.built_from([guide.profile.from]), &written)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
