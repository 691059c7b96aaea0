//! The sections of a job ad, put together from phrases, the profile and approved facts.

use super::phrases::ByTone;
use crate::tata::domain::desk::Desk;
use crate::tata::domain::job_ad::polish::clashes;
use crate::tata::domain::job_ad::{AdRequirements, AdSource, JobAd, SectionSource, Tone};
use crate::tata::domain::notices::is_foreign;
use crate::tata::domain::requirement_profile::{MUST_HAVES, RequirementProfile, TeamInfo};
use crate::tata::domain::voice::Voice;

/// What goes into an ad.
pub(crate) struct Draft<'a> {
    pub(crate) profile: &'a RequirementProfile,
    pub(crate) title: &'a str,
    pub(crate) must_haves: [String; MUST_HAVES],
    pub(crate) responsibilities: Vec<String>,
    pub(crate) responsibility_source: Vec<AdSource>,
    pub(crate) good_to_haves: Vec<String>,
    pub(crate) salary: Option<String>,
    pub(crate) tone: Tone,
    pub(crate) voice: Voice<'a>,
    pub(crate) desk: &'a Desk<'a>,
}

/// The ad, and the passages that were left out because they are in another language.
pub(crate) fn compose(draft: &Draft<'_>) -> (JobAd, Vec<String>) {
    let phrases = &draft.voice.pack.job_ad;
    let soft_skills = draft
        .desk
        .library
        .soft_skills_in(&draft.profile.soft_skills, draft.voice.language);
    let mut passages = Passages {
        draft,
        left_out: vec![],
    };
    let role_description = role(&mut passages);
    let (the_why, why_source) = why(&mut passages);
    let left_out = passages.left_out;
    let ad = JobAd {
        headline: headline(draft),
        intro: draft.say(by_tone(&phrases.intro, draft.tone)),
        role_description,
        the_why,
        responsibilities: draft.responsibilities.clone(),
        soft_skills_paragraph: soft_skill_paragraph(draft, &soft_skills),
        requirements: AdRequirements {
            must_haves: draft.must_haves.clone(),
            soft_skills,
            good_to_haves: draft.good_to_haves.clone(),
        },
        team_and_why_gc: team(draft),
        process: process_text(draft),
        ending: ending(draft),
        salary: draft
            .salary
            .as_ref()
            .map(|s| draft.voice.say(&phrases.salary, &[("salary", s)])),
        alternative_headlines: phrases
            .alternative_headlines
            .iter()
            .map(|p| draft.say(p))
            .collect(),
        alternative_intros: phrases
            .alternative_intros
            .iter()
            .map(|p| draft.say(p))
            .collect(),
        section_sources: sources(draft, why_source),
        company: draft.desk.style.company().to_owned(),
        tone: draft.tone,
        language: draft.voice.language,
        german_address: draft.profile.german_address,
        created_at: draft.desk.now,
    };
    (ad, left_out)
}

impl Draft<'_> {
    /// A phrase that knows the title and the company.
    fn say(&self, phrase: &str) -> String {
        self.voice.say(
            phrase,
            &[
                ("title", self.title),
                ("company", self.desk.style.company()),
            ],
        )
    }

    fn location(&self) -> Option<&str> {
        self.profile.team_info.as_ref()?.location.as_deref()
    }
}

/// Passages of the notes, as long as they are in the ad's language.
struct Passages<'d, 'a> {
    draft: &'d Draft<'a>,
    left_out: Vec<String>,
}

impl Passages<'_, '_> {
    fn usable<'t>(&mut self, texts: impl IntoIterator<Item = &'t String>) -> Vec<&'t str> {
        let mut kept = Vec::new();
        for text in texts {
            let voice = self.draft.voice;
            if is_foreign(text, voice.language, self.draft.desk) || clashes(text, voice) {
                self.left_out.push(text.clone());
            } else {
                kept.push(text.trim_end_matches('.'));
            }
        }
        kept
    }
}

fn headline(draft: &Draft<'_>) -> String {
    let phrases = &draft.voice.pack.job_ad;
    match draft.location().map(short_place) {
        Some(place) => {
            let values = [
                ("title", draft.title),
                ("company", draft.desk.style.company()),
                ("location", place),
            ];
            draft.voice.say(&phrases.headline_location, &values)
        }
        None => draft.say(&phrases.headline),
    }
}

/// "Stockholm (two days a week from home)" is Stockholm in a headline.
pub(crate) fn short_place(location: &str) -> &str {
    location
        .split([',', ';', '(', '.'])
        .next()
        .unwrap_or(location)
        .trim()
}

