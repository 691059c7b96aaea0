//! Numbers with their units, assigned to parameters by the words around them.

use std::cmp::Reverse;

use serde_json::Value;

use super::Reading;
use crate::lists;
use crate::schema::{Kind, Param};
use crate::text::{Word, same_stem};

/// A number in a message, written in the words `first..=last`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figure {
    first: usize,
    last: usize,
    value: f64,
    /// A thousand in "45 thousand".
    scale: f64,
    percent: bool,
    money: bool,
}

/// The side of a limit that a number is, or that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    AtLeast,
    AtMost,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::AtLeast => Self::AtMost,
            Self::AtMost => Self::AtLeast,
        }
    }

    /// The side of a parameter such as `min_price`; `None` for other parameters.
    fn of(param: &Param) -> Option<Self> {
        let named = |names: [&str; 2]| {
            param
                .own_words
                .iter()
                .any(|word| names.contains(&word.as_str()))
        };
        if named(["min", "minimum"]) {
            return Some(Self::AtLeast);
        }
        named(["max", "maximum"]).then_some(Self::AtMost)
    }
}

/// Whether a tool filters by limits.
pub(super) fn takes_limits(params: &[Param]) -> bool {
    params.iter().any(|param| Side::of(param).is_some())
}

/// A comparison before or behind a number: "more than 5", "не дороже 40000", "10 or less".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comparison {
    side: Side,
    /// Its words, with a negation.
    first: usize,
    last: usize,
    /// The number itself is not included.
    strict: bool,
}

/// The kind of quantity that a number is by its unit, or that a parameter takes by its description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Money,
    Count,
    Hours,
    Area,
    /// "3x a week", "5 days a week".
    Frequency,
    Days,
}

impl Measure {
    fn named(word: &str) -> Option<Self> {
        let mut lists = MEASURES.iter();
        let found = lists.find(|(list, _)| lists::contains(list, word));
        found.map(|(_, measure)| *measure)
    }

    /// By the first word of the name and description that tells it. "Limit" and its like may belong to any measure.
    fn of(param: &Param) -> Option<Self> {
        let named = || param.keywords.iter().filter_map(|word| Self::named(word));
        named()
            .find(|measure| *measure != Self::Count)
            .or_else(|| named().next())
    }
}

/// Lists of units.
const UNITS: [&str; 4] = ["days", "weeks", "months", "currency"];
const TIMES: [&str; 3] = ["days", "weeks", "months"];
/// Lists of units and of words for them in descriptions, each with the kind of quantity that it measures.
const MEASURES: [(&str, Measure); 9] = [
    ("currency", Measure::Money),
    ("money", Measure::Money),
    ("count", Measure::Count),
    ("hours", Measure::Hours),
    ("area", Measure::Area),
    ("times", Measure::Frequency),
    ("days", Measure::Days),
    ("weeks", Measure::Days),
    ("months", Measure::Days),
];
const CURRENCIES: [char; 4] = ['$', '€', '£', '₽'];
/// Number of words before a number that count as evidence.
const REACH: usize = 4;
/// Minimum evidence that a number belongs to a parameter.
const ENOUGH: usize = 2;

