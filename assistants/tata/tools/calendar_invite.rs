//! An interview invitation. The facts are code's; the model writes the words around them. Position
//! and hiring manager come from the project where the call does not name them.

use super::prelude::*;
use serde::Serialize;

use super::requirement_profile::for_ad;
use super::{lines, message};
use crate::date_text::{is_time, read_date};
use crate::document::one_line;
use crate::documents::name_project;
use crate::project;

const USUAL_MINUTES: std::ops::RangeInclusive<i64> = 15..=180;

/// A source of every invitation.
const ADJUSTMENTS: &str = "We offer adjustments for taking part on equal terms.";

pub(super) struct Invite {
    position: String,
    /// The kind of interview, in the document's language.
    interview: &'static str,
    details: Vec<Item>,
    agenda: Vec<String>,
    recruiter: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum LocationType {
    Teams,
    Onsite,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
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
    title: Option<String>,
    /// Address of the person's LinkedIn profile.
    linkedin: Option<String>,
}

/// The facts of an invitation.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The position's name; the project's when absent.
    position_name: Option<String>,
    /// The hiring manager's name; the project's when absent.
    hiring_manager_name: Option<String>,
    /// The hiring manager's title; the project's when absent.
    hiring_manager_title: Option<String>,
    /// The name below the invitation. Leave it out: the signed-in recruiter's name is used. Never ask for it.
    recruiter_name: Option<String>,
    /// The place of the interview.
    location_type: LocationType,
    /// The kind of interview.
    interview_type: InterviewType,
    /// Length in minutes, usually 60 or 90.
    #[schemars(range(min = 1, max = 1440))]
    duration: i64,
    /// How the time is set.
    booking_method: BookingMethod,
    /// The place of an interview on site: a city, or an address.
    city: Option<String>,
    /// The date, needed when the recruiter sets the time, for example "14 March 2026".
    interview_date: Option<String>,
    /// The time in 24-hour form, needed when the recruiter sets the time, for example "13:30".
    interview_time: Option<String>,
    /// Address of the published job ad.
    job_ad_link: Option<String>,
    /// Others who take part.
    #[serde(default)]
    additional_participants: Vec<Participant>,
    /// Points of the agenda, one per line.
    agenda: Option<String>,
    /// Output language; that of the request when absent.
    language: Option<Language>,
}

/// The words of an invitation. Date, time, place and names are added by the program: do not repeat them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct InviteDraft {
    /// The subject line: kind of interview and position.
    subject: String,
    /// Greeting and one or two short paragraphs that invite to the interview.
    message: Vec<Statement>,
    /// An offer of adjustments for taking part on equal terms, and a closing line without a name.
    closing: Vec<Statement>,
}

impl Writes for Invite {
    const MODULE: Module = Module::CalendarInvite;
    const FILE: &'static str = include_str!("../instructions/documents/calendar_invite.md");
    type Args = Args;
    type Draft = InviteDraft;

    async fn prepare(call: &Call<'_>, args: Args) -> Result<(Self, Brief), ToolError> {
        let language = Language::choose(call.ctx, args.language)?;
        let labels = labels(language);
        let mut sources = Sources::new(language);
        let mut wrong = Vec::new();
        let known = project::position(call.ctx.conversation());
        let position = needed(
            given(&args.position_name).or(known),
            "position name",
            &mut wrong,
        );
        let details = details(call, &args, &mut sources, &mut wrong);
        if !wrong.is_empty() {
            return Err(ToolError::refused(wrong.join(" ")));
        }
        if !USUAL_MINUTES.contains(&args.duration) {
            sources.note("duration", &[]);
        }
        let kind = serde_json::to_value(args.interview_type).unwrap_or_default();
        let kind = kind.as_str().unwrap_or_default();
        let agenda = args.agenda.iter().flat_map(|agenda| agenda.lines());
        let invite = Self {
            interview: labels.word(&format!("{kind}_interview")),
            agenda: agenda
                .map(|line| short(line.trim_start_matches(['-', '*', '•', ' '])))
                .collect(),
            recruiter: given(&args.recruiter_name)
                .unwrap_or_else(|| call.ctx.principal().name().to_owned()),
            position,
            details,
        };
        sources.add(COMPANY, &call.guide.about_company(language));
        if let Some(profile) = newest(call.ctx, Module::RequirementProfile).await? {
            let profile = for_ad(&profile.document, false).to_markdown();
            sources.add("requirement_profile", &profile);
        }
        let (position, interview) = (&invite.position, invite.interview);
        let details = format!(
            "We invite the candidate to an interview.\nThe position: {position}\nThe interview: {interview}\n{ADJUSTMENTS}"
        );
        sources.add(CALL, &details);
        let title = format!("{interview}: {position}");
        let place = Place::of(Module::CalendarInvite, kind);
        let brief = Brief {
            details: vec![details],
            ..Brief::new(&title, language, sources, place)
        };
        Ok((invite, brief))
    }

