//! A report on one interview: for each skill the candidate's own words and a proposed rating, then
//! practical facts. The recommendation is the recruiter's field.

use frontdesk_core::draft::Quote;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Point, lines, quoted};
use crate::tata::document::{BLANK, Body, Document, Item, MadeWith};
use crate::tata::labels::labels;
use crate::tata::language::Language;

pub(in crate::tata) const INSTRUCTIONS: &str =
    include_str!("../instructions/documents/candidate_report.md");

pub(in crate::tata) const RECOMMENDATION: &str = "recommendation";

/// The recruiter's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::tata) enum Recommendation {
    Recommended,
    RecommendedWithReservations,
    NotRecommended,
}

/// The content of a report.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::tata) struct ReportDraft {
    /// Three or four sentences: who the candidate is, what speaks for them, what is open. No recommendation.
    summary: String,
    /// One entry for each numbered skill.
    skills: Vec<SkillEvidence>,
    /// Why the candidate is interested.
    motivation: Vec<Point>,
    /// Practical facts that the candidate told.
    practical: Vec<PracticalFact>,
    /// What the candidate worries about or wishes.
    worries: Vec<Point>,
    /// What was not discussed and should be asked next.
    open_questions: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SkillEvidence {
    /// The number of the skill in the list.
    skill: u32,
    /// The candidate's own words about it, one to three quotes; empty when it was not discussed.
    said: Vec<Quote>,
    /// From 1 to 5; null when it was not discussed.
    rating: Option<u8>,
    /// Why this rating, in one sentence; empty when it was not discussed.
    reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PracticalFact {
    topic: Topic,
    text: String,
    based_on: Quote,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Topic {
    Notice,
    Pay,
    Availability,
    Location,
    Languages,
    Other,
}

/// What a report is about.
pub(in crate::tata) struct Subject<'a> {
    pub(in crate::tata) candidate: &'a str,
    pub(in crate::tata) interview_date: &'a str,
    pub(in crate::tata) must_haves: &'a [String],
    pub(in crate::tata) good_to_haves: &'a [String],
    pub(in crate::tata) language: Language,
}

impl Recommendation {
    pub(in crate::tata) const ALL: [Self; 3] = [
        Recommendation::RecommendedWithReservations,
        Recommendation::Recommended,
        Recommendation::NotRecommended,
    ];

    fn key(self) -> &'static str {
        match self {
            Recommendation::Recommended => "recommended",
            Recommendation::RecommendedWithReservations => "recommended_with_reservations",
            Recommendation::NotRecommended => "not_recommended",
        }
    }

    pub(in crate::tata) fn label(self, language: Language) -> &'static str {
        labels(language).word(self.key())
    }

    pub(in crate::tata) fn of(document: &Document) -> Option<Self> {
        let value = document.fields.get(RECOMMENDATION)?;
        serde_json::from_value(value.clone()).ok()
    }
}

impl Topic {
    fn key(self) -> &'static str {
        match self {
            Topic::Notice => "notice",
            Topic::Pay => "pay",
            Topic::Availability => "availability",
            Topic::Location => "location",
            Topic::Languages => "languages",
            Topic::Other => "other",
        }
    }
}

pub(in crate::tata) fn document(draft: ReportDraft, about: &Subject<'_>) -> Document {
    let labels = labels(about.language);
    let mut document = empty(about, MadeWith::Model);
    set_recommendation(&mut document, None);
    document.paragraphs("summary", labels.section("summary"), &[draft.summary]);
    let skill = |number: u32, name: &String| {
        let evidence = draft
            .skills
            .iter()
            .find(|evidence| evidence.skill == number);
        assessed(name, evidence, about.language)
    };
    let (must_haves, good_to_haves) = (about.must_haves, about.good_to_haves);
    let musts = (1..)
        .zip(must_haves)
        .map(|(number, name)| skill(number, name));
    document.items("must_haves", labels.section("must_haves"), musts.collect());
    let goods = (1..).zip(must_haves.iter().chain(good_to_haves));
    let goods = goods
        .skip(must_haves.len())
        .map(|(number, name)| skill(number, name));
    document.some_items(
        "good_to_haves",
        labels.section("good_to_haves"),
        goods.collect(),
    );
    document.some_items(
        "motivation",
        labels.section("motivation"),
        quoted(draft.motivation),
    );
    let practical = draft.practical.into_iter().map(|fact| {
        Item::labelled(labels.topic(fact.topic.key()), fact.text).quoting([fact.based_on])
    });
    document.items(
        "practical",
        labels.section("practical"),
        practical.collect(),
    );
    document.some_items("worries", labels.section("worries"), quoted(draft.worries));
    document.some_items(
        "open_questions",
        labels.section("open_questions"),
        lines(&draft.open_questions),
    );
    document
}

