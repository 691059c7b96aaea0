//! Numbers with their units as people write them: areas, hours, amounts of money, also as ranges. An impossible value is
//! refused with a sentence that says what would be possible.

use std::sync::LazyLock;

use regex::Regex;

use super::span::Span;
use super::units::{Unit, instead, only};

/// Square feet in a square metre.
const SQFT_IN_M2: f64 = 10.763_9;
/// The largest floor that is accepted.
const LARGEST_M2: f64 = 1_000_000.0;
const MOST_COURTS: f64 = 200.0;
const MOST_DOLLARS: f64 = 10_000_000.0;
pub(crate) const MONTH_DAYS: f64 = 30.0;
const WEEKS_IN_A_MONTH: f64 = 52.0 / 12.0;

/// A built-in pattern. `None` cannot happen and would match nothing.
pub(crate) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

/// A number as it is written: "1,200", "1.200,50", "12 000", "4k", "1.5 million".
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    let (digits, factor) = match text.strip_suffix('k') {
        Some(rest) => (rest.trim(), 1_000.0),
        None => (text.as_str(), 1.0),
    };
    let mut plain: String = digits
        .chars()
        .filter(|c| !c.is_whitespace() && *c != '\'')
        .collect();
    let (comma, point) = (plain.rfind(','), plain.rfind('.'));
    // The last of the two is the decimal sign. Alone it groups thousands if it recurs or three digits
    // follow: "3.500" is not three and a half.
    plain = match (comma, point) {
        (Some(c), Some(p)) if c > p => plain.replace('.', "").replace(',', "."),
        (Some(_), Some(_)) => plain.replace(',', ""),
        (Some(at), None) | (None, Some(at)) => {
            let groups = plain.len() - at == 4 && !plain.starts_with('0');
            let recurs = plain.matches([',', '.']).count() > 1;
            plain.replace([',', '.'], if groups || recurs { "" } else { "." })
        }
        (None, None) => plain,
    };
    let value: f64 = plain.parse().ok()?;
    (value * factor).is_finite().then_some(value * factor)
}

/// The number words up to twenty, as a pattern.
const NUMBER_WORDS: &str = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty";

fn in_words(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let place = NUMBER_WORDS.split('|').position(|known| known == word)?;
    u32::try_from(place).ok()
}

/// The first part of a text that a pattern matches.
fn first_match<'t>(pattern: &LazyLock<Option<Regex>>, text: &'t str) -> Option<&'t str> {
    Some(pattern.as_ref()?.find(text)?.as_str())
}

/// The first group of the first match.
fn first_group(pattern: &LazyLock<Option<Regex>>, text: &str) -> Option<String> {
    let found = pattern.as_ref()?.captures(text)?;
    Some(found.get(1)?.as_str().trim().replace('−', "-"))
}

/// The number in "6 indoor courts" or "courts: 6".
pub(crate) fn find_courts(lower: &str) -> Option<String> {
    static AFTER: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"\bcourts?\s*(?::|=|is|are)\s*([-−]?\d+)"));
    let own = only(lower, Unit::Courts);
    first_group(&COURTS, &own).or_else(|| first_group(&AFTER, &own))
}

pub(super) static COURTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)([-−]?\d[\d.,]*|\b(?:{NUMBER_WORDS})\b)[\s-]*(?:(?:indoor|outdoor|tennis|pickleball|padel|dedicated|full|new)[\s,]+(?:and\s+)?)*(?:courts?\b)"
    ))
});

/// The first number of a text, also in words.
pub(crate) fn find_number(text: &str) -> Option<String> {
    static NUMBER: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(&format!(r"(?i)([-−]?\d[\d.,]*|\b(?:{NUMBER_WORDS})\b)")));
    first_group(&NUMBER, text)
}

/// A count of courts: a whole number, or "<4" and "12+" as offered.
pub(crate) fn courts(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text == "<4" || text == "12+" || text.eq_ignore_ascii_case("other") {
        return Ok(text.to_owned());
    }
    let found = number(text).or_else(|| in_words(text).map(f64::from));
    let Some(count) = found else {
        return Err("say the number of courts, such as 6".to_owned());
    };
    if count < 1.0 || count.fract() != 0.0 {
        return Err(format!(
            "{text} is no number of courts; say a whole number from 1 on"
        ));
    }
    if count > MOST_COURTS {
        return Err(format!(
            "{text} courts are more than I can believe; the most is {MOST_COURTS:.0}"
        ));
    }
    Ok(format!("{count:.0}"))
}

