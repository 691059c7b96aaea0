//! What surrounds a role, found by its words wherever they stand: the team's size and place, how it works, and the
//! personal qualities that were named.

use super::cues::Reader;
use super::items::trim_edges;
use crate::tata::domain::text::phrasebook::{Hit, Phrasebook};
use crate::tata::domain::text::words::{Word, words};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    pub(crate) team_size: Option<u32>,
    pub(crate) location: Option<String>,
    /// Positions in the lists of the cue files.
    pub(crate) collaboration: Vec<usize>,
    pub(crate) soft_skills: Vec<usize>,
}

/// Larger numbers next to "team" are budgets and years.
const LARGEST_TEAM: u32 = 500;
/// "8 people" is the team's size only this near to the word "team".
const NEAR_TEAM: usize = 12;
const MAX_PLACE_WORDS: usize = 4;

pub(crate) fn surroundings(text: &str, reader: &Reader) -> Surroundings {
    let list = words(text);
    Surroundings {
        team_size: team_size(&list, reader),
        location: place(text, &list, reader),
        collaboration: named(&list, &reader.collaboration),
        soft_skills: named(&list, &reader.soft_skills),
    }
}

/// Each thing once, in the order of the text.
fn named(list: &[Word<'_>], book: &Phrasebook<usize>) -> Vec<usize> {
    let mut out = Vec::new();
    for hit in book.find(list) {
        if !out.contains(&hit.value) {
            out.push(hit.value);
        }
    }
    out
}

fn team_size(list: &[Word<'_>], reader: &Reader) -> Option<u32> {
    let sized = |at: usize| {
        list.get(at)
            .and_then(Word::number)
            .filter(|n| (2..=LARGEST_TEAM).contains(n))
    };
    let before = reader
        .size_before
        .find(list)
        .into_iter()
        .find_map(|hit| sized(hit.last + 1));
    before.or_else(|| {
        let near = |hit: &Hit<()>| {
            let from = hit.first.saturating_sub(NEAR_TEAM);
            let to = list.len().min(hit.last + NEAR_TEAM);
            reader.team_words.contains(&list[from..to])
        };
        let after = reader.size_after.find(list).into_iter();
        let counted = after.filter_map(|hit| {
            Some((
                hit,
                (1..=2).find_map(|back| sized(hit.first.checked_sub(back)?))?,
            ))
        });
        counted.filter(|(hit, _)| near(hit)).map(|(_, n)| n).next()
    })
}

/// The capitalised words after "based in".
fn place(text: &str, list: &[Word<'_>], reader: &Reader) -> Option<String> {
    reader
        .location_before
        .find(list)
        .into_iter()
        .find_map(|hit| {
            let following = list.get(hit.last + 1..)?;
            let is_name = |(i, w): &(usize, &Word<'_>)| {
                text[w.start..].starts_with(char::is_uppercase) && (*i == 0 || w.joined)
            };
            let last = following
                .iter()
                .take(MAX_PLACE_WORDS)
                .enumerate()
                .take_while(is_name)
                .last()?
                .1;
            Some(trim_edges(&text[following[0].start..last.end]).to_owned())
        })
}
