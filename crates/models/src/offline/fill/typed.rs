//! Values that have a shape: codes, identifiers, days and times.

use std::ops::Range;

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeZone};
use serde_json::Value;

use super::super::cues::Cue;
use super::super::param::{Kind, Param};
use super::super::spans::overlaps;
use super::{Filling, Moment};

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

    /// "and reject 0056": the figures that a code ends with, where the rest of it is known.
    pub(super) fn take_end_of_code(&mut self, param: &Param) -> bool {
        let reading = self.sources.reading;
        let numbers = reading.numbers.iter().filter(|number| {
            number.unit.is_none() && !number.money && !self.is_span_taken(&number.digits)
        });
        let completed = numbers.filter_map(|number| {
            let figures = reading.text.raw.get(number.digits.clone())?;
            let code = self.sources.memory.completed(param, figures)?;
            Some((number.digits.clone(), code))
        });
        let mut completed: Vec<_> = completed.collect();
        if completed.len() != 1 {
            return false;
        }
        let (span, code) = completed.remove(0);
        self.take_span(span);
        self.set(param, Value::String(code));
        true
    }

    /// "GP-1, no wait, GP-2", "Ali, sorry, Omar": another value follows in place of this one.
    pub(super) fn is_taken_back(&self, span: &Range<usize>) -> bool {
        let reading = self.sources.reading;
        let text = &reading.text;
        let next = text.words.partition_point(|word| word.start < span.end);
        let value = Cue::skip(&[Cue::No, Cue::Correction, Cue::Polite], text, next);
        let corrects = |at: usize| Cue::Correction.at(text, at) > 0 || Cue::No.at(text, at) > 0;
        let corrected = (next..value).any(corrects);
        let parted = next < text.words.len() && text.gap_before(next) != " ";
        let is_code = |start: usize| reading.codes.iter().any(|code| code.span.start == start);
        let another = text
            .words
            .get(value)
            .is_some_and(|word| is_code(word.start))
            || value < text.words.len() && text.is_capitalised(value);
        corrected && parted && another
    }

    /// Whether a value is named only to be ruled out ("not GP-1", "instead of GP-1").
    fn is_put_aside(&self, span: &Range<usize>) -> bool {
        let text = &self.sources.reading.text;
        let first = text.words.partition_point(|word| word.start < span.start);
        let close = first > 0 && text.gap_before(first) == " ";
        let denied = close && Cue::Negation.at(text, first - 1) > 0;
        denied || Cue::InsteadOf.before(text, first) || self.is_taken_back(span)
    }

    /// Whether nothing but a comma, an "and" or the thing's own name joins two values.
    pub(super) fn is_listed(&self, first: &Range<usize>, second: &Range<usize>) -> bool {
        // "invite Anna but turn Boris down": of each something else is said.
        const CONTRASTS: [&str; 7] = ["but", "а", "но", "men", "aber", "doch", "sondern"];
        let reading = self.sources.reading;
        // Quotations may come before what stands in front of them.
        let Some(gap) = reading.text.raw.get(first.end..second.start) else {
            return false;
        };
        let between = reading.text.words_in(&(first.end..second.start));
        let range = gap.contains(['-', '–', '—', '…']);
        let parted = gap.contains(['.', '!', '?', ';']);
        !range
            && !parted
            && between.into_iter().all(|at| {
                let word = reading.text.words[at].lower.as_str();
                let thing = self.names_tool(at) && !self.is_head(at);
                let joins = Cue::Join.at(&reading.text, at) > 0 || word == "&" || thing;
                joins && Cue::Or.at(&reading.text, at) == 0 && !CONTRASTS.contains(&word)
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
