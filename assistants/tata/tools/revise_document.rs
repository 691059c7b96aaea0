//! A change to a document that the recruiter asks for in words: a new version of any document.

use std::sync::Arc;

use frontdesk_core::access::Role;
use frontdesk_core::artifact::{ArtifactStatus, BuiltFrom};
use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::DRAFTING_TIMEOUT;
use super::create_requirement_profile::stale_note;
use crate::tata::documents::{Made, Place, Stored, all, keep};
use crate::tata::drafting::{COMPANY, Resources, Task, write};
use crate::tata::drafts::comparison;
use crate::tata::drafts::requirement_profile::public_text;
use crate::tata::drafts::revision::{INSTRUCTIONS, RevisionDraft, choose, document};
use crate::tata::labels::labels;
use crate::tata::module::Module;
use crate::tata::sources::Sources;

pub(super) struct ReviseDocument(pub(super) Arc<Resources>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which document, in words or by kind: "job ad", "profile", "report on Anna".
    #[schemars(length(min = 1, max = 200))]
    document: String,
    /// What to change, in the recruiter's own words.
    #[schemars(length(min = 1, max = 4000))]
    instruction: String,
}

impl Tool for ReviseDocument {
    const NAME: &'static str = "revise_document";
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        ToolSpec::transactional(
            "Change a document of the project as the recruiter asks: another headline, a corrected figure, a requirement \
             replaced. Makes a new version; a changed requirement profile is a draft again.",
        )
        .title("Change a document")
        .roles([Role::RECRUITER])
        .timeout(DRAFTING_TIMEOUT)
        .hears()
        .example(
            "The headline is boring, suggest another",
            json!({ "document": "job ad", "instruction": "The headline is boring, suggest another" }),
        )
        .example(
            "Change the number of people in the team to 9",
            json!({ "document": "profile", "instruction": "Change the number of people in the team to 9" }),
        )
        .example(
            "Python is no longer a must, replace it with Ansible",
            json!({ "document": "profile", "instruction": "Python is no longer a must, replace it with Ansible" }),
        )
        .example(
            "Make the job ad shorter",
            json!({ "document": "job ad", "instruction": "Make the job ad shorter" }),
        )
        .example(
            "Ändra lönen i profilen till 45 000",
            json!({ "document": "profile", "instruction": "Ändra lönen i profilen till 45 000" }),
        )
        .example(
            "Gør annoncen kortere",
            json!({ "document": "job ad", "instruction": "Gør annoncen kortere" }),
        )
        .example(
            "Kürze die Stellenanzeige",
            json!({ "document": "job ad", "instruction": "Kürze die Stellenanzeige" }),
        )
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let documents = all(ctx).await?;
        let present = choose(&documents, &args.document).map_err(ToolError::refused)?;
        let kind = kind_of(present)?;
        let language = present.document.language;
        let guide = self.0.guide(ctx).await?;
        let mut sources = Sources::new(labels(language));
        sources.add("document", &present.document.to_markdown());
        if kind != Module::RequirementProfile.facts().artifact
            && let Some(profile) = profile_in(&documents)
        {
            sources.add("requirement_profile", &public_text(&profile.document, true));
        }
        sources.add(COMPANY, &guide.about_company(language));
        sources.add_words(ctx);
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Changing the document…",
            language,
            guide: &guide,
            details: vec![format!("The change: {}", args.instruction.trim())],
            sources: &sources,
            known: Vec::new(),
        };
        let Some((draft, notes)) = write::<RevisionDraft>(ctx, task).await? else {
            return Err(ToolError::refused(format!(
                "Without a language model a document cannot be changed here. Open “{}” in the page and edit its text directly.",
                present.document.title
            )));
        };
        let said = ctx.words().join("\n");
        let mut revised = document(&draft, &present.document, &said).map_err(ToolError::refused)?;
        revised.notes = notes;
        revised.notes.extend(sources.notes);
        let mut place = Place {
            kind,
            key: present.from.key.clone(),
            status: present.status,
            built_from: present.built_from.clone(),
        };
        if kind == Module::RequirementProfile.facts().artifact {
            place.status = ArtifactStatus::Draft;
            place.built_from = vec![BuiltFrom::clone(&present.from)];
            revised.notes.extend(stale_note(ctx, language));
        }
        keep(ctx, place, &revised)
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}

fn profile_in(documents: &[Stored]) -> Option<&Stored> {
    let kind = Module::RequirementProfile.facts().artifact;
    documents
        .iter()
        .rev()
        .find(|stored| stored.from.kind == kind)
}

/// The kind of a document whose words may be changed. Figures are changed where they come from.
fn kind_of(stored: &Stored) -> Result<&'static str, ToolError> {
    let kind = stored.from.kind.as_str();
    match Module::of_artifact(kind) {
        Some(Module::FunnelReport) => Err(ToolError::refused(
            "The funnel report is computed from its figures. Make it again with the right ones.",
        )),
        Some(module) => Ok(module.facts().artifact),
        None if kind == comparison::KIND => Err(ToolError::refused(
            "The comparison is computed from the candidate reports. Change these and compare again.",
        )),
        None => Err(ToolError::refused("This document cannot be changed.")),
    }
}
