//! Several requests in one message, in the order they were made.

use std::ops::Range;

use super::cues::Cue;
use super::index::Index;
use super::lexicon::LEXICON;
use super::mood;
use super::reading::Reading;
use super::words::Text;

/// No more requests than this are taken from one message.
const MOST: usize = 6;

/// The message cut where a new request begins. `is_request` tells whether a part asks
/// for something on its own; without that it belongs to what stands before it. `is_another` tells whether a
/// part surely asks for something else than the one before it, whatever its words.
pub(super) fn split(
    index: &Index,
    reading: &Reading,
    is_request: &dyn Fn(&str) -> bool,
    is_another: &dyn Fn(&str, &str) -> bool,
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
        // A mere thing ("details of …") is a request only where "and" follows it.
        let all_known =
            |words: std::ops::Range<usize>| words.into_iter().all(|w| reading.is_plain(index, w));
        let ordered = has_command(index, reading, previous..at)
            || (Cue::Join.at(text, at) > 0 && all_known(previous..at));
        // "print it, and I need its code": after "and", to need something is to ask for it.
        let needs = Cue::Join.at(text, at) > 0 && reading.commands_at(begin, &["need"]);
        let joined = Cue::Join.at(text, at) > 0 && !reading.is_value(begin);
        let another = joined && is_another(left, first_part(right));
        let asks = commands(index, reading, begin) || needs || another;
        let both = asks && (ordered || another) && !goes_on(text, begin);
        if starts.len() >= MOST {
            break;
        }
        // "… and take that one off": what it is taken off was named before.
        let parted = mood::opens_parted_verb(text, begin);
        if both && is_request(left) && (parted || is_request(first_part(right))) {
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
        parts.push(
            text.raw[from..to]
                .trim_end_matches([' ', ',', ';'])
                .to_owned(),
        );
    }
    parts
}

/// "GP-1 is fine by me. GP-2 no, please refuse it": sentences that speak of one thing each, by its code.
pub(super) fn by_code(reading: &Reading) -> Option<Vec<String>> {
    let text = &reading.text;
    let starts = (0..text.words.len()).filter(|at| text.starts_sentence(*at));
    let starts: Vec<usize> = starts.map(|at| text.words[at].start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.raw.len()]);
    let sentences: Vec<Range<usize>> = starts.iter().zip(ends).map(|(a, b)| *a..b).collect();
    if sentences.len() > MOST {
        return None;
    }
    let mut seen: Vec<&str> = Vec::new();
    for sentence in &sentences {
        let inside = reading.codes.iter();
        let mut inside = inside.filter(|code| sentence.contains(&code.span.start));
        let code = inside
            .next()
            .filter(|code| !seen.contains(&code.value.as_str()))?;
        if inside.next().is_some() {
            return None;
        }
        seen.push(&code.value);
    }
    let parts = sentences
        .into_iter()
        .map(|part| text.raw[part].trim().to_owned());
    (seen.len() > 1).then(|| parts.collect())
}

/// Takes the name with which the person signs off the last of several requests: it
/// belongs to all of them.
pub(super) fn take_signature(
    parts: &mut [String],
    is_known: &dyn Fn(&str) -> bool,
) -> Option<String> {
    const LONGEST: usize = 5;
    let count = parts.len();
    let last = parts.last_mut().filter(|_| count > 1)?;
    let at = last.rfind([',', '.', '—', '–', '('])?;
    let mark = last[at..].chars().next()?;
    let signed = last[at + mark.len_utf8()..]
        .trim_matches([' ', '.', ')', '!'])
        .to_owned();
    let text = Text::new(&signed);
    let lead = Cue::skip(&[Cue::NameLead], &text, 0);
    let name = lead..text.words.len();
    let is_name = |at: usize| text.is_capitalised(at) && !is_known(&text.words[at].lower);
    if name.is_empty() || text.words.len() > LONGEST || !name.into_iter().all(is_name) {
        return None;
    }
    last.truncate(at);
    Some(signed)
}

/// Whether something may begin with this word, and at which word it then does.
fn begins_at(text: &Text, at: usize) -> Option<usize> {
    let joined = Cue::Join.at(text, at);
    let parted = text
        .gap_before(at)
        .contains(['.', '!', '?', ';', '\n', ',']);
    if joined == 0 && !parted {
        return None;
    }
    Some(Cue::skip(&[Cue::Join, Cue::Polite], text, at))
}

/// "… and when did they leave?": a question about who or what was just spoken of.
pub(super) fn goes_on(text: &Text, begin: usize) -> bool {
    const OF_THEM: [&str; 16] = [
        "he", "she", "they", "it", "он", "она", "они", "han", "hon", "hun", "de", "den", "er",
        "sie", "es", "det",
    ];
    const REACH: usize = 3;
    let asks = Cue::Question.at(text, begin) > 0;
    let mut next = text.words.iter().skip(begin + 1).take(REACH);
    asks && next.any(|word| OF_THEM.contains(&word.lower.as_str()))
}

/// Whether this very word asks for something that is offered.
fn commands(index: &Index, reading: &Reading, at: usize) -> bool {
    let offered = reading.meanings[at].commands.iter().any(|concept| {
        index.offers_action(*concept) || ["show", "find"].contains(&LEXICON.name(*concept))
    });
    let term = reading.terms.iter().find(|term| term.word == at);
    offered
        || mood::opens_parted_verb(&reading.text, at)
        || term.is_some_and(|term| index.has_verb(&term.lower))
}

/// "on the list, …" names the list and orders nothing.
fn has_command(index: &Index, reading: &Reading, words: std::ops::Range<usize>) -> bool {
    let mut words = words.filter(|at| !reading.is_described(*at));
    words.any(|at| commands(index, reading, at))
}

/// The text up to the next place where something could begin.
fn first_part(text: &str) -> &str {
    let end = text.find(['.', '!', '?', ';', '\n']).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
#[path = "requests_tests.rs"]
mod requests_tests;
