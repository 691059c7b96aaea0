//! Interview invitation: clean text for Outlook, for Teams or an office, with a booking link or a fixed time.

mod date_text;
mod letter;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use self::letter::InvitePhrases;
use self::letter::Letter;
use crate::tata::domain::address::german_address;
use crate::tata::domain::calendar_invite::date_text::{DateText, is_time, read_date};
use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::problem::{Problem, Problems, excerpt, given};
use crate::tata::domain::style_guide::Office;

const SHORTEST: i64 = 15;
const LONGEST: i64 = 180;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LocationType {
    Teams,
    Onsite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InterviewType {
    HiringManager,
    Case,
    Team,
    TaScreening,
}

impl InterviewType {
    /// As the schema has it.
    pub fn name(self) -> &'static str {
        match self {
            InterviewType::HiringManager => "hiring_manager",
            InterviewType::Case => "case",
            InterviewType::Team => "team",
            InterviewType::TaScreening => "ta_screening",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BookingMethod {
    /// The candidate chooses a time through the booking link from Jobylon.
    Jobylon,
    /// The recruiter sets date and time.
    Manual,
}

/// Another person in the interview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Participant {
    /// The person's name.
    pub name: String,
    /// The person's title.
    #[serde(default)]
    pub title: Option<String>,
    /// Address of the person's LinkedIn profile.
    #[serde(default)]
    pub linkedin: Option<String>,
}

/// What the recruiter brings for an invitation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarInviteInput {
    /// The position's name.
    pub position_name: String,
    /// The hiring manager's name.
    pub hiring_manager_name: String,
    /// The hiring manager's title.
    pub hiring_manager_title: String,
    /// Who signs the invitation. Leave it out: the signed-in recruiter's name is used. Never ask for it.
    #[serde(default)]
    pub recruiter_name: Option<String>,
    /// Where the interview takes place.
    pub location_type: LocationType,
    /// What kind of interview it is.
    pub interview_type: InterviewType,
    /// Length in minutes, usually 60 or 90.
    pub duration: i64,
    /// How the time is set.
    pub booking_method: BookingMethod,
    /// The office's city, needed for an interview on site: stockholm, copenhagen or oslo.
    #[serde(default)]
    pub city: Option<String>,
    /// The date, needed when the recruiter sets the time, for example "14 March 2026".
    #[serde(default)]
    pub interview_date: Option<String>,
    /// The time in 24-hour form, needed when the recruiter sets the time, for example "13:30".
    #[serde(default)]
    pub interview_time: Option<String>,
    /// Address of the published job ad.
    #[serde(default)]
    pub job_ad_link: Option<String>,
    /// Others who take part.
    #[serde(default)]
    pub additional_participants: Vec<Participant>,
    /// Points of the agenda, one per line.
    #[serde(default)]
    pub agenda: Option<String>,
    /// Output language; the project's language when absent.
    #[serde(default)]
    pub language: Option<Language>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalendarInvite {
    pub subject: String,
    pub body: String,
    /// Stands in subject and greeting until the candidate's name is filled in.
    pub candidate_placeholder: String,
    pub language: Language,
    pub german_address: GermanAddress,
    pub created_at: DateTime<Utc>,
}

pub fn process(
    input: &CalendarInviteInput,
    desk: &Desk<'_>,
) -> Result<Produced<CalendarInvite>, Problems> {
    let Checked { office, date, time } = check_input(input, desk)?;
    let language = input.language.unwrap_or(desk.language);
    let address = german_address(desk, &input.position_name);
    let letter = Letter {
        input,
        desk,
        voice: desk.voice(language, address),
        office,
        date,
        time,
    };
    let invite = CalendarInvite {
        subject: letter.subject(),
        body: letter.body(),
        candidate_placeholder: letter.voice.pack.common.candidate.clone(),
        language,
        german_address: address,
        created_at: desk.now,
    };
    Ok(Produced {
        artifact: invite,
        warnings: warnings(input, &letter),
    })
}

/// The parts of an input that had to be looked up or read.
struct Checked<'a> {
    office: Option<&'a Office>,
    date: Option<DateText<'a>>,
    time: Option<&'a str>,
}

fn check_input<'a>(
    input: &'a CalendarInviteInput,
    desk: &Desk<'a>,
) -> Result<Checked<'a>, Problems> {
    let mut found = Vec::new();
    for (field, text, ask) in [
        (
            "position_name",
            &input.position_name,
            "The position's name is missing.",
        ),
        (
            "hiring_manager_name",
            &input.hiring_manager_name,
            "The hiring manager's name is missing.",
        ),
        (
            "hiring_manager_title",
            &input.hiring_manager_title,
            "The hiring manager's title is missing.",
        ),
    ] {
        if text.trim().is_empty() {
            found.push(Problem::new(field, ask));
        }
    }
    if input.duration < 1 {
        found.push(Problem::new(
            "duration",
            "The duration must be more than 0 minutes; 60 or 90 are usual.",
        ));
    }
    let office = office(input, desk, &mut found);
    let (date, time) = schedule(input, &mut found);
    for (field, link) in links(input) {
        if !link.starts_with("https://") && !link.starts_with("http://") {
            found.push(Problem::new(
                field,
                format!(
                    "“{}” is not a web address. It must begin with https://.",
                    excerpt(link)
                ),
            ));
        }
    }
    Problems::check(found).map(|()| Checked { office, date, time })
}