    fn document(&self, draft: InviteDraft, document: &mut Document) {
        if !draft.subject.trim().is_empty() {
            document.title = one_line(&draft.subject);
        }
        let opening = message(&draft.message, document);
        let closing = message(&draft.closing, document);
        self.fill(&opening, closing, document);
    }

    fn fallback(&self, _: &[SourceText], document: &mut Document) {
        let blank = vec![BLANK.to_owned()];
        self.fill(&blank, blank.clone(), document);
    }

    fn finish(&self, ctx: &ToolContext, document: &mut Document, _: Vec<Item>) {
        name_project(ctx, &self.position, document.language);
    }
}

impl Invite {
    fn fill(&self, message: &[String], mut closing: Vec<String>, document: &mut Document) {
        document.paragraphs("message", message);
        document.items("details", self.details.clone());
        document.some_items("agenda", lines(&self.agenda));
        closing.push(self.recruiter.clone());
        document.paragraphs("closing", &closing);
    }
}

fn given(text: &Option<String>) -> Option<String> {
    let text = text.as_ref().map(|text| short(text));
    text.filter(|text| !text.is_empty())
}

/// The value, or a sentence that asks for it.
fn needed(value: Option<String>, what: &str, wrong: &mut Vec<String>) -> String {
    if value.is_none() {
        wrong.push(format!("The {what} is missing. Please give it."));
    }
    value.unwrap_or_default()
}

/// When, how long, where and with whom.
fn details(
    call: &Call<'_>,
    args: &Args,
    sources: &mut Sources,
    wrong: &mut Vec<String>,
) -> Vec<Item> {
    let labels = labels(sources.language);
    let mut details: Vec<(&str, String)> = Vec::new();
    let (date, time) = (given(&args.interview_date), given(&args.interview_time));
    let (read, day) = match date.as_deref().map(read_date).transpose() {
        Ok(read) => read.unzip(),
        Err(problem) => {
            wrong.push(problem);
            (date, None)
        }
    };
    let today = call.ctx.now().date_naive();
    if day.flatten().is_some_and(|day| day < today) {
        sources.note("past", &[]);
    }
    if let Some(time) = time.as_ref().filter(|time| !is_time(time)) {
        wrong.push(format!(
            "“{time}” is not an interview time. Write it as 13:30."
        ));
    }
    match args.booking_method {
        BookingMethod::Jobylon => {
            details.push(("booking", labels.word("book_with_jobylon").to_owned()));
        }
        BookingMethod::Manual => {
            details.push(("date", needed(read, "interview date", wrong)));
            details.push(("clock", needed(time, "interview time", wrong)));
        }
    }
    let length = format!("{} {}", args.duration, labels.word("minutes"));
    details.push(("duration", length));
    match args.location_type {
        LocationType::Teams => details.push(("place", "Microsoft Teams".to_owned())),
        LocationType::Onsite => {
            let place = needed(given(&args.city), "place (a city or an address)", wrong);
            details.push(("place", place));
        }
    }
    let people = people(call.ctx, args, wrong).into_iter();
    details.extend(people.map(|person| ("people", person)));
    let link = link(&args.job_ad_link, "job_ad_link", wrong);
    details.extend(link.map(|link| ("job_ad", link)));
    let item = |(topic, text): (&str, String)| Item::labelled(labels.word(topic), text);
    details.into_iter().map(item).collect()
}

/// The hiring manager, then the others.
fn people(ctx: &ToolContext, args: &Args, wrong: &mut Vec<String>) -> Vec<String> {
    let known = || project::hiring_manager(ctx.conversation());
    let manager = given(&args.hiring_manager_name).or_else(known);
    let manager = needed(manager, "hiring manager name", wrong);
    let mut people = vec![[Some(manager), given(&args.hiring_manager_title), None]];
    for other in &args.additional_participants {
        let link = link(&other.linkedin, "additional_participants", wrong);
        people.push([Some(short(&other.name)), given(&other.title), link]);
    }
    let written = people.into_iter().map(|parts| {
        let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    });
    written.filter(|person| !person.is_empty()).collect()
}

fn link(text: &Option<String>, field: &str, wrong: &mut Vec<String>) -> Option<String> {
    let link = given(text)?;
    if !link.starts_with("https://") && !link.starts_with("http://") {
        wrong.push(format!(
            "{field}: “{link}” is not a web address. It must begin with https://."
        ));
    }
    Some(link)
}
