//! Messages to candidates, built on the confirmed profile.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{position_of, spec_of};
use crate::tata::documents::{Made, Place, agreed_profile, keep};
use crate::tata::drafting::{COMPANY, Resources, Task, write};
use crate::tata::drafts::headhunting::{INSTRUCTIONS, document, fallback};
use crate::tata::drafts::requirement_profile::public_text;
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::sources::Sources;

pub(super) struct CreateHeadhuntingMessages(pub(super) Arc<Resources>);

/// What the messages may use beside the profile.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The candidate's LinkedIn profile as text; one detail of it is used.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    candidate_profile: Option<String>,
    /// What the recruiter says about the company for these messages.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    company_context: Option<String>,
    /// Output language; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl Tool for CreateHeadhuntingMessages {
    const NAME: &'static str = Module::Headhunting.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::Headhunting,
            "Write headhunting messages",
            "Write three headhunting messages for LinkedIn outreach: short and direct, what the role offers, invitation to \
             talk. With a candidate's profile, one detail of it is used.",
        )
        .example("Write headhunting messages for LinkedIn", json!({}))
        .example("I want to approach people on LinkedIn, give me something to send", json!({}))
        .example("outreach messages in German", json!({ "language": "de" }))
        .example(
            "Write to this candidate on LinkedIn, the profile is attached",
            json!({ "candidate_profile": "text:1" }),
        )
        .example("Skriv headhuntingmeddelanden för LinkedIn", json!({}))
        .example("Skriv headhuntingbeskeder til LinkedIn", json!({}))
        .example("Skriv headhuntingmeldinger til LinkedIn", json!({}))
        .example("Schreibe Nachrichten für die Direktansprache auf LinkedIn", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let profile = agreed_profile(ctx).await?;
        let language = Language::choose(ctx, args.language);
        let position = position_of(ctx, &profile.document);
        let guide = self.0.guide(ctx).await?;
        let mut sources = Sources::new(labels(language));
        sources.add(
            "requirement_profile",
            &public_text(&profile.document, false),
        );
        sources.add(COMPANY, &guide.about_company(language));
        sources.add_argument(ctx, "company_context", args.company_context.as_deref());
        sources.add_argument(ctx, "candidate_profile", args.candidate_profile.as_deref());
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing messages to candidates…",
            language,
            guide: &guide,
            details: vec![
                format!("The position: {position}"),
                format!("The sender: {}", ctx.principal().name()),
            ],
            sources: &sources,
            known: vec![position.clone()],
        };
        let mut messages = match write(ctx, task).await? {
            Some((draft, notes)) => {
                let mut messages = document(draft, &position, language);
                messages.notes = notes;
                messages
            }
            None => fallback(&profile.document.for_candidates(), &position, language),
        };
        messages.notes.extend(sources.notes);
        let place = Place::of(Module::Headhunting, language.code()).built_from([profile.from]);
        keep(ctx, place, &messages)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