fn office<'a>(
    input: &CalendarInviteInput,
    desk: &Desk<'a>,
    found: &mut Vec<Problem>,
) -> Option<&'a Office> {
    if input.location_type == LocationType::Teams {
        return None;
    }
    let known: Vec<&str> = desk
        .style
        .file()
        .offices
        .iter()
        .map(|o| o.city.as_str())
        .collect();
    let Some(city) = given(&input.city) else {
        let ask = format!(
            "An interview on site needs the city of the office: {}.",
            known.join(", ")
        );
        found.push(Problem::new("city", ask));
        return None;
    };
    let office = desk.style.office(city);
    if office.is_none() {
        let ask = format!(
            "There is no office in “{}” in the style guide. It has: {}.",
            excerpt(city),
            known.join(", ")
        );
        found.push(Problem::new("city", ask));
    }
    office
}

fn schedule<'a>(
    input: &'a CalendarInviteInput,
    found: &mut Vec<Problem>,
) -> (Option<DateText<'a>>, Option<&'a str>) {
    let date = given(&input.interview_date).map(str::trim);
    let time = given(&input.interview_time).map(str::trim);
    if input.booking_method == BookingMethod::Manual {
        if date.is_none() {
            found.push(Problem::new(
                "interview_date",
                "The date is missing. When is the interview?",
            ));
        }
        if time.is_none() {
            found.push(Problem::new(
                "interview_time",
                "The time is missing. When does the interview begin, for example 13:30?",
            ));
        }
    }
    let date = date.and_then(|text| match read_date(text) {
        Ok(date) => Some(date),
        Err(problem) => {
            found.push(problem);
            None
        }
    });
    if let Some(time) = time.filter(|t| !is_time(t)) {
        let text = format!(
            "“{}” is not a time. Write it in 24-hour form, for example 13:30.",
            excerpt(time)
        );
        found.push(Problem::new("interview_time", text));
    }
    (date, time)
}

fn links(input: &CalendarInviteInput) -> Vec<(&'static str, &str)> {
    let job_ad = given(&input.job_ad_link).map(|l| ("job_ad_link", l.trim()));
    let people = input.additional_participants.iter();
    let profiles = people
        .filter_map(|p| given(&p.linkedin))
        .map(|l| ("additional_participants", l.trim()));
    job_ad.into_iter().chain(profiles).collect()
}

fn warnings(input: &CalendarInviteInput, letter: &Letter<'_>) -> Vec<Problem> {
    let mut out = Vec::new();
    if !(SHORTEST..=LONGEST).contains(&input.duration) {
        let text = format!(
            "{} minutes is unusual for an interview. Please check the duration.",
            input.duration
        );
        out.push(Problem::new("duration", text));
    }
    let past = letter
        .date
        .and_then(|d| d.day())
        .is_some_and(|d| d < letter.desk.now.date_naive());
    if past {
        out.push(Problem::new(
            "interview_date",
            "The date of the interview lies in the past. Please check it.",
        ));
    }
    if input.booking_method == BookingMethod::Jobylon
        && (letter.date.is_some() || letter.time.is_some())
    {
        let text = "With booking through Jobylon the candidate chooses the time, so date and time are not in the text.";
        out.push(Problem::new("booking_method", text));
    }
    out
}

#[cfg(test)]
mod calendar_invite_tests;
