//! Values that have a shape: codes, identifiers, days and times, numbers.

use std::ops::Range;

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeZone};
use serde_json::{Number as JsonNumber, Value};

use super::super::cues::Cue;
use super::super::lexicon::LEXICON;
use super::super::param::{Kind, NumberRule, Param};
use super::super::spans::overlaps;
use super::super::values::numbers::Number;
use super::super::words::Text;
use super::{Filling, Moment};

/// From here on a bare figure is a sum of money rather than a number of days or hours.
const LARGE: f64 = 1000.0;

impl<'a> Filling<'a> {
    /// Codes of the shape that a parameter prescribes, in the order they stand.
    pub(super) fn take_codes(&mut self) {
        for param in self.open(|kind| matches!(kind, Kind::Pattern(_))) {
            let Some(pattern) = param.kind.pattern() else {
                continue;
            };
            let mut found = pattern.find_all(&self.sources.reading.text);
            found.retain(|code| !self.is_span_taken(&code.span));
            let rivals = self
                .open(|kind| kind.pattern().is_some_and(|other| other.same_as(pattern)))
                .len();
            // With two parameters of one shape the first value goes to the first.
            found.truncate(if rivals > 1 { 1 } else { usize::MAX });
            found.retain(|code| !self.is_put_aside(&code.span));
            let listed = found
                .windows(2)
                .all(|pair| self.is_listed(&pair[0].span, &pair[1].span));
            let mut values: Vec<String> = Vec::new();
            for code in found {
                self.take_span(code.span);
                if !values.contains(&code.value) {
                    values.push(code.value);
                }
            }
            match values.len() {
                0 => {}
                1 => self.set(param, Value::String(values.remove(0))),
                // "GP-1 or GP-2", "GP-1 to GP-9": the person must say which.
                _ if !listed => {
                    self.filled.unclear.insert(param.name.clone(), values);
                }
                _ => {
                    self.set(param, Value::String(values[0].clone()));
                    self.filled.several = Some((param.name.clone(), values));
                }
            }
        }
    }

    /// Whether a value is named only to be ruled out ("not GP-1", "instead of GP-1").
    fn is_put_aside(&self, span: &Range<usize>) -> bool {
        let text = &self.sources.reading.text;
        let first = text.words.partition_point(|word| word.start < span.start);
        let close = first > 0 && text.gap_before(first) == " ";
        let denied = close && Cue::Negation.at(text, first - 1) > 0;
        denied || Cue::InsteadOf.before(text, first)
    }

    /// Whether nothing but a comma, an "and" or the thing's own name joins two values.
    fn is_listed(&self, first: &Range<usize>, second: &Range<usize>) -> bool {
        let reading = self.sources.reading;
        let between = reading.text.words_in(&(first.end..second.start));
        let range = reading.text.raw[first.end..second.start].contains(['-', '–', '—', '…']);
        !range
            && between.into_iter().all(|at| {
                let word = reading.text.words[at].lower.as_str();
                let joins =
                    Cue::Join.at(&reading.text, at) > 0 || word == "&" || self.names_tool(at);
                joins && Cue::Or.at(&reading.text, at) == 0
            })
    }

