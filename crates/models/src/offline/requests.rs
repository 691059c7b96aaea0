//! Several requests in one message, in the order they were made.

use super::cues::Cue;
use super::index::Index;
use super::lexicon::LEXICON;
use super::reading::Reading;
use super::words::Text;

/// No more requests than this are taken from one message.
const MOST: usize = 6;

/// The message cut where a new request begins. `is_request` tells whether a part asks
/// for something on its own; without that it belongs to what stands before it.
pub(super) fn split(
    index: &Index,
    reading: &Reading,
    is_request: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let text = &reading.text;
    let mut starts: Vec<(usize, usize)> = vec![(0, 0)];
    for at in 1..text.words.len() {
        let Some(begin) = begins_at(text, at) else {
            continue;
        };
        let (_, previous) = starts[starts.len() - 1];
        if reading.is_value(at) || begin >= text.words.len() || at <= previous {
            continue;
        }
        let left = &text.raw[text.words[previous].start..text.words[at].start];
        let right = &text.raw[text.words[begin].start..];
        let both = commands(index, reading, begin) && has_command(index, reading, previous..at);
        if both && starts.len() < MOST && is_request(left) && is_request(first_part(right)) {
            starts.push((at, begin));
        }
    }
    let mut parts = Vec::with_capacity(starts.len());
    for (place, (_, begin)) in starts.iter().enumerate() {
        let from = text.words.get(*begin).map_or(0, |word| word.start);
        let from = if *begin == 0 { 0 } else { from };
        let to = starts
            .get(place + 1)
            .map_or(text.raw.len(), |(at, _)| text.words[*at].start);
        parts.push(text.raw[from..to].trim_end_matches([' ', ',', ';']).to_owned());
    }
    parts
}

/// Whether something may begin with this word, and at which word it then does.
fn begins_at(text: &Text, at: usize) -> Option<usize> {
    let joined = Cue::Join.at(text, at);
    let parted = text.gap_before(at).contains(['.', '!', '?', ';', '\n', ',']);
    if joined == 0 && !parted {
        return None;
    }
    Some(Cue::skip(&[Cue::Join, Cue::Polite], text, at))
}

/// Whether this very word asks for something that is offered.
fn commands(index: &Index, reading: &Reading, at: usize) -> bool {
    let offered = reading.meanings[at].commands.iter().any(|concept| {
        index.offers_action(*concept) || ["show", "find"].contains(&LEXICON.name(*concept))
    });
    let term = reading.terms.iter().find(|term| term.word == at);
    offered || term.is_some_and(|term| index.tools.iter().any(|tool| tool.heads.contains(&term.lower)))
}

fn has_command(index: &Index, reading: &Reading, words: std::ops::Range<usize>) -> bool {
    words.into_iter().any(|at| commands(index, reading, at))
}

/// The text up to the next place where something could begin.
fn first_part(text: &str) -> &str {
    let end = text.find(['.', '!', '?', ';', '\n']).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
#[path = "requests_tests.rs"]
mod requests_tests;