impl Reading<'_> {
    pub(super) fn read_numbers(&mut self) {
        let params = self.params(|kind| matches!(kind, Kind::Integer | Kind::Number));
        let sole = params.iter().filter(|param| is_count(param)).count() == 1;
        let figures = self.figures();
        let mut pairs: Vec<(usize, Figure, &Param, Value)> = Vec::new();
        for figure in &figures {
            let mut own = self.candidates(figure, &params);
            let reads = !self.tool().writes && self.comparison(figure).is_some();
            if reads && own.len() == 1 {
                // No other limit admits the number.
                own[0].0 += 1;
            }
            let topical = |(_, _, param, _): &&(usize, Figure, &Param, Value)| {
                self.topic(figure, param, &params) > 0
            };
            // "Scored below 20 in the interview": of which of the two?
            let ambiguous = figures.len() == 1 && own.iter().filter(topical).count() > 1;
            if !(reads && ambiguous) {
                pairs.extend(own);
            }
        }
        pairs.sort_by_key(|(evidence, figure, ..)| (Reverse(*evidence), figure.first));
        for (evidence, figure, param, value) in pairs {
            let bare = !figure.money && !figure.percent && self.comparison(&figure).is_none();
            let unitless = self.unit_of(&figure).is_none() && self.measure(&figure).is_none();
            let counts = sole && is_count(param) && bare && unitless;
            let end = self.words[figure.last].end;
            let start = self.words[figure.first].start;
            if (evidence >= ENOUGH || counts) && !self.has(param) && !self.is_used(start, end) {
                self.take(param, value, start, end);
                let about = self.words_about(&figure, param);
                self.used.extend(about);
            }
        }
    }

    /// The parameters that a number may belong to, with the evidence and the value.
    fn candidates<'p>(
        &self,
        figure: &Figure,
        params: &[&'p Param],
    ) -> Vec<(usize, Figure, &'p Param, Value)> {
        let (comparison, unit) = (self.comparison(figure), self.unit_of(figure));
        let measure = self.measure(figure);
        let side = comparison.map(|one| one.side);
        let time = unit.filter(|word| is_time_unit(word) && !self.tool().writes);
        let found = params.iter().filter_map(|param| {
            let own = Side::of(param);
            // "Over 70000" is never a maximum.
            if side.zip(own).is_some_and(|(side, own)| side != own) {
                return None;
            }
            let stated = usize::from(side.is_some() && side == own);
            let is_led = self.leads_to(figure, param) || self.joins_limit(figure, param);
            if own.is_some() && stated == 0 && !self.tool().writes && !is_led {
                return None;
            }
            if time.is_some() && !is_time(param) {
                return None;
            }
            // "3x a week" and "per month" are never an amount of money.
            let pair = measure.zip(Measure::of(param));
            if pair.is_some_and(|(carried, taken)| carried != taken) {
                return None;
            }
            let shifted = shifted(in_unit_of(param, *figure, unit), comparison, param);
            let value = value_for(&shifted, param)?;
            let evidence = self.evidence(figure, param)
                + stated
                + self.topic(figure, param, params)
                + ENOUGH * usize::from(time.is_some());
            Some((evidence, *figure, *param, value))
        });
        found.collect()
    }

    /// The words that belong to a number's value: its unit, its comparison, and words of the parameter.
    fn words_about(&self, figure: &Figure, param: &Param) -> Vec<(usize, usize)> {
        let comparison = self.comparison(figure);
        let unit = self.unit_of(figure).map(|word| word.start);
        let all = self.words.iter().enumerate();
        let own = all.filter(|(at, word)| {
            let compares = comparison.is_some_and(|one| one.first <= *at && *at <= one.last);
            compares || unit == Some(word.start) || is_cue(word, &param.keywords)
        });
        own.map(|(_, word)| (word.start, word.end)).collect()
    }

    /// A unit of time or money: "5 days", "a week".
    fn unit_of(&self, figure: &Figure) -> Option<&Word> {
        let is_unit = |word: &&Word| UNITS.iter().any(|list| lists::contains(list, &word.lower));
        let own = self.words.get(figure.last).filter(is_unit);
        own.or_else(|| self.words.get(figure.last + 1).filter(is_unit))
    }

    /// The measure of a number by its unit. Money and counts are weighed as evidence instead.
    fn measure(&self, figure: &Figure) -> Option<Measure> {
        let letters = |word: &Word| {
            let unit = word
                .lower
                .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
            Measure::named(unit)
        };
        let after = |words: usize| {
            let word = self.words.get(figure.last + words)?;
            let between = &self.text[self.words[figure.last].end..word.start];
            // "6,250/month" is for a month.
            Measure::named(&word.lower).filter(|_| !between.contains('/'))
        };
        if figure.money {
            return None;
        }
        let own = self.words.get(figure.last).and_then(letters);
        match own.or_else(|| after(1))? {
            // "5 days a week".
            Measure::Days if after(2).or_else(|| after(3)) == Some(Measure::Days) => {
                Some(Measure::Frequency)
            }
            found @ (Measure::Hours | Measure::Area | Measure::Frequency | Measure::Days) => {
                Some(found)
            }
            Measure::Money | Measure::Count => None,
        }
    }

    /// "Within 40000 and 10 days": the second number is a maximum like the first, and its unit names it.
    fn joins_limit(&self, figure: &Figure, param: &Param) -> bool {
        let pair = figure
            .first
            .checked_sub(2)
            .map(|at| &self.words[at..at + 2]);
        let Some([before, and]) = pair else {
            return false;
        };
        let unit = self.unit_of(figure);
        let is_named = unit.is_some_and(is_time_unit) && is_time(param);
        let counted = before.has_digit()
            || UNITS
                .iter()
                .any(|list| lists::contains(list, &before.lower));
        let mut earlier = self.words[..figure.first].iter();
        let more = earlier.any(|word| lists::contains("at least", &word.lower));
        let joined = lists::contains("and", &and.lower) && counted && !more;
        joined && is_named && Side::of(param) == Some(Side::AtMost)
    }

    /// Words before the number lead to this parameter in an example: "fits in 50000".
    fn leads_to(&self, figure: &Figure, param: &Param) -> bool {
        let contexts = self.tool().contexts.get(&param.name);
        contexts.is_some_and(|own| own.agreement(&self.words, figure.first) > 0)
    }

    /// Whether a number begins at this word.
    pub(super) fn figure_at(&self, at: usize) -> bool {
        figure(&self.words, at, self.text).is_some()
    }

    /// The nearest comparison: up to four words before the number, or "or more" behind it.
    fn comparison(&self, figure: &Figure) -> Option<Comparison> {
        let before = self.words[..figure.first]
            .iter()
            .enumerate()
            .rev()
            .take(REACH);
        let before = before.take_while(|(_, word)| !word.has_digit());
        let after = self.words.iter().enumerate().skip(figure.last + 1).take(3);
        let found = before.chain(after).find_map(|(at, word)| {
            let side = if lists::contains("at least", &word.lower) {
                Side::AtLeast
            } else if lists::contains("at most", &word.lower) {
                Side::AtMost
            } else {
                return None;
            };
            Some((at, side, lists::contains("strictly", &word.lower)))
        });
        let Some((at, side, strict)) = found else {
            return self.end_of_range(figure);
        };
        // "5 or more" includes 5, and "не больше 5" is a maximum that includes it.
        let behind = at > figure.last;
        let negated = at > 0 && lists::contains("negation", &self.words[at - 1].lower);
        Some(Comparison {
            side: if negated && strict {
                side.other()
            } else {
                side
            },
            strict: strict && !negated && !behind,
            first: at - usize::from(negated),
            last: at,
        })
    }

    /// "Between 5 and 10": the second number is a maximum.
    fn end_of_range(&self, figure: &Figure) -> Option<Comparison> {
        let and = figure.first.checked_sub(1)?;
        let is_range = lists::contains("and", &self.words[and].lower)
            && lists::any("between", &self.words[and.saturating_sub(REACH)..and]);
        is_range.then_some(Comparison {
            side: Side::AtMost,
            first: and,
            last: and,
            strict: false,
        })
    }

    /// Evidence from the rest of the message: a word that describes this parameter and no other one of the
    /// same side.
    fn topic(&self, figure: &Figure, param: &Param, params: &[&Param]) -> usize {
        let side = Side::of(param);
        let rivals = params
            .iter()
            .filter(|other| other.name != param.name && Side::of(other) == side);
        let rivals: Vec<&&Param> = rivals.collect();
        let own = |word: &Word| {
            let shared = rivals.iter().any(|other| is_cue(word, &other.keywords));
            is_cue(word, &param.keywords) && !shared
        };
        let others = self.words.iter().enumerate();
        let mut others = others.filter(|(at, _)| *at < figure.first || *at > figure.last);
        usize::from(side.is_some() && others.any(|(_, word)| own(word)))
    }

    /// The numbers that no other value contains.
    fn figures(&self) -> Vec<Figure> {
        let mut found: Vec<Figure> = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let inside = found.last().is_some_and(|figure| at <= figure.last);
            if !inside && !self.is_used(word.start, word.end) {
                found.extend(figure(&self.words, at, self.text));
            }
        }
        // "From 30 to 45 thousand": both are thousands.
        for at in 1..found.len() {
            let (low, high) = (found[at - 1], found[at]);
            let between = self
                .words
                .get(low.last + 1)
                .filter(|_| high.first == low.last + 2);
            let is_range = between.is_some_and(|word| lists::contains("range", &word.lower))
                || (between.is_some() && self.end_of_range(&high).is_some());
            if is_range && low.scale == 1.0 && low.value * high.scale < high.value {
                found[at - 1].value *= high.scale;
            }
        }
        found
    }

    fn evidence(&self, figure: &Figure, param: &Param) -> usize {
        let contexts = self.tool().contexts.get(&param.name);
        let mut sum = contexts.map_or(0, |own| own.agreement(&self.words, figure.first));
        let before = &self.words[figure.first.saturating_sub(REACH)..figure.first];
        // Words before a comma belong to another number.
        let comma = self.text[..self.words[figure.first].start].rfind(", ");
        let before = before.iter().filter(|word| Some(word.start) > comma);
        let after = self.words[figure.last + 1..].iter().take(2);
        for word in before.chain(after) {
            let own = 2 * usize::from(is_cue(word, &param.own_words));
            sum += own.max(usize::from(is_cue(word, &param.keywords)));
        }
        // The unit follows the number directly.
        let next = self.words.get(figure.last + 1);
        if let Some(unit) = self.unit_of(figure).or(next) {
            let known = contexts.is_some_and(|own| own.after.contains(&unit.lower));
            sum += 2 * usize::from(known) + usize::from(is_cue(unit, &param.own_words));
            sum += usize::from(is_cue(unit, &param.keywords));
        }
        let money = is_about(param, "money");
        let fits = (figure.money && money) || (figure.percent && is_share(param));
        sum + 2 * usize::from(fits)
    }
}

