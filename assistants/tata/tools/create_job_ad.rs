//! The job ad, built on the confirmed profile.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{position_of, spec_of};
use crate::tata::documents::{Made, Place, agreed_profile, keep};
use crate::tata::drafting::{COMPANY, Resources, Task, write};
use crate::tata::drafts::job_ad::{INSTRUCTIONS, Tone, document, fallback};
use crate::tata::drafts::requirement_profile::{has_pay, public_text};
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::sources::Sources;

pub(super) struct CreateJobAd(pub(super) Arc<Resources>);

/// What the recruiter wants of an ad.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The tone of the job advertisement.
    #[serde(default)]
    tone: Option<Tone>,
    /// Whether to include salary information, as the profile has it (default: no).
    #[serde(default)]
    include_salary: Option<bool>,
    /// Output language for the job ad; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
    /// Previous job advertisement for reference.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    old_job_ad: Option<String>,
    /// What the recruiter says about the company for this ad.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    company_context: Option<String>,
}

impl Tool for CreateJobAd {
    const NAME: &'static str = Module::JobAd.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::JobAd,
            "Write the job ad",
            "Write the job advertisement from the requirement profile and the company's approved facts.",
        )
        .example("Write the job ad", json!({}))
        .example(
            "Create a job ad in a formal tone, with the salary",
            json!({ "tone": "formal", "include_salary": true }),
        )
        .example("job ad in Danish, friendly", json!({ "language": "da", "tone": "friendly" }))
        .example("I need a job advert without the salary", json!({ "include_salary": false }))
        .example("Can you put together the ad for this one? Keep it fairly formal", json!({ "tone": "formal" }))
        .example("Skriv platsannonsen på svenska", json!({ "language": "sv" }))
        .example("Kan jag få annonsen på svenska också?", json!({ "language": "sv" }))
        .example("Skriv jobopslaget", json!({}))
        .example("Skriv stillingsannonsen", json!({}))
        .example("Schreibe die Stellenanzeige", json!({}))
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let profile = agreed_profile(ctx).await?;
        let language = Language::choose(ctx, args.language);
        let position = position_of(ctx, &profile.document);
        let with_pay = args.include_salary == Some(true);
        let guide = self.0.guide(ctx).await?;
        let mut sources = Sources::new(labels(language));
        sources.add(
            "requirement_profile",
            &public_text(&profile.document, with_pay),
        );
        sources.add(COMPANY, &guide.about_company(language));
        sources.add_argument(ctx, "company_context", args.company_context.as_deref());
        sources.add_argument(ctx, "old_job_ad", args.old_job_ad.as_deref());
        let mut details = vec![format!("The position: {position}")];
        details.extend(args.tone.map(|tone| tone.words().to_owned()));
        if !with_pay {
            details.push("Say nothing about the salary.".to_owned());
        }
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing the job ad…",
            language,
            guide: &guide,
            details,
            sources: &sources,
            known: vec![position.clone()],
        };
        let mut ad = match write(ctx, task).await? {
            Some((draft, notes)) => {
                let mut ad = document(draft, &position, language);
                ad.notes = notes;
                ad
            }
            None => fallback(
                &profile.document.for_candidates(),
                &position,
                with_pay,
                language,
            ),
        };
        if with_pay && !has_pay(&profile.document) {
            ad.notes.push(labels(language).note("no_pay", &[]));
        }
        ad.notes.extend(sources.notes);
        let place = Place::of(Module::JobAd, language.code()).built_from([profile.from]);
        keep(ctx, place, &ad)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}