fn role(passages: &mut Passages<'_, '_>) -> String {
    let draft = passages.draft;
    let (voice, profile) = (draft.voice, draft.profile);
    let phrases = &voice.pack.job_ad.role;
    let count = voice.number(draft.responsibilities.len());
    let mut parts = vec![voice.say(
        &phrases.opening,
        &[("title", draft.title), ("count", &count)],
    )];
    parts.push(voice.plain(&phrases.requirements));
    for text in passages.usable(&profile.bu_description) {
        parts.push(format!("{text}."));
    }
    for text in passages.usable(&profile.mission) {
        parts.push(format!(
            "{}.",
            voice.say(&phrases.mission, &[("text", text)])
        ));
    }
    let challenges = passages.usable(&profile.challenges);
    if !challenges.is_empty() {
        parts.push(voice.say(&phrases.challenges, &[("list", &challenges.join("; "))]));
    }
    let performance = passages.usable(&profile.performance_measures);
    if !performance.is_empty() {
        parts.push(voice.say(&phrases.performance, &[("list", &performance.join("; "))]));
    }
    parts.join(" ")
}

fn why(passages: &mut Passages<'_, '_>) -> (String, AdSource) {
    let draft = passages.draft;
    let phrases = &draft.voice.pack.job_ad.why;
    let motivations = passages.usable(&draft.profile.motivations);
    if motivations.is_empty() {
        let first = draft
            .responsibilities
            .first()
            .map_or("", String::as_str)
            .trim_end_matches('.');
        let text = draft
            .voice
            .say(&phrases.responsibility, &[("responsibility", first)]);
        return (
            text,
            draft
                .responsibility_source
                .first()
                .copied()
                .unwrap_or(AdSource::RequirementProfile),
        );
    }
    let text = draft
        .voice
        .say(&phrases.motivations, &[("list", &motivations.join("; "))]);
    (text, AdSource::RequirementProfile)
}

fn soft_skill_paragraph(draft: &Draft<'_>, soft_skills: &[String]) -> String {
    let phrases = &draft.voice.pack.job_ad.soft_skills;
    if soft_skills.is_empty() {
        return draft.voice.plain(&phrases.none);
    }
    draft
        .voice
        .say(&phrases.some, &[("list", &draft.voice.list(soft_skills))])
}

fn team(draft: &Draft<'_>) -> String {
    let voice = draft.voice;
    let phrases = &voice.pack.job_ad.team;
    let mut parts = Vec::new();
    if let Some(TeamInfo {
        size,
        location,
        collaboration_style,
    }) = &draft.profile.team_info
    {
        parts.extend(size.map(|n| voice.say(&phrases.size, &[("n", &n.to_string())])));
        parts.extend(
            location
                .as_deref()
                .map(|l| voice.say(&phrases.location, &[("location", short_place(l))])),
        );
        let style = collaboration_style
            .as_deref()
            .map(|s| draft.desk.library.collaboration_in(s, voice.language));
        let style = style.filter(|s| !s.is_empty());
        parts.extend(style.map(|s| voice.say(&phrases.style, &[("style", &voice.list(&s))])));
    }
    if parts.is_empty() {
        parts.push(voice.plain(&phrases.unknown));
    }
    parts.extend(
        draft
            .desk
            .style
            .facts(voice.language)
            .into_iter()
            .map(str::to_owned),
    );
    parts.push(draft.say(&phrases.company));
    parts.join(" ")
}

fn process_text(draft: &Draft<'_>) -> String {
    let own = draft.desk.style.file().process.get(&draft.voice.language);
    own.cloned()
        .unwrap_or_else(|| draft.voice.plain(&draft.voice.pack.job_ad.process.standard))
}

fn ending(draft: &Draft<'_>) -> String {
    let phrases = &draft.voice.pack.job_ad.ending;
    let text = match draft.tone {
        Tone::Formal => &phrases.formal,
        Tone::Casual => &phrases.casual,
        Tone::Friendly => &phrases.friendly,
    };
    let text = draft.voice.plain(text);
    if draft.good_to_haves.is_empty() {
        return text;
    }
    format!("{text} {}", draft.voice.plain(&phrases.good_to_haves))
}

fn by_tone(phrases: &ByTone, tone: Tone) -> &str {
    match tone {
        Tone::Formal => &phrases.formal,
        Tone::Casual => &phrases.casual,
        Tone::Friendly => &phrases.friendly,
    }
}

fn sources(draft: &Draft<'_>, why_source: AdSource) -> Vec<SectionSource> {
    use AdSource::{RequirementProfile, StandardText, StyleGuide};
    let process = if draft
        .desk
        .style
        .file()
        .process
        .contains_key(&draft.voice.language)
    {
        StyleGuide
    } else {
        StandardText
    };
    let soft = if draft.profile.soft_skills.is_empty() {
        StandardText
    } else {
        RequirementProfile
    };
    let team = if draft.profile.team_info.is_some() {
        RequirementProfile
    } else {
        StandardText
    };
    let table = [
        ("headline", vec![RequirementProfile, StyleGuide]),
        ("intro", vec![RequirementProfile, StyleGuide]),
        ("role_description", vec![RequirementProfile]),
        ("the_why", vec![why_source]),
        ("responsibilities", draft.responsibility_source.clone()),
        ("requirements", vec![RequirementProfile]),
        ("soft_skills_paragraph", vec![soft]),
        ("team_and_why_gc", vec![team, StyleGuide]),
        ("process", vec![process]),
        ("ending", vec![StandardText]),
    ];
    table
        .into_iter()
        .map(|(section, sources)| SectionSource {
            section: section.to_owned(),
            sources,
        })
        .collect()
}
