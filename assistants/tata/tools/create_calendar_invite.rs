//! The text of an interview invitation. Position and hiring manager come from the project where
//! the call does not name them.

use std::sync::Arc;

use frontdesk_core::tool::{Tool, ToolContext, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::spec_of;
use crate::tata::date_text::{DateText, is_time, read_date};
use crate::tata::document::{BLANK, Item};
use crate::tata::documents::{Made, Place, keep, name_project, newest};
use crate::tata::drafting::{COMPANY, Resources, Task, write};
use crate::tata::drafts::calendar_invite::{Facts, INSTRUCTIONS, document};
use crate::tata::drafts::requirement_profile::public_text;
use crate::tata::labels::labels;
use crate::tata::language::Language;
use crate::tata::module::Module;
use crate::tata::project::{self, HiringManager};
use crate::tata::sources::{Sources, short};
use crate::tata::style_guide::StyleGuide;

const USUAL_MINUTES: std::ops::RangeInclusive<i64> = 15..=180;

pub(super) struct CreateCalendarInvite(pub(super) Arc<Resources>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LocationType {
    Teams,
    Onsite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum InterviewType {
    HiringManager,
    Case,
    Team,
    TaScreening,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum BookingMethod {
    /// The candidate chooses a time through the booking link from Jobylon.
    Jobylon,
    /// The recruiter sets date and time.
    Manual,
}

/// Another person in the interview.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Participant {
    /// The person's name.
    name: String,
    /// The person's title.
    #[serde(default)]
    title: Option<String>,
    /// Address of the person's LinkedIn profile.
    #[serde(default)]
    linkedin: Option<String>,
}

/// What the recruiter brings for an invitation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The position's name; the project's when absent.
    #[serde(default)]
    position_name: Option<String>,
    /// The hiring manager's name; the project's when absent.
    #[serde(default)]
    hiring_manager_name: Option<String>,
    /// The hiring manager's title; the project's when absent.
    #[serde(default)]
    hiring_manager_title: Option<String>,
    /// Who signs the invitation. Leave it out: the signed-in recruiter's name is used. Never ask for it.
    #[serde(default)]
    recruiter_name: Option<String>,
    /// Where the interview takes place.
    location_type: LocationType,
    /// What kind of interview it is.
    interview_type: InterviewType,
    /// Length in minutes, usually 60 or 90.
    #[schemars(range(min = 1, max = 1440))]
    duration: i64,
    /// How the time is set.
    booking_method: BookingMethod,
    /// The place of an interview on site: a city, or an address.
    #[serde(default)]
    city: Option<String>,
    /// The date, needed when the recruiter sets the time, for example "14 March 2026".
    #[serde(default)]
    interview_date: Option<String>,
    /// The time in 24-hour form, needed when the recruiter sets the time, for example "13:30".
    #[serde(default)]
    interview_time: Option<String>,
    /// Address of the published job ad.
    #[serde(default)]
    job_ad_link: Option<String>,
    /// Others who take part.
    #[serde(default)]
    additional_participants: Vec<Participant>,
    /// Points of the agenda, one per line.
    #[serde(default)]
    agenda: Option<String>,
    /// Output language; that of the request when absent.
    #[serde(default)]
    language: Option<Language>,
}

impl InterviewType {
    fn key(self) -> &'static str {
        match self {
            InterviewType::HiringManager => "hiring_manager",
            InterviewType::Case => "case",
            InterviewType::Team => "team",
            InterviewType::TaScreening => "ta_screening",
        }
    }
}

impl Tool for CreateCalendarInvite {
    const NAME: &'static str = Module::CalendarInvite.facts().tool;
    type Args = Args;
    type Output = Made;

    fn spec() -> ToolSpec {
        spec_of(
            Module::CalendarInvite,
            "Write an interview invitation",
            "Write the text of an interview invitation, on Teams or at any place, with a Jobylon booking link or a fixed date \
             and time. Position and hiring manager come from the project when they are not given.",
        )
        .example(
            "Write an interview invitation for the position Sales Lead, hiring manager Eva Lind, Head of Sales, case interview on Teams, 90 minutes, booked with Jobylon",
            json!({ "position_name": "Sales Lead", "hiring_manager_name": "Eva Lind", "hiring_manager_title": "Head of Sales",
                    "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }),
        )
        .example(
            "Invite for a team interview at the office in Malmö, 60 minutes, booked by Jobylon",
            json!({ "interview_type": "team", "location_type": "onsite", "duration": 60, "booking_method": "jobylon", "city": "Malmö" }),
        )
        .example(
            "Interview invitation, hiring manager interview in Stockholm, 45 minutes, we set the time ourselves: 2026-12-01 at 10:00",
            json!({ "interview_type": "hiring_manager", "location_type": "onsite", "duration": 45, "booking_method": "manual",
                    "city": "Stockholm", "interview_date": "2026-12-01", "interview_time": "10:00" }),
        )
        .example(
            "Skriv en intervjuinbjudan, case på Teams, 90 minuter, bokas via Jobylon",
            json!({ "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }),
        )
        .example(
            "Skriv en interviewinvitation, case på Teams, 90 minutter, bookes via Jobylon",
            json!({ "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }),
        )
        .example(
            "Skriv en intervjuinvitasjon, case på Teams, 90 minutter, bookes via Jobylon",
            json!({ "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }),
        )
        .example(
            "Schreibe eine Intervieweinladung, Case auf Teams, 90 Minuten, Buchung über Jobylon",
            json!({ "interview_type": "case", "location_type": "teams", "duration": 90, "booking_method": "jobylon" }),
        )
    }

    async fn call(&self, ctx: &ToolContext, args: Args) -> Result<Made, ToolError> {
        let language = Language::choose(ctx, args.language);
        let guide = self.0.guide(ctx).await?;
        let (facts, notes) = facts(ctx, &args, &guide, language).map_err(ToolError::refused)?;
        let mut sources = Sources::new(labels(language));
        sources.add("invitation", &facts.text());
        sources.add(COMPANY, &guide.about_company(language));
        if let Some(profile) = newest(ctx, Module::RequirementProfile).await? {
            sources.add(
                "requirement_profile",
                &public_text(&profile.document, false),
            );
        }
        let task = Task {
            instructions: INSTRUCTIONS,
            progress: "Writing the invitation…",
            language,
            guide: &guide,
            details: Vec::new(),
            sources: &sources,
            known: Vec::new(),
        };
        let mut invite = match write(ctx, task).await? {
            Some((draft, left_out)) => {
                let mut invite = document(Some(draft), &facts);
                invite.notes = left_out;
                invite
            }
            None => document(None, &facts),
        };
        invite.notes.extend(notes);
        name_project(ctx, &facts.position, language);
        keep(
            ctx,
            Place::of(Module::CalendarInvite, args.interview_type.key()),
            &invite,
        )
    }

    fn summary(made: &Made) -> String {
        made.summary()
    }
}

/// The facts of the interview with notes about them, or everything that is missing.
fn facts(
    ctx: &ToolContext,
    args: &Args,
    guide: &StyleGuide,
    language: Language,
) -> Result<(Facts, Vec<String>), String> {
    let labels = labels(language);
    let mut wrong = Vec::new();
    let position =
        given(args.position_name.as_ref()).or_else(|| project::position(ctx.conversation()));
    if position.is_none() {
        wrong.push("The position name is missing. Which position is the interview for?".to_owned());
    }
    let manager = manager(ctx, args);
    if manager.is_none() {
        wrong.push("The hiring manager name is missing. Who is hiring?".to_owned());
    }
    let item = |topic: &'static str, text: String| Item::labelled(labels.topic(topic), text);
    let mut details = Vec::new();
    let date = schedule(args, &mut wrong);
    if args.booking_method == BookingMethod::Manual {
        details.extend(date.map(|date| item("date", date.written())));
        details.extend(given(args.interview_time.as_ref()).map(|time| item("time", time)));
    } else {
        details.push(item("booking", labels.interview("jobylon").to_owned()));
    }
    details.push(item(
        "duration",
        format!("{} {}", args.duration, labels.word("minutes")),
    ));
    details.extend(
        places(args, guide, &mut wrong)
            .into_iter()
            .map(|place| item("place", place)),
    );
    details.extend(
        people(manager.as_ref(), args, &mut wrong)
            .into_iter()
            .map(|person| item("people", person)),
    );
    if let Some(link) = given(args.job_ad_link.as_ref()) {
        check_link(&link, "job_ad_link", &mut wrong);
        details.push(item("job_ad", link));
    }
    if !wrong.is_empty() {
        return Err(wrong.join(" "));
    }
    let mut notes = Vec::new();
    if !USUAL_MINUTES.contains(&args.duration) {
        notes.push(labels.note("duration", &[]));
    }
    if date
        .and_then(DateText::day)
        .is_some_and(|day| day < ctx.now().date_naive())
    {
        notes.push(labels.note("past", &[]));
    }
    let agenda = args.agenda.iter().flat_map(|agenda| agenda.lines());
    let agenda = agenda.map(|line| short(line.trim_start_matches(['-', '*', '•', ' '])));
    let recruiter = given(args.recruiter_name.as_ref());
    let facts = Facts {
        position: position.unwrap_or_else(|| BLANK.to_owned()),
        interview: labels.interview(args.interview_type.key()),
        details,
        agenda: agenda.filter(|line| !line.is_empty()).collect(),
        recruiter: recruiter.unwrap_or_else(|| ctx.principal().name().to_owned()),
        language,
    };
    Ok((facts, notes))
}

fn given(text: Option<&String>) -> Option<String> {
    text.map(|text| short(text)).filter(|text| !text.is_empty())
}

fn manager(ctx: &ToolContext, args: &Args) -> Option<HiringManager> {
    let known = project::hiring_manager(ctx.conversation());
    let title = given(args.hiring_manager_title.as_ref());
    match given(args.hiring_manager_name.as_ref()) {
        Some(name) => Some(HiringManager {
            title: title.unwrap_or_default(),
            name,
        }),
        None => known.map(|known| HiringManager {
            title: title.unwrap_or(known.title),
            name: known.name,
        }),
    }
}

fn schedule<'a>(args: &'a Args, wrong: &mut Vec<String>) -> Option<DateText<'a>> {
    let date = args
        .interview_date
        .as_deref()
        .map(str::trim)
        .filter(|date| !date.is_empty());
    let time = args
        .interview_time
        .as_deref()
        .map(str::trim)
        .filter(|time| !time.is_empty());
    if args.booking_method == BookingMethod::Manual {
        if date.is_none() {
            wrong.push("The interview date is missing. When is the interview?".to_owned());
        }
        if time.is_none() {
            wrong.push(
                "The interview time is missing. When does it begin, for example 13:30?".to_owned(),
            );
        }
    }
    if let Some(time) = time.filter(|time| !is_time(time)) {
        wrong.push(format!(
            "“{}” is not an interview time. Write it in 24-hour form, for example 13:30.",
            short(time)
        ));
    }
    match date.map(read_date)? {
        Ok(date) => Some(date),
        Err(problem) => {
            wrong.push(problem);
            None
        }
    }
}

/// The place in words, and the map of an office that the guide knows.
fn places(args: &Args, guide: &StyleGuide, wrong: &mut Vec<String>) -> Vec<String> {
    if args.location_type == LocationType::Teams {
        return vec!["Microsoft Teams".to_owned()];
    }
    let Some(city) = given(args.city.as_ref()) else {
        wrong.push("An interview on site needs a place: give the city or the address.".to_owned());
        return Vec::new();
    };
    match guide.office(&city) {
        Some(office) => vec![office.address.clone(), office.map.clone()],
        None => vec![city],
    }
}

fn people(manager: Option<&HiringManager>, args: &Args, wrong: &mut Vec<String>) -> Vec<String> {
    let person = |name: &str, more: &[String]| {
        let parts = std::iter::once(short(name)).chain(more.iter().cloned());
        parts
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut people: Vec<String> = manager
        .map(|manager| person(&manager.name, std::slice::from_ref(&manager.title)))
        .into_iter()
        .collect();
    for other in &args.additional_participants {
        let link = given(other.linkedin.as_ref());
        if let Some(link) = &link {
            check_link(link, "additional_participants", wrong);
        }
        let more: Vec<String> = given(other.title.as_ref())
            .into_iter()
            .chain(link)
            .collect();
        people.push(person(&other.name, &more));
    }
    people.retain(|person| !person.is_empty());
    people
}

fn check_link(link: &str, field: &str, wrong: &mut Vec<String>) {
    if !link.starts_with("https://") && !link.starts_with("http://") {
        wrong.push(format!(
            "{field}: “{link}” is not a web address. It must begin with https://."
        ));
    }
}
