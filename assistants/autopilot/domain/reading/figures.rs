//! Quantities in a sentence: courts, area, hours, money. A number without a unit counts only as the answer to a question.

use super::super::discovery::LaborRate;
use super::super::keys::Key;
use super::super::quantity::{
    find_amount, find_courts, find_frequency, find_hours, find_number, find_wage, has_area,
    is_amount,
};
use super::super::roi::Confidence;
use super::super::units::{MARK, Unit, only};
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

/// The value of a message that is only a number, where a number was asked for. A bare number has the unit that was
/// asked for; an area has two, so it must be said.
pub(super) fn bare_answer(key: Key, message: &str) -> Option<String> {
    const LONGEST_ANSWER: usize = 6;
    let text = message.trim().trim_end_matches(['.', '!']);
    if key == Key::Method && text.eq_ignore_ascii_case("other") {
        return Some(text.to_owned());
    }
    let unit = Unit::asked_by(key)?;
    let own = only(text, unit);
    let number = find_number(&own)?;
    if text.split_whitespace().count() > LONGEST_ANSWER {
        return None;
    }
    if unit == Unit::Courts {
        return Some(number);
    }
    let lacks_unit = unit == Unit::Hours && find_hours(&text.to_lowercase()).is_none();
    Some(match lacks_unit {
        true => own
            .replace(MARK, " ")
            .replacen(&number, &format!("{number} hr"), 1),
        false => text.to_owned(),
    })
}
