//! Numbers with their units, and the parameter that each belongs to by the words around it.

use serde_json::Value;

use super::Reading;
use crate::schema::{Kind, Param};
use crate::text::{Word, same_stem};

/// A number of a message. `first..=last` are the words it is written in.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figure {
    first: usize,
    last: usize,
    value: f64,
    percent: bool,
    money: bool,
}

/// Number words from two on. Words with another meaning in one of the languages are left out: "to" is two
/// in Danish, "fire" is four in Norwegian.
const SPELLED: [&[&str]; 9] = [
    &["two", "två", "zwei", "два", "двух", "двое"],
    &["three", "tre", "drei", "три", "трёх", "трех", "трое"],
    &["four", "fyra", "vier", "четыре", "четырёх"],
    &["five", "fem", "fünf", "пять", "пяти", "пятерых"],
    &["six", "seks", "sechs", "шесть", "шести"],
    &["seven", "sju", "syv", "sieben", "семь", "семи"],
    &["eight", "åtta", "otte", "åtte", "acht", "восемь", "восьми"],
    &["nine", "nio", "neun", "девять", "девяти"],
    &["ten", "tio", "zehn", "десять", "десяти"],
];
/// Beginnings of words that multiply the number before them.
const MULTIPLIERS: [(&str, f64); 7] = [
    ("thousand", 1e3),
    ("tusen", 1e3),
    ("tausend", 1e3),
    ("тыс", 1e3),
    ("million", 1e6),
    ("miljon", 1e6),
    ("миллион", 1e6),
];
const CURRENCIES: [char; 4] = ['$', '€', '£', '₽'];
const MONEY_WORDS: [&str; 12] = [
    "dollars",
    "dollar",
    "euro",
    "euros",
    "usd",
    "eur",
    "price",
    "cost",
    "costs",
    "рублях",
    "рублей",
    "цена",
];
const COUNT_WORDS: [&str; 8] = [
    "many",
    "count",
    "limit",
    "сколько",
    "antal",
    "antall",
    "anzahl",
    "viele",
];
/// Words that tell parameters apart in no language.
const SHORTEST_CUE: usize = 3;
const COMMON: [&str; 12] = [
    "the", "and", "for", "from", "this", "that", "with", "most", "only", "not", "что", "для",
];
/// How many words before a number are evidence for its parameter.
const REACH: usize = 4;
/// Evidence that a number belongs to a parameter.
const ENOUGH: usize = 2;

impl Reading<'_> {
    pub(super) fn read_numbers(&mut self) {
        let params = self.params(|kind| matches!(kind, Kind::Integer | Kind::Number));
        if params.is_empty() {
            return;
        }
        let figures = self.figures();
        let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
        for (f, figure) in figures.iter().enumerate() {
            for (p, param) in params.iter().enumerate() {
                if value_for(figure, param).is_some() {
                    pairs.push((self.evidence(figure, param), f, p));
                }
            }
        }
        pairs.sort_by_key(|(evidence, f, p)| (std::cmp::Reverse(*evidence), *f, *p));
        let mut taken = Vec::new();
        for (evidence, f, p) in pairs {
            let (figure, param) = (&figures[f], params[p]);
            let counts = is_count(param) && !figure.money && !figure.percent;
            let enough = evidence >= ENOUGH || counts;
            if !enough || taken.contains(&f) || self.has(param) {
                continue;
            }
            if let Some(value) = value_for(figure, param) {
                taken.push(f);
                self.used
                    .push((self.words[figure.first].start, self.words[figure.last].end));
                self.put(param, value);
            }
        }
    }

    /// The numbers that no other value contains.
    fn figures(&self) -> Vec<Figure> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.words.len() {
            let free = !self.is_used(self.words[at].start, self.words[at].end);
            match figure(&self.words, at, self.text).filter(|_| free) {
                Some(figure) => {
                    at = figure.last + 1;
                    found.push(figure);
                }
                None => at += 1,
            }
        }
        found
    }

    fn evidence(&self, figure: &Figure, param: &Param) -> usize {
        let contexts = self.tool().contexts.get(&param.name);
        let mut sum = contexts.map_or(0, |own| own.agreement(&self.words, figure.first));
        let before = &self.words[figure.first.saturating_sub(REACH)..figure.first];
        let after = self.words[figure.last + 1..].iter().take(2);
        for word in before.iter().chain(after) {
            sum += if is_cue(word, &param.own_words) {
                2
            } else {
                usize::from(is_cue(word, &param.keywords))
            };
        }
        // The unit stands right behind the number.
        if let Some(unit) = self.words.get(figure.last + 1) {
            let known = contexts.is_some_and(|own| own.after.contains(&unit.lower));
            sum += 2 * usize::from(known) + usize::from(is_cue(unit, &param.own_words));
            sum += usize::from(is_cue(unit, &param.keywords));
        }
        let takes_money = param
            .keywords
            .iter()
            .any(|word| MONEY_WORDS.contains(&word.as_str()));
        let takes_share = param.limits.maximum.is_some_and(|maximum| maximum <= 1.0);
        sum + 2 * usize::from(figure.money && takes_money)
            + 2 * usize::from(figure.percent && takes_share)
    }
}

fn is_count(param: &Param) -> bool {
    let counts = |word: &String| COUNT_WORDS.contains(&word.as_str());
    matches!(param.kind, Kind::Integer) && param.keywords.iter().any(counts)
}

