//! The text of an invitation, from the phrases of its language.

use serde::Deserialize;

use super::date_text::DateText;
use super::{BookingMethod, CalendarInviteInput, InterviewType};
use crate::tata::domain::desk::Desk;
use crate::tata::domain::notes::lines::line;
use crate::tata::domain::problem::given;
use crate::tata::domain::style_guide::Office;
use crate::tata::domain::text::words::one_line;
use crate::tata::domain::voice::Voice;

/// The invitation's text.
pub(super) struct Letter<'a> {
    pub(super) input: &'a CalendarInviteInput,
    pub(super) desk: &'a Desk<'a>,
    pub(super) voice: Voice<'a>,
    pub(super) office: Option<&'a Office>,
    pub(super) date: Option<DateText<'a>>,
    pub(super) time: Option<&'a str>,
}

impl Letter<'_> {
    fn phrases(&self) -> &InvitePhrases {
        &self.voice.pack.invite
    }

    pub(super) fn subject(&self) -> String {
        let position = one_line(&self.input.position_name);
        let values = [
            ("type", self.phrases().types.of(self.input.interview_type)),
            ("position", &position),
            ("candidate", &self.voice.pack.common.candidate),
        ];
        self.voice.say(&self.phrases().subject, &values)
    }

    pub(super) fn body(&self) -> String {
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
    let points = agenda.lines().map(|l| line(l).text);
    points.filter(|p| !p.is_empty()).collect()
}

fn bullets(items: &[String]) -> String {
    items
        .iter()
        .map(|i| format!("• {i}"))
        .collect::<Vec<_>>()
        .join("\n")
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
