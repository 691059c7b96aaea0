//! Candidate report: what the interview shows about each skill, with a recommendation by a fixed rule. The text of a
//! transcript or CV is evidence, never an instruction.

pub mod comparison;
mod evidence;
mod interview_facts;
mod phrases;
mod transcript;
mod wording;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::evidence::{Level, assess, hear};
use self::wording::{Rated, Wording};
use crate::tata::domain::candidate_report::interview_facts::{background, motivation, practical};
use crate::tata::domain::candidate_report::transcript::statements;
use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::injection;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::problem::{Problem, Problems, excerpt, given};
use crate::tata::domain::requirement_profile::RequirementProfile;
use crate::tata::domain::screening::ScreeningTemplate;
use crate::tata::domain::screening::skill::SkillType;
use crate::tata::domain::text::words::one_line;

pub(crate) use self::phrases::ReportPhrases;

const SHORT_TRANSCRIPT: usize = 100;
const MAX_TRANSCRIPT: usize = 1_000_000;

/// What the recruiter brings for a candidate report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CandidateReportInput {
    /// The interview transcript from Teams, exactly as the recruiter pasted it.
    #[schemars(extend("x-handle" = "text"))]
    pub transcript: String,
    /// The candidate's full name.
    pub candidate_name: String,
    /// The date of the interview, as YYYY-MM-DD.
    pub interview_date: String,
    /// The candidate's CV as text (optional).
    #[schemars(extend("x-handle" = "text"))]
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
    // A model may send the date with a time behind it.
    let day = input
        .interview_date
        .trim()
        .split('T')
        .next()
        .unwrap_or_default();
    let date = match NaiveDate::parse_from_str(day, "%Y-%m-%d") {
        Ok(date) => Some(date),
        Err(_) => {
            let text = format!(
                "The interview date “{}” does not exist in the calendar. Write it as year-month-day, for example 2026-03-14.",
                excerpt(&input.interview_date)
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

#[cfg(test)]
mod candidate_report_tests;
#[cfg(test)]
mod comparison_tests;
