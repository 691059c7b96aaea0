//! Numbers: to which parameter each goes, by the words, units and limits that stand around it.

use serde_json::{Number as JsonNumber, Value};

use super::super::cues::Cue;
use super::super::lexicon::LEXICON;
use super::super::param::{Kind, NumberRule, Param};
use super::super::reading::BOTH;
use super::super::values::numbers::Number;
use super::super::words::Text;
use super::Filling;

/// From here on a bare figure is a sum of money rather than a number of days or hours.
const LARGE: f64 = 1000.0;

impl<'a> Filling<'a> {
    /// Numbers go to the parameter whose words stand nearest; a single number goes to a
    /// single parameter.
    pub(super) fn take_numbers(&mut self) {
        let numbers: Vec<Number> = self
            .sources
            .reading
            .numbers
            .iter()
            .filter(|number| !self.is_span_taken(&number.span) && !self.is_ruled_out(number))
            .cloned()
            .collect();
        let params = self.open(|kind| matches!(kind, Kind::Number(_)));
        // Two numbers for one place: neither is taken.
        if let ([param], [_, _, ..]) = (params.as_slice(), numbers.as_slice()) {
            let said = numbers.iter().map(|n| n.value.to_string()).collect();
            self.filled.unclear.insert(param.name.clone(), said);
            return;
        }
        self.take_both(&params);
        self.take_counted(&numbers, &params);
        let used = self.take_nearest(&numbers, &params);
        let free = |n: &usize| !used.contains(n) && !self.is_span_taken(&numbers[*n].span);
        let left: Vec<usize> = (0..numbers.len()).filter(free).collect();
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
            // "5 interviews" are no positions, even where only these are left to be told.
            ([only], _) => Some(***only).filter(|_| {
                let counts = |which: &usize| self.counts_things(&numbers[*which]);
                all == 1 || !self.tool.writes || !left.iter().any(counts)
            }),
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

    /// Whether a figure says how many there are of something, or how much of it.
    fn counts_things(&self, number: &Number) -> bool {
        let text = &self.sources.reading.text;
        let next = number.words.end;
        let follows = next < text.words.len() && !text.starts_clause(next);
        number.unit.is_some() || follows && !text.words[next].function
    }

    /// "the interviews stage takes 12 days": a figure that belongs to a parameter which only a form takes.
    fn is_for_form(&self, number: &Number, score: f32) -> bool {
        let others = self
            .tool
            .params
            .iter()
            .filter(|param| matches!(param.kind, Kind::Other));
        let near = others.map(|param| self.nearness_of_words(number, param));
        near.fold(0.0, f32::max) > score
    }

    /// Each number to the parameter whose words stand nearest; gives those that found their place.
    fn take_nearest(&mut self, numbers: &[Number], params: &[&'a Param]) -> Vec<usize> {
        let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
        for (which, number) in numbers.iter().enumerate() {
            for (to, param) in params.iter().enumerate() {
                if self.is_span_taken(&number.span) {
                    continue;
                }
                let score = self.closeness(number, param);
                if score > 0.0 && !self.is_for_form(number, self.nearness_of_words(number, param)) {
                    pairs.push((score, which, to));
                }
            }
        }
        // "4 offers and 3 accepted": what can be only one thing comes first, and of several the plainest.
        let rivals = |pair: &(f32, usize, usize)| {
            let same = |other: &&(f32, usize, usize)| {
                other.1 == pair.1 && (other.0 - pair.0).abs() < f32::EPSILON
            };
            pairs.iter().filter(same).count()
        };
        let mut pairs: Vec<_> = pairs.iter().map(|pair| (*pair, rivals(pair))).collect();
        pairs.sort_by(|(a, few), (b, many)| {
            let plain = is_plain(params[b.2]).cmp(&is_plain(params[a.2]));
            let order = b.0.total_cmp(&a.0).then(few.cmp(many));
            order.then(a.1.cmp(&b.1)).then(plain)
        });
        let mut used = Vec::new();
        for ((score, which, to), rivals) in &pairs {
            let (which, to) = (*which, *to);
            // "5 interviews" of several kinds: what is written must be said.
            let open = pairs.iter().filter(|((other, number, param), _)| {
                *number == which
                    && (other - score).abs() < f32::EPSILON
                    && !self.has(params[*param])
            });
            let vague = *rivals > 1 && open.count() > 1 && !is_plain(params[to]);
            if vague && self.tool.writes {
                continue;
            }
            if !used.contains(&which)
                && !self.has(params[to])
                && self.set_number(params[to], &numbers[which])
            {
                used.push(which);
            }
        }
        used
    }

    /// "28, not 31": a figure that another one takes the place of.
    pub(super) fn is_ruled_out(&self, number: &Number) -> bool {
        let reading = self.sources.reading;
        let before = number.words.start.checked_sub(1);
        let denied = before.is_some_and(|at| Cue::Negation.at(&reading.text, at) > 0);
        let instead = Cue::InsteadOf.before(&reading.text, number.words.start);
        reading.numbers.len() > 1 && (denied || instead)
    }

    /// "2 offers made and both accepted": two of them.
    fn take_both(&mut self, params: &[&'a Param]) {
        const NEAR: f32 = 0.9;
        let text = &self.sources.reading.text;
        let said = (0..text.words.len()).filter(|at| text.is_one_of(*at, &BOTH));
        for at in said.collect::<Vec<usize>>() {
            let span = text.words[at].span();
            let two = Number {
                span: span.clone(),
                digits: span,
                words: at..at + 1,
                value: 2.0,
                unit: None,
                money: false,
                percent: false,
            };
            let open = params.iter().filter(|param| !self.has(param));
            let near = open.map(|param| (self.closeness(&two, param), *param));
            let best = near.max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, param)) = best.filter(|(near, _)| *near >= NEAR) {
                self.set_number(param, &two);
            }
        }
    }

    /// "list 3 robots": a figure right before the thing itself says how many of them.
    fn take_counted(&mut self, numbers: &[Number], params: &[&'a Param]) {
        let open: Vec<&&Param> = params.iter().collect();
        for (which, number) in numbers.iter().enumerate() {
            let next = number.words.end;
            let plain = number.unit.is_none() && !number.money && !number.percent;
            let things = plain && next < self.sources.reading.text.words.len();
            if !things || !self.names_tool(next) || self.is_head(next) {
                continue;
            }
            if let Some(param) = self.how_many(&open, numbers, &[which]) {
                self.set_number(param, number);
            }
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
        // "120 hours of cleaning" is no sum, whatever an hour costs.
        if rule.money && number.unit.is_some() && !number.money && each.is_none() {
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

    /// "used 60% of the time": a share goes by what is said of it, too.
    fn by_description(&self, number: &Number, rule: &NumberRule, param: &Param) -> f32 {
        const REACH: usize = 4;
        const DESCRIBED: f32 = 0.1;
        if !number.percent || rule.most > 1.0 {
            return 0.0;
        }
        let words = &self.sources.reading.text.words;
        let near = number.words.start.saturating_sub(REACH)..number.words.end + REACH;
        let near = near.filter_map(|at| words.get(at));
        let hinted = near.filter(|word| {
            let mut keys = word.keys.iter();
            !word.function && keys.any(|key| param.hints.contains(key))
        });
        DESCRIBED * hinted.count() as f32
    }

    /// How near the words of a parameter stand to a number; 0 when they do not.
    fn nearness_of_words(&self, number: &Number, param: &Param) -> f32 {
        let text = &self.sources.reading.text;
        let meanings = &self.sources.reading.meanings;
        let matches = |at: usize| {
            let word = &text.words[at];
            let own = param.is_called_by(word);
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
        let numbers = &self.sources.reading.numbers;
        let other = |at: usize| {
            let mut others = numbers.iter().filter(|one| one.words != number.words);
            others.any(|one| one.words.contains(&at))
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
            .take_while(|at| same_part(*at) && !other(*at));
        let before = (0..number.words.start)
            .rev()
            .take(3)
            .take_while(|at| same_part(at + 1) && !other(*at));
        let (after, before) = (
            together(1.0, after.collect()),
            together(0.9, before.collect()),
        );
        // "made 3 offers": words on both sides say more than those on one.
        const OTHER_SIDE: f32 = 0.25;
        f32::max(after, before) + OTHER_SIDE * f32::min(after, before)
    }

    /// How well a number fits a parameter by its words, its unit and its limits; 0 when it does not.
    fn closeness(&self, number: &Number, param: &Param) -> f32 {
        let Kind::Number(rule) = &param.kind else {
            return 0.0;
        };
        let text = &self.sources.reading.text;
        let Some(by_unit) = self.by_unit(number, rule, param) else {
            return 0.0;
        };
        let described = self.by_description(number, rule, param);
        let score = self.nearness_of_words(number, param) + by_unit + described;
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

/// "offers made", "applications received": all of them, where others are some of them; and what must be told
/// in any case.
fn is_plain(param: &Param) -> bool {
    const PLAIN: [&str; 5] = ["made", "received", "total", "number", "all"];
    let mut labels = param.labels.iter();
    param.required || labels.any(|label| PLAIN.contains(&label.as_str()))
}

/// The number as the schema takes it, or nothing when it breaks a rule.
fn fitting(number: &Number, rule: &NumberRule) -> Option<Value> {
    // "60 %" is a share of something, and no number of hours or dollars.
    if number.percent && rule.most > 1.0 && (rule.unit.is_some() || rule.money) {
        return None;
    }
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