/// The number behind an answer of [`courts`]. "12+" counts as 12.
pub(crate) fn courts_count(text: &str) -> Option<Span> {
    match text {
        "<4" => Some(Span::between(1.0, 3.0)),
        _ => number(text.trim_end_matches('+')).map(Span::exact),
    }
}

pub(super) static AREA: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)(-?\s?\d[\d.,' ]*k?)\s*(?:(?:-|–|to|and)\s*(\d[\d.,' ]*k?))?\s*-?\s*(sq\.?\s*-?\s*f(?:ee|oo)?t|square[\s-]*f(?:ee|oo)t|sqft|ft2|ft²|sf|m2|m²|sqm|qm|sq\.?\s*m\b|square[\s-]*met(?:re|er)s?)",
    )
});

pub(crate) fn has_area(text: &str) -> bool {
    first_match(&AREA, &only(text, Unit::Area)).is_some()
}

/// A floor area in square metres, or a range of it. Without a unit it is ambiguous.
pub(crate) fn area(text: &str) -> Result<Span, String> {
    stated_area(text).map(|(metres, _)| metres)
}

/// A stated area in both units, the stated one first, so that it is read back exactly.
pub(crate) fn area_as_stated(text: &str) -> Result<String, String> {
    let (metres, is_metric) = stated_area(text)?;
    Ok(match is_metric {
        true => area_in_words(metres),
        false => format!("{} sq ft ({} m²)", in_feet(metres), metres.count()),
    })
}

/// Square metres, and whether they were stated in metres.
fn stated_area(text: &str) -> Result<(Span, bool), String> {
    let own = only(text, Unit::Area);
    let ask = || "say the area with its unit, such as 1,000 m² or 10,000 sq ft".to_owned();
    let found = AREA.as_ref().and_then(|area| area.captures(&own));
    let found = found.ok_or_else(ask)?;
    let value = |place| {
        found
            .get(place)
            .and_then(|part| number(part.as_str().trim()))
    };
    let around = found
        .get(0)
        .and_then(|area| Some((text.get(..area.start())?, text.get(area.end()..)?)));
    let parts = parts(text, around.unwrap_or_default())?;
    let first = value(1).ok_or_else(ask)?;
    let unit = found.get(3).map_or("", |unit| unit.as_str()).to_lowercase();
    let is_metric = unit.starts_with('m')
        || unit.contains("met")
        || (unit.starts_with(['s', 'q']) && unit.ends_with('m'));
    let metres = Span::between(first, value(2).unwrap_or(first)).map(|value| match is_metric {
        true => value * parts,
        false => value * parts / SQFT_IN_M2,
    });
    if metres.low <= 0.0 {
        return Err(format!(
            "an area of {} cannot be; it must be above zero",
            text.trim()
        ));
    }
    if metres.high > LARGEST_M2 {
        return Err(format!(
            "an area of {} is more than I can believe; the most is {LARGEST_M2:.0} m²",
            text.trim()
        ));
    }
    Ok((metres, is_metric))
}

const PARTS: &str = "floors?|storeys?|stor(?:y|ies)|levels?|buildings?|stores?|shops?|sites?|branch(?:es)?|wards?|halls?|rooms?|wings?|aisles?";

/// The number of floors or buildings that an area is multiplied by: "4 floors of 650 m²"; "900 m² per floor" needs the
/// number of floors.
fn parts(text: &str, (before, after): (&str, &str)) -> Result<f64, String> {
    static EACH: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&format!(
            r"(?i)^\s*(?:(?:(?:per|each|every|/)\s*|(?:on|for|in)\s+(?:each|every)\s+|an?\s+)(?:{PARTS})\b|each\b|apiece)"
        ))
    });
    static OF: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&format!(
            r"(?i)\b({COUNT})[\s-]*(?:{PARTS})\s+of\s*(?:about|around|roughly|approx\.?)?\s*$"
        ))
    });
    static HOW_MANY: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(&format!(r"(?i)\b({COUNT})[\s-]*(?:{PARTS})\b")));
    // "Each night" is a time.
    static TIME: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(r"(?i)^\s*each\s+(?:day|night|week|month|time|evening|morning)"));
    let is_each = first_match(&EACH, after).is_some() && first_match(&TIME, after).is_none();
    let nearest = || {
        let all = HOW_MANY.as_ref()?.captures_iter(before);
        let last = all.last().and_then(|found| found.get(1));
        last.map(|found| found.as_str().to_owned())
            .or_else(|| first_group(&HOW_MANY, text))
    };
    let each = if is_each { nearest() } else { None };
    let found = first_group(&OF, before).or(each);
    match found.and_then(|found| count(&found)) {
        Some(parts) if parts >= 1.0 => Ok(parts),
        Some(_) | None if is_each => {
            Err("that is the area of one part; give the area of all of them together".to_owned())
        }
        Some(_) | None => Ok(1.0),
    }
}

