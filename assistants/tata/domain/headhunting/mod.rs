//! Headhunting messages: three versions in five languages, German both ways, each under 100 words and each wholly in
//! its own language.

mod linkedin;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::german_title::with_gender_mark;
use crate::tata::domain::headhunting::linkedin::{PersonalDetail, personal_detail};
use crate::tata::domain::injection;
use crate::tata::domain::job_ad::polish::clashes;
use crate::tata::domain::job_ad::sections::short_place;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::notices::{context_warning, style_warning, unapproved};
use crate::tata::domain::problem::{Problem, Problems, given};
use crate::tata::domain::requirement_profile::RequirementProfile;
use crate::tata::domain::style_check::{Finding, correct};
use crate::tata::domain::text::words::{shorten, word_count};
use crate::tata::domain::voice::Voice;

/// Every text has fewer words than this.
pub const MAX_WORDS: usize = 100;
/// A longer reason does not fit into a short message.
const MAX_REASON_WORDS: usize = 20;
const MAX_NAME: usize = 60;

/// What may make the messages more personal. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadhuntingInput {
    /// The candidate's LinkedIn profile as text; one detail of it is used.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub candidate_profile: Option<String>,
    /// What the recruiter says about the company. Only facts that the style guide has approved are used.
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub company_context: Option<String>,
}

/// One message in all languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageVersions {
    pub en: String,
    pub sv: String,
    pub da: String,
    pub no: String,
    pub de_du: String,
    pub de_sie: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeadhuntingMessages {
    pub position_title: String,
    pub short_direct: MessageVersions,
    pub value_proposition: MessageVersions,
    pub call_to_action: MessageVersions,
    pub personalization_detail: Option<String>,
    /// The language of the document's headings.
    pub language: Language,
    pub created_at: DateTime<Utc>,
}

/// `outreach.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutreachPhrases {
    pub(crate) title: String,
    pub(crate) short_direct_heading: String,
    pub(crate) value_proposition_heading: String,
    pub(crate) call_to_action_heading: String,
    pub(crate) personal_detail: String,
    pub(crate) address_du: String,
    pub(crate) address_sie: String,
    short_direct: String,
    value_proposition: String,
    call_to_action: String,
    hook: HookPhrases,
    value: ValuePhrases,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HookPhrases {
    personal: String,
    plain: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValuePhrases {
    motivation: String,
    team_location: String,
    team: String,
    style: String,
    open: String,
}

pub fn process(
    input: &HeadhuntingInput,
    profile: &RequirementProfile,
    desk: &Desk<'_>,
) -> Result<Produced<HeadhuntingMessages>, Problems> {
    let (detail, mut warnings) = detail_of(given(&input.candidate_profile), desk);
    warnings.extend(context_warning(&unapproved(
        given(&input.company_context),
        desk.language,
        desk,
    )));
    let writer = Writer {
        profile,
        detail: detail.as_ref(),
        desk,
    };
    let mut changes = Vec::new();
    let messages = HeadhuntingMessages {
        position_title: profile.position_title.clone(),
        short_direct: writer.versions(|p| &p.short_direct, &mut changes),
        value_proposition: writer.versions(|p| &p.value_proposition, &mut changes),
        call_to_action: writer.versions(|p| &p.call_to_action, &mut changes),
        personalization_detail: detail.as_ref().map(PersonalDetail::words),
        language: desk.language,
        created_at: desk.now,
    };
    warnings.extend(style_warning(&changes));
    check_length(&messages)?;
    Ok(Produced {
        artifact: messages,
        warnings,
    })
}

impl HeadhuntingMessages {
    /// All eighteen texts.
    pub fn texts(&self) -> [&str; 18] {
        let [a, b, c] = [
            &self.short_direct,
            &self.value_proposition,
            &self.call_to_action,
        ]
        .map(MessageVersions::texts);
        let mut all = [""; 18];
        for (place, text) in all.iter_mut().zip(a.into_iter().chain(b).chain(c)) {
            *place = text;
        }
        all
    }
}

impl MessageVersions {
    pub fn texts(&self) -> [&str; 6] {
        [
            &self.en,
            &self.sv,
            &self.da,
            &self.no,
            &self.de_du,
            &self.de_sie,
        ]
        .map(String::as_str)
    }
}

struct Writer<'a> {
    profile: &'a RequirementProfile,
    detail: Option<&'a PersonalDetail>,
    desk: &'a Desk<'a>,
}

