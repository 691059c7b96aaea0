//! The units that the numbers of a text carry. A number is read only as a value of its own kind: the 3 of "3x a week" is
//! never an amount of money.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::keys::{AnswerForm, Key};
use super::quantity::{AREA, COUNT, COURTS, CURRENCY, HOURS, TIMES, WAGE, pattern};
use super::reading::unused_numbers;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Wage,
    Share,
    TimeOfDay,
    Frequency,
    Money,
    Area,
    Hours,
    Courts,
    /// Days, years, people, rooms and anything else that is counted.
    Other,
}

impl Unit {
    /// The unit of the answer to a question that asks for a number.
    pub(crate) fn asked_by(key: Key) -> Option<Unit> {
        match key.about().answer {
            AnswerForm::Courts => Some(Unit::Courts),
            AnswerForm::Area => Some(Unit::Area),
            AnswerForm::Hours => Some(Unit::Hours),
            AnswerForm::Dollars => Some(Unit::Money),
            AnswerForm::Name
            | AnswerForm::Building
            | AnswerForm::Floors
            | AnswerForm::Methods
            | AnswerForm::Budget
            | AnswerForm::Words => None,
        }
    }

    /// For people, after "that is".
    fn in_words(self) -> &'static str {
        match self {
            Unit::Wage => "the pay for an hour",
            Unit::Share => "a percentage",
            Unit::TimeOfDay => "a time of day",
            Unit::Frequency => "how often something is done",
            Unit::Money => "an amount of money",
            Unit::Area => "an area",
            Unit::Hours => "a time of work",
            Unit::Courts => "a number of courts",
            Unit::Other => "a number of something else",
        }
    }
}

/// The numbers with a unit, without those inside of another one.
fn units(text: &str) -> Vec<(Unit, Range<usize>)> {
    static SHARE: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"(?i)\d[\d.,]*\s*(?:%|percent\b|per cent\b)"));
    static TIME_OF_DAY: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"(?i)\b\d{1,2}(?::\d\d\s*(?:am|pm)?|\s*(?:am|pm)\b)"));
    static MONEY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        const DIGITS: &str = r"\d[\d.,']*\s*(?:k\b|thousand\b|million\b|m\b)?";
        pattern(&format!(
            r"(?i)[$€£¥₽₹]\s?[-−]?{DIGITS}(?:\s*(?:-|–|to|and|or)\s*[$€£¥₽₹]?\s?{DIGITS})?(?:\s*(?:monthly|yearly|weekly))?|{DIGITS}\s*(?:{CURRENCY})\b(?:\s*(?:monthly|yearly|weekly))?"
        ))
    });
    static OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&format!(
            r"(?i)(?:{COUNT})[\s-]*(?:x\b|×|(?:days?|nights?|weeks?|months?|years?|people|men|women)\b|[a-z]{{4,}}s\b)"
        ))
    });
    // Adverbs end like the names of things.
    let is_counted = |found: &str| {
        const ADVERBS: [&str; 5] = ["across", "always", "sometimes", "perhaps", "minus"];
        !ADVERBS.iter().any(|adverb| found.ends_with(adverb))
    };
    let patterns = [
        (Unit::Wage, &WAGE),
        (Unit::Share, &SHARE),
        (Unit::TimeOfDay, &TIME_OF_DAY),
        (Unit::Frequency, &TIMES),
        (Unit::Money, &MONEY),
        (Unit::Area, &AREA),
        (Unit::Hours, &HOURS),
        (Unit::Courts, &COURTS),
        (Unit::Other, &OTHER),
    ];
    let mut rest = text.to_owned();
    let mut found = Vec::new();
    for (unit, pattern) in patterns {
        let all = pattern.iter().flat_map(|pattern| pattern.find_iter(&rest));
        let all = all.filter(|one| unit != Unit::Other || is_counted(&one.as_str().to_lowercase()));
        let places: Vec<Range<usize>> = all.map(|one| one.range()).collect();
        for place in places {
            blank(&mut rest, place.clone());
            found.push((unit, place));
        }
    }
    found
}

/// The mark in the place of a number of another kind; it is part of no number.
pub(crate) const MARK: char = ';';

/// Puts a mark and spaces in the place of a part, so that other parts keep theirs.
fn blank(text: &mut String, place: Range<usize>) {
    let spaces = " ".repeat(place.len().saturating_sub(1));
    text.replace_range(place, &format!("{MARK}{spaces}"));
}

/// The text without the numbers that carry the unit of another kind, each part in its place.
pub(crate) fn only(text: &str, unit: Unit) -> String {
    let mut own = text.to_owned();
    for (_, place) in units(text).into_iter().filter(|(other, _)| *other != unit) {
        blank(&mut own, place);
    }
    own
}

/// The numbers of a text with one of these units.
pub(crate) fn with_units(text: &str, wanted: &[Unit]) -> String {
    let all = units(text).into_iter();
    let own = all.filter(|(unit, _)| wanted.contains(unit));
    let parts = own.filter_map(|(_, place)| text.get(place));
    parts.collect::<Vec<_>>().join(" ; ")
}

/// Names the kind of the first number of a text before the sentence that asks for another kind.
pub(crate) fn instead(text: &str, ask: &str) -> String {
    match units(text).first() {
        Some((unit, _)) => format!("that is {}; {ask}", unit.in_words()),
        None => ask.to_owned(),
    }
}

/// Refuses a value whose numbers a text has only as values of other kinds.
pub(crate) fn check_unit(said: &str, value: &str, fitting: &[Unit]) -> Result<(), String> {
    let fits = |unit: &Unit| unused_numbers(&only(value, *unit), &only(said, *unit)).is_empty();
    let is_said = unused_numbers(value, said).is_empty();
    match is_said && !fitting.iter().any(fits) {
        true => Err(format!(
            "{value} is the value of something else in \"{}\"",
            said.trim()
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
#[path = "units_tests.rs"]
mod units_tests;
