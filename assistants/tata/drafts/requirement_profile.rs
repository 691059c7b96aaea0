//! The requirement profile: what the role needs and offers, each point with the words it rests on.

use frontdesk_core::draft::Quote;
use frontdesk_core::grounding::SourceText;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Point, quoted};
use crate::tata::document::{Document, Item, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::notes::{LISTS, Notes, TOPICS};

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/requirement_profile.md");

/// Fewer or more must-haves than these get a note.
const USUAL_MUST_HAVES: std::ops::RangeInclusive<usize> = 3..=7;

/// The content of a profile.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct ProfileDraft {
    /// What a candidate must have. One requirement each, in the order of the sources.
    must_haves: Vec<Point>,
    /// What is welcome and can be missing.
    good_to_haves: Vec<Point>,
    /// What the person will do.
    responsibilities: Vec<Point>,
    /// Personal qualities that the sources ask for.
    soft_skills: Vec<Point>,
    /// Size, place and ways of the team.
    team: Vec<Point>,
    /// Practical conditions that candidates may know.
    conditions: Vec<Condition>,
    /// Remarks that are not for candidates: about people, conflicts, budgets, doubts, earlier holders of the job.
    internal: Vec<Point>,
    /// The hiring manager, at most one; empty when the sources name none.
    hiring_manager: Vec<Manager>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Condition {
    topic: Topic,
    /// The condition, short and complete.
    text: String,
    /// The words of the source that say so.
    based_on: Quote,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Topic {
    Pay,
    Location,
    HomeOffice,
    OnCall,
    Start,
    Process,
    Other,
}

/// Who hires.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Manager {
    name: String,
    /// The title; empty when the sources have none.
    title: String,
    /// The words of the source that name them.
    based_on: Quote,
}

impl Topic {
    fn key(self) -> &'static str {
        match self {
            Topic::Pay => "pay",
            Topic::Location => "location",
            Topic::HomeOffice => "home_office",
            Topic::OnCall => "on_call",
            Topic::Start => "start",
            Topic::Process => "process",
            Topic::Other => "other",
        }
    }
}

pub(in crate::tata) fn document(
    draft: ProfileDraft,
    position: &str,
    language: Language,
) -> Document {
    let labels = labels(language);
    let mut document = empty(position, language, MadeWith::Model);
    let lists = [
        ("must_haves", draft.must_haves),
        ("good_to_haves", draft.good_to_haves),
        ("responsibilities", draft.responsibilities),
        ("soft_skills", draft.soft_skills),
        ("team", draft.team),
    ];
    for (id, points) in lists {
        document.items(id, labels.section(id), quoted(points));
    }
    let conditions = draft.conditions.into_iter().map(|condition| {
        Item::labelled(labels.topic(condition.topic.key()), condition.text)
            .quoting([condition.based_on])
    });
    document.items(
        "conditions",
        labels.section("conditions"),
        conditions.collect(),
    );
    add_internal(&mut document, quoted(draft.internal));
    if let Some(manager) = draft.hiring_manager.first() {
        let manager = json!({ "name": manager.name, "title": manager.title });
        document.fields.insert("hiring_manager".to_owned(), manager);
    }
    count_must_haves(&mut document);
    document
}

/// The profile from headings, lists and clauses of the notes alone.
pub(in crate::tata) fn fallback(
    sources: &[SourceText],
    position: &str,
    language: Language,
) -> Document {
    let labels = labels(language);
    let notes = Notes::read(sources.iter().map(|source| source.text.as_str()));
    let mut document = empty(position, language, MadeWith::Fallback);
    for id in LISTS {
        document.items(id, labels.section(id), notes.items(id));
    }
    let conditions = TOPICS.into_iter().flat_map(|topic| {
        let label = labels.topic(topic);
        notes
            .texts(topic)
            .map(move |text| Item::labelled(label, text))
    });
    document.items(
        "conditions",
        labels.section("conditions"),
        conditions.collect(),
    );
    add_internal(&mut document, notes.other());
    count_must_haves(&mut document);
    document
}

fn empty(position: &str, language: Language, made_with: MadeWith) -> Document {
    let title = labels(language).title("requirement_profile", position);
    let mut document = Document::new(title, language, made_with);
    document
        .fields
        .insert("position_title".to_owned(), json!(position));
    document
}

fn add_internal(document: &mut Document, items: Vec<Item>) {
    let heading = labels(document.language).section("internal");
    document.some_items("internal", heading, items);
    if let Some(section) = document.sections.last_mut().filter(|s| s.id == "internal") {
        section.internal = true;
    }
}

fn count_must_haves(document: &mut Document) {
    let count = document.items_of("must_haves").count();
    let note = match () {
        () if count < *USUAL_MUST_HAVES.start() => "few_must_haves",
        () if count > *USUAL_MUST_HAVES.end() => "many_must_haves",
        () => return,
    };
    let note = labels(document.language).note(note, &[]);
    document.notes.push(note);
}

/// The profile as a source of what candidates read: without internal remarks, and without the pay
/// unless it is wanted.
pub(in crate::tata) fn public_text(profile: &Document, with_pay: bool) -> String {
    let mut public = profile.for_candidates();
    if !with_pay {
        let pay = labels(profile.language).topic("pay");
        for section in &mut public.sections {
            if let crate::tata::document::Body::Items(items) = &mut section.body {
                items.retain(|item| item.label.as_deref() != Some(pay));
            }
        }
    }
    public.to_markdown()
}

/// Whether the profile says what the role pays.
pub(in crate::tata) fn has_pay(profile: &Document) -> bool {
    let pay = labels(profile.language).topic("pay");
    profile
        .items_of("conditions")
        .any(|item| item.label.as_deref() == Some(pay))
}
