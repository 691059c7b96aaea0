//! Reads messy meeting notes: musts, nice-to-haves, responsibilities and the facts around them,
//! always as passages of the text, never as something that is not there.

pub(crate) mod cues;
pub(crate) mod headings;
pub(crate) mod items;
pub(crate) mod lines;
mod sentence;
mod surroundings;

use cues::{Reader, Topic};
use headings::{Heading, heading};
use items::{clean, item, split_bullet, split_list};
use lines::{Line, LineKind, lines};
use sentence::{Kind, pieces};
pub(crate) use surroundings::{Surroundings, surroundings};

use super::text::sentences::sentences;
use super::text::words::{Word, one_line, shorten, word_count, words};

/// Everything found in one text, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) musts: Vec<String>,
    pub(crate) nices: Vec<String>,
    /// Skills that were named, but not as a must.
    pub(crate) weak: Vec<String>,
    pub(crate) responsibilities: Vec<String>,
    pub(crate) motivations: Vec<String>,
    pub(crate) business_unit: Vec<String>,
    pub(crate) performance: Vec<String>,
    pub(crate) challenges: Vec<String>,
    pub(crate) salary: Vec<String>,
    pub(crate) mission: Vec<String>,
    /// Places that a label names: "Location: Stockholm".
    pub(crate) location: Vec<String>,
    /// Musts in running text, before they are put behind those that stand under a heading.
    loose_musts: Vec<String>,
}

/// "Must have: Python. SQL. Linux." is a list written with full stops.
const SHORT_SENTENCE: usize = 4;
/// Longer passages are cut when they are quoted.
const MAX_PASSAGE: usize = 300;
/// A speaker's name before a colon has at most this many words.
const LONGEST_SPEAKER: usize = 3;

pub(crate) fn read(text: &str, reader: &Reader) -> Reading {
    let mut reading = Reading::default();
    let mut section = Section::none();
    for line in lines(text) {
        match line.kind {
            LineKind::Blank => section.blank = true,
            LineKind::Bullet | LineKind::Heading | LineKind::Plain => {
                take(&line, &mut section, &mut reading, reader)
            }
        }
    }
    // Who writes a list of must-haves means it; a "needs" in the prose around it comes second.
    reading.musts.append(&mut reading.loose_musts);
    reading
}

/// The part of the notes the current line stands in.
#[derive(Clone, Copy, Debug)]
struct Section {
    topic: Option<Topic>,
    /// An empty line came before the current one.
    blank: bool,
    /// Lines of the section so far.
    lines: usize,
    bullets_only: bool,
}

impl Section {
    fn none() -> Self {
        Section {
            topic: None,
            blank: false,
            lines: 0,
            bullets_only: false,
        }
    }

    /// Prose after the list, or after an empty line, no longer belongs to the heading.
    fn topic_of(&self, line: &Line) -> Option<Topic> {
        let plain = line.kind == LineKind::Plain;
        let over = plain && (self.bullets_only || (self.blank && self.lines > 0));
        self.topic.filter(|_| !over)
    }
}

