//! The hiring manager's guide: situations from the work and what a good answer looks like, where
//! the recruiter's guide asks for motivation and practical matters.

use schemars::JsonSchema;
use serde::Deserialize;

use super::ta_screening::{Subject, add_skills};
use super::{Point, copied, lines, plain};
use crate::tata::document::{BLANK, Document, Item, MadeWith};
use crate::tata::labels::labels;

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/hm_screening.md");

/// The content of the hiring manager's guide.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct ManagerGuideDraft {
    /// Two or three sentences about the role to open with; empty unless asked for.
    introduction: String,
    /// For each numbered skill, in its order, a question that goes deeper than a first call.
    skills: Vec<DeepQuestion>,
    /// Situations from the responsibilities: what would you do when …
    situations: Vec<Situation>,
    /// Questions about working in this team.
    team: Vec<String>,
    /// Questions for each further area that was asked for; empty otherwise.
    additional: Vec<String>,
    /// What the manager should tell openly, because candidates must know it before they say yes.
    tell: Vec<Point>,
    /// What to agree on right after the interview.
    assessment: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DeepQuestion {
    /// The number of the skill in the list.
    skill: u32,
    questions: Vec<String>,
    /// What a strong answer contains.
    good_answer: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Situation {
    question: String,
    /// What a strong answer contains.
    good_answer: String,
}

pub(in crate::tata) fn document(draft: ManagerGuideDraft, about: &Subject<'_>) -> Document {
    let labels = labels(about.language);
    let good = |answer: &str| match answer.trim() {
        "" => None,
        answer => Some(Item::labelled(labels.word("good_answer"), answer)),
    };
    let title = labels.title("hm_screening_template", about.position);
    let mut document = Document::new(title, about.language, MadeWith::Model);
    document.paragraphs(
        "introduction",
        labels.section("introduction"),
        &[draft.introduction],
    );
    for (number, skill) in (1..).zip(about.skills) {
        let asked = draft.skills.iter().find(|block| block.skill == number);
        let mut items = asked
            .map(|block| lines(&block.questions))
            .unwrap_or_default();
        items.extend(asked.and_then(|block| good(&block.good_answer)));
        document.items(&format!("skill_{number}"), skill, items);
    }
    let situations = draft.situations.iter().flat_map(|situation| {
        let question = Item::new(&situation.question);
        [Some(question), good(&situation.good_answer)]
            .into_iter()
            .flatten()
    });
    document.some_items(
        "situations",
        labels.section("situations"),
        situations.collect(),
    );
    document.some_items("team", labels.section("team"), lines(&draft.team));
    document.some_items(
        "additional",
        labels.section("additional"),
        lines(&draft.additional),
    );
    document.some_items("truth", labels.section("truth"), plain(draft.tell));
    document.some_items(
        "assessment",
        labels.section("assessment"),
        lines(&draft.assessment),
    );
    document
}

/// The responsibilities as situations to talk about, and the skills, each with room.
pub(in crate::tata) fn fallback(profile: &Document, about: &Subject<'_>) -> Document {
    let labels = labels(about.language);
    let title = labels.title("hm_screening_template", about.position);
    let mut document = Document::new(title, about.language, MadeWith::Fallback);
    add_skills(&mut document, about);
    let situations = profile
        .items_of("responsibilities")
        .map(|item| Item::labelled(&item.text, BLANK));
    document.items(
        "situations",
        labels.section("situations"),
        situations.collect(),
    );
    document.items("team", labels.section("team"), copied(profile, "team"));
    document.items("assessment", labels.section("assessment"), Vec::new());
    document
}
