//! Reads one sentence: which part of it is a must, a nice-to-have or a responsibility.

use super::cues::{Cue, Reader, Weak};
use super::items::{clean, trim_edges};
use crate::tata::domain::text::words::{Word, words};

/// What a piece of a sentence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Must,
    Nice,
    /// Named as a skill, but not called a must.
    Weak,
    Responsibility,
}

/// A piece of the sentence as it stands there, not yet cleaned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// The cue speaks about what follows.
    Before,
    /// The cue speaks about what precedes it.
    After,
    Nothing,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    cue: Cue,
    start: usize,
    end: usize,
    side: Side,
}

/// Pieces of a sentence, whose words are `list`. `under` is what the heading above says about lines without a cue of their own.
pub(crate) fn pieces<'t>(
    sentence: &'t str,
    list: &[Word<'_>],
    under: Option<Kind>,
    reader: &Reader,
) -> Vec<Piece<'t>> {
    let marks = marks(sentence, list, under, reader);
    if !marks.is_empty() {
        return divide(sentence, &marks, under, reader);
    }
    match under {
        Some(kind) => vec![Piece {
            kind,
            text: sentence,
        }],
        None => weak(sentence, list, reader).into_iter().collect(),
    }
}

fn marks(sentence: &str, list: &[Word<'_>], under: Option<Kind>, reader: &Reader) -> Vec<Mark> {
    let mut hits = reader.cues.find(list);
    // "At least" inside a list of musts is part of the list and does not begin another one.
    let mut inside_musts = under == Some(Kind::Must);
    hits.retain(|hit| {
        let part_of_list = hit.value == Cue::MustKept && inside_musts;
        inside_musts = part_of_list || hit.value == Cue::MustBefore;
        !part_of_list
    });
    let mut marks: Vec<Mark> = hits
        .iter()
        .map(|hit| {
            let span = hit.span(list);
            let (end, side) = match hit.value {
                Cue::MustKept => (span.start, Side::Before),
                Cue::MustBefore | Cue::NiceBefore | Cue::ResponsibilitiesBefore => {
                    (span.end, Side::Before)
                }
                Cue::MustAfter | Cue::NiceAfter | Cue::NotNeeded => (span.end, Side::After),
                Cue::Ignored => (span.end, Side::Nothing),
            };
            Mark {
                cue: hit.value,
                start: span.start,
                end,
                side,
            }
        })
        .collect();
    for i in 0..marks.len() {
        marks[i].side = settle(sentence, &marks, i, reader);
    }
    marks
}

/// "Python: must have" has its skill in front although the phrase usually stands before it, and the other way round.
fn settle(sentence: &str, marks: &[Mark], i: usize, reader: &Reader) -> Side {
    let gap = |from: usize, to: usize| !clean(&sentence[from..to], reader).is_empty();
    let mark = marks[i];
    let before_from = if i == 0 { 0 } else { marks[i - 1].end };
    let taken = i > 0 && marks[i - 1].side == Side::Before;
    let something_before = gap(before_from, mark.start);
    let something_after = gap(
        mark.end,
        marks.get(i + 1).map_or(sentence.len(), |m| m.start),
    );
    match mark.side {
        Side::Before if !something_after && something_before && !taken => Side::After,
        Side::After if !something_before && something_after => Side::Before,
        side @ (Side::Before | Side::After | Side::Nothing) => side,
    }
}

fn divide<'t>(
    sentence: &'t str,
    marks: &[Mark],
    under: Option<Kind>,
    reader: &Reader,
) -> Vec<Piece<'t>> {
    let mut out = Vec::new();
    let mut last_subject: Option<&'t str> = None;
    for i in 0..=marks.len() {
        let left = i.checked_sub(1).map(|l| marks[l]);
        let right = marks.get(i).copied();
        let from = left.map_or(0, |m| m.end);
        let to = right.map_or(sentence.len(), |m| m.start);
        let gap = &sentence[from..to];
        let left = left.filter(|m| m.side == Side::Before);
        let right = right.filter(|m| m.side == Side::After);
        match (left, right) {
            (Some(l), Some(r)) => {
                let (first, second) = split_gap(gap);
                push(&mut out, kind_of(l.cue), first, reader);
                push(&mut out, kind_of(r.cue), second, reader);
                last_subject = Some(second);
            }
            (Some(l), None) => push(&mut out, kind_of(l.cue), gap, reader),
            (None, Some(r)) => {
                // "German is not a must but a plus": the plus has no subject of its own.
                let subject = if clean(gap, reader).is_empty() {
                    last_subject
                } else {
                    Some(gap)
                };
                if let Some(subject) = subject {
                    push(&mut out, kind_of(r.cue), subject, reader);
                    last_subject = Some(subject);
                }
            }
            (None, None) => {
                let ignored = i > 0 && marks[i - 1].side == Side::Nothing;
                push(&mut out, under.filter(|_| !ignored), gap, reader);
            }
        }
    }
    out
}

fn push<'t>(out: &mut Vec<Piece<'t>>, kind: Option<Kind>, text: &'t str, reader: &Reader) {
    if let Some(kind) = kind
        && !clean(text, reader).is_empty()
    {
        out.push(Piece { kind, text });
    }
}

fn kind_of(cue: Cue) -> Option<Kind> {
    match cue {
        Cue::MustBefore | Cue::MustAfter | Cue::MustKept => Some(Kind::Must),
        Cue::NiceBefore | Cue::NiceAfter => Some(Kind::Nice),
        Cue::ResponsibilitiesBefore => Some(Kind::Responsibility),
        Cue::NotNeeded | Cue::Ignored => None,
    }
}

/// Between "must have A and B" and "C is a plus" the last comma, else the last conjunction, parts them.
fn split_gap(gap: &str) -> (&str, &str) {
    if let Some(at) = gap.trim_end().rfind([',', ';']) {
        return (&gap[..at], &gap[at + 1..]);
    }
    const BETWEEN: [&str; 11] = [
        "but", "and", "while", "men", "och", "og", "mens", "medan", "aber", "und", "während",
    ];
    let list = words(gap);
    match list
        .iter()
        .rev()
        .find(|w| BETWEEN.contains(&w.folded.as_ref()))
    {
        Some(word) => (&gap[..word.start], &gap[word.end..]),
        None => (gap, ""),
    }
}

fn weak<'t>(sentence: &'t str, list: &[Word<'_>], reader: &Reader) -> Option<Piece<'t>> {
    let hit = reader.weak.first(list)?;
    let span = hit.span(list);
    let text = match hit.value {
        Weak::Before => &sentence[span.end..],
        // "5 years of project management": what stands just before belongs to it.
        Weak::Kept => {
            let first = hit.first.saturating_sub(2);
            let lead = list[first..hit.first].iter().find(|w| w.number().is_some());
            let strong_lead = hit.first > 0
                && !reader
                    .stop_words
                    .contains(list[hit.first - 1].folded.as_ref());
            match (lead, strong_lead) {
                (Some(number), _) => &sentence[number.start..],
                (None, true) if hit.first == 1 => sentence,
                (None, _) => &sentence[span.start..],
            }
        }
    };
    Some(Piece {
        kind: Kind::Weak,
        text: trim_edges(text),
    })
}