fn is_cue(word: &Word, cues: &[String]) -> bool {
    let tells = |cue: &&String| {
        let unit = cue.chars().count() >= SHORTEST_CUE || *cue == "cm";
        unit && !COMMON.contains(&cue.as_str())
    };
    let known = |cue: &String| *cue == word.lower || same_stem(cue, &word.lower);
    cues.iter().filter(tells).any(known)
}

/// The value that a number gives a parameter, within its limits.
fn value_for(figure: &Figure, param: &Param) -> Option<Value> {
    let share = param.limits.maximum.is_some_and(|maximum| maximum <= 1.0);
    let number = if figure.percent && share {
        (figure.value * 100.0).round() / 10_000.0
    } else {
        figure.value
    };
    let above = param.limits.minimum.is_none_or(|minimum| number >= minimum);
    let below = param.limits.maximum.is_none_or(|maximum| number <= maximum);
    if !above || !below {
        return None;
    }
    /// Up to here a float holds every integer.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = number.fract() == 0.0 && number.abs() <= EXACT;
    match (&param.kind, whole) {
        (_, true) => Some(Value::from(number as i64)),
        (Kind::Integer, false) => None,
        (_, false) => Some(Value::from(number)),
    }
}

fn figure(words: &[Word], at: usize, text: &str) -> Option<Figure> {
    let word = &words[at];
    let spelled = SPELLED
        .iter()
        .position(|names| names.contains(&word.lower.as_str()));
    let mut last = at;
    let mut value = match spelled {
        Some(place) => (place + 2) as f64,
        None => {
            let mut digits = digits(&word.lower)?.to_owned();
            while let Some(group) = words
                .get(last + 1)
                .filter(|next| groups(&words[last], next, text))
            {
                digits.push_str(&group.lower);
                last += 1;
            }
            parse(&digits)?
        }
    };
    if let Some(next) = words.get(last + 1) {
        let factor = MULTIPLIERS
            .iter()
            .find(|(name, _)| next.lower.starts_with(name));
        if let Some((_, factor)) = factor {
            value *= factor;
            last += 1;
        }
    }
    if word.lower.ends_with(['k', 'к']) && word.has_digit() {
        value *= 1e3;
    }
    let before = text[..word.start].trim_end().chars().next_back();
    let after = text[words[last].end..].trim_start().chars().next();
    Some(Figure {
        first: at,
        last,
        value,
        percent: after == Some('%'),
        money: [before, after]
            .into_iter()
            .flatten()
            .any(|c| CURRENCIES.contains(&c)),
    })
}

/// The digits of a word: all of it, behind a hyphen (`top-5`), or before a unit (`80cm`, `5k`).
fn digits(lower: &str) -> Option<&str> {
    if !lower.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let numeric = |part: &str| {
        part.chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
    };
    if numeric(lower) {
        return Some(lower);
    }
    if let Some((before, after)) = lower.split_once('-') {
        let named = before.chars().all(char::is_alphabetic) && before.chars().count() > 2;
        return Some(after).filter(|after| named && numeric(after) && !after.is_empty());
    }
    let unit = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let short = unit.chars().all(char::is_alphabetic) && unit.chars().count() <= 2;
    let digits = &lower[..lower.len() - unit.len()];
    Some(digits).filter(|digits| short && !digits.is_empty())
}

/// Whether the next word is another group of three digits: `50 000`.
fn groups(word: &Word, next: &Word, text: &str) -> bool {
    let three =
        |word: &Word| word.lower.len() == 3 && word.lower.bytes().all(|b| b.is_ascii_digit());
    let starts = word.lower.len() <= 3 && word.lower.bytes().all(|b| b.is_ascii_digit());
    let gap = &text[word.end..next.start];
    starts && three(next) && matches!(gap, " " | "\u{a0}" | "\u{202f}")
}

/// Separators of thousands are left out; a comma before other than three digits is a decimal point.
fn parse(digits: &str) -> Option<f64> {
    const LONGEST: usize = 18;
    let thousands = |separator: char| {
        let mut parts = digits.split(separator);
        let first = parts
            .next()
            .is_some_and(|part| (1..=3).contains(&part.len()));
        let mut rest = parts.peekable();
        first && rest.peek().is_some() && rest.all(|part| part.len() == 3)
    };
    let plain = if thousands(',') {
        digits.replace(',', "")
    } else if digits.matches('.').count() > 1 {
        digits.replace('.', "")
    } else {
        digits.replace(',', ".")
    };
    let number: f64 = plain.parse().ok()?;
    (digits.len() <= LONGEST && number.is_finite()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;

    fn read(text: &str) -> Vec<(f64, bool, bool)> {
        let words = words(text);
        let found = (0..words.len()).filter_map(|at| figure(&words, at, text));
        found.map(|f| (f.value, f.percent, f.money)).collect()
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(read("$3,500 a month")[0], (3500.0, false, true));
        assert_eq!(read("до 50 тысяч")[0].0, 50_000.0);
        assert_eq!(read("50 000 рублей")[0].0, 50_000.0);
        assert_eq!(read("2,5 Stunden")[0].0, 2.5);
        assert_eq!(read("70% used")[0], (70.0, true, false));
        assert_eq!(read("топ-5")[0].0, 5.0);
        assert_eq!(read("80cm wide")[0].0, 80.0);
        assert!(read("GP-2026-0007").is_empty());
        assert!(read("COVID-19-free v2beta").is_empty());
    }

    #[test]
    fn a_number_has_no_hidden_unit() {
        // "time" is Danish for hour; the number stays as it is written.
        assert_eq!(read("time to fill 16 days").last().unwrap().0, 16.0);
    }
}
