//! The requirement profile on paper, with the question for confirmation at its end.

use serde::Deserialize;

use super::Printed;
use crate::tata::domain::document::Document;
use crate::tata::domain::library::Library;
use crate::tata::domain::requirement_profile::{
    ProfileStatus, RequirementProfile, Source, TeamInfo,
};
use crate::tata::domain::voice::Voice;

/// `profile.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProfilePhrases {
    title: String,
    draft: String,
    confirmed: String,
    must_haves: String,
    responsibilities: String,
    good_to_haves: String,
    soft_skills: String,
    motivations: String,
    team: String,
    team_size: String,
    team_location: String,
    team_style: String,
    business_unit: String,
    mission: String,
    performance: String,
    challenges: String,
    salary: String,
    item: String,
    source_startup_notes: String,
    source_old_job_ad: String,
    source_hiring_manager_input: String,
    source_recruiter_input: String,
    open_questions: String,
    confirm_heading: String,
    confirm: String,
    questions: ProfileQuestions,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileQuestions {
    mission: String,
    team: String,
    business_unit: String,
    performance: String,
    challenges: String,
    good_to_haves: String,
    soft_skills: String,
    motivations: String,
}

impl ProfilePhrases {
    fn source(&self, source: Source) -> &str {
        match source {
            Source::StartupNotes => &self.source_startup_notes,
            Source::OldJobAd => &self.source_old_job_ad,
            Source::HiringManagerInput => &self.source_hiring_manager_input,
            Source::RecruiterInput => &self.source_recruiter_input,
        }
    }
}

impl Printed for RequirementProfile {
    fn document(&self, library: &Library) -> Document {
        let voice = Voice::new(
            library.pack(self.language),
            self.language,
            self.german_address,
        );
        let phrases = &voice.pack.profile;
        let mut doc = Document::new(voice.say(&phrases.title, &[("title", &self.position_title)]));
        let confirmed = self.status == ProfileStatus::Confirmed;
        doc.paragraph(voice.plain(if confirmed {
            &phrases.confirmed
        } else {
            &phrases.draft
        }));
        doc.list(
            &phrases.must_haves,
            &sourced(&self.must_have_skills, &self.must_have_sources, voice),
        );
        doc.list(
            &phrases.responsibilities,
            &sourced(
                &self.primary_responsibilities,
                &self.responsibility_sources,
                voice,
            ),
        );
        doc.list(&phrases.good_to_haves, &self.good_to_haves);
        doc.list(&phrases.soft_skills, &self.soft_skills);
        doc.list(&phrases.team, &team(self.team_info.as_ref(), voice));
        doc.section(
            &phrases.business_unit,
            self.bu_description.as_deref().unwrap_or_default(),
        );
        doc.section(
            &phrases.mission,
            self.mission.as_deref().unwrap_or_default(),
        );
        doc.list(&phrases.performance, &self.performance_measures);
        doc.list(&phrases.challenges, &self.challenges);
        doc.list(&phrases.motivations, &self.motivations);
        doc.section(&phrases.salary, self.salary.as_deref().unwrap_or_default());
        if !confirmed {
            doc.list(&phrases.open_questions, &open_questions(self, library));
            doc.section(&phrases.confirm_heading, &voice.plain(&phrases.confirm));
        }
        doc
    }
}

/// What the recruiter could still tell, none of it needed.
pub fn open_questions(profile: &RequirementProfile, library: &Library) -> Vec<String> {
    let voice = Voice::new(
        library.pack(profile.language),
        profile.language,
        profile.german_address,
    );
    let questions = &voice.pack.profile.questions;
    let table = [
        (profile.mission.is_none(), &questions.mission),
        (profile.team_info.is_none(), &questions.team),
        (profile.bu_description.is_none(), &questions.business_unit),
        (
            profile.performance_measures.is_empty(),
            &questions.performance,
        ),
        (profile.challenges.is_empty(), &questions.challenges),
        (profile.good_to_haves.is_empty(), &questions.good_to_haves),
        (profile.soft_skills.is_empty(), &questions.soft_skills),
        (profile.motivations.is_empty(), &questions.motivations),
    ];
    table
        .into_iter()
        .filter(|(open, _)| *open)
        .map(|(_, q)| voice.plain(q))
        .collect()
}

fn sourced(texts: &[String], sources: &[Source], voice: Voice<'_>) -> Vec<String> {
    let phrases = &voice.pack.profile;
    let each = texts.iter().zip(sources);
    each.map(|(text, source)| {
        voice.say(
            &phrases.item,
            &[("text", text), ("source", phrases.source(*source))],
        )
    })
    .collect()
}

fn team(info: Option<&TeamInfo>, voice: Voice<'_>) -> Vec<String> {
    let phrases = &voice.pack.profile;
    let Some(TeamInfo {
        size,
        location,
        collaboration_style,
    }) = info
    else {
        return vec![];
    };
    let mut out = Vec::new();
    out.extend(size.map(|n| voice.say(&phrases.team_size, &[("n", &n.to_string())])));
    out.extend(
        location
            .as_ref()
            .map(|l| voice.say(&phrases.team_location, &[("text", l)])),
    );
    out.extend(
        collaboration_style
            .as_ref()
            .map(|s| voice.say(&phrases.team_style, &[("text", s)])),
    );
    out
}
