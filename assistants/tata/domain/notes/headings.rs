//! Recognises the headings and labels of notes and ads: "Must haves:", "## Krav", "Salary: 50 000".

use super::cues::{Cue, Reader, Topic};
use super::lines::{Line, LineKind};
use crate::tata::domain::text::words::{Word, word_count, words};

/// A heading alone on its line, or a label with its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heading<'l> {
    pub(crate) topic: Topic,
    pub(crate) content: Option<&'l str>,
}

/// A longer line is a sentence.
const LONGEST_LABEL: usize = 7;

pub(crate) fn heading<'l>(line: &'l Line, reader: &Reader) -> Option<Heading<'l>> {
    let (label, content) = match label(&line.text) {
        Some((label, rest)) => (
            label,
            Some(rest).filter(|r| r.contains(char::is_alphanumeric)),
        ),
        None => return unmarked(line, reader),
    };
    match (topic_of(label, reader), content) {
        (Some(topic), content) => Some(Heading { topic, content }),
        // An unknown heading still ends the section before it.
        (None, None) => Some(Heading {
            topic: cued_topic(label, reader).unwrap_or(Topic::Other),
            content: None,
        }),
        (None, Some(_)) => None,
    }
}

/// The text before a colon when it is short enough to be a label.
pub(crate) fn label(text: &str) -> Option<(&str, &str)> {
    let (label, rest) = text.split_once(':')?;
    let is_label = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (is_label && word_count(label) <= LONGEST_LABEL).then_some((label, rest.trim()))
}

fn unmarked<'l>(line: &'l Line, reader: &Reader) -> Option<Heading<'l>> {
    let bare = without_brackets(&line.text);
    // Most lines are too long to be a heading; their words need not be looked at here.
    if line.kind != LineKind::Heading && word_count(bare) > LONGEST_LABEL {
        return None;
    }
    let list = words(bare);
    let topic = topic_of(bare, reader);
    match line.kind {
        LineKind::Heading => Some(Heading {
            topic: topic.unwrap_or(Topic::Other),
            content: None,
        }),
        // A bullet "Requirements engineering" is a skill, not a heading.
        LineKind::Bullet | LineKind::Blank => None,
        LineKind::Plain => {
            let hits = reader.headings.find(&list);
            let covered: usize = hits.iter().map(|h| h.last - h.first + 1).sum();
            let outside = |i: usize| !hits.iter().any(|h| (h.first..=h.last).contains(&i));
            let is_filler = |(i, w): &(usize, &Word<'_>)| {
                outside(*i) && reader.stop_words.contains(w.folded.as_ref())
            };
            let filler = list.iter().enumerate().filter(is_filler).count();
            let asks = line.text.ends_with('?') && covered > 0 && list.len() <= LONGEST_LABEL;
            let whole = covered > 0 && covered + filler >= list.len();
            topic.filter(|_| whole || asks).map(|topic| Heading {
                topic,
                content: None,
            })
        }
    }
}

/// "Nice to have requirements" are nice to have, so that topic wins over the others.
pub(crate) fn topic_of(label: &str, reader: &Reader) -> Option<Topic> {
    let list = words(label);
    let hits = reader.headings.find(&list);
    let nice = hits.iter().find(|h| h.value == Topic::Nice);
    nice.or(hits.first()).map(|h| h.value)
}

/// "The person will be responsible for:" is a heading by what it says.
fn cued_topic(label: &str, reader: &Reader) -> Option<Topic> {
    let hit = reader.cues.find(&words(label)).into_iter().next()?;
    match hit.value {
        Cue::MustBefore | Cue::MustAfter | Cue::MustKept => Some(Topic::Must),
        Cue::NiceBefore | Cue::NiceAfter => Some(Topic::Nice),
        Cue::ResponsibilitiesBefore => Some(Topic::Responsibilities),
        Cue::NotNeeded | Cue::Ignored => None,
    }
}

fn without_brackets(text: &str) -> &str {
    match text.split_once('(') {
        Some((before, _)) if !before.trim().is_empty() => before,
        _ => text,
    }
}
