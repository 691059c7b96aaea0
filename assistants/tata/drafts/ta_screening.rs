//! The recruiter's screening guide: motivation, one block of questions a skill, practical matters.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{copied, lines};
use crate::tata::document::{BLANK, Document, Item, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/ta_screening.md");

/// The content of a screening guide.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct ScreeningDraft {
    /// Two or three sentences about the role that the recruiter can read aloud; empty unless asked for.
    introduction: String,
    /// Questions about why the candidate is interested.
    motivation: Vec<String>,
    /// Questions for each numbered skill, in its order.
    skills: Vec<SkillQuestions>,
    /// Questions for each further area that the recruiter asked for; empty otherwise.
    additional: Vec<String>,
    /// Questions about notice, pay, place, start and what else the conditions make necessary.
    practical: Vec<String>,
    /// How to end the call: questions of the candidate, next steps.
    closing: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SkillQuestions {
    /// The number of the skill in the list.
    skill: u32,
    /// One open question about what the candidate did, and one or two that go deeper.
    questions: Vec<String>,
    /// What tells a strong answer from a weak one, in a few words each.
    listen_for: Vec<String>,
}

/// What a guide is about.
pub(in crate::tata) struct Subject<'a> {
    pub(in crate::tata) position: &'a str,
    pub(in crate::tata) skills: &'a [String],
    pub(in crate::tata) areas: &'a [String],
    pub(in crate::tata) language: Language,
}

pub(in crate::tata) fn document(draft: ScreeningDraft, about: &Subject<'_>) -> Document {
    let labels = labels(about.language);
    let title = labels.title("ta_screening_template", about.position);
    let mut document = Document::new(title, about.language, MadeWith::Model);
    document.paragraphs(
        "introduction",
        labels.section("introduction"),
        &[draft.introduction],
    );
    document.some_items(
        "motivation",
        labels.section("motivation"),
        lines(&draft.motivation),
    );
    for (number, skill) in (1..).zip(about.skills) {
        let asked = draft.skills.iter().find(|block| block.skill == number);
        let mut items = asked
            .map(|block| lines(&block.questions))
            .unwrap_or_default();
        let signs = asked
            .map(|block| block.listen_for.as_slice())
            .unwrap_or_default();
        items.extend(
            signs
                .iter()
                .map(|sign| Item::labelled(labels.word("listen_for"), sign)),
        );
        document.items(&format!("skill_{number}"), skill, items);
    }
    document.some_items(
        "additional",
        labels.section("additional"),
        lines(&draft.additional),
    );
    document.some_items(
        "practical",
        labels.section("practical"),
        lines(&draft.practical),
    );
    document.some_items("closing", labels.section("closing"), lines(&draft.closing));
    document
}

/// The skills as headings, with room for questions.
pub(in crate::tata) fn fallback(profile: &Document, about: &Subject<'_>) -> Document {
    let labels = labels(about.language);
    let title = labels.title("ta_screening_template", about.position);
    let mut document = Document::new(title, about.language, MadeWith::Fallback);
    document.items("motivation", labels.section("motivation"), Vec::new());
    add_skills(&mut document, about);
    let topics = ["notice", "pay", "location", "start"];
    let topics = topics.map(|topic| Item::labelled(labels.topic(topic), BLANK));
    document.items("practical", labels.section("practical"), topics.to_vec());
    let known = copied(profile, "conditions");
    document.some_items("conditions", labels.section("conditions"), known);
    document.items("closing", labels.section("closing"), Vec::new());
    document
}

/// A block a skill, and the areas that were asked for.
pub(super) fn add_skills(document: &mut Document, about: &Subject<'_>) {
    for (number, skill) in (1..).zip(about.skills) {
        document.items(&format!("skill_{number}"), skill, Vec::new());
    }
    let heading = labels(about.language).section("additional");
    document.some_items("additional", heading, lines(about.areas));
}
