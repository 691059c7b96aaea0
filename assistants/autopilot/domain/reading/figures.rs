//! Numbers in a message: courts, area, hours, money. A number without a unit counts only as the answer to a question.

use std::sync::LazyLock;

use regex::Regex;

use super::super::discovery::LaborRate;
use super::super::keys::Key;
use super::super::quantity::area as read_area;
use super::super::quantity::{area_in_words, in_words, number, other_currency, pattern, people};
use super::super::roi::Confidence;
use super::Reading;
use super::sentences::Sentence;

const NUMBER_WORDS: &str = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|eighteen|twenty";

fn found(pattern: &LazyLock<Option<Regex>>, text: &str) -> Option<String> {
    let found = pattern.as_ref()?.captures(text)?;
    found.get(1).map(|value| value.as_str().trim().to_owned())
}

pub(super) fn read(sentence: &Sentence<'_>, reading: &mut Reading) {
    if sentence.is_question {
        return;
    }
    let (text, lower) = (sentence.text, sentence.lower.as_str());
    courts(text, lower, reading);
    area(text, lower, reading);
    wage(text, lower, reading);
    spend(text, lower, reading);
    hours(text, lower, reading);
}

fn courts(text: &str, lower: &str, reading: &mut Reading) {
    static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&format!(
            r"([-−]?\d[\d.,]*|\b(?:{NUMBER_WORDS})\b)[\s-]*(?:(?:indoor|outdoor|tennis|pickleball|padel|dedicated|full|new)[\s,]+(?:and\s+)?)*(?:courts?\b)"
        ))
    });
    static AFTER: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"\bcourts?\s*(?::|=|is|are)\s*([-−]?\d+)"));
    if let Some(count) = found(&COUNT, lower).or_else(|| found(&AFTER, lower)) {
        reading.put(
            Key::CourtsCount,
            &count.replace('−', "-"),
            text,
            Confidence::High,
        );
    }
}

fn area(text: &str, lower: &str, reading: &mut Reading) {
    let named = ["sq", "square", "m2", "m²", "ft2", "ft²"]
        .iter()
        .any(|unit| lower.contains(unit));
    if named && lower.chars().any(|c| c.is_ascii_digit()) {
        match read_area(lower) {
            Ok(area) => reading.put(Key::Sqft, &area_in_words(area), text, Confidence::High),
            // "square" may be part of a name.
            Err(problem) if !problem.starts_with("say") => {
                reading.problems.push((Key::Sqft, problem))
            }
            Err(_) => {}
        }
    }
}

fn wage(text: &str, lower: &str, reading: &mut Reading) {
    static WAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"\$?\s?(\d+(?:[.,]\d+)?)\s*(?:dollars|usd|bucks)?\s*(?:an hour|per hour|/\s?h(?:ou)?r?\b|hourly)",
        )
    });
    let money = ["$", "dollar", "usd", "wage", "pay", "rate", "bucks", "cost"]
        .iter()
        .any(|word| lower.contains(word));
    if !money || other_currency(lower).is_err() {
        return;
    }
    if let Some(rate) = found(&WAGE, lower)
        .and_then(|rate| number(&rate))
        .filter(|rate| (1.0..=1000.0).contains(rate))
    {
        reading.labor_rate = Some(LaborRate {
            dollars_an_hour: rate,
            quote: super::cut(text),
            said_by: None,
        });
    }
}

/// The first amount of money in a sentence, with the period after it.
fn amount(lower: &str, needs_period: bool) -> Option<String> {
    static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"((?:(?:<|under|below|less than|up to|at most)\s*)?(?:minus\s|[-−]\s?)?(?:[$€£¥₽₹]\s?)?[-−]?\d[\d.,' ]*(?:k\b|thousand\b|million\b)?(?:\s*(?:-|–|to|and)\s*(?:[$€£¥₽₹]\s?)?\d[\d.,' ]*(?:k\b|thousand\b|million\b)?)?\s*(?:dollars|usd|bucks|euros?|eur|gbp|pounds|sek|nok|dkk|kronor|chf|rub|rubles|cad|aud)?\+?\s*(?:(?:a|per|each|every)\s*(?:month|year|week|day|annum)|/\s?(?:month|mo|year|yr|week|wk)|monthly|yearly|annually|weekly)?)",
        )
    });
    let all = AMOUNT.as_ref()?.find_iter(lower).map(|found| {
        found
            .as_str()
            .trim()
            .trim_end_matches(['.', ','])
            .to_owned()
    });
    let is_money = |text: &String| {
        let signed = text.contains(['$', '€', '£', '¥', '₽', '₹', 'k']);
        let period = ["month", "year", "week", "annum", "/mo", "/yr"]
            .iter()
            .any(|period| text.contains(period));
        let money = signed
            || [
                "dollar", "usd", "bucks", "eur", "gbp", "pound", "sek", "nok", "dkk", "kronor",
                "chf", "rub", "cad", "aud",
            ]
            .iter()
            .any(|unit| text.contains(unit));
        period || (money && !needs_period)
    };
    all.filter(|text| !text.is_empty()).find(is_money)
}

