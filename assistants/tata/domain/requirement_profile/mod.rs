//! Requirement profile: exactly four must-haves, each a passage of what the recruiter gave, or a
//! question for the missing ones. Nothing is invented.

mod problems;
mod sources;

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::problems::{
    check_input, choice_warning, length_warning, missing_must_haves, weak_warning,
};
use self::sources::{Found, Sources, good_to_haves, joined, team_info};
use crate::tata::domain::address::german_address;
use crate::tata::domain::desk::{Desk, Produced};
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::notes::lines::lines;
use crate::tata::domain::problem::{Problem, Problems};
use crate::tata::domain::text::words::{folded_words, one_line};

pub const MUST_HAVES: usize = 4;
pub const MAX_RESPONSIBILITIES: usize = 5;
const MAX_EXTRAS: usize = 8;

/// What the recruiter brings for a requirement profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequirementProfileInput {
    /// Notes from the recruitment start-up meeting, exactly as the recruiter pasted them.
    #[schemars(extend("x-handle" = "text"))]
    pub startup_notes: String,
    /// The job position title.
    pub position_title: String,
    /// Previous job advertisement for reference (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub old_job_ad: Option<String>,
    /// Direct input from the hiring manager (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub hiring_manager_input: Option<String>,
    /// What the recruiter added in the chat, for example must-haves that the notes lacked. Only the recruiter's own
    /// words (optional).
    #[schemars(extend("x-handle" = "text"))]
    #[serde(default)]
    pub recruiter_input: Option<String>,
    /// Output language; the project's language when absent.
    #[serde(default)]
    pub language: Option<Language>,
}

/// Where a statement was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    StartupNotes,
    OldJobAd,
    HiringManagerInput,
    RecruiterInput,
}

/// A draft is what code understood; confirmed is what the recruiter agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileStatus {
    Draft,
    Confirmed,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamInfo {
    pub size: Option<u32>,
    pub location: Option<String>,
    pub collaboration_style: Option<String>,
}

/// The locked description of the role that every later document builds on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequirementProfile {
    pub position_title: String,
    pub must_have_skills: [String; MUST_HAVES],
    pub must_have_sources: [Source; MUST_HAVES],
    pub primary_responsibilities: Vec<String>,
    pub responsibility_sources: Vec<Source>,
    pub good_to_haves: Vec<String>,
    pub soft_skills: Vec<String>,
    pub motivations: Vec<String>,
    pub team_info: Option<TeamInfo>,
    pub bu_description: Option<String>,
    /// What the role contributes to.
    pub mission: Option<String>,
    pub performance_measures: Vec<String>,
    pub challenges: Vec<String>,
    /// The passage about pay, used only when an ad is asked to include it.
    pub salary: Option<String>,
    pub status: ProfileStatus,
    pub language: Language,
    /// How German texts of this project address people. Chosen here once and kept.
    pub german_address: GermanAddress,
    pub created_at: DateTime<Utc>,
}

pub fn process(
    input: &RequirementProfileInput,
    desk: &Desk<'_>,
) -> Result<Produced<RequirementProfile>, Problems> {
    check_input(input)?;
    let reader = desk.library.reader();
    let language = input.language.unwrap_or(desk.language);
    let sources = Sources::read(input, reader);
    let musts = sources.must_haves(reader, &input.position_title);
    let mut warnings: Vec<Problem> = length_warning(&input.startup_notes).into_iter().collect();

    let strong = musts.iter().filter(|m| m.called_must).count();
    if musts.len() < MUST_HAVES {
        return Err(missing_must_haves(&musts));
    }
    let (chosen, rest) = musts.split_at(MUST_HAVES);
    warnings.extend(weak_warning(chosen, strong));
    let left_over: Vec<&Found> = rest.iter().filter(|m| m.called_must).collect();
    warnings.extend(choice_warning(chosen, &left_over));

    let responsibilities = sources.collect(|r| &r.responsibilities, MAX_RESPONSIBILITIES);
    let pack = desk.library.pack(language);
    let around = sources.surroundings(reader);
    let profile = RequirementProfile {
        position_title: one_line(&input.position_title),
        must_have_skills: std::array::from_fn(|i| chosen[i].text.clone()),
        must_have_sources: std::array::from_fn(|i| chosen[i].source),
        responsibility_sources: responsibilities.iter().map(|f| f.source).collect(),
        primary_responsibilities: responsibilities.into_iter().map(|f| f.text).collect(),
        good_to_haves: good_to_haves(&sources, &left_over, chosen),
        soft_skills: around
            .soft_skills
            .iter()
            .filter_map(|i| pack.soft_skill(*i))
            .map(str::to_owned)
            .collect(),
        motivations: sources.texts(|r| &r.motivations),
        team_info: team_info(around, |i| pack.collaboration(i)),
        bu_description: joined(sources.texts(|r| &r.business_unit)),
        mission: joined(sources.texts(|r| &r.mission)),
        performance_measures: sources.texts(|r| &r.performance),
        challenges: sources.texts(|r| &r.challenges),
        salary: sources.texts(|r| &r.salary).into_iter().next(),
        status: ProfileStatus::Draft,
        language,
        german_address: german_address(desk, &sources.all_text(&input.position_title)),
        created_at: desk.now,
    };
    Ok(Produced {
        artifact: profile,
        warnings,
    })
}

impl RequirementProfile {
    /// The recruiter agreed. What the company's guide knows about the business unit is added now, not before.
    pub fn confirm(&self, desk: &Desk<'_>) -> RequirementProfile {
        let known = || desk.style.business_unit(&self.all_text(), self.language);
        RequirementProfile {
            status: ProfileStatus::Confirmed,
            bu_description: self.bu_description.clone().or_else(known),
            created_at: desk.now,
            ..self.clone()
        }
    }

    /// All words of the profile, for checks that nothing else was added.
    pub(crate) fn all_text(&self) -> String {
        let team = self
            .team_info
            .iter()
            .flat_map(|t| t.location.iter().chain(&t.collaboration_style));
        let lists = [
            &self.primary_responsibilities,
            &self.good_to_haves,
            &self.soft_skills,
            &self.motivations,
        ];
        let more = [&self.performance_measures, &self.challenges];
        let single = self
            .bu_description
            .iter()
            .chain(&self.mission)
            .chain(&self.salary);
        let all = self
            .must_have_skills
            .iter()
            .chain(lists.into_iter().flatten())
            .chain(more.into_iter().flatten());
        let parts: Vec<&str> = all.chain(team).chain(single).map(String::as_str).collect();
        format!("{}\n{}", self.position_title, parts.join("\n"))
    }
}

/// At least half of a statement's words longer than three letters occur in the input.
pub fn is_traceable(statement: &str, input: &str) -> bool {
    // Words are known as they are written and as they are read: markup within a word ("Py**thon**") is not part of it.
    let read = lines(input).into_iter().flat_map(|l| folded_words(&l.text));
    let known: HashSet<String> = folded_words(input).into_iter().chain(read).collect();
    let telling: Vec<String> = folded_words(statement)
        .into_iter()
        .filter(|w| w.chars().count() > 3)
        .collect();
    let found = telling.iter().filter(|w| known.contains(*w)).count();
    found * 2 >= telling.len()
}

/// A must-have counts as visible in a text when at least half of its words occur there.
pub fn is_visible(must_have: &str, text: &str) -> bool {
    let known: HashSet<String> = folded_words(text).into_iter().collect();
    let asked = folded_words(must_have);
    let found = asked.iter().filter(|w| known.contains(*w)).count();
    found * 2 >= asked.len()
}

#[cfg(test)]
mod requirement_profile_tests;
