//! A report on one interview: for each skill the candidate's own words and a proposed rating, then
//! practical facts. The recommendation is the recruiter's field. Each candidate has a series.

use super::prelude::*;
use frontdesk_core::draft::Quote;

use super::{Point, TopicPoint, by_topic, lines, numbered, proven, quoted, texts_of};
use crate::date_text::read_date;
use crate::recommendation;

pub(super) struct Report {
    candidate: String,
    date: String,
    must_haves: Vec<String>,
    good_to_haves: Vec<String>,
}

/// The material of a report.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The interview transcript, exactly as the recruiter pasted it.
    #[schemars(extend("x-handle" = "text"))]
    transcript: String,
    /// The candidate's full name.
    candidate_name: String,
    /// The date of the interview, as YYYY-MM-DD.
    interview_date: String,
    /// The candidate's CV as text (optional).
    #[schemars(extend("x-handle" = "text"))]
    candidate_cv: Option<String>,
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

/// The content of a report.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportDraft {
    /// Three or four statements: who the candidate is, what speaks for them, what is open. No recommendation.
    summary: Vec<Statement>,
    /// One entry for each numbered skill.
    skills: Vec<SkillEvidence>,
    /// Why the candidate is interested.
    motivation: Vec<Point>,
    /// Practical facts in the candidate's words.
    practical: Vec<TopicPoint>,
    /// Worries and wishes of the candidate.
    worries: Vec<Point>,
    /// Questions to ask next, about subjects that were not discussed.
    open_questions: Vec<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SkillEvidence {
    /// The number of the skill in the list.
    skill: u32,
    /// The candidate's own words about it, one to three quotes; empty when it was not discussed.
    said: Vec<Quote>,
    /// From 1 to 5; 0 when it was not discussed.
    #[schemars(range(min = 0, max = 5))]
    rating: u8,
    /// Why this rating, in one sentence; empty when it was not discussed.
    reason: String,
}

impl Writes for Report {
    const MODULE: Module = Module::CandidateReport;
    const FILE: &'static str = include_str!("../instructions/documents/candidate_report.md");
    type Args = Args;
    type Draft = ReportDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let (candidate, date) = checked(&args).map_err(ToolError::refused)?;
        let profile = agreed_profile(call.ctx).await?;
        let Some(template) = newest(call.ctx, Module::TaScreening).await? else {
            return Err(ToolError::refused(
                "There is no TA screening template in this project yet.",
            ));
        };
        let report = Self {
            must_haves: texts_of(&profile.document, "must_haves"),
            good_to_haves: texts_of(&profile.document, "good_to_haves"),
            candidate,
            date,
        };
        let language = Language::choose(call.ctx, args.language)?;
        let mut sources = Sources::new(language);
        sources.add_argument(call.ctx, "transcript", Some(&args.transcript));
        sources.add_argument(call.ctx, "candidate_cv", args.candidate_cv.as_ref());
        let skills: Vec<String> = report.skills().cloned().collect();
        let key = format!("{} {}", report.candidate.to_lowercase(), report.date);
        let place = Place::of(Module::CandidateReport, key);
        let place = place.built_from([profile.from, template.from]);
        let title = format!("{}, {}", report.candidate, report.date);
        let brief = Brief {
            details: vec![
                format!("The candidate: {}", report.candidate),
                format!("The skills:\n{}", numbered(&skills)),
            ],
            known: vec![report.date.clone(), skills.join("; ")],
            ..Brief::new(&title, language, sources, place)
        };
        Ok((report, brief))
    }

    fn document(&self, draft: ReportDraft, document: &mut Document) {
        let labels = labels(document.language);
        self.begin(document);
        let summary = proven(draft.summary, document).join(" ");
        document.paragraphs("summary", &[summary]);
        let assessed = (1..).zip(self.skills()).map(|(number, skill)| {
            let mut evidence = draft.skills.iter();
            assessed(skill, evidence.find(|found| found.skill == number), labels)
        });
        let mut must_haves: Vec<Item> = assessed.collect();
        let good_to_haves = must_haves.split_off(self.must_haves.len());
        document.items("must_haves", must_haves);
        document.some_items("good_to_haves", good_to_haves);
        document.some_items("motivation", quoted(draft.motivation));
        document.items("practical", by_topic(draft.practical, labels));
        document.some_items("worries", quoted(draft.worries));
        document.some_items("open_questions", lines(&draft.open_questions));
    }

    /// The skills with placeholders, without ratings.
    fn fallback(&self, _: &[SourceText], document: &mut Document) {
        let labels = labels(document.language);
        self.begin(document);
        for (id, skills) in [
            ("must_haves", &self.must_haves),
            ("good_to_haves", &self.good_to_haves),
        ] {
            let items = skills.iter().map(|skill| Item::labelled(skill, BLANK));
            document.some_items(id, items.collect());
        }
        let topics = ["notice", "pay", "availability"];
        let topics = topics.map(|topic| Item::labelled(labels.word(topic), BLANK));
        document.items("practical", topics.to_vec());
    }
}

impl Report {
    fn skills(&self) -> impl Iterator<Item = &String> {
        self.must_haves.iter().chain(&self.good_to_haves)
    }

    fn begin(&self, document: &mut Document) {
        document.set("candidate", self.candidate.clone());
        document.set("interview_date", self.date.clone());
        recommendation::set(document, None);
    }
}

/// A rating needs the candidate's words: without a quote the skill was not discussed.
fn assessed(skill: &str, evidence: Option<&SkillEvidence>, labels: &Labels) -> Item {
    match evidence.filter(|evidence| !evidence.said.is_empty()) {
        None => Item::labelled(skill, labels.word("not_discussed")),
        Some(evidence) => Item {
            rating: Some(evidence.rating).filter(|rating| (1..=5).contains(rating)),
            ..Item::labelled(skill, &evidence.reason).quoting(evidence.said.clone())
        },
    }
}

/// The candidate's name and the date; the error lists missing values.
fn checked(args: &Args) -> Result<(String, String), String> {
    let candidate = short(&args.candidate_name);
    let missing = [
        (
            args.transcript.trim(),
            "The transcript is empty. Paste the transcript of the interview.",
        ),
        (&candidate, "The candidate name is missing."),
        (args.interview_date.trim(), "The interview date is missing."),
    ];
    let missing = missing.into_iter().filter(|(text, _)| text.is_empty());
    let missing: Vec<&str> = missing.map(|(_, sentence)| sentence).collect();
    if !missing.is_empty() {
        return Err(missing.join(" "));
    }
    let (date, _) = read_date(&args.interview_date)?;
    Ok((candidate, short(&date)))
}
