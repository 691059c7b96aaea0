//! Requirement profile: exactly four must-haves, each a passage of what the recruiter gave, or a
//! question for the missing ones. Nothing is invented.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::address::german_address;
use super::desk::{Desk, Produced};
use super::language::{GermanAddress, Language};
use super::notes::cues::Reader;
use super::notes::{Reading, Surroundings, read, surroundings};
use super::problem::{Problem, Problems, given};
use super::text::words::{folded_words, normal, one_line, words};

pub const MUST_HAVES: usize = 4;
pub const MAX_RESPONSIBILITIES: usize = 5;
/// Shorter notes are usually a line typed by mistake.
const SHORT_NOTES: usize = 50;
const LONG_NOTES: usize = 50_000;
const MAX_NOTES: usize = 1_000_000;
const MAX_EXTRAS: usize = 8;
/// A title must fit into a headline and a short message.
const MAX_TITLE: usize = 120;

/// What the recruiter brings for a requirement profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RequirementProfileInput {
    /// Notes from the recruitment start-up meeting, exactly as the recruiter pasted them.
    pub startup_notes: String,
    /// The job position title.
    pub position_title: String,
    /// Previous job advertisement for reference (optional).
    #[serde(default)]
    pub old_job_ad: Option<String>,
    /// Direct input from the hiring manager (optional).
    #[serde(default)]
    pub hiring_manager_input: Option<String>,
    /// What the recruiter added in the chat, for example must-haves that the notes lacked. Only the recruiter's own
    /// words (optional).
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
    let known: HashSet<String> = folded_words(input).into_iter().collect();
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

/// A statement with the text it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    text: String,
    source: Source,
    called_must: bool,
}

/// The readings in their order of priority: what the recruiter said in the chat, the notes, the hiring manager, the old ad.
struct Sources<'i> {
    read: Vec<(Source, &'i str, Reading)>,
}

impl<'i> Sources<'i> {
    fn read(input: &'i RequirementProfileInput, reader: &Reader) -> Self {
        let texts = [
            (Source::RecruiterInput, given(&input.recruiter_input)),
            (Source::StartupNotes, Some(input.startup_notes.as_str())),
            (
                Source::HiringManagerInput,
                given(&input.hiring_manager_input),
            ),
            (Source::OldJobAd, given(&input.old_job_ad)),
        ];
        let read = texts
            .into_iter()
            .filter_map(|(source, text)| Some((source, text?, read(text?, reader))));
        Sources {
            read: read.collect(),
        }
    }

    /// Distinct skills: those called a must first, then those that were only named.
    fn must_haves(&self, reader: &Reader, title: &str) -> Vec<Found> {
        let title = normal(title);
        let mut out: Vec<Found> = Vec::new();
        let strong = self
            .read
            .iter()
            .flat_map(|(s, _, r)| r.musts.iter().map(move |m| (*s, m, true)));
        let weak = self
            .read
            .iter()
            .flat_map(|(s, _, r)| r.weak.iter().map(move |m| (*s, m, false)));
        let nices: HashSet<String> = self
            .read
            .iter()
            .flat_map(|(_, _, r)| &r.nices)
            .map(|n| normal(n))
            .collect();
        for (source, text, called_must) in strong.chain(weak) {
            let found = Found {
                text: text.clone(),
                source,
                called_must,
            };
            let known = normal(text);
            let is_new = known != title
                && (called_must || !nices.contains(&known))
                && !out.iter().any(|o| same_skill(&o.text, text, reader));
            if is_new {
                out.push(found);
            }
            // Long notes may name hundreds; nobody needs more than a few left over.
            if out.len() >= MUST_HAVES + MAX_EXTRAS {
                break;
            }
        }
        out
    }

    fn collect(&self, pick: impl Fn(&Reading) -> &Vec<String>, limit: usize) -> Vec<Found> {
        let mut seen = HashSet::new();
        let all = self
            .read
            .iter()
            .flat_map(|(s, _, r)| pick(r).iter().map(move |t| (*s, t)));
        let new = all.filter(|(_, text)| seen.insert(normal(text)));
        new.take(limit)
            .map(|(source, text)| Found {
                text: text.clone(),
                source,
                called_must: false,
            })
            .collect()
    }

    fn texts(&self, pick: impl Fn(&Reading) -> &Vec<String>) -> Vec<String> {
        self.collect(pick, MAX_RESPONSIBILITIES)
            .into_iter()
            .map(|f| f.text)
            .collect()
    }

    fn surroundings(&self, reader: &Reader) -> Surroundings {
        let mut merged = Surroundings::default();
        for (_, text, reading) in &self.read {
            let found = surroundings(text, reader);
            let labelled = reading.location.first().cloned();
            merged.team_size = merged.team_size.or(found.team_size);
            merged.location = merged.location.or(labelled).or(found.location);
            if merged.collaboration.is_empty() {
                merged.collaboration = found.collaboration;
            }
            let new: Vec<usize> = found
                .soft_skills
                .into_iter()
                .filter(|i| !merged.soft_skills.contains(i))
                .collect();
            merged.soft_skills.extend(new);
        }
        merged.soft_skills.truncate(MAX_EXTRAS);
        merged
    }

    fn all_text(&self, title: &str) -> String {
        self.read
            .iter()
            .fold(title.to_owned(), |all, (_, text, _)| all + "\n" + text)
    }
}