/// In both units, rounded.
pub(crate) fn area_in_words(metres: Span) -> String {
    format!("{} m² ({} sq ft)", metres.count(), in_feet(metres))
}

fn in_feet(metres: Span) -> String {
    metres.map(|metres| metres * SQFT_IN_M2).count()
}

/// The period of an amount or a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Every {
    Day,
    Week,
    Month,
    Year,
}

impl Every {
    /// The period that a phrase names.
    pub(crate) fn named(text: &str) -> Option<Every> {
        let text = text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if says(&["year", "annual", "annum", "/yr", "/y"]) {
            return Some(Every::Year);
        }
        if says(&["month", "/mo"]) {
            return Some(Every::Month);
        }
        if says(&["week", "wk"]) {
            return Some(Every::Week);
        }
        says(&["day", "daily", "night", "shift", "/d"]).then_some(Every::Day)
    }

    fn times_a_month(self) -> f64 {
        match self {
            Every::Day => MONTH_DAYS,
            Every::Week => WEEKS_IN_A_MONTH,
            Every::Month => 1.0,
            Every::Year => 1.0 / 12.0,
        }
    }
}

pub(super) const COUNT: &str = r"\d+(?:[.,]\d+)?|\b(?:half an|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)\b";

fn count(text: &str) -> Option<f64> {
    match text.to_lowercase().as_str() {
        "half an" => Some(0.5),
        "an" | "once" => Some(1.0),
        "twice" => Some(2.0),
        "thrice" => Some(3.0),
        other => number(other).or_else(|| in_words(other).map(f64::from)),
    }
}

pub(super) static HOURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)[-−]?({COUNT})(?:\s*(?:-|–|to|or)\s*({COUNT}))?[\s-]*(h(?:ou)?rs?\b|h\b|min(?:ute)?s?\b)(?:\s*(?:of (?:work|cleaning|labou?r)\s*)?(?:a|per|each|every)\s*(?:day|night|evening|week|month|shift|time|cleaning)|\s*(?:daily|nightly|weekly|monthly))?"
    ))
});

/// A time of work in a message, with its period: "2 to 3 hours a day".
pub(crate) fn find_hours(lower: &str) -> Option<String> {
    let own = only(lower, Unit::Hours);
    let hours = first_match(&HOURS, &own)?.replace('−', "-");
    let in_a_longer_period = ["week", "month"].iter().any(|word| own.contains(word));
    // The work of several people is multiplied, and shown so that it can be corrected.
    Some(match people(lower).filter(|people| *people > 1.0) {
        Some(people) if !in_a_longer_period => format!("{people} people × {hours}"),
        Some(_) | None => hours,
    })
}

/// Hours of cleaning a month. A time without a period is a day's; "2 people" multiplies it.
pub(crate) fn hours_a_month(text: &str, days: f64) -> Option<Span> {
    let own = only(text, Unit::Hours);
    let found = HOURS.as_ref()?.captures(&own)?;
    let first = count(found.get(1)?.as_str())?;
    let second = found.get(2).and_then(|other| count(other.as_str()));
    let unit = found.get(3)?.as_str().to_lowercase();
    let part = if unit.starts_with('m') { 60.0 } else { 1.0 };
    let times = match period_of_hours(&own) {
        Every::Day => days,
        other @ (Every::Week | Every::Month | Every::Year) => other.times_a_month(),
    };
    let factor = people(text).unwrap_or(1.0) * times / part;
    Some(Span::between(first, second.unwrap_or(first)).map(|hours| hours * factor))
}

/// The period that a time of cleaning is for.
pub(crate) fn period_of_hours(text: &str) -> Every {
    let after = text.split_once(['h', 'm']).map_or("", |(_, after)| after);
    Every::named(after)
        .or_else(|| Every::named(text))
        .unwrap_or(Every::Day)
}

/// The number of people who clean, unless the hours are said to be theirs together.
pub(crate) fn people(text: &str) -> Option<f64> {
    static PEOPLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&format!(
            r"(?i)({COUNT})\s+(?:\w+\s+)?(?:people|persons|cleaners|janitors|contractors|workers|staff|colleagues|men|women)\b"
        ))
    });
    let lower = text.to_lowercase();
    let together = ["in total", "altogether", "together", "combined", "in all"];
    if together.iter().any(|word| lower.contains(word)) {
        return None;
    }
    count(PEOPLE.as_ref()?.captures(text)?.get(1)?.as_str())
}

