//! A change to a document that the recruiter asks for in words: a new version of any document.

use std::sync::Arc;

use frontdesk_core::grounding::{Evidence, normalise};

use super::compare_candidates;
use super::prelude::*;
use super::requirement_profile::{for_ad, stale_note};
use crate::document::MadeWith;
use crate::documents::{Stored, all};
use crate::inclusion;
use crate::naming::choose;
use crate::recommendation;
use crate::writing::{Resources, drafting_spec, write};

const FILE: &str = include_str!("../instructions/documents/revision.md");

pub(super) struct ReviseDocument(pub(super) Arc<Resources>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which document, in words or by kind: "job ad", "profile", "report on Anna".
    #[schemars(length(min = 1, max = 200))]
    document: String,
    /// The change, in the recruiter's own words.
    #[schemars(length(min = 1, max = 4000))]
    instruction: String,
}

/// The whole document with the change made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RevisionDraft {
    /// The whole new document as Markdown, in the form of the present one.
    markdown: String,
}

impl Tool for ReviseDocument {
    const NAME: &'static str = "revise_document";
    type Args = Args;
    type Output = DocumentOutput;

    fn spec() -> ToolSpec {
        drafting_spec(FILE, "", Self::NAME)
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<DocumentOutput, ToolError> {
        let documents = all(ctx).await?;
        let present = choose(&documents, &args.document).map_err(ToolError::refused)?;
        let kind = kind_of(present).map_err(ToolError::refused)?;
        let is_profile = kind == Module::RequirementProfile.facts().artifact;
        let language = present.document.language;
        let call = Call {
            ctx,
            guide: self.0.guide(ctx).await?,
        };
        let mut sources = Sources::new(language);
        sources.add("document", &present.document.to_markdown());
        if !is_profile && let Some(profile) = newest(ctx, Module::RequirementProfile).await? {
            let profile = for_ad(&profile.document, true).to_markdown();
            sources.add("requirement_profile", &profile);
        }
        sources.add(COMPANY, &call.guide.about_company(language));
        sources.add_words(ctx);
        let place = Place {
            kind,
            key: present.from.key.clone(),
            status: ArtifactStatus::Draft,
            // A changed profile waits for agreement again; others keep their origin.
            built_from: match is_profile {
                true => vec![present.from.clone()],
                false => present.built_from.clone(),
            },
        };
        let brief = Brief {
            details: vec![format!("The change: {}", args.instruction.trim())],
            ..Brief::new("", language, sources, place)
        };
        let Some((draft, notes)) = write::<RevisionDraft>(&call, FILE, &brief).await? else {
            return Err(ToolError::refused(format!(
                "Without a language model a document cannot be changed here. Open “{}” in the page and edit its text directly.",
                present.document.title
            )));
        };
        let said = ctx.words().join("\n");
        let revised = revised(&draft.markdown, &present.document, &said);
        let mut revised = revised.map_err(ToolError::refused)?;
        revised.notes = notes;
        if let Some(module) = Module::of_artifact(kind) {
            inclusion::check(&mut revised, module, &brief.sources.texts, &call.guide);
        }
        revised.notes.extend(brief.sources.notes);
        revised
            .notes
            .extend(stale_note(ctx, language).filter(|_| is_profile));
        keep(ctx, brief.place, &revised)
    }

    fn summary(made: &DocumentOutput) -> String {
        made.summary()
    }
}

/// The kind of a document whose words may be changed. Figures are changed where they come from.
fn kind_of(stored: &Stored) -> Result<&'static str, &'static str> {
    let kind = stored.from.kind.as_str();
    match Module::of_artifact(kind) {
        Some(module) if module != Module::FunnelReport => Ok(module.facts().artifact),
        Some(_) => Err(
            "The funnel report is computed from its figures. Make it again with the right ones.",
        ),
        None if kind == compare_candidates::KIND => Err(
            "The comparison is computed from the candidate reports. Change these and compare again.",
        ),
        None => Err("This document cannot be changed."),
    }
}

/// The model's text, with ids, fields and internal sections of the old version.
fn revised(markdown: &str, previous: &Document, said: &str) -> Result<Document, String> {
    let mut document = Document::read_markdown(markdown, previous)?;
    document.made_with = MadeWith::Model;
    keep_internal(&mut document, previous);
    keep_known_quotes(&mut document, previous, said);
    recommendation::follow_text(&mut document);
    Ok(document)
}

/// A section that candidates must not see never becomes public because a model forgot its mark.
fn keep_internal(document: &mut Document, previous: &Document) {
    for section in previous.sections.iter().filter(|section| section.internal) {
        let mut kept = document.sections.iter();
        if !kept.any(|kept| kept.internal && kept.id == section.id) {
            document.sections.retain(|kept| kept.id != section.id);
            document.sections.push(section.clone());
        }
    }
}

/// Quotes stay where the old version had them or the person said them, but below a changed text only
/// if both have the same figures and dates.
fn keep_known_quotes(document: &mut Document, previous: &Document, said: &str) {
    let quotes = previous.all_items().flat_map(|item| &item.quotes);
    let known: Vec<String> = quotes.map(|quote| normalise(&quote.quote)).collect();
    let said = normalise(said);
    let has = |source: &str, text: &str| {
        let source = [SourceText::new("", source)];
        Evidence::new(&source, []).unsupported(text).is_none()
    };
    for item in document.all_items_mut() {
        let is_changed = previous.all_items().all(|old| old.text != item.text);
        item.quotes.retain(|quote| {
            let words = normalise(&quote.quote);
            let agrees = has(&words, &item.text) && has(&item.text, &words);
            said.contains(&words) || (known.contains(&words) && (agrees || !is_changed))
        });
    }
}

#[cfg(test)]
mod revise_document_tests;