pub(super) fn is_count(param: &Param) -> bool {
    is_about(param, "count") && matches!(param.kind, Kind::Integer)
}

fn is_time_unit(word: &Word) -> bool {
    TIMES.iter().any(|list| lists::contains(list, &word.lower))
}

fn is_time(param: &Param) -> bool {
    TIMES.iter().any(|list| is_about(param, list))
}

fn is_about(param: &Param, list: &str) -> bool {
    let mut keywords = param.keywords.iter();
    keywords.any(|word| lists::contains(list, word))
}

/// Converts a duration to the unit in the parameter's description: two weeks are 14 days.
fn in_unit_of(param: &Param, figure: Figure, unit: Option<&Word>) -> Figure {
    const DAYS: [(&str, f64); 3] = [("days", 1.0), ("weeks", 7.0), ("months", 30.0)];
    let is_unit = |list: &str| unit.is_some_and(|word| lists::contains(list, &word.lower));
    let own = DAYS.iter().find(|(list, _)| is_about(param, list));
    let given = DAYS.iter().find(|(list, _)| is_unit(list));
    let factor = own.zip(given).map_or(1.0, |(own, given)| given.1 / own.1);
    let value = figure.value * factor;
    Figure { value, ..figure }
}

/// "More than 5" is at least 6 to a parameter whose limit is described as inclusive.
fn shifted(figure: Figure, comparison: Option<Comparison>, param: &Param) -> Figure {
    let Some(Comparison {
        side, strict: true, ..
    }) = comparison
    else {
        return figure;
    };
    let whole = matches!(param.kind, Kind::Integer) && figure.value.fract() == 0.0;
    if !whole || !is_about(param, "inclusive") || Side::of(param).is_none() {
        return figure;
    }
    let step = match side {
        Side::AtLeast => 1.0,
        Side::AtMost => -1.0,
    };
    let value = figure.value + step;
    Figure { value, ..figure }
}