fn take(line: &Line, section: &mut Section, reading: &mut Reading, reader: &Reader) {
    match heading(line, reader) {
        Some(Heading {
            topic,
            content: None,
        }) => {
            *section = Section {
                topic: Some(topic),
                ..Section::none()
            };
        }
        Some(Heading {
            topic,
            content: Some(content),
        }) => {
            file(topic, content, Shape::Inline, reading, reader);
            *section = Section {
                topic: Some(topic),
                lines: 1,
                bullets_only: true,
                blank: false,
            };
        }
        None => {
            let topic = section.topic_of(line);
            if topic.is_none() {
                section.topic = None;
            }
            let shape = if line.kind == LineKind::Bullet {
                Shape::Bullet
            } else {
                Shape::Line
            };
            match topic {
                Some(topic) => file(topic, &line.text, shape, reading, reader),
                None => file_loose(&line.text, reading, reader),
            }
            section.lines += 1;
            section.bullets_only |= line.kind == LineKind::Bullet && section.topic.is_some();
            section.blank = false;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// After "Must haves:" on the same line.
    Inline,
    Bullet,
    Line,
}

/// A line under a heading.
fn file(topic: Topic, text: &str, shape: Shape, reading: &mut Reading, reader: &Reader) {
    match topic {
        Topic::Must => file_skills(text, Kind::Must, shape, reading, reader),
        Topic::Nice => file_skills(text, Kind::Nice, shape, reading, reader),
        Topic::Responsibilities => file_skills(text, Kind::Responsibility, shape, reading, reader),
        Topic::Motivations => passage(&mut reading.motivations, text),
        Topic::BusinessUnit => passage(&mut reading.business_unit, text),
        Topic::Performance => passage(&mut reading.performance, text),
        Topic::Challenges => passage(&mut reading.challenges, text),
        Topic::Salary => passage(&mut reading.salary, text),
        Topic::Mission => passage(&mut reading.mission, text),
        Topic::Location => passage(&mut reading.location, text),
        // Soft skills and the team are found by their words wherever they stand.
        Topic::SoftSkills | Topic::Team => {}
        Topic::Other => file_loose(text, reading, reader),
    }
}

/// A line without heading: each sentence speaks for itself.
fn file_loose(text: &str, reading: &mut Reading, reader: &Reader) {
    for sentence in sentences(text, &reader.abbreviations) {
        let sentence = without_speaker(sentence);
        let list = words(sentence);
        file_sentence(sentence, &list, None, Shape::Inline, reading, reader);
        if let Some(hit) = reader.topics.first(&list) {
            // "Salary was not discussed" tells no salary.
            if hit.value != Topic::Salary || sentence.contains(|c: char| c.is_ascii_digit()) {
                file(hit.value, sentence, Shape::Line, reading, reader);
            }
        }
    }
}

fn file_skills(text: &str, under: Kind, shape: Shape, reading: &mut Reading, reader: &Reader) {
    for (i, sentence) in sentences(text, &reader.abbreviations)
        .into_iter()
        .enumerate()
    {
        let list = words(sentence);
        // "Must have: Excel. It is an office role." has one must; a label speaks for its own sentence.
        let labelled = shape != Shape::Inline || i == 0 || list.len() <= SHORT_SENTENCE;
        file_sentence(
            sentence,
            &list,
            labelled.then_some(under),
            shape,
            reading,
            reader,
        );
    }
}

fn file_sentence(
    sentence: &str,
    list: &[Word<'_>],
    under: Option<Kind>,
    shape: Shape,
    reading: &mut Reading,
    reader: &Reader,
) {
    for piece in pieces(sentence, list, under, reader) {
        let from_cue = piece.text.len() < sentence.len();
        let found = match (piece.kind, shape) {
            (Kind::Responsibility, Shape::Bullet | Shape::Line) => {
                item(piece.text, reader).into_iter().collect()
            }
            (Kind::Must | Kind::Nice, Shape::Bullet | Shape::Line) if !from_cue => {
                split_bullet(piece.text, reader)
            }
            (Kind::Must | Kind::Nice | Kind::Weak | Kind::Responsibility, _) => {
                split_list(clean(piece.text, reader), reader)
            }
        };
        match piece.kind {
            Kind::Must if under.is_none() => reading.loose_musts.extend(found),
            Kind::Must => reading.musts.extend(found),
            Kind::Nice => reading.nices.extend(found),
            Kind::Weak => reading.weak.extend(found),
            Kind::Responsibility => reading.responsibilities.extend(found),
        }
    }
}

fn passage(out: &mut Vec<String>, text: &str) {
    out.push(shorten(&one_line(items::trim_edges(text)), MAX_PASSAGE));
}

/// "Anna (HM): Python is a must" is about Python, not about Anna.
fn without_speaker(sentence: &str) -> &str {
    match sentence.split_once(": ") {
        Some((label, rest)) if word_count(label) <= LONGEST_SPEAKER && word_count(rest) > 2 => rest,
        _ => sentence,
    }
}

#[cfg(test)]
mod notes_tests;
