//! Numbers with their units as people say them: areas, hours, amounts of money. What cannot be meant is refused in a
//! sentence that says what would do.

use std::sync::LazyLock;

use regex::Regex;

/// Square feet in a square metre.
const SQFT_IN_M2: f64 = 10.763_9;
/// No floor that one robot cleans is larger.
const LARGEST_M2: f64 = 1_000_000.0;
const MOST_COURTS: f64 = 200.0;
const MOST_DOLLARS: f64 = 10_000_000.0;
const DAYS_IN_A_MONTH: f64 = 30.0;
const WEEKS_IN_A_MONTH: f64 = 52.0 / 12.0;

/// A pattern that is known to be one; an empty one would match nothing anyway.
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
    // The last of the two is the decimal sign, unless three digits follow and there is no other.
    let decimals = |at: Option<usize>| at.map_or(0, |at| plain.len() - at - 1);
    plain = match (comma, point) {
        (Some(c), Some(p)) if c > p => plain.replace('.', "").replace(',', "."),
        (Some(_), Some(_)) => plain.replace(',', ""),
        (Some(_), None) if decimals(comma) == 3 || plain.matches(',').count() > 1 => {
            plain.replace(',', "")
        }
        (Some(_), None) => plain.replace(',', "."),
        (None, Some(_)) if plain.matches('.').count() > 1 => plain.replace('.', ""),
        (None, Some(_) | None) => plain,
    };
    let value: f64 = plain.parse().ok()?;
    (value * factor).is_finite().then_some(value * factor)
}

/// "six" and its like, up to twenty.
pub(crate) fn in_words(word: &str) -> Option<u32> {
    const WORDS: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let place = WORDS
        .iter()
        .position(|known| *known == word.to_lowercase())?;
    u32::try_from(place).ok()
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

/// A floor area in square metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area(pub(crate) f64);

impl Area {
    /// Reads a number with its unit. Without one nobody knows which is meant.
    pub(crate) fn read(text: &str) -> Result<Area, String> {
        static AREA: LazyLock<Option<Regex>> = LazyLock::new(|| {
            pattern(
                r"(?i)(-?\s?\d[\d.,' ]*k?)\s*-?\s*(sq\.?\s*-?\s*f(?:ee|oo)?t|square[\s-]*f(?:ee|oo)t|sqft|ft2|ft²|sf|m2|m²|sqm|sq\.?\s*m\b|square[\s-]*met(?:re|er)s?)",
            )
        });
        // In its own words the feet are the finer of the two: read again, they must stay what they were.
        let own = text.split_once(" m² (").map(|(_, feet)| feet);
        let text = own.filter(|feet| feet.ends_with(" sq ft)")).unwrap_or(text);
        let Some(found) = AREA.as_ref().and_then(|area| area.captures(text)) else {
            return Err("say the area with its unit, such as 1,000 m² or 10,000 sq ft".to_owned());
        };
        let Some(value) = found
            .get(1)
            .and_then(|number_| number(number_.as_str().trim()))
        else {
            return Err("say the area with its unit, such as 1,000 m² or 10,000 sq ft".to_owned());
        };
        let unit = found.get(2).map_or("", |unit| unit.as_str()).to_lowercase();
        let metres = if unit.starts_with('m')
            || unit.contains("met")
            || unit == "sqm"
            || (unit.starts_with("sq") && unit.ends_with('m'))
        {
            value
        } else {
            value / SQFT_IN_M2
        };
        if metres <= 0.0 {
            return Err(format!(
                "an area of {} cannot be; it must be above zero",
                text.trim()
            ));
        }
        if metres > LARGEST_M2 {
            return Err(format!(
                "an area of {} is more than I can believe; the most is {LARGEST_M2:.0} m²",
                text.trim()
            ));
        }
        Ok(Area(metres))
    }

    /// In both units, rounded.
    pub(crate) fn in_words(self) -> String {
        let metres = super::money::grouped(self.0);
        let feet = super::money::grouped(self.0 * SQFT_IN_M2);
        format!("{metres} m² ({feet} sq ft)")
    }
}

/// How often an amount or a time comes round.
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
        if says(&["week", "/wk"]) {
            return Some(Every::Week);
        }
        says(&["day", "daily", "night", "shift", "/d"]).then_some(Every::Day)
    }

    fn times_a_month(self) -> f64 {
        match self {
            Every::Day => DAYS_IN_A_MONTH,
            Every::Week => WEEKS_IN_A_MONTH,
            Every::Month => 1.0,
            Every::Year => 1.0 / 12.0,
        }
    }
}