fn spend(text: &str, lower: &str, reading: &mut Reading) {
    let says = |words: &str| words.split('|').any(|word| lower.contains(word));
    let budget = says("budget");
    let speaks = says("spend|cost|pay|bill|cleaning is|invoice|expens")
        || (says("clean|vacuum|sweep|swept|mop|scrub") && is_amount(lower));
    let lost = says("lose|losing|lost");
    let hourly = says("an hour|per hour|/hour|/hr|hourly");
    if lost || (!speaks && !budget) {
        return;
    }
    let Some(said) = amount(lower, hourly) else {
        return;
    };
    // "between $3,000 and $4,000".
    let said = said.replace(" and ", " to ");
    if budget {
        let allowed = format!("Yes, {said}");
        return reading.put(Key::BudgetExists, &allowed, text, Confidence::High);
    }
    reading.put(Key::MonthlySpend, &said, text, Confidence::High);
}

fn hours(text: &str, lower: &str, reading: &mut Reading) {
    static HOURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&format!(
            r"([-−]?\d+(?:[.,]\d+)?|\b(?:half an|an|{NUMBER_WORDS})\b)(?:\s*(?:-|–|to|or)\s*(?:\d+(?:[.,]\d+)?|\b(?:{NUMBER_WORDS})\b))?[\s-]*(?:h(?:ou)?rs?\b|h\b|min(?:ute)?s?\b)(?:\s*(?:of (?:work|cleaning)\s*)?(?:a|per|each|every)\s*(?:day|night|week|month|shift)|\s*daily)?"
        ))
    });
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let elsewhere = says(&[
        "open", "ago", "notice", "away", "within", "drive", "booking", "session",
    ]);
    if elsewhere && !lower.contains("clean") {
        return;
    }
    // "$22 an hour" is a wage.
    let wage = says(&["$", "dollar", "wage", "pay", "rate"]);
    let found = HOURS.as_ref().and_then(|hours| {
        hours
            .find_iter(lower)
            .find(|one| !(wage && one.as_str().starts_with("an")))
    });
    if let Some(found) = found {
        let hours = found.as_str().replace('−', "-");
        // The work of several people is multiplied, and shown so that it can be corrected.
        let value = match people(lower).filter(|people| *people > 1.0) {
            Some(people) if !says(&["week", "month"]) => format!("{people} people × {hours}"),
            Some(_) | None => hours,
        };
        reading.put(Key::Duration, &value, text, Confidence::High);
    }
}

/// An amount with its currency.
fn is_amount(lower: &str) -> bool {
    let signed = lower.contains(['$', '€', '£', '¥', '₽', '₹']);
    signed
        || ["dollar", "usd", "bucks"]
            .iter()
            .any(|unit| lower.contains(unit))
}

/// Whether a message is no more than a number, where a number was asked for.
pub(super) fn is_bare_answer(key: Key, message: &str) -> bool {
    let lower = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    let figures = lower.chars().any(|c| c.is_ascii_digit())
        || lower
            .split_whitespace()
            .any(|word| in_words(word).is_some());
    let short = lower.split_whitespace().count() <= 6;
    let counts = matches!(key, Key::CourtsCount | Key::Sqft | Key::Duration);
    let fits = counts && figures && !is_amount(&lower)
        || key == Key::MonthlySpend && figures
        || key == Key::Method && lower == "other";
    short && fits
}

/// A bare number in the unit that was asked for. An area has two, so it must be said.
pub(super) fn with_unit(key: Key, message: &str) -> String {
    static NUMBER: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(&format!(r"(?i)([-−]?\d[\d.,]*|\b(?:{NUMBER_WORDS})\b)")));
    let text = message.trim().trim_end_matches(['.', '!']);
    let number = || found(&NUMBER, text).map(|number| number.replace('−', "-"));
    let has_unit = ["h", "min"]
        .iter()
        .any(|unit| text.to_lowercase().contains(unit));
    if key == Key::Duration && !has_unit {
        return number().map_or(text.to_owned(), |number| format!("{number} hr"));
    }
    if key == Key::CourtsCount {
        return number().unwrap_or(text.to_owned());
    }
    text.to_owned()
}
