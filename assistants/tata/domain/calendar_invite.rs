//! Interview invitation: clean text for Outlook, for Teams or an office, with a booking link or a fixed time.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::address::german_address;
use super::date_text::{DateText, is_time, read_date};
use super::desk::{Desk, Produced};
use super::language::{GermanAddress, Language};
use super::problem::{Problem, Problems, given};
use super::style_guide::Office;
use super::text::words::one_line;
use super::voice::Voice;

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
    pub name: String,
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

/// `invite.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InvitePhrases {
    subject: String,
    greeting: String,
    opening: String,
    meet: String,
    person: String,
    person_link: String,
    duration: String,
    teams: String,
    onsite: String,
    map: String,
    date: String,
    time: String,
    jobylon: String,
    agenda: String,
    job_ad: String,
    needs: String,
    closing: String,
    types: ByType,
    occasions: ByType,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByType {
    hiring_manager: String,
    case: String,
    team: String,
    ta_screening: String,
}

impl ByType {
    fn of(&self, interview: InterviewType) -> &str {
        match interview {
            InterviewType::HiringManager => &self.hiring_manager,
            InterviewType::Case => &self.case,
            InterviewType::Team => &self.team,
            InterviewType::TaScreening => &self.ta_screening,
        }
    }
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
                format!("“{link}” is not a web address. It must begin with https://."),
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
            city.trim(),
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
        let text = format!("“{time}” is not a time. Write it in 24-hour form, for example 13:30.");
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

/// The invitation's text.
struct Letter<'a> {
    input: &'a CalendarInviteInput,
    desk: &'a Desk<'a>,
    voice: Voice<'a>,
    office: Option<&'a Office>,
    date: Option<DateText<'a>>,
    time: Option<&'a str>,
}

impl Letter<'_> {
    fn phrases(&self) -> &InvitePhrases {
        &self.voice.pack.invite
    }

    fn subject(&self) -> String {
        let position = one_line(&self.input.position_name);
        let values = [
            ("type", self.phrases().types.of(self.input.interview_type)),
            ("position", &position),
            ("candidate", &self.voice.pack.common.candidate),
        ];
        self.voice.say(&self.phrases().subject, &values)
    }

    fn body(&self) -> String {
        let phrases = self.phrases();
        let voice = self.voice;
        let mut parts = vec![
            voice.say(
                &phrases.greeting,
                &[("candidate", &voice.pack.common.candidate)],
            ),
            self.opening(),
            format!(
                "{}\n{}",
                voice.plain(&phrases.meet),
                bullets(&self.people())
            ),
            self.facts().join("\n"),
        ];
        if self.input.booking_method == BookingMethod::Jobylon {
            parts.push(voice.plain(&phrases.jobylon));
        }
        let agenda: Vec<String> = given(&self.input.agenda)
            .map(agenda_points)
            .unwrap_or_default();
        if !agenda.is_empty() {
            parts.push(format!(
                "{}\n{}",
                voice.plain(&phrases.agenda),
                bullets(&agenda)
            ));
        }
        parts.extend(
            given(&self.input.job_ad_link)
                .map(|l| voice.say(&phrases.job_ad, &[("link", l.trim())])),
        );
        parts.push(voice.plain(&phrases.needs));
        parts.push(format!(
            "{}\n{}",
            voice.plain(&phrases.closing),
            self.recruiter()
        ));
        parts.join("\n\n")
    }

    fn opening(&self) -> String {
        let phrases = self.phrases();
        let position = one_line(&self.input.position_name);
        let values = [
            ("position", position.as_str()),
            ("company", self.desk.style.company()),
            ("occasion", phrases.occasions.of(self.input.interview_type)),
        ];
        self.voice.say(&phrases.opening, &values)
    }

    fn people(&self) -> Vec<String> {
        let person = |name: &str, title: &str| {
            let values = [("name", name), ("title", title)];
            self.voice.say(&self.phrases().person, &values)
        };
        let mut out = vec![person(
            &one_line(&self.input.hiring_manager_name),
            &one_line(&self.input.hiring_manager_title),
        )];
        for p in self
            .input
            .additional_participants
            .iter()
            .filter(|p| !p.name.trim().is_empty())
        {
            let (name, title) = (one_line(&p.name), given(&p.title).map(one_line));
            out.push(match (title, given(&p.linkedin)) {
                (Some(title), Some(link)) => {
                    let values = [
                        ("name", name.as_str()),
                        ("title", &title),
                        ("link", link.trim()),
                    ];
                    self.voice.say(&self.phrases().person_link, &values)
                }
                (Some(title), None) => person(&name, &title),
                (None, Some(link)) => format!("{name} ({})", link.trim()),
                (None, None) => name,
            });
        }
        out
    }

    fn facts(&self) -> Vec<String> {
        let phrases = self.phrases();
        let voice = self.voice;
        let mut out = Vec::new();
        if self.input.booking_method == BookingMethod::Manual {
            out.extend(
                self.date
                    .map(|d| voice.say(&phrases.date, &[("date", &d.written(voice))])),
            );
            out.extend(self.time.map(|t| voice.say(&phrases.time, &[("time", t)])));
        }
        out.push(voice.say(
            &phrases.duration,
            &[("minutes", &self.input.duration.to_string())],
        ));
        match self.office {
            Some(office) => {
                out.push(voice.say(&phrases.onsite, &[("address", &office.address)]));
                out.push(voice.say(&phrases.map, &[("link", &office.map)]));
            }
            None => out.push(voice.plain(&phrases.teams)),
        }
        out
    }

    fn recruiter(&self) -> String {
        let name = given(&self.input.recruiter_name).or(self.desk.recruiter);
        name.map_or_else(|| self.voice.pack.common.recruiter.clone(), one_line)
    }
}

fn agenda_points(agenda: &str) -> Vec<String> {
    let points = agenda.lines().map(|l| super::notes::lines::line(l).text);
    points.filter(|p| !p.is_empty()).collect()
}

fn bullets(items: &[String]) -> String {
    items
        .iter()
        .map(|i| format!("• {i}"))
        .collect::<Vec<_>>()
        .join("\n")
}
