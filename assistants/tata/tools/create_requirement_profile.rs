//! The requirement profile from the start-up notes: a draft until the recruiter agrees.

use std::sync::Arc;

use frontdesk_core::artifact::ArtifactStatus;
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::spec_of;
use crate::tata::documents::{Made, Place, keep, name_project};
use crate::tata::drafting::{Resources, Task, write};
use crate::tata::drafts::requirement_profile::{INSTRUCTIONS, document, fallback};
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::project;
use crate::tata::sources::{Sources, short};

pub(super) struct CreateRequirementProfile(pub(super) Arc<Resources>);

/// What the recruiter brings for a requirement profile.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Notes from the recruitment start-up meeting, exactly as the recruiter pasted them.
    #[schemars(extend("x-handle" = "text"))]
    startup_notes: String,
    /// The job position title.
    position_title: String,
    /// Previous job advertisement for reference (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    old_job_ad: Option<String>,
    /// Direct input from the hiring manager (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    hiring_manager_input: Option<String>,
    /// What the recruiter added in the chat, in the recruiter's own words (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    recruiter_input: Option<String>,
    /// Output language; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl Tool for CreateRequirementProfile {
    const NAME: &'static str = Module::RequirementProfile.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::RequirementProfile,
            "Create the requirement profile",
            "Create the requirement profile of a position from the notes of the start-up meeting or from what the recruiter \
             wrote: must-haves, good-to-haves, responsibilities, qualities, team and conditions, each with its source. It stays \
             a draft until the recruiter confirms it.",
        )
        .example(
            "Create a requirement profile for the position Senior Network Engineer from these start-up notes",
            json!({ "position_title": "Senior Network Engineer", "startup_notes": "text:1" }),
        )
        .example(
            "We are hiring a Sales Engineer, notes of the kick-off below, build the requirement profile",
            json!({ "position_title": "Sales Engineer", "startup_notes": "text:1" }),
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
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let position = short(&args.position_title);
        if position.is_empty() {
            return Err(ToolError::refused(
                "The position title is missing. What is the position called?",
            ));
        }
        let language = Language::choose(ctx, args.language);
        let mut sources = Sources::new(labels(language));
        sources.add_argument(ctx, "startup_notes", Some(&args.startup_notes));
        sources.add_argument(ctx, "recruiter_input", args.recruiter_input.as_deref());
        sources.add_argument(
            ctx,
            "hiring_manager_input",
            args.hiring_manager_input.as_deref(),
        );
        sources.add_argument(ctx, "old_job_ad", args.old_job_ad.as_deref());
        if sources.is_empty() {
            return Err(ToolError::refused(
                "The notes are empty. Paste the notes of the start-up meeting, or write what the position needs.",
            ));
        }
        let guide = self.0.guide(ctx).await?;
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing the requirement profile…",
            language,
            guide: &guide,
            details: vec![format!("The position: {position}")],
            sources: &sources,
            known: vec![position.clone()],
        };
        let mut profile = match write(ctx, task).await? {
            Some((draft, notes)) => {
                let mut profile = document(draft, &position, language);
                profile.notes.extend(notes);
                profile
            }
            None => fallback(&sources.without_orders(), &position, language),
        };
        profile.notes.extend(sources.notes);
        profile.notes.extend(stale_note(ctx, language));
        remember(ctx, &profile);
        name_project(ctx, &position, language);
        let place = Place {
            status: ArtifactStatus::Draft,
            ..Place::of(Module::RequirementProfile, "")
        };
        keep(ctx, place, &profile)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}

/// Every document that was built on a profile before is now built on an older one.
pub(super) fn stale_note(ctx: &ToolContext, language: Language) -> Option<String> {
    let stale = project::stale(ctx.conversation(), u32::MAX).join(", ");
    (!stale.is_empty()).then(|| labels(language).note("stale", &[("list", &stale)]))
}

fn remember(ctx: &ToolContext, profile: &crate::tata::document::Document) {
    if let Some(manager) = profile.fields.get(project::HIRING_MANAGER) {
        ctx.remember(project::HIRING_MANAGER, manager.clone());
    }
}