/// Hours of cleaning a month, as an answer says them. A time without a period is a day's.
pub(crate) fn hours_a_month(text: &str) -> Option<f64> {
    static HOURS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)(\d+(?:[.,]\d+)?|\b(?:half an|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)\s*-?\s*(h(?:ou)?rs?\b|h\b|min(?:ute)?s?\b)",
        )
    });
    let found = HOURS.as_ref()?.captures(text)?;
    let amount = found.get(1)?.as_str().to_lowercase();
    let amount = match amount.as_str() {
        "half an" => 0.5,
        "an" => 1.0,
        other => number(other).or_else(|| in_words(other).map(f64::from))?,
    };
    let unit = found.get(2)?.as_str().to_lowercase();
    let hours = if unit.starts_with('m') {
        amount / 60.0
    } else {
        amount
    };
    let after = text.get(found.get(0)?.end()..).unwrap_or_default();
    let every = Every::named(after)
        .or_else(|| Every::named(text))
        .unwrap_or(Every::Day);
    Some(hours * every.times_a_month())
}

/// Checks a time of cleaning.
pub(crate) fn duration(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("other") {
        return Ok("Other".to_owned());
    }
    if text.contains('-') && text.trim_start().starts_with('-') {
        return Err(format!(
            "{text} cannot be; say how many hours it takes each day"
        ));
    }
    let Some(month) = hours_a_month(text) else {
        return Err("say how long it takes, such as 2 hr a day".to_owned());
    };
    if month <= 0.0 {
        return Err(format!(
            "{text} cannot be; say how many hours it takes each day"
        ));
    }
    // Several people may clean at once, so a day may have more than 24 hours of work.
    if month > DAYS_IN_A_MONTH * 240.0 {
        return Err(format!(
            "{text} is more work than I can believe; say how many hours it takes each day"
        ));
    }
    Ok(text.to_owned())
}

/// What cleaning costs a month in dollars, as an answer says it. The four bands that are offered count as their middle.
pub(crate) fn dollars_a_month(text: &str) -> Result<f64, String> {
    const BANDS: [(&str, f64); 4] = [
        ("<$2,000", 1_500.0),
        ("$2,000 - $5,000", 3_500.0),
        ("$5,000 - $10,000", 7_500.0),
        ("$10,000+", 12_000.0),
    ];
    let plain = |text: &str| text.replace([' ', ','], "").replace(['–', '—'], "-");
    if let Some((_, middle)) = BANDS
        .iter()
        .find(|(band, _)| plain(band) == plain(text.trim()))
    {
        return Ok(*middle);
    }
    other_currency(text)?;
    static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)(-|−|minus\s)?\s*\$?\s*(-)?(\d[\d.,' ]*\d|\d)\s*(k\b|thousand\b|million\b|m\b)?",
        )
    });
    let ask = || "say the amount in US dollars a month, such as $3,500".to_owned();
    let found = AMOUNT
        .as_ref()
        .and_then(|amount| amount.captures(text))
        .ok_or_else(ask)?;
    let digits = found.get(3).map_or("", |digits| digits.as_str());
    let factor = match found
        .get(4)
        .map(|factor| factor.as_str().to_lowercase())
        .as_deref()
    {
        Some("k" | "thousand") => 1_000.0,
        Some("m" | "million") => 1_000_000.0,
        Some(_) | None => 1.0,
    };
    let amount = number(digits).ok_or_else(ask)? * factor;
    if found.get(1).is_some() || found.get(2).is_some() {
        return Err(format!("{} is below zero; {}", text.trim(), ask()));
    }
    let every = Every::named(text).unwrap_or(Every::Month);
    let month = amount * every.times_a_month();
    if month > MOST_DOLLARS {
        return Err(format!(
            "{} is more than I can believe; {}",
            text.trim(),
            ask()
        ));
    }
    Ok(month)
}

/// Refuses an amount that is not in dollars: no rate of exchange is known here, and none is made up.
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