impl Writer<'_> {
    fn versions(
        &self,
        pick: impl Fn(&OutreachPhrases) -> &String,
        changes: &mut Vec<Finding>,
    ) -> MessageVersions {
        let mut write = |language, address| {
            let voice = self.desk.voice(language, address);
            let (text, found) = correct(
                &self.message(pick(&voice.pack.outreach), voice),
                language,
                self.desk.style,
            );
            changes.extend(found);
            text
        };
        MessageVersions {
            en: write(Language::En, GermanAddress::Sie),
            sv: write(Language::Sv, GermanAddress::Sie),
            da: write(Language::Da, GermanAddress::Sie),
            no: write(Language::No, GermanAddress::Sie),
            de_du: write(Language::De, GermanAddress::Du),
            de_sie: write(Language::De, GermanAddress::Sie),
        }
    }

    fn message(&self, template: &str, voice: Voice<'_>) -> String {
        let recruiter = self
            .desk
            .recruiter
            .map_or(voice.pack.common.recruiter.clone(), |r| {
                shorten(r, MAX_NAME)
            });
        let values = [
            ("name", voice.pack.common.first_name.as_str()),
            ("hook", &self.hook(voice)),
            ("value", &self.value(voice)),
            ("recruiter", &recruiter),
        ];
        voice.say(template.trim_start(), &values)
    }

    fn hook(&self, voice: Voice<'_>) -> String {
        let phrases = &voice.pack.outreach.hook;
        let title = &self.profile.position_title;
        let title = if voice.language == Language::De {
            with_gender_mark(title)
        } else {
            title.clone()
        };
        let company = self.desk.style.company();
        match self.detail {
            Some(PersonalDetail { role, employer }) => voice.say(
                &phrases.personal,
                &[
                    ("role", role),
                    ("employer", employer),
                    ("company", company),
                    ("title", &title),
                ],
            ),
            None => voice.say(&phrases.plain, &[("company", company), ("title", &title)]),
        }
    }

    /// Exactly one reason, in the message's own language: an approved fact, what the notes say, the team, or openness.
    fn value(&self, voice: Voice<'_>) -> String {
        let phrases = &voice.pack.outreach.value;
        if let Some(fact) = self
            .desk
            .style
            .facts(voice.language)
            .into_iter()
            .find(|f| short_enough(f) && !clashes(f, voice))
        {
            return fact.to_owned();
        }
        let own = |text: &&String| {
            self.desk.library.language_of(text) == Some(voice.language)
                && short_enough(text)
                && !clashes(text, voice)
        };
        if let Some(reason) = self.profile.motivations.iter().find(own) {
            return voice.say(
                &phrases.motivation,
                &[("text", reason.trim_end_matches('.'))],
            );
        }
        let team = self.profile.team_info.as_ref();
        let size = team.and_then(|t| t.size).map(|n| n.to_string());
        let place = team.and_then(|t| t.location.as_deref()).map(short_place);
        match (size, place) {
            (Some(n), Some(place)) => {
                return voice.say(&phrases.team_location, &[("n", &n), ("location", place)]);
            }
            (Some(n), None) => return voice.say(&phrases.team, &[("n", &n)]),
            (None, _) => {}
        }
        let style = team.and_then(|t| t.collaboration_style.as_deref());
        let style = style
            .map(|s| self.desk.library.collaboration_in(s, voice.language))
            .unwrap_or_default();
        if style.is_empty() {
            return voice.plain(&phrases.open);
        }
        voice.say(&phrases.style, &[("style", &voice.list(&style))])
    }
}

fn short_enough(text: &str) -> bool {
    word_count(text) <= MAX_REASON_WORDS
}

fn detail_of(profile: Option<&str>, desk: &Desk<'_>) -> (Option<PersonalDetail>, Vec<Problem>) {
    let Some(text) = profile else {
        return (None, vec![]);
    };
    let reader = desk.library.reader();
    let (clean, mut warnings) = injection::without(text, "candidate_profile", reader);
    let detail = personal_detail(&clean);
    if detail.is_none() {
        let ask = "No current role and employer were found in the candidate's profile, so the messages have no personal \
                   detail. A line such as “Network Engineer at Telia” is enough.";
        warnings.push(Problem::new("candidate_profile", ask));
    }
    (detail, warnings)
}

fn check_length(messages: &HeadhuntingMessages) -> Result<(), Problems> {
    if messages.texts().iter().all(|t| word_count(t) < MAX_WORDS) {
        return Ok(());
    }
    let ask = "The messages would have 100 words or more. A shorter position title or company name solves it.";
    Err(Problems::one("position_title", ask))
}

#[cfg(test)]
mod headhunting_tests;