/// Checks a time of cleaning.
pub(crate) fn duration(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("other") {
        return Ok("Other".to_owned());
    }
    let cannot = || format!("{text} cannot be; say how many hours it takes each day");
    if text.starts_with('-') {
        return Err(cannot());
    }
    let Some(month) = hours_a_month(text, MONTH_DAYS) else {
        return Err(instead(text, "say how long it takes, such as 2 hr a day"));
    };
    if month.low <= 0.0 {
        return Err(cannot());
    }
    // Several people may clean at once, so a day may have more than 24 hours of work.
    if month.high > MONTH_DAYS * 240.0 {
        return Err(format!(
            "{text} is more work than I can believe; say how many hours it takes each day"
        ));
    }
    Ok(text.to_owned())
}

pub(super) static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)\b(?:(once|twice|thrice)|({COUNT})\s*(?:x|×|times|days|nights|evenings|mornings|visits|cleanings|cleans))\s*(?:(?:in )?an?\b|per|each|every|/)?\s*(day|daily|night(?:ly)?|week(?:ly)?|wk|month(?:ly)?|year(?:ly)?)"
    ))
});

/// The words for how often it is cleaned: "twice a day", "6 days a week", "daily".
pub(crate) fn find_frequency(text: &str) -> Option<&str> {
    static OFTEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(?:every (?:single |other )?(?:day|night|morning|evening|week|month)|daily|nightly|weekly|monthly|on weekdays|monday to friday)\b",
        )
    });
    first_match(&TIMES, text).or_else(|| first_match(&OFTEN, text))
}

/// How many times a month the floors are cleaned.
pub(crate) fn cleanings_a_month(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    if let Some(found) = TIMES.as_ref().and_then(|times| times.captures(&lower)) {
        let every = Every::named(found.get(3)?.as_str())?;
        let times = found.get(1).or(found.get(2))?.as_str();
        return Some(count(times)? * every.times_a_month());
    }
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["every other day"]) {
        return Some(MONTH_DAYS / 2.0);
    }
    if says(&["weekday", "monday to friday"]) {
        return Some(5.0 * WEEKS_IN_A_MONTH);
    }
    if says(&["week"]) {
        return Some(WEEKS_IN_A_MONTH);
    }
    if says(&["month"]) {
        return Some(1.0);
    }
    says(&["day", "daily", "night", "evening", "morning"]).then_some(MONTH_DAYS)
}

/// The hours between two times of the day: "from 10 pm to 6 am", "22:00-06:00".
pub(crate) fn window_hours(text: &str) -> Option<f64> {
    static WINDOW: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)\b(\d{1,2})(?::(\d\d))?\s*(am|pm)?\s*(?:-|–|to|and|until|till)\s*(\d{1,2})(?::(\d\d))?\s*(am|pm)?\b",
        )
    });
    let found = WINDOW.as_ref()?.captures(text)?;
    // Two bare numbers may be anything.
    found
        .get(2)
        .or(found.get(3))
        .or(found.get(5))
        .or(found.get(6))?;
    let at = |hour: usize, half: Option<&str>| {
        let part = |place| found.get(place).and_then(|part| number(part.as_str()));
        let (hours, minutes) = (part(hour)?, part(hour + 1).unwrap_or(0.0));
        let hours = match half.map(str::to_lowercase).as_deref() {
            Some("pm") if hours < 12.0 => hours + 12.0,
            Some("am") if hours == 12.0 => 0.0,
            Some(_) | None => hours,
        };
        (hours <= 24.0).then_some(hours + minutes / 60.0)
    };
    let half = |place| found.get(place).map(|half| half.as_str());
    let (from, to) = (at(1, half(3))?, at(4, half(6))?);
    let hours = (to - from).rem_euclid(24.0);
    (hours > 0.0).then_some(hours)
}

/// US dollars for an hour of work: "$22 an hour", "19/h".
pub(crate) fn find_wage(lower: &str) -> Option<f64> {
    other_currency(lower).ok()?;
    let rate = first_group(&WAGE, lower).and_then(|rate| number(&rate));
    rate.filter(|rate| (1.0..=1000.0).contains(rate))
}

pub(super) const CURRENCY: &str =
    "dollars?|usd|bucks|euros?|eur|gbp|pounds?|sek|nok|dkk|kronor|chf|rub|rubles|cad|aud";

