//! The requirement profile: needs and conditions of the role, each with the words it rests on.
//! A draft until the recruiter agrees.

use super::prelude::*;

use super::{Point, TopicPoint, by_topic, quoted};
use crate::document::Body;
use crate::documents::name_project;
use crate::notes::{LISTS, Notes, OTHER, TOPICS};
use crate::project;

pub(super) struct Profile {
    position: String,
}

/// The material of a requirement profile.
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
    old_job_ad: Option<String>,
    /// Direct input from the hiring manager (optional).
    #[schemars(extend("x-handle" = "text"))]
    hiring_manager_input: Option<String>,
    /// Additions from the chat, in the recruiter's own words (optional).
    #[schemars(extend("x-handle" = "text"))]
    recruiter_input: Option<String>,
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

/// The content of a profile.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileDraft {
    /// Requirements that every candidate must meet. One each, in the order of the sources.
    must_haves: Vec<Point>,
    /// Welcome skills that can be missing.
    good_to_haves: Vec<Point>,
    /// Tasks of the role.
    responsibilities: Vec<Point>,
    /// Personal qualities that the sources ask for.
    soft_skills: Vec<Point>,
    /// Size, place and ways of the team.
    team: Vec<Point>,
    /// Practical conditions that candidates may know.
    conditions: Vec<TopicPoint>,
    /// Remarks that are not for candidates: about people, conflicts, budgets, doubts, earlier holders of the job.
    internal: Vec<Point>,
    /// The hiring manager as "name, title", at most one; empty when the sources name none.
    hiring_manager: Vec<Point>,
}

impl Writes for Profile {
    const MODULE: Module = Module::RequirementProfile;
    const FILE: &'static str = include_str!("../instructions/documents/requirement_profile.md");
    type Args = Args;
    type Draft = ProfileDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let position = short(&args.position_title);
        if position.is_empty() {
            return Err(ToolError::refused(
                "The position title is missing. What is the position called?",
            ));
        }
        let language = Language::choose(call.ctx, args.language)?;
        let mut sources = Sources::new(language);
        for (name, text) in [
            ("startup_notes", Some(&args.startup_notes)),
            ("recruiter_input", args.recruiter_input.as_ref()),
            ("hiring_manager_input", args.hiring_manager_input.as_ref()),
            ("old_job_ad", args.old_job_ad.as_ref()),
        ] {
            sources.add_argument(call.ctx, name, text);
        }
        if sources.texts.is_empty() {
            return Err(ToolError::refused(
                "The notes are empty. Paste the notes of the start-up meeting, or write what the position needs.",
            ));
        }
        sources.notes.extend(stale_note(call.ctx, language));
        let place = Place::of(Module::RequirementProfile, "");
        let brief = Brief {
            details: vec![format!("The position: {position}")],
            ..Brief::new(&position, language, sources, place)
        };
        Ok((Self { position }, brief))
    }

    fn document(&self, draft: ProfileDraft, document: &mut Document) {
        let labels = labels(document.language);
        let lists = [
            draft.must_haves,
            draft.good_to_haves,
            draft.responsibilities,
            draft.soft_skills,
            draft.team,
        ];
        for (id, points) in LISTS.into_iter().zip(lists) {
            document.items(id, quoted(points));
        }
        document.items("conditions", by_topic(draft.conditions, labels));
        if let Some(manager) = draft.hiring_manager.first() {
            document.set(project::HIRING_MANAGER, manager.text.clone());
        }
        document.internal(quoted(draft.internal));
    }

    fn fallback(&self, sources: &[SourceText], document: &mut Document) {
        let labels = labels(document.language);
        let notes = Notes::read(sources.iter().map(|source| source.text.as_str()));
        for id in LISTS {
            document.items(id, notes.items(id));
        }
        let conditions = TOPICS.into_iter().flat_map(|topic| {
            let texts = notes.texts(topic);
            texts.map(move |text| Item::labelled(labels.word(topic), text))
        });
        document.items("conditions", conditions.collect());
        document.internal(notes.items(OTHER));
    }

    /// Adds the removed texts, the field and the note about the number of must-haves.
    fn finish(&self, ctx: &ToolContext, document: &mut Document, aside: Vec<Item>) {
        document.internal(aside);
        document.set("position_title", self.position.clone());
        if let Some(manager) = document.fields.get(project::HIRING_MANAGER) {
            ctx.remember(project::HIRING_MANAGER, manager.clone());
        }
        name_project(ctx, &self.position, document.language);
        let key = match document.items_of("must_haves").count() {
            0..3 => "few_must_haves",
            3..=7 => return,
            _ => "many_must_haves",
        };
        let note = labels(document.language).note(key, &[]);
        document.notes.push(note);
    }
}

/// Every document that was built on a profile before is now built on an older one.
pub(super) fn stale_note(ctx: &ToolContext, language: Language) -> Option<String> {
    let stale = project::stale(ctx.conversation(), u32::MAX).join(", ");
    (!stale.is_empty()).then(|| labels(language).note("stale", &[("list", &stale)]))
}

/// The profile without internal remarks, and without the pay unless it is wanted.
pub(super) fn for_ad(profile: &Document, with_pay: bool) -> Document {
    let pay = labels(profile.language).word("pay");
    let mut public = profile.for_candidates();
    for section in &mut public.sections {
        if let Body::Items(items) = &mut section.body {
            items.retain(|item| with_pay || item.label.as_deref() != Some(pay));
        }
    }
    public
}