    /// Identifiers without a known shape: a word with a digit, after its label if there
    /// is more than one.
    pub(super) fn take_ids(&mut self) {
        for param in self.open(|kind| matches!(kind, Kind::Id)) {
            if self.take_known_code(param) {
                continue;
            }
            let text = &self.sources.reading.text;
            let labelled = |at: usize| {
                at.checked_sub(1).is_some_and(|before| {
                    let word = &text.words[before];
                    let id = ["id", "number", "no", "номер", "nummer", "ид"]
                        .contains(&word.lower.as_str());
                    id || word.keys.iter().any(|key| param.labels.contains(key))
                })
            };
            let has_digit = |at: &usize| text.words[*at].lower.chars().any(|c| c.is_ascii_digit());
            let in_time = |at: &usize| {
                let word = text.words[*at].span();
                let when = &self.sources.reading.when;
                let days = when.days.iter().map(|day| &day.span);
                let times = when.times.iter().map(|time| &time.span);
                days.chain(times).any(|span| overlaps(span, &word))
            };
            let candidates: Vec<usize> = (0..text.words.len())
                .filter(|at| !self.is_taken(*at) && !in_time(at))
                .filter(has_digit)
                .collect();
            let named = candidates.iter().position(|at| labelled(*at));
            let chosen = match (named, candidates.as_slice()) {
                (Some(place), _) => &candidates[place..],
                (None, [_]) => &candidates[..],
                (None, _) => &[],
            };
            let span = |at: usize| text.words[at].start..text.words[at].end;
            let listed = chosen
                .windows(2)
                .take_while(|pair| self.is_listed(&span(pair[0]), &span(pair[1])));
            let values: Vec<usize> = chosen.iter().copied().take(listed.count() + 1).collect();
            let texts: Vec<String> = values
                .iter()
                .map(|at| text.raw[span(*at)].to_owned())
                .collect();
            values.into_iter().for_each(|at| self.take_span(span(at)));
            if let Some(first) = texts.first() {
                self.set(param, Value::String(first.clone()));
            }
            if texts.len() > 1 {
                self.filled.several = Some((param.name.clone(), texts));
            }
        }
    }

    /// A code of a shape that another tool prescribes, where the examples show that this
    /// parameter takes such codes, too.
    fn take_known_code(&mut self, param: &Param) -> bool {
        let lessons = self.tool.lessons.iter();
        let mut taught = lessons.filter_map(|lesson| lesson.arguments.get(&param.name)?.as_str());
        let codes = &self.sources.reading.codes;
        let fits = taught.any(|value| {
            let patterns = self.sources.index.patterns.iter();
            patterns.into_iter().any(|pattern| pattern.is_match(value))
        });
        let free: Vec<_> = codes
            .iter()
            .filter(|code| !self.is_span_taken(&code.span) && !self.is_put_aside(&code.span))
            .cloned()
            .collect();
        let [code] = free.as_slice() else {
            return false;
        };
        if fits {
            self.take_span(code.span.clone());
            self.set(param, Value::String(code.value.clone()));
        }
        fits
    }

    pub(super) fn take_moments(&mut self) {
        let when = self.sources.reading.when.clone();
        for param in self.open(|kind| {
            matches!(
                kind,
                Kind::Date { .. } | Kind::Time { .. } | Kind::DateTime { .. }
            )
        }) {
            let days = || {
                when.days
                    .iter()
                    .filter(|day| !self.is_span_taken(&day.span))
            };
            let times = || {
                when.times
                    .iter()
                    .filter(|time| !self.is_span_taken(&time.span))
            };
            let day = days().next().cloned();
            // "today, 2026-11-05": of two that stand side by side the one in figures is meant.
            let text = &self.sources.reading.text.raw;
            let figures =
                |span: &Range<usize>| text[span.clone()].contains(|c: char| c.is_ascii_digit());
            let beside = |first: &Range<usize>, second: &Range<usize>| {
                let between = text.get(first.end..second.start).unwrap_or("x");
                between.chars().all(|c| " ,(–-".contains(c))
            };
            let exact = days().nth(1).filter(|second| {
                day.as_ref().is_some_and(|first| {
                    !figures(&first.span)
                        && figures(&second.span)
                        && beside(&first.span, &second.span)
                })
            });
            let day = exact.cloned().or(day);
            let time = times().next().cloned();
            match &param.kind {
                Kind::Date { strict } => {
                    let Some(day) = day else { continue };
                    let said = self.sources.reading.text.raw[day.span.clone()].to_owned();
                    let value = match (day.date, strict) {
                        (Some(date), _) => date.to_string(),
                        (None, false) => said,
                        (None, true) => continue,
                    };
                    self.take_span(day.span);
                    self.set(param, Value::String(value));
                }
                Kind::Time { seconds } => {
                    let Some(time) = time else { continue };
                    let form = if *seconds { "%H:%M:%S" } else { "%H:%M" };
                    self.take_span(time.span);
                    self.set(param, Value::String(time.time.format(form).to_string()));
                }
                Kind::DateTime { .. } => {
                    let moment = Moment {
                        date: day.as_ref().and_then(|day| day.date),
                        time: time.as_ref().map(|time| time.time),
                    };
                    day.into_iter().for_each(|day| self.take_span(day.span));
                    time.into_iter().for_each(|time| self.take_span(time.span));
                    self.set_moment(param, moment);
                }
                Kind::Pattern(_)
                | Kind::Enum(_)
                | Kind::Boolean
                | Kind::Number(_)
                | Kind::LongText
                | Kind::File
                | Kind::Id
                | Kind::Name
                | Kind::Text
                | Kind::List(_)
                | Kind::Other => {}
            }
        }
    }

