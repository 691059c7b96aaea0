//! The texts a profile is made of, in their order of priority, and what each of them says.

use std::collections::HashSet;

use super::{
    MAX_EXTRAS, MAX_RESPONSIBILITIES, MUST_HAVES, RequirementProfileInput, Source, TeamInfo,
};
use crate::tata::domain::notes::cues::Reader;
use crate::tata::domain::notes::{Reading, Surroundings, read, surroundings};
use crate::tata::domain::problem::given;
use crate::tata::domain::text::words::{normal, words};

/// A statement with the text it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) text: String,
    pub(super) source: Source,
    pub(super) called_must: bool,
}

/// The readings in their order of priority: what the recruiter said in the chat, the notes, the hiring manager, the old ad.
pub(super) struct Sources<'i> {
    read: Vec<(Source, &'i str, Reading)>,
}

impl<'i> Sources<'i> {
    pub(super) fn read(input: &'i RequirementProfileInput, reader: &Reader) -> Self {
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
    pub(super) fn must_haves(&self, reader: &Reader, title: &str) -> Vec<Found> {
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

    pub(super) fn collect(
        &self,
        pick: impl Fn(&Reading) -> &Vec<String>,
        limit: usize,
    ) -> Vec<Found> {
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

    pub(super) fn texts(&self, pick: impl Fn(&Reading) -> &Vec<String>) -> Vec<String> {
        self.collect(pick, MAX_RESPONSIBILITIES)
            .into_iter()
            .map(|f| f.text)
            .collect()
    }

    pub(super) fn surroundings(&self, reader: &Reader) -> Surroundings {
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

    pub(super) fn all_text(&self, title: &str) -> String {
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

pub(super) fn good_to_haves(
    sources: &Sources<'_>,
    left_over: &[&Found],
    chosen: &[Found],
) -> Vec<String> {
    let taken: HashSet<String> = chosen.iter().map(|c| normal(&c.text)).collect();
    let mut seen = HashSet::new();
    let nices = sources.read.iter().flat_map(|(_, _, r)| &r.nices);
    let all = left_over.iter().map(|f| &f.text).chain(nices);
    let new = all.filter(|t| !taken.contains(&normal(t)) && seen.insert(normal(t)));
    new.take(MAX_EXTRAS).cloned().collect()
}

pub(super) fn team_info<'p>(
    found: Surroundings,
    name: impl Fn(usize) -> Option<&'p str>,
) -> Option<TeamInfo> {
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

pub(super) fn joined(texts: Vec<String>) -> Option<String> {
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