/// The same words, or one says the same with fewer words: "Python" and "5+ years of Python".
fn same_skill(a: &str, b: &str, reader: &Reader) -> bool {
    let telling = |text: &str| -> HashSet<String> {
        let list = words(text);
        let kept = list
            .iter()
            .filter(|w| w.number().is_none() && reader.is_telling(&w.folded));
        kept.map(|w| w.folded.to_string()).collect()
    };
    let (a, b) = (telling(a), telling(b));
    a.is_subset(&b) || b.is_subset(&a)
}

fn good_to_haves(sources: &Sources<'_>, left_over: &[&Found], chosen: &[Found]) -> Vec<String> {
    let taken: HashSet<String> = chosen.iter().map(|c| normal(&c.text)).collect();
    let mut seen = HashSet::new();
    let nices = sources.read.iter().flat_map(|(_, _, r)| &r.nices);
    let all = left_over.iter().map(|f| &f.text).chain(nices);
    let new = all.filter(|t| !taken.contains(&normal(t)) && seen.insert(normal(t)));
    new.take(MAX_EXTRAS).cloned().collect()
}

fn team_info<'p>(found: Surroundings, name: impl Fn(usize) -> Option<&'p str>) -> Option<TeamInfo> {
    let style: Vec<&str> = found
        .collaboration
        .iter()
        .filter_map(|i| name(*i))
        .take(3)
        .collect();
    let collaboration_style = (!style.is_empty()).then(|| style.join(", "));
    let info = TeamInfo {
        size: found.team_size,
        location: found.location,
        collaboration_style,
    };
    (info != TeamInfo::default()).then_some(info)
}

fn joined(texts: Vec<String>) -> Option<String> {
    (!texts.is_empty()).then(|| {
        texts
            .iter()
            .map(|t| sentence(t))
            .collect::<Vec<_>>()
            .join(" ")
    })
}

/// With a full stop at the end.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

fn check_input(input: &RequirementProfileInput) -> Result<(), Problems> {
    let mut found = Vec::new();
    if input.position_title.trim().is_empty() {
        found.push(Problem::new(
            "position_title",
            "The position title is missing. What is the position called?",
        ));
    }
    if input.position_title.trim().chars().count() > MAX_TITLE {
        let ask = "The position title is very long. Give the title alone, for example “Senior Network Engineer”.";
        found.push(Problem::new("position_title", ask));
    }
    if input.startup_notes.trim().is_empty() {
        let ask = "The start-up notes are empty. Paste the notes from the start-up meeting; they can be as messy as they are.";
        found.push(Problem::new("startup_notes", ask));
    }
    let longest = [
        Some(input.startup_notes.as_str()),
        given(&input.old_job_ad),
        given(&input.hiring_manager_input),
    ];
    if longest.into_iter().flatten().any(|t| t.len() > MAX_NOTES) {
        let ask = "The notes are longer than a million characters. Paste only the part about this position.";
        found.push(Problem::new("startup_notes", ask));
    }
    Problems::check(found)
}

fn length_warning(notes: &str) -> Option<Problem> {
    let chars = notes.trim().chars().count();
    if chars < SHORT_NOTES {
        let text = format!(
            "The start-up notes are very short ({chars} characters). Please check that nothing is missing."
        );
        return Some(Problem::new("startup_notes", text));
    }
    (chars > LONG_NOTES).then(|| {
        let text = format!(
            "The start-up notes are very long ({chars} characters). Please check that these are the four must-haves you had in mind."
        );
        Problem::new("startup_notes", text)
    })
}

fn missing_must_haves(found: &[Found]) -> Problems {
    let names: Vec<&str> = found.iter().map(|f| f.text.as_str()).collect();
    let names = names.join("; ");
    let ask = match found.len() {
        0 => "The notes name none. Which four skills or experiences must a candidate have?"
            .to_owned(),
        1 => format!("The notes name one: {names}. Please tell me three more."),
        2 => format!("The notes name two: {names}. Please tell me two more."),
        _ => format!("The notes name three: {names}. Please tell me one more."),
    };
    let ask = format!("A requirement profile needs exactly four must-haves. {ask}");
    Problems::one("startup_notes", ask)
}

fn weak_warning(chosen: &[Found], strong: usize) -> Option<Problem> {
    let weak: Vec<&str> = chosen
        .iter()
        .filter(|c| !c.called_must)
        .map(|c| c.text.as_str())
        .collect();
    (strong < MUST_HAVES && !weak.is_empty()).then(|| {
        let text = format!(
            "The notes do not call these a must, please check them: {}.",
            weak.join("; ")
        );
        Problem::new("startup_notes", text)
    })
}

fn choice_warning(chosen: &[Found], left_over: &[&Found]) -> Option<Problem> {
    (!left_over.is_empty()).then(|| {
        let kept: Vec<&str> = chosen.iter().map(|f| f.text.as_str()).collect();
        let moved: Vec<&str> = left_over.iter().map(|f| f.text.as_str()).collect();
        let text = format!(
            "More than four must-haves were named. These four were kept: {}. These became good to have: {}. Tell me if \
             another choice is right.",
            kept.join("; "),
            moved.join("; ")
        );
        Problem::new("startup_notes", text)
    })
}