/// Of a range the last number counts.
pub(super) static WAGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:\$?\d+(?:[.,]\d+)?\s*(?:-|–|to)\s*)?(?:\b|\$)(\d+(?:[.,]\d+)?)\s*(?:dollars|usd|bucks)?\s*(?:an hour|per hour|hourly|/\s?h(?:ou)?r?\b)",
    )
});

/// Whether a text has an amount with its currency.
pub(crate) fn is_amount(lower: &str) -> bool {
    static MONEY: LazyLock<Option<Regex>> =
        LazyLock::new(|| pattern(&format!(r"[$€£¥₽₹]|\b(?:{CURRENCY})\b")));
    first_match(&MONEY, lower).is_some()
}

static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const DIGITS: &str = r"(\d[\d.,' ]*\d|\d)\s*(k\b|thousand\b|million\b|m\b)?";
    const SIGN: &str = r"(?:[$€£¥₽₹]\s?)?";
    pattern(&format!(
        r"(?i)(?:(<|\b(?:under|below|less than|up to|at most))\s*)?(minus\s|[-−]\s?)?{SIGN}([-−])?{DIGITS}(?:\s*(?:-|–|—|to|and|or)\s*{SIGN}{DIGITS})?\s*(?:(?:{CURRENCY})\b)?\+?\s*(?:(?:a|per|each|every)\s*(?:month|year|week|day|annum)|/\s?(?:month|mo|year|yr|week|wk)|monthly|yearly|annually|weekly)?"
    ))
});

/// The first amount of money in a sentence, with the period after it. It has a currency or a period.
pub(crate) fn find_amount(lower: &str) -> Option<String> {
    let own = only(lower, Unit::Money);
    let mut all = AMOUNT.as_ref()?.find_iter(&own).map(|found| {
        let text = found.as_str().trim().trim_end_matches(['.', ',']);
        // "between $3,000 and $4,000".
        text.replace(" and ", " to ")
    });
    all.find(|text| {
        let periods = ["month", "year", "week", "annu", "/mo", "/yr"];
        let has_period = periods.iter().any(|period| text.contains(period));
        has_period || is_amount(text) || text.contains('k')
    })
}

/// Dollars a month. "under X" and "X to Y" are ranges; "X+" counts as X, the least it can be.
pub(crate) fn dollars_a_month(text: &str) -> Result<Span, String> {
    other_currency(text)?;
    let ask = || "say the amount in US dollars a month, such as $3,500".to_owned();
    let own = only(text, Unit::Money);
    let found = AMOUNT
        .as_ref()
        .and_then(|amount| amount.captures(&own))
        .ok_or_else(|| instead(text, &ask()))?;
    let factor = |place| {
        let unit = found.get(place).map(|unit| unit.as_str().to_lowercase());
        match unit.as_deref() {
            Some("k" | "thousand") => Some(1_000.0),
            Some("m" | "million") => Some(1_000_000.0),
            Some(_) | None => None,
        }
    };
    let digits = |place| found.get(place).and_then(|digits| number(digits.as_str()));
    let shared = factor(7);
    // "2 to 3k" are thousands on both sides.
    let first = digits(4).ok_or_else(ask)? * factor(5).or(shared).unwrap_or(1.0);
    let second = digits(6).map(|second| second * shared.unwrap_or(1.0));
    if found.get(2).is_some() || found.get(3).is_some() {
        return Err(format!("{} is below zero; {}", text.trim(), ask()));
    }
    let every = Every::named(&own).unwrap_or(Every::Month);
    let least = if found.get(1).is_some() { 0.0 } else { first };
    let month =
        Span::between(least, second.unwrap_or(first)).map(|amount| amount * every.times_a_month());
    if month.high > MOST_DOLLARS {
        return Err(format!(
            "{} is more than I can believe; {}",
            text.trim(),
            ask()
        ));
    }
    Ok(month)
}

/// Refuses an amount that is not in dollars: no exchange rate is known here.
pub(crate) fn other_currency(text: &str) -> Result<(), String> {
    static OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)€|£|¥|₽|₹|\b(?:eur|euros?|gbp|pounds?|sek|nok|dkk|kronor|kroner|chf|francs?|rub|rubles?|roubles?|yen|jpy|inr|rupees?|cad|aud|cny|yuan)\b",
        )
    });
    match OTHER.as_ref().and_then(|other| other.find(text)) {
        Some(found) => Err(format!(
            "I calculate in US dollars and know no rate for {}; say the amount in US dollars",
            found.as_str()
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "quantity_tests.rs"]
mod quantity_tests;
