//! Quantities in a sentence: courts, area, hours, money. A number without a unit counts only as the answer to a question.

use super::super::discovery::LaborRate;
use super::super::keys::Key;
use super::super::quantity::{
    find_amount, find_courts, find_frequency, find_hours, find_number, find_wage, has_area,
    in_words, is_amount,
};
use super::super::roi::Confidence;
use super::Reading;
use super::sentences::Sentence;

pub(super) fn read(sentence: &Sentence<'_>, reading: &mut Reading) {
    if sentence.is_question {
        return;
    }
    let (text, lower) = (sentence.text, sentence.lower.as_str());
    let says = |words: &str| words.split('|').any(|word| lower.contains(word));
    if let Some(count) = find_courts(lower) {
        reading.put(Key::CourtsCount, &count, text, Confidence::High);
    }
    if has_area(lower) {
        reading.put(Key::Sqft, lower, text, Confidence::High);
    }
    if let Some(rate) = find_wage(lower) {
        reading.labor_rate = Some(LaborRate {
            dollars_an_hour: rate,
            quote: super::cut(text),
            said_by: None,
        });
    }
    if let Some(often) = find_frequency(text) {
        reading.put(Key::Frequency, often, text, Confidence::Medium);
    }
    spend(text, lower, reading);
    // Hours of something else than cleaning.
    let elsewhere = says("open|ago|notice|away|within|drive|booking|session");
    if let Some(hours) = find_hours(lower)
        && (!elsewhere || says("clean"))
    {
        reading.put(Key::Duration, &hours, text, Confidence::High);
    }
}

fn spend(text: &str, lower: &str, reading: &mut Reading) {
    let says = |words: &str| words.split('|').any(|word| lower.contains(word));
    let cleans = says("clean|vacuum|sweep|swept|mop|scrub") && is_amount(lower);
    let speaks = says("spend|cost|pay|bill|contract|cleaning is|invoice|expens") || cleans;
    let Some(said) = find_amount(lower).filter(|_| !says("lose|losing|lost")) else {
        return;
    };
    if says("budget") {
        let allowed = format!("Yes, {said}");
        reading.put(Key::BudgetExists, &allowed, text, Confidence::High);
    } else if speaks {
        reading.put(Key::MonthlySpend, &said, text, Confidence::High);
    }
}

/// Whether a message is no more than a number, where a number was asked for.
pub(super) fn is_bare_answer(key: Key, message: &str) -> bool {
    let lower = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    let mut words = lower.split_whitespace();
    let figures =
        lower.contains(|c: char| c.is_ascii_digit()) || words.any(|word| in_words(word).is_some());
    let short = lower.split_whitespace().count() <= 6;
    let counts = matches!(key, Key::CourtsCount | Key::Sqft | Key::Duration);
    let fits = counts && figures && !is_amount(&lower)
        || key == Key::MonthlySpend && figures
        || key == Key::Method && lower == "other";
    short && fits
}

/// A bare number in the unit that was asked for. An area has two, so it must be said.
pub(super) fn with_unit(key: Key, message: &str) -> String {
    let text = message.trim().trim_end_matches(['.', '!']);
    let lower = text.to_lowercase();
    let has_unit = lower.contains("min") || lower.contains('h');
    let number = find_number(text);
    match (key, number) {
        (Key::Duration, Some(number)) if !has_unit => format!("{number} hr"),
        (Key::CourtsCount, Some(number)) => number,
        _ => text.to_owned(),
    }
}