fn is_share(param: &Param) -> bool {
    param.limits.maximum.is_some_and(|maximum| maximum <= 1.0)
}

fn is_cue(word: &Word, cues: &[String]) -> bool {
    let tells = |cue: &&String| cue.chars().count() > 1 && !lists::contains("common", cue);
    let mut cues = cues.iter().filter(tells);
    cues.any(|cue| same_stem(cue, &word.lower))
}

/// The parameter's value for a number, within its limits.
fn value_for(figure: &Figure, param: &Param) -> Option<Value> {
    /// Floats represent every integer up to here.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let percent = figure.percent && is_share(param);
    let number = if percent {
        (figure.value * 100.0).round() / 1e4
    } else {
        figure.value
    };
    let above = param.limits.minimum.is_none_or(|minimum| number >= minimum);
    let below = param.limits.maximum.is_none_or(|maximum| number <= maximum);
    let whole = number.fract() == 0.0 && number.abs() <= EXACT;
    if !above || !below || (!whole && matches!(param.kind, Kind::Integer)) {
        return None;
    }
    Some(if whole {
        Value::from(number as i64)
    } else {
        Value::from(number)
    })
}

fn figure(words: &[Word], at: usize, text: &str) -> Option<Figure> {
    let word = &words[at];
    let next = |last: usize| words.get(last + 1);
    let spelled = (2..=10).find(|n| lists::contains(&format!("number {n}"), &word.lower));
    let spelled = spelled.or_else(|| is_one_unit(words, at).then_some(1));
    let mut last = at;
    let mut value = match spelled {
        Some(number) => f64::from(number),
        None => {
            let mut digits = digits(&word.lower)?.to_owned();
            while next(last).is_some_and(|next| groups(&words[last], next, text)) {
                last += 1;
                digits.push_str(&words[last].lower);
            }
            parse(&digits)?
        }
    };
    let mut scale = 1.0;
    for factor in [1_000_u32, 1_000_000] {
        let list = format!("factor {factor}");
        if next(last).is_some_and(|next| lists::begins(&list, &next.lower)) {
            scale *= f64::from(factor);
            last += 1;
        }
    }
    if word.lower.ends_with(['k', 'к']) && word.has_digit() {
        scale *= 1e3;
    }
    value *= scale;
    let before = text[..word.start].trim_end().chars().next_back();
    let after = text[words[last].end..].trim_start().chars().next();
    let mut around = [before, after].into_iter().flatten();
    let unit_is = |list| next(last).is_some_and(|next| lists::contains(list, &next.lower));
    let money = unit_is("currency") || around.any(|c| CURRENCIES.contains(&c));
    let percent = after == Some('%') || unit_is("percent");
    Some(Figure {
        first: at,
        last,
        value,
        scale,
        percent,
        money,
    })
}

