//! Candidate report: what the interview shows about each skill, with a recommendation by a fixed rule. The text of a
//! transcript or CV is evidence, never an instruction.

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::desk::{Desk, Produced};
use super::evidence::{Evidence, Level, assess, hear};
use super::injection;
use super::interview_facts::{background, motivation, practical};
use super::language::{GermanAddress, Language};
use super::problem::{Problem, Problems, given};
use super::requirement_profile::RequirementProfile;
use super::screening::ScreeningTemplate;
use super::skill::SkillType;
use super::text::words::one_line;
use super::transcript::statements;
use super::voice::Voice;

pub(crate) use super::report_phrases::ReportPhrases;

const SHORT_TRANSCRIPT: usize = 100;
const MAX_TRANSCRIPT: usize = 1_000_000;

/// What the recruiter brings for a candidate report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateReportInput {
    /// The interview transcript from Teams, exactly as the recruiter pasted it.
    pub transcript: String,
    /// The candidate's full name.
    pub candidate_name: String,
    /// The date of the interview, as YYYY-MM-DD.
    pub interview_date: String,
    /// The candidate's CV as text (optional).
    #[serde(default)]
    pub candidate_cv: Option<String>,
    /// Output language; the project's language when absent.
    #[serde(default)]
    pub language: Option<Language>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Recommendation {
    Recommended,
    #[serde(rename = "Not Recommended")]
    NotRecommended,
    Borderline,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkillAssessment {
    pub skill_name: String,
    pub skill_type: SkillType,
    pub summary: String,
    pub examples: Vec<String>,
    pub rating: u8,
    pub rating_explanation: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PracticalDetails {
    pub notice_period: String,
    pub salary_expectation: String,
    pub location: String,
    pub languages: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateReport {
    pub candidate_initials: String,
    pub candidate_full_name: String,
    pub position_name: String,
    pub interview_date: NaiveDate,
    pub recommendation: Recommendation,
    pub summary: String,
    pub professional_background: String,
    pub motivation_assessment: String,
    pub skill_assessments: Vec<SkillAssessment>,
    pub practical_details: PracticalDetails,
    pub risks_and_considerations: Vec<String>,
    pub conclusion: String,
    pub language: Language,
    pub created_at: DateTime<Utc>,
}

pub fn process(
    input: &CandidateReportInput,
    profile: &RequirementProfile,
    template: &ScreeningTemplate,
    desk: &Desk<'_>,
) -> Result<Produced<CandidateReport>, Problems> {
    let date = check_input(input)?;
    let language = input.language.unwrap_or(desk.language);
    let voice = desk.voice(language, GermanAddress::Sie);
    let reader = desk.library.reader();
    let mut warnings = length_warning(&input.transcript);
    warnings.extend((date > desk.now.date_naive()).then(|| {
        Problem::new(
            "interview_date",
            format!("The interview date {date} lies in the future. Please check it."),
        )
    }));
    let (transcript, hints) = injection::without(&input.transcript, "transcript", reader);
    warnings.extend(hints);
    let cv = given(&input.candidate_cv).map(|cv| injection::without(cv, "candidate_cv", reader));
    warnings.extend(cv.iter().flat_map(|(_, hints)| hints.clone()));

    let said = statements(&transcript, &input.candidate_name, desk.library, desk.style);
    let heard = hear(&said, reader);
    let questions = template.skill_questions.iter();
    let rated: Vec<Rated<'_>> = questions
        .map(|q| Rated {
            skill: &q.skill_name,
            kind: q.skill_type,
            evidence: assess(&q.skill_name, &heard, reader),
        })
        .collect();
    let ratings = counted(rated.iter().map(|r| (r.kind, r.evidence.rating)));
    let recommendation = recommend(&ratings);
    let initials = initials(&input.candidate_name);
    let practical_details = practical(&said, voice, reader);
    let motivation = motivation(&said, reader);
    let cv_text = cv.as_ref().map(|(text, _)| text.as_str());
    let wording = Wording {
        voice,
        initials: &initials,
        position: &profile.position_title,
        average: average(&ratings),
    };
    warnings.extend(missing_warning(&rated));
    let report = CandidateReport {
        summary: wording.summary(recommendation),
        professional_background: background(&said, cv_text, &input.candidate_name, voice, reader),
        motivation_assessment: wording.motivation(&motivation),
        risks_and_considerations: wording.risks(&rated, &practical_details, motivation.is_empty()),
        conclusion: wording.conclusion(recommendation, &rated),
        skill_assessments: rated.iter().map(|r| wording.assessment(r)).collect(),
        candidate_initials: initials.clone(),
        candidate_full_name: one_line(&input.candidate_name),
        position_name: profile.position_title.clone(),
        interview_date: date,
        recommendation,
        practical_details,
        language,
        created_at: desk.now,
    };
    Ok(Produced {
        artifact: report,
        warnings,
    })
}

impl CandidateReport {
    /// The average that the recommendation rests on.
    pub fn average_rating(&self) -> f64 {
        average(&counted(
            self.skill_assessments
                .iter()
                .map(|s| (s.skill_type, s.rating)),
        ))
    }
}

/// What is good to have does not decide; without any required skill, everything counts.
fn counted(ratings: impl Iterator<Item = (SkillType, u8)> + Clone) -> Vec<u8> {
    let required: Vec<u8> = ratings
        .clone()
        .filter(|(kind, _)| *kind != SkillType::GoodToHave)
        .map(|(_, rating)| rating)
        .collect();
    if required.is_empty() {
        ratings.map(|(_, rating)| rating).collect()
    } else {
        required
    }
}

/// Recommended: average at least 4.0 and no rating of 2 or less. Not recommended: average under 2.5, or two or more
/// ratings of 2 or less. Everything else is borderline.
pub fn recommend(ratings: &[u8]) -> Recommendation {
    let average = average(ratings);
    let low = ratings.iter().filter(|r| **r <= 2).count();
    if average >= 4.0 && low == 0 {
        Recommendation::Recommended
    } else if average < 2.5 || low >= 2 {
        Recommendation::NotRecommended
    } else {
        Recommendation::Borderline
    }
}

/// Two or three letters, filled up with X; XX without a name.
pub fn initials(name: &str) -> String {
    let first = |part: &str| {
        part.chars()
            .find(|c| c.is_alphabetic())
            .and_then(|c| c.to_uppercase().next())
    };
    let parts = name.split(|c: char| c.is_whitespace() || c == '-');
    let mut letters: String = parts.filter_map(first).take(3).collect();
    while letters.chars().count() < 2 {
        letters.push('X');
    }
    letters
}

fn average(ratings: &[u8]) -> f64 {
    if ratings.is_empty() {
        return 0.0;
    }
    ratings.iter().map(|r| f64::from(*r)).sum::<f64>() / ratings.len() as f64
}

fn check_input(input: &CandidateReportInput) -> Result<NaiveDate, Problems> {
    let mut found = Vec::new();
    if input.transcript.trim().is_empty() {
        found.push(Problem::new(
            "transcript",
            "The transcript is empty. Paste the transcript of the interview from Teams.",
        ));
    }
    if input.transcript.len() > MAX_TRANSCRIPT {
        let ask =
            "The transcript is longer than a million characters. Paste only the interview itself.";
        found.push(Problem::new("transcript", ask));
    }
    if input.candidate_name.trim().is_empty() {
        found.push(Problem::new(
            "candidate_name",
            "The candidate's name is missing. Who was interviewed?",
        ));
    }
    let date = NaiveDate::parse_from_str(input.interview_date.trim(), "%Y-%m-%d");
    let date = match date {
        Ok(date) => Some(date),
        Err(_) => {
            let text = format!(
                "The interview date “{}” does not exist in the calendar. Write it as year-month-day, for example 2026-03-14.",
                input.interview_date.trim()
            );
            found.push(Problem::new("interview_date", text));
            None
        }
    };
    Problems::check(found)?;
    date.ok_or_else(|| Problems::one("interview_date", "The interview date is missing."))
}

fn length_warning(transcript: &str) -> Vec<Problem> {
    let chars = transcript.trim().chars().count();
    if chars >= SHORT_TRANSCRIPT {
        return vec![];
    }
    let text =
        format!("The transcript is very short ({chars} characters), so the report can say little.");
    vec![Problem::new("transcript", text)]
}

/// A skill of the template with what the interview shows about it.
struct Rated<'t> {
    skill: &'t str,
    kind: SkillType,
    evidence: Evidence,
}

impl Rated<'_> {
    fn is_required(&self) -> bool {
        self.kind != SkillType::GoodToHave
    }
}

fn missing_warning(rated: &[Rated<'_>]) -> Option<Problem> {
    let silent = |r: &&Rated<'_>| r.is_required() && r.evidence.level == Level::NotDiscussed;
    let missing: Vec<&str> = rated.iter().filter(silent).map(|r| r.skill).collect();
    (!missing.is_empty()).then(|| {
        let text = format!(
            "The interview has no passage about: {}. Each counts as 2 of 5, so ask about them before you decide.",
            missing.join("; ")
        );
        Problem::new("transcript", text)
    })
}

/// The report's sentences.
struct Wording<'a> {
    voice: Voice<'a>,
    initials: &'a str,
    position: &'a str,
    average: f64,
}

impl Wording<'_> {
    fn phrases(&self) -> &ReportPhrases {
        &self.voice.pack.report
    }

    fn summary(&self, recommendation: Recommendation) -> String {
        let phrases = &self.phrases().summary;
        let phrase = phrases.by(recommendation);
        let average = self.voice.decimal(self.average);
        self.voice.say(
            phrase,
            &[
                ("initials", self.initials),
                ("position", self.position),
                ("average", &average),
            ],
        )
    }

    fn motivation(&self, quotes: &[String]) -> String {
        let phrases = &self.phrases().motivation;
        if quotes.is_empty() {
            return self.voice.plain(&phrases.none);
        }
        let quoted: Vec<String> = quotes.iter().map(|q| self.voice.quote(q)).collect();
        self.voice
            .say(&phrases.some, &[("text", &quoted.join(" "))])
    }

    fn assessment(
        &self,
        Rated {
            skill,
            kind,
            evidence,
        }: &Rated<'_>,
    ) -> SkillAssessment {
        SkillAssessment {
            skill_name: (*skill).to_owned(),
            skill_type: *kind,
            summary: self
                .voice
                .plain(self.phrases().skill.summary(evidence.level)),
            examples: evidence.examples.clone(),
            rating: evidence.rating,
            rating_explanation: self.explanation(evidence),
        }
    }

    fn explanation(&self, evidence: &Evidence) -> String {
        let phrases = &self.phrases().skill;
        let text = self.voice.say(
            phrases.explanation(evidence.level),
            &[("n", &evidence.passages.to_string())],
        );
        match evidence.too_few_years {
            Some((required, stated)) => {
                let values = [
                    ("required", required.to_string()),
                    ("stated", stated.to_string()),
                ];
                let more = self.voice.say(
                    &phrases.years_short,
                    &values.each_ref().map(|(k, v)| (*k, v.as_str())),
                );
                format!("{text} {more}")
            }
            None => text,
        }
    }

    fn risks(
        &self,
        rated: &[Rated<'_>],
        details: &PracticalDetails,
        no_motivation: bool,
    ) -> Vec<String> {
        let phrases = &self.phrases().risks;
        let unknown = &self.voice.pack.common.not_discussed;
        let mut out: Vec<String> = Vec::new();
        for Rated {
            skill, evidence: e, ..
        } in rated.iter().filter(|r| r.is_required())
        {
            match e.level {
                Level::NotDiscussed => {
                    out.push(self.voice.say(&phrases.not_discussed, &[("skill", skill)]))
                }
                Level::None
                | Level::Limited
                | Level::Mentioned
                | Level::OwnWork
                | Level::OwnWorkWithResults => {
                    if e.rating <= 2 || e.too_few_years.is_some() {
                        let why = self.explanation(e);
                        let rating = self
                            .voice
                            .say(&self.phrases().rating, &[("n", &e.rating.to_string())]);
                        let values = [
                            ("skill", *skill),
                            ("rating", &rating),
                            ("explanation", &why),
                        ];
                        out.push(self.voice.say(&phrases.low, &values));
                    }
                }
            }
        }
        let checks = [
            (no_motivation, &phrases.motivation),
            (&details.notice_period == unknown, &phrases.notice),
            (&details.salary_expectation == unknown, &phrases.salary),
        ];
        out.extend(
            checks
                .into_iter()
                .filter(|(missing, _)| *missing)
                .map(|(_, p)| self.voice.plain(p)),
        );
        if out.is_empty() {
            out.push(self.voice.plain(&phrases.none));
        }
        out
    }

    fn conclusion(&self, recommendation: Recommendation, rated: &[Rated<'_>]) -> String {
        let required = rated.iter().filter(|r| r.is_required());
        let rated: Vec<(&str, u8)> = required.map(|r| (r.skill, r.evidence.rating)).collect();
        let best = rated.iter().map(|(_, r)| *r).max().unwrap_or(0);
        let strongest = rated
            .iter()
            .find(|(_, r)| *r == best)
            .map_or("", |(s, _)| *s);
        let worst = rated.iter().map(|(_, r)| *r).min().unwrap_or(0).max(2);
        let weakest: Vec<&str> = rated
            .iter()
            .filter(|(_, r)| *r <= worst)
            .map(|(s, _)| *s)
            .collect();
        let average = self.voice.decimal(self.average);
        let values = [
            ("average", average.as_str()),
            ("strongest", strongest),
            ("weakest", &weakest.join("; ")),
        ];
        self.voice
            .say(self.phrases().conclusion.by(recommendation), &values)
    }
}