/// A rating needs the candidate's words: without a quote the skill was not discussed.
fn assessed(name: &str, evidence: Option<&SkillEvidence>, language: Language) -> Item {
    let discussed = evidence.filter(|evidence| !evidence.said.is_empty());
    match discussed {
        None => Item::labelled(name, labels(language).word("not_discussed")),
        Some(evidence) => Item {
            rating: evidence.rating.filter(|rating| (1..=5).contains(rating)),
            ..Item::labelled(name, &evidence.reason).quoting(evidence.said.clone())
        },
    }
}

/// The skills, with room for what the recruiter heard, and no ratings.
pub(in crate::tata) fn fallback(about: &Subject<'_>) -> Document {
    let labels = labels(about.language);
    let mut document = empty(about, MadeWith::Fallback);
    set_recommendation(&mut document, None);
    for (id, skills) in [
        ("must_haves", about.must_haves),
        ("good_to_haves", about.good_to_haves),
    ] {
        let items = skills.iter().map(|skill| Item::labelled(skill, BLANK));
        document.some_items(id, labels.section(id), items.collect());
    }
    let topics =
        ["notice", "pay", "availability"].map(|topic| Item::labelled(labels.topic(topic), BLANK));
    document.items("practical", labels.section("practical"), topics.to_vec());
    document
}

fn empty(about: &Subject<'_>, made_with: MadeWith) -> Document {
    let of = format!("{}, {}", about.candidate, about.interview_date);
    let title = labels(about.language).title("candidate_reports", &of);
    let mut document = Document::new(title, about.language, made_with);
    document
        .fields
        .insert("candidate".to_owned(), json!(about.candidate));
    document
        .fields
        .insert("interview_date".to_owned(), json!(about.interview_date));
    document
}

/// Sets the field and the sentence that shows it.
pub(in crate::tata) fn set_recommendation(document: &mut Document, to: Option<Recommendation>) {
    document.fields.insert(RECOMMENDATION.to_owned(), json!(to));
    let language = document.language;
    let shown = match to {
        Some(recommendation) => recommendation.label(language),
        None => labels(language).word("your_decision"),
    };
    let body = Body::Paragraphs(vec![shown.to_owned()]);
    match document
        .sections
        .iter_mut()
        .find(|section| section.id == RECOMMENDATION)
    {
        Some(section) => section.body = body,
        None => document.paragraphs(
            RECOMMENDATION,
            labels(language).section(RECOMMENDATION),
            &[shown],
        ),
    }
}

/// Follows what a person wrote in the section, where it begins with one of the decisions.
pub(in crate::tata) fn read_recommendation(document: &mut Document) {
    let language = document.language;
    let written = match document
        .section(RECOMMENDATION)
        .map(|section| &section.body)
    {
        Some(Body::Paragraphs(texts)) => texts.first().map(|text| text.to_lowercase()),
        Some(Body::Items(_) | Body::Table { .. }) | None => None,
    };
    let Some(written) = written else {
        return;
    };
    let chosen = Recommendation::ALL
        .into_iter()
        .find(|decision| written.starts_with(&decision.label(language).to_lowercase()));
    let is_open = written == labels(language).word("your_decision").to_lowercase();
    if chosen.is_some() || is_open {
        document
            .fields
            .insert(RECOMMENDATION.to_owned(), json!(chosen));
    }
}

/// The value of a field that a person sets; an error names what may stand there.
pub(in crate::tata) fn read_field(value: &Value) -> Result<Option<Recommendation>, String> {
    serde_json::from_value(value.clone()).map_err(|_| {
        "`recommendation` is recommended, recommended_with_reservations, not_recommended or null."
            .to_owned()
    })
}
