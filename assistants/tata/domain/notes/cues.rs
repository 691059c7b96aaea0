//! The cue files: how people write in notes, transcripts and ads, one file for each language.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Deserialize;

use crate::tata::domain::language::GermanAddress;
use crate::tata::domain::text::phrasebook::Phrasebook;
use crate::tata::domain::text::sentences::Abbreviations;
use crate::tata::domain::text::words::normal;

/// What a part of the notes is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Topic {
    Must,
    Nice,
    Responsibilities,
    SoftSkills,
    Motivations,
    Team,
    Location,
    BusinessUnit,
    Performance,
    Challenges,
    Salary,
    Mission,
    Other,
}

/// A phrase inside a sentence that says what stands next to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cue {
    MustBefore,
    MustAfter,
    MustKept,
    NiceBefore,
    NiceAfter,
    NotNeeded,
    /// Looks like a cue and means nothing: "we need to hire".
    Ignored,
    ResponsibilitiesBefore,
}

/// A phrase that names a skill without calling it a must.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Weak {
    Before,
    /// The phrase belongs to the skill: "experience with Python".
    Kept,
}

/// One language's `cues.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cues {
    pub(crate) abbreviations: Vec<String>,
    pub(crate) stop_words: Vec<String>,
    pub(crate) generic_words: Vec<String>,
    pub(crate) years: Vec<String>,
    pub(crate) address_du: Vec<String>,
    pub(crate) address_sie: Vec<String>,
    pub(crate) address_neutral: Vec<String>,
    pub(crate) headings: BTreeMap<Topic, Vec<String>>,
    pub(crate) sentences: BTreeMap<Cue, Vec<String>>,
    pub(crate) weak: BTreeMap<Weak, Vec<String>>,
    pub(crate) topics: BTreeMap<Topic, Vec<String>>,
    pub(crate) strip: Strip,
    pub(crate) team: TeamCues,
    pub(crate) interview: InterviewCues,
    pub(crate) injection: Injection,
    pub(crate) skill_types: SkillTypes,
    pub(crate) soft_skills: Vec<Named>,
    pub(crate) collaboration: Vec<Named>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Strip {
    leading: Vec<String>,
    trailing: Vec<String>,
    reasons: Vec<String>,
    attach: Vec<String>,
    shared_heads: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TeamCues {
    words: Vec<String>,
    size_before: Vec<String>,
    size_after: Vec<String>,
    location_before: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InterviewCues {
    pub(crate) fillers: Vec<String>,
    pub(crate) own_work: Vec<String>,
    pub(crate) results: Vec<String>,
    pub(crate) hedges: Vec<String>,
    pub(crate) denials: Vec<String>,
    pub(crate) motivation: Vec<String>,
    pub(crate) motivation_question: Vec<String>,
    pub(crate) notice: Vec<String>,
    pub(crate) salary: Vec<String>,
    pub(crate) location: Vec<String>,
    pub(crate) languages: Vec<String>,
    pub(crate) background: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Injection {
    phrases: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SkillTypes {
    technical: Vec<String>,
    leadership: Vec<String>,
    credential: Vec<String>,
}

/// A thing known under one key in all languages, with its name in this one and other ways to say it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) forms: Vec<String>,
}

/// The cues of all languages together: Nordic notes mix languages within one line.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) abbreviations: Abbreviations,
    pub(crate) headings: Phrasebook<Topic>,
    pub(crate) cues: Phrasebook<Cue>,
    pub(crate) weak: Phrasebook<Weak>,
    pub(crate) topics: Phrasebook<Topic>,
    pub(crate) leading: FxHashSet<String>,
    pub(crate) trailing: FxHashSet<String>,
    pub(crate) reasons: Phrasebook<()>,
    pub(crate) attach: Phrasebook<()>,
    pub(crate) shared_heads: FxHashSet<String>,
    pub(crate) team_words: Phrasebook<()>,
    pub(crate) size_before: Phrasebook<()>,
    pub(crate) size_after: Phrasebook<()>,
    pub(crate) location_before: Phrasebook<()>,
    pub(crate) injection: Phrasebook<()>,
    pub(crate) technical: Phrasebook<()>,
    pub(crate) leadership: Phrasebook<()>,
    /// Licences, degrees and languages: one has them or not.
    pub(crate) credential: Phrasebook<()>,
    /// Values are positions in each language's `soft_skills`, which all have the same order.
    pub(crate) soft_skills: Phrasebook<usize>,
    pub(crate) collaboration: Phrasebook<usize>,
    pub(crate) stop_words: FxHashSet<String>,
    pub(crate) generic_words: FxHashSet<String>,
    pub(crate) years: FxHashSet<String>,
    /// Words that call for du or Sie, and phrases that contain such a word without calling for either.
    pub(crate) address: Phrasebook<Option<GermanAddress>>,
    pub(crate) interview: InterviewBooks,
}

#[derive(Debug)]
pub(crate) struct InterviewBooks {
    pub(crate) own_work: Phrasebook<()>,
    pub(crate) results: Phrasebook<()>,
    pub(crate) hedges: Phrasebook<()>,
    pub(crate) denials: Phrasebook<()>,
    pub(crate) motivation: Phrasebook<()>,
    pub(crate) motivation_question: Phrasebook<()>,
    pub(crate) notice: Phrasebook<()>,
    pub(crate) salary: Phrasebook<()>,
    pub(crate) location: Phrasebook<()>,
    pub(crate) languages: Phrasebook<()>,
    pub(crate) background: Phrasebook<()>,
}

impl Reader {
    pub(crate) fn new(all: &[&Cues]) -> Self {
        Reader {
            abbreviations: Abbreviations::new(all.iter().flat_map(|c| &c.abbreviations)),
            headings: keyed(all, |c| &c.headings),
            cues: keyed(all, |c| &c.sentences),
            weak: keyed(all, |c| &c.weak),
            topics: keyed(all, |c| &c.topics),
            leading: set(all, |c| &c.strip.leading),
            trailing: set(all, |c| &c.strip.trailing),
            reasons: book(all, |c| &c.strip.reasons),
            attach: book(all, |c| &c.strip.attach),
            shared_heads: set(all, |c| &c.strip.shared_heads),
            team_words: book(all, |c| &c.team.words),
            size_before: book(all, |c| &c.team.size_before),
            size_after: book(all, |c| &c.team.size_after),
            location_before: book(all, |c| &c.team.location_before),
            injection: book(all, |c| &c.injection.phrases),
            technical: book(all, |c| &c.skill_types.technical),
            leadership: book(all, |c| &c.skill_types.leadership),
            credential: book(all, |c| &c.skill_types.credential),
            soft_skills: named(all, |c| &c.soft_skills),
            collaboration: named(all, |c| &c.collaboration),
            stop_words: set(all, |c| &c.stop_words),
            generic_words: set(all, |c| &c.generic_words),
            years: set(all, |c| &c.years),
            address: address(all),
            interview: InterviewBooks {
                own_work: book(all, |c| &c.interview.own_work),
                results: book(all, |c| &c.interview.results),
                hedges: book(all, |c| &c.interview.hedges),
                denials: book(all, |c| &c.interview.denials),
                motivation: book(all, |c| &c.interview.motivation),
                motivation_question: book(all, |c| &c.interview.motivation_question),
                notice: book(all, |c| &c.interview.notice),
                salary: book(all, |c| &c.interview.salary),
                location: book(all, |c| &c.interview.location),
                languages: book(all, |c| &c.interview.languages),
                background: book(all, |c| &c.interview.background),
            },
        }
    }

    /// A word that says which skill is meant.
    pub(crate) fn is_telling(&self, folded: &str) -> bool {
        !self.stop_words.contains(folded) && !self.generic_words.contains(folded)
    }
}

fn keyed<K: Copy>(
    all: &[&Cues],
    pick: impl Fn(&Cues) -> &BTreeMap<K, Vec<String>>,
) -> Phrasebook<K> {
    let lists = all.iter().flat_map(|c| pick(c));
    Phrasebook::new(lists.flat_map(|(key, list)| list.iter().map(move |p| (p, *key))))
}

fn address(all: &[&Cues]) -> Phrasebook<Option<GermanAddress>> {
    let lists = all.iter().flat_map(|c| {
        [
            (&c.address_du, Some(GermanAddress::Du)),
            (&c.address_sie, Some(GermanAddress::Sie)),
            (&c.address_neutral, None),
        ]
    });
    Phrasebook::new(lists.flat_map(|(list, address)| list.iter().map(move |p| (p, address))))
}

fn book(all: &[&Cues], pick: impl Fn(&Cues) -> &Vec<String>) -> Phrasebook<()> {
    Phrasebook::new(all.iter().flat_map(|c| pick(c)).map(|p| (p, ())))
}

fn set(all: &[&Cues], pick: impl Fn(&Cues) -> &Vec<String>) -> FxHashSet<String> {
    all.iter()
        .flat_map(|c| pick(c))
        .map(|p| normal(p))
        .collect()
}

fn named(all: &[&Cues], pick: impl Fn(&Cues) -> &Vec<Named>) -> Phrasebook<usize> {
    let things = all.iter().flat_map(|c| pick(c).iter().enumerate());
    Phrasebook::new(things.flat_map(|(i, thing)| {
        std::iter::once(&thing.name)
            .chain(&thing.forms)
            .map(move |form| (form, i))
    }))
}