    /// A moment needs its day and its time; a time alone is the next one to come.
    pub(super) fn set_moment(&mut self, param: &Param, moment: Moment) {
        let clock = self.sources.clock;
        let Kind::DateTime { zoned } = &param.kind else {
            return;
        };
        let date = match (moment.date, moment.time, clock) {
            (Some(date), _, _) => Some(date),
            (None, Some(time), Some(clock)) => {
                let past = clock.time.is_some_and(|now| time <= now);
                if past {
                    clock.date.succ_opt()
                } else {
                    Some(clock.date)
                }
            }
            (None, _, _) => None,
        };
        if let (Some(date), Some(time)) = (date, moment.time) {
            let offset = clock.and_then(|clock| clock.offset);
            let text = written(date.and_time(time), *zoned, offset);
            self.filled.moments.remove(&param.name);
            self.set(param, Value::String(text));
        } else if moment != Moment::default() {
            self.filled.moments.insert(param.name.clone(), moment);
        }
    }

    /// Numbers go to the parameter whose words stand nearest; a single number goes to a
    /// single parameter.
    pub(super) fn take_numbers(&mut self) {
        let numbers: Vec<Number> = self
            .sources
            .reading
            .numbers
            .iter()
            .filter(|number| !self.is_span_taken(&number.span))
            .cloned()
            .collect();
        let params = self.open(|kind| matches!(kind, Kind::Number(_)));
        // Two numbers for one place: neither is taken.
        if let ([param], [_, _, ..]) = (params.as_slice(), numbers.as_slice()) {
            let said = numbers.iter().map(|n| n.value.to_string()).collect();
            self.filled.unclear.insert(param.name.clone(), said);
            return;
        }
        let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
        for (which, number) in numbers.iter().enumerate() {
            for (to, param) in params.iter().enumerate() {
                let score = self.closeness(number, param);
                if score > 0.0 {
                    pairs.push((score, which, to));
                }
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut used = Vec::new();
        for (_, which, to) in pairs {
            if !used.contains(&which)
                && !self.has(params[to])
                && self.set_number(params[to], &numbers[which])
            {
                used.push(which);
            }
        }
        let left: Vec<usize> = (0..numbers.len()).filter(|n| !used.contains(n)).collect();
        let all = self
            .tool
            .params
            .iter()
            .filter(|p| matches!(p.kind, Kind::Number(_)))
            .count();
        let open: Vec<_> = params.iter().filter(|p| !self.has(p)).collect();
        let required: Vec<_> = open.iter().filter(|p| p.required).collect();
        // A question that is looked up as it was asked keeps its figures.
        let asked = self.sources.reading.question && self.tool.question_param().is_some();
        let to = match (required.as_slice(), open.as_slice()) {
            ([only], _) => Some(***only),
            ([], [only]) if all == 1 && !asked => Some(**only),
            ([], _) if !asked => self
                .sum(&open, &numbers, &left)
                .or_else(|| self.how_many(&open, &numbers, &left)),
            _ => None,
        };
        if let (Some(param), [which]) = (to, left.as_slice()) {
            self.set_number(param, &numbers[*which]);
        }
    }

    /// "who works for 20000?": so large a figure is a sum, where one parameter takes sums.
    fn sum(&self, open: &[&&'a Param], numbers: &[Number], left: &[usize]) -> Option<&'a Param> {
        let money = |param: &&&&Param| matches!(&param.kind, Kind::Number(rule) if rule.money);
        let mut sums = open.iter().filter(money);
        let only = sums.next().filter(|_| sums.next().is_none())?;
        let large = left.iter().all(|which| numbers[*which].value >= LARGE);
        (large && !self.tool.writes).then_some(**only)
    }

    /// "suggest two robots": a small figure says how many, where one parameter asks that.
    fn how_many(
        &self,
        open: &[&&'a Param],
        numbers: &[Number],
        left: &[usize],
    ) -> Option<&'a Param> {
        const FEW: f64 = 50.0;
        let count = LEXICON.named("count")?;
        let asks = |param: &&&&Param| {
            let whole = matches!(&param.kind, Kind::Number(rule) if rule.integer && !rule.money);
            let said = LEXICON.read(&Text::new(&param.description));
            whole && said.iter().any(|meaning| meaning.concepts.contains(&count))
        };
        let mut counts = open.iter().filter(asks);
        let only = counts.next().filter(|_| counts.next().is_none())?;
        let few = |which: &usize| {
            let number = &numbers[*which];
            number.value <= FEW && number.unit.is_none() && !number.money
        };
        (!self.tool.writes && left.iter().all(few)).then_some(**only)
    }

    pub(super) fn set_number(&mut self, param: &Param, number: &Number) -> bool {
        let Kind::Number(rule) = &param.kind else {
            return false;
        };
        let Some(value) = fitting(number, rule) else {
            return false;
        };
        self.take_span(number.span.clone());
        self.take_limit(number.words.start);
        self.set(param, value);
        true
    }

    /// "cheaper than 100": the words before a number that make it a limit say no more.
    fn take_limit(&mut self, number: usize) {
        const REACH: usize = 3;
        let text = &self.sources.reading.text;
        let length = |at: usize| Cue::AtMost.at(text, at).max(Cue::AtLeast.at(text, at));
        let begins = number.saturating_sub(REACH)..number;
        let led = begins.into_iter().find(|at| at + length(*at) == number);
        if let Some(at) = led {
            self.take_words(&(at..number));
        }
    }

    /// The unit of which one costs this number: "28 an hour", "500 per month".
    fn is_each(&self, number: &Number) -> Option<String> {
        const EACH: [&str; 8] = ["a", "an", "per", "each", "pro", "i", "om", "в"];
        const UNITS: [&str; 5] = ["minute", "hour", "day", "week", "month"];
        let reading = self.sources.reading;
        let at = number.words.end;
        let each = reading.text.words.get(at)?.lower.as_str();
        let means = &reading.meanings.get(at + 1)?.concepts;
        let unit = means.iter().find(|c| UNITS.contains(&LEXICON.name(**c)))?;
        EACH.contains(&each).then(|| LEXICON.key(*unit))
    }

    /// What units and currencies say for a parameter; `None` where they rule it out.
    fn by_unit(&self, number: &Number, rule: &NumberRule, param: &Param) -> Option<f32> {
        let is_sum = |kind: &Kind| matches!(kind, Kind::Number(rule) if rule.money);
        let sums = !rule.money && self.tool.params.iter().any(|other| is_sum(&other.kind));
        let each = self.is_each(number);
        // "below 25000": so large a figure without a unit is a sum, where there are sums.
        let large = number.unit.is_none() && number.value >= LARGE && rule.unit.is_some();
        // "25 dollars an hour", "pay 28 an hour": what an hour costs, and no number of hours.
        if sums && (number.money || each.is_some() || large) {
            return None;
        }
        let mut score = 0.0;
        if let Some(unit) = each.filter(|unit| rule.money && param.hints.contains(unit)) {
            let open = self.open(is_sum);
            let alike = open.iter().filter(|other| other.hints.contains(&unit));
            score += 0.5 / alike.count().max(1) as f32;
        }
        if number.unit.is_some() && rule.unit.is_some() {
            score += 0.5;
        }
        if number.money && rule.money {
            score += 0.5;
        }
        Some(score)
    }

    /// How near the words of a parameter stand to a number; 0 when they do not.
    fn closeness(&self, number: &Number, param: &Param) -> f32 {
        let Kind::Number(rule) = &param.kind else {
            return 0.0;
        };
        let text = &self.sources.reading.text;
        let meanings = &self.sources.reading.meanings;
        let matches = |at: usize| {
            let word = &text.words[at];
            let own = word.keys.iter().any(|key| param.labels.contains(key));
            let meant = meanings[at].concepts.iter().any(|c| {
                let kin = LEXICON.key_of_kin(*c);
                let keys = [Some(LEXICON.key(*c)), kin];
                keys.iter().flatten().any(|key| param.labels.contains(key))
            });
            let short = param
                .labels
                .iter()
                .any(|label| is_short_for(label, text, at));
            ((own || meant) && !word.function) || short
        };
        let same_part = |at: usize| !text.gap_before(at).contains([',', ';', '\n']);
        // "50 candidates sourced" is said of what has both words.
        let together = |near: f32, words: Vec<usize>| {
            let first = words.iter().position(|at| matches(*at));
            let more = words.iter().filter(|at| matches(**at)).skip(1).count();
            first.map_or(0.0, |distance| {
                near / (1.0 + distance as f32) + 0.25 * more as f32
            })
        };
        let after = (number.words.end..text.words.len())
            .take(4)
            .take_while(|at| same_part(*at));
        let before = (0..number.words.start)
            .rev()
            .take(3)
            .take_while(|at| same_part(at + 1));
        let (after, before) = (
            together(1.0, after.collect()),
            together(0.9, before.collect()),
        );
        let Some(by_unit) = self.by_unit(number, rule, param) else {
            return 0.0;
        };
        let score = f32::max(after, before) + by_unit;
        let limits = |names: &[&str]| param.labels.iter().any(|l| names.contains(&l.as_str()));
        let start = number.words.start;
        let led = |cue: Cue| {
            (start.saturating_sub(3)..start)
                .any(|at| at + cue.at(text, at) == start && cue.at(text, at) > 0)
        };
        let (upper, lower) = (
            limits(&["max", "maximum", "most", "to"]),
            limits(&["min", "minimum", "least", "from"]),
        );
        match (led(Cue::AtMost), led(Cue::AtLeast)) {
            (true, _) if upper => score + 0.6,
            (true, _) if lower => 0.0,
            (_, true) if lower => score + 0.6,
            (_, true) if upper => 0.0,
            _ => score,
        }
    }
}

/// "HM" stands for "hiring manager": the letters that the words from here on begin with.
fn is_short_for(label: &str, text: &Text, at: usize) -> bool {
    let letters = label.chars().count();
    let Some(words) = text.words.get(at..at + letters) else {
        return false;
    };
    let initials = words.iter().filter_map(|word| word.lower.chars().next());
    letters > 1 && initials.eq(label.chars())
}

/// The number as the schema takes it, or nothing when it breaks a rule.
fn fitting(number: &Number, rule: &NumberRule) -> Option<Value> {
    let value = number.counted_in(rule.unit)?;
    // "60%" of something that goes from 0 to 1.
    let value = if number.percent && rule.most <= 1.0 {
        value / 100.0
    } else {
        value
    };
    if !(rule.least..=rule.most).contains(&value) {
        return None;
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return Some(Value::from(value as i64));
    }
    if rule.integer {
        return None;
    }
    JsonNumber::from_f64(value).map(Value::Number)
}

fn written(moment: NaiveDateTime, zoned: bool, offset: Option<FixedOffset>) -> String {
    const FORM: &str = "%Y-%m-%dT%H:%M:%S";
    if !zoned {
        return moment.format(FORM).to_string();
    }
    let local: Option<DateTime<FixedOffset>> =
        offset.and_then(|offset| offset.from_local_datetime(&moment).single());
    match local {
        Some(local) if local.offset().local_minus_utc() != 0 => local.to_rfc3339(),
        Some(_) | None => format!("{}Z", moment.format(FORM)),
    }
}
