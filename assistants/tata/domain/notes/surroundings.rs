//! The team around a role: how large, where, and how it works together.

use super::cues::Reader;
use super::items::trim_edges;
use crate::tata::domain::text::sentences::sentences;
use crate::tata::domain::text::words::{Word, words};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Surroundings {
    pub(crate) team_size: Option<u32>,
    pub(crate) location: Option<String>,
    /// Positions in the collaboration list of the cue files.
    pub(crate) collaboration: Vec<usize>,
}

/// Larger numbers next to "team" are budgets and years.
const LARGEST_TEAM: u32 = 500;
const MAX_PLACE_WORDS: usize = 4;

pub(crate) fn surroundings(text: &str, labelled_location: Option<&str>, reader: &Reader) -> Surroundings {
    let mut found = Surroundings { location: labelled_location.map(str::to_owned), ..Surroundings::default() };
    for sentence in sentences(text, &reader.abbreviations) {
        let list = words(sentence);
        if found.team_size.is_none() {
            found.team_size = team_size(&list, reader);
        }
        if found.location.is_none() {
            found.location = place(sentence, &list, reader);
        }
        for hit in reader.collaboration.find(&list) {
            if !found.collaboration.contains(&hit.value) {
                found.collaboration.push(hit.value);
            }
        }
    }
    found
}

fn team_size(list: &[Word<'_>], reader: &Reader) -> Option<u32> {
    let sized = |at: usize| list.get(at).and_then(Word::number).filter(|n| (2..=LARGEST_TEAM).contains(n));
    let before = reader.size_before.find(list).into_iter().find_map(|hit| sized(hit.last + 1));
    before.or_else(|| {
        // "8 people" alone may be anyone; next to "team" it is the team.
        if !reader.team_words.contains(list) {
            return None;
        }
        let after = reader.size_after.find(list).into_iter();
        after.filter_map(|hit| (1..=2).find_map(|back| sized(hit.first.checked_sub(back)?))).next()
    })
}

/// The capitalised words after "based in".
fn place(sentence: &str, list: &[Word<'_>], reader: &Reader) -> Option<String> {
    reader.location_before.find(list).into_iter().find_map(|hit| {
        let from = hit.last + 1;
        let is_name = |w: &&Word<'_>| sentence[w.start..].starts_with(char::is_uppercase);
        let joined = |(i, w): (usize, &Word<'_>)| i == 0 || w.joined;
        let named = list[from.min(list.len())..].iter().take(MAX_PLACE_WORDS).take_while(is_name);
        let last = named.enumerate().take_while(|(i, w)| joined((*i, *w))).last()?.1;
        Some(trim_edges(&sentence[list[from].start..last.end]).to_owned())
    })
}