/// "A week": a unit in the singular without a number before it.
fn is_one_unit(words: &[Word], at: usize) -> bool {
    let counted = at > 0 && {
        let before = &words[at - 1];
        let mut numbers = 2..=10;
        before.has_digit()
            || numbers.any(|n| lists::contains(&format!("number {n}"), &before.lower))
    };
    !counted && lists::contains("one unit", &words[at].lower)
}

/// The digits of a word: all of it, after a hyphen (`top-5`), or before a unit (`80cm`, `5k`).
fn digits(lower: &str) -> Option<&str> {
    let is_digit = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    if let Some((before, after)) = lower.split_once('-') {
        let named = before.chars().all(char::is_alphabetic) && before.chars().count() > 2;
        return (named && !after.is_empty() && after.chars().all(is_digit)).then_some(after);
    }
    let unit = lower.trim_start_matches(is_digit);
    let short = unit.chars().all(char::is_alphabetic) && unit.chars().count() <= 2;
    let digits = &lower[..lower.len() - unit.len()];
    (short && !digits.is_empty()).then_some(digits)
}

/// True if the next word is another group of three digits: `50 000`.
fn groups(word: &Word, next: &Word, text: &str) -> bool {
    let digits = |word: &Word| word.lower.bytes().all(|b| b.is_ascii_digit());
    let gap = &text[word.end..next.start];
    let fits = word.lower.len() <= 3 && next.lower.len() == 3 && digits(word) && digits(next);
    fits && matches!(gap, " " | "\u{a0}" | "\u{202f}")
}

/// Drops thousands separators; a comma before other than three digits is a decimal point.
fn parse(digits: &str) -> Option<f64> {
    const LONGEST: usize = 18;
    let mut groups = digits.split(',').skip(1).peekable();
    let thousands = groups.peek().is_some() && groups.all(|group| group.len() == 3);
    let plain = match digits.matches('.').count() {
        _ if thousands => digits.replace(',', ""),
        0 | 1 => digits.replace(',', "."),
        _ => digits.replace('.', ""),
    };
    let number: f64 = plain.parse().ok()?;
    (digits.len() <= LONGEST && number.is_finite()).then_some(number)
}

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod numbers_tests;
