//! Numbers with their units and currencies, in digits and in words.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::super::words::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Number {
    /// The digits and what belongs to them (unit, currency).
    pub(crate) span: Range<usize>,
    /// The digits alone.
    pub(crate) digits: Range<usize>,
    pub(crate) words: Range<usize>,
    pub(crate) value: f64,
    pub(crate) unit: Option<Unit>,
    pub(crate) money: bool,
    pub(crate) percent: bool,
}

impl Unit {
    pub(crate) fn named(lower: &str) -> Option<Unit> {
        UNITS.get(lower).copied()
    }

    fn minutes(self) -> Option<f64> {
        match self {
            Unit::Minute => Some(1.0),
            Unit::Hour => Some(60.0),
            Unit::Day => Some(1_440.0),
            Unit::Week => Some(10_080.0),
            // Months and years differ in length.
            Unit::Month | Unit::Year => None,
        }
    }
}

impl Number {
    /// The value counted in another unit, where that has a meaning.
    pub(crate) fn counted_in(&self, wanted: Option<Unit>) -> Option<f64> {
        match (self.unit, wanted) {
            (Some(said), Some(wanted)) if said == wanted => Some(self.value),
            (Some(said), Some(wanted)) => Some(self.value * said.minutes()? / wanted.minutes()?),
            (None, _) | (Some(_), None) => Some(self.value),
        }
    }
}

/// All numbers, in order. Codes and times ("GP-2026-0007", "14:00") are none.
pub(crate) fn find_all(text: &Text) -> Vec<Number> {
    let mut numbers = Vec::new();
    let mut index = 0;
    while index < text.words.len() {
        match number_at(text, index) {
            Some(number) => {
                index = number.words.end;
                numbers.push(number);
            }
            None => index += 1,
        }
    }
    numbers
}

/// The number that starts with this word.
pub(crate) fn number_at(text: &Text, index: usize) -> Option<Number> {
    let (mut value, mut next, joined_unit) = digits_at(text, index)
        .or_else(|| {
            let (value, next) = in_words(text, index)?;
            Some((value, next, None))
        })
        .or_else(|| Some((1.0, one_unit(text, index)?, None)))?;
    let mut start = text.words[index].start;
    let mut end = text.words[next - 1].end;
    let mut money = false;
    let mut percent = false;
    if let Some(symbol) = text.gap_before(index).chars().next_back()
        && is_currency(symbol)
    {
        money = true;
        start -= symbol.len_utf8();
    }
    let adjacent = |at: usize, text: &Text| {
        text.words.get(at).is_some()
            && text
                .gap_before(at)
                .chars()
                .all(|c| c == ' ' || c == '\u{a0}')
    };
    if adjacent(next, text)
        && let Some(factor) = MULTIPLES.get(text.words[next].lower.as_str())
    {
        value *= factor;
        end = text.words[next].end;
        next += 1;
    }
    let after = &text.raw[end..];
    let spaces = after.len() - after.trim_start_matches([' ', '\u{a0}']).len();
    if let Some(symbol) = after[spaces..].chars().next()
        && (is_currency(symbol) || symbol == '%')
    {
        money |= is_currency(symbol);
        percent = symbol == '%';
        end += spaces + symbol.len_utf8();
    }
    let digits = start..end;
    let mut unit = joined_unit;
    if unit.is_none() && adjacent(next, text) {
        let lower = text.words[next].lower.as_str();
        if let Some(found) = Unit::named(lower) {
            unit = Some(found);
            end = text.words[next].end;
            next += 1;
        } else if PERCENT.contains(&lower) {
            percent = true;
            end = text.words[next].end;
            next += 1;
        } else if CURRENCIES.contains(&lower) {
            money = true;
            end = text.words[next].end;
            next += 1;
        }
    }
    Some(Number {
        span: start..end,
        digits,
        words: index..next,
        value,
        unit,
        money,
        percent,
    })
}

const PERCENT: [&str; 9] = [
    "percent",
    "pct",
    "процент",
    "процента",
    "процентов",
    "procent",
    "prosent",
    "prozent",
    "pc",
];

fn is_currency(symbol: char) -> bool {
    matches!(symbol, '$' | '€' | '£' | '₽' | '¥' | '₹')
}

/// A number in digits, perhaps in groups ("50 000", "1,200.50", "3k", "90min").
fn digits_at(text: &Text, index: usize) -> Option<(f64, usize, Option<Unit>)> {
    let word = text.words[index].lower.as_str();
    // "top-3"
    let word = ["top-", "topp-", "топ-"]
        .iter()
        .find_map(|top| word.strip_prefix(top))
        .unwrap_or(word);
    let letters_from = word.find(|c: char| c.is_alphabetic()).unwrap_or(word.len());
    let (digits, letters) = word.split_at(letters_from);
    let mut value = plain_number(digits)?;
    let mut unit = None;
    if !letters.is_empty() {
        match (MULTIPLES.get(letters), Unit::named(letters)) {
            (Some(factor), _) => value *= factor,
            (None, Some(found)) => unit = Some(found),
            (None, None) => return None,
        }
        return Some((value, index + 1, unit));
    }
    let mut next = index + 1;
    while let Some(group) = text.words.get(next)
        && matches!(text.gap_before(next), " " | "\u{a0}" | "'")
        && group.lower.len() == 3
        && group.lower.bytes().all(|b| b.is_ascii_digit())
        && digits.len() <= 3
    {
        value = value * 1000.0 + group.lower.parse::<f64>().ok()?;
        next += 1;
    }
    Some((value, next, None))
}

/// Digits with separators: a comma or point before exactly three digits groups, before
/// any other number of them it is the decimal mark.
fn plain_number(text: &str) -> Option<f64> {
    const MOST_DIGITS: usize = 15;
    let fits = (1..=MOST_DIGITS).contains(&text.len());
    if !fits || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if text.contains([':', '-', '_']) {
        return None;
    }
    let marks: Vec<char> = text.chars().filter(|c| !c.is_ascii_digit()).collect();
    let last = text.rsplit(['.', ',']).next()?;
    let decimal = match marks.as_slice() {
        [] => false,
        [.., before, mark] if before != mark => true,
        [_] => last.len() != 3,
        _ => false,
    };
    let mut plain = String::with_capacity(text.len());
    let mut left = marks.len();
    for c in text.chars() {
        if c.is_ascii_digit() {
            plain.push(c);
        } else {
            left -= 1;
            if left == 0 && decimal {
                plain.push('.');
            }
        }
    }
    plain.parse().ok()
}

/// "in a week", "за неделю": one of a unit, where a span of time is spoken of. The unit
/// itself is read after it.
fn one_unit(text: &Text, index: usize) -> Option<usize> {
    const WITHIN: [&str; 11] = [
        "in", "within", "за", "inom", "på", "inden", "innen", "binnen", "på", "under", "om",
    ];
    const ARTICLES: [&str; 8] = ["a", "an", "en", "ett", "et", "einer", "einem", "eine"];
    let word = |at: usize| text.words.get(at).map(|word| word.lower.as_str());
    let is_unit = |at: usize| word(at).is_some_and(|word| Unit::named(word).is_some());
    let led = |at: usize| word(at).is_some_and(|word| WITHIN.contains(&word));
    let article = ARTICLES.contains(&word(index)?);
    if article && is_unit(index + 1) && led(index.checked_sub(1)?) {
        return Some(index + 1);
    }
    (word(index)? == "за" && is_unit(index + 1)).then_some(index + 1)
}

/// "the cheapest one", "which one": stands for a thing, and counts none.
fn is_pronoun(text: &Text, index: usize) -> bool {
    let word = &text.words[index].lower;
    let next = text.words.get(index + 1);
    let counts = next.is_some_and(|next| !next.function && text.gap_before(index + 1) == " ");
    word == "one" && index > 0 && !counts
}

fn in_words(text: &Text, index: usize) -> Option<(f64, usize)> {
    if is_pronoun(text, index) {
        return None;
    }
    let first = spelled(&text.words[index].lower)?;
    let second = text
        .words
        .get(index + 1)
        .filter(|_| matches!(text.gap_before(index + 1), " " | "-"))
        .and_then(|word| spelled(&word.lower));
    match second {
        Some(second) if first >= 20.0 && first % 10.0 == 0.0 && (1.0..10.0).contains(&second) => {
            Some((first + second, index + 2))
        }
        Some(_) | None => Some((first, index + 1)),
    }
}

/// A number word; "one" and its like are articles more often than numbers.
fn spelled(lower: &str) -> Option<f64> {
    if let Some(value) = WORDS.get(lower) {
        return Some(*value);
    }
    // twenty-five, tjugofem, fünfundzwanzig, femogtyve
    let parts = |join: &str| lower.split_once(join);
    let both = |tens: &str, unit: &str| {
        let (tens, unit) = (WORDS.get(tens)?, WORDS.get(unit)?);
        (*tens >= 20.0 && *unit < 10.0).then(|| tens + unit)
    };
    if let Some((tens, unit)) = parts("-") {
        return both(tens, unit);
    }
    for join in ["und", "og"] {
        if let Some((unit, tens)) = parts(join) {
            let unit = if unit == "ein" { "eins" } else { unit };
            if let Some(value) = both(tens, unit) {
                return Some(value);
            }
        }
    }
    [
        "tjugo", "trettio", "fyrtio", "femtio", "sextio", "sjuttio", "åttio", "nittio", "tjue",
        "tretti", "førti", "femti", "seksti", "sytti", "åtti", "nitti",
    ]
    .iter()
    .find_map(|tens| both(tens, lower.strip_prefix(tens)?))
}

/// 0–20, tens and a hundred, by language.
const SPELLED: [&str; 6] = [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred",
    "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто",
    "noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo trettio fyrtio femtio sextio sjuttio åttio nittio hundra",
    "nul et to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tyve tredive fyrre halvtreds tres halvfjerds firs halvfems hundrede",
    "null ett to tre fire fem seks sju åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tjue tretti førti femti seksti sytti åtti nitti hundre",
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert",
];

/// Words that are something else more often than a number.
const NOT_NUMBERS: [&str; 5] = ["et", "to", "ti", "ett", "ni"];

static WORDS: LazyLock<HashMap<&'static str, f64>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for list in SPELLED {
        for (position, word) in list.split(' ').enumerate() {
            let value = match position {
                0..=20 => position as f64,
                tens => (tens - 18) as f64 * 10.0,
            };
            if !NOT_NUMBERS.contains(&word) {
                words.insert(word, value);
            }
        }
    }
    for (word, value) in [
        ("én", 1.0),
        ("ét", 1.0),
        ("две", 2.0),
        ("одну", 1.0),
        ("двух", 2.0),
        ("трех", 3.0),
        ("пяти", 5.0),
        ("двое", 2.0),
        ("двоих", 2.0),
        ("трое", 3.0),
        ("троих", 3.0),
        ("четырех", 4.0),
        ("четверо", 4.0),
        ("четверых", 4.0),
        ("пятеро", 5.0),
        ("пятерых", 5.0),
        ("шести", 6.0),
        ("семи", 7.0),
        ("тройку", 3.0),
        ("тройка", 3.0),
        ("пятерку", 5.0),
        ("пятерка", 5.0),
        ("десятку", 10.0),
        ("десятка", 10.0),
    ] {
        words.insert(word, value);
    }
    words
});

static MULTIPLES: LazyLock<HashMap<&'static str, f64>> = LazyLock::new(|| {
    let thousand = [
        "k",
        "к",
        "тыс",
        "тысяч",
        "тысячи",
        "тысяча",
        "thousand",
        "tusen",
        "tusind",
        "tusind",
        "tausend",
    ];
    let million = [
        "mln",
        "млн",
        "million",
        "millions",
        "миллион",
        "миллиона",
        "миллионов",
        "miljoner",
        "millioner",
        "millionen",
    ];
    thousand
        .into_iter()
        .map(|word| (word, 1e3))
        .chain(million.into_iter().map(|word| (word, 1e6)))
        .collect()
});

const CURRENCIES: [&str; 24] = [
    "usd",
    "eur",
    "gbp",
    "rub",
    "sek",
    "dkk",
    "nok",
    "dollar",
    "dollars",
    "bucks",
    "euro",
    "euros",
    "kr",
    "kronor",
    "kroner",
    "руб",
    "рублей",
    "рубля",
    "рублях",
    "р",
    "rubles",
    "roubles",
    "ruble",
    "rouble",
];

static UNITS: LazyLock<HashMap<&'static str, Unit>> = LazyLock::new(|| {
    let table: [(Unit, &str); 6] = [
        (
            Unit::Minute,
            "min mins minute minutes мин минут минуту минуты минута minut minuter minutter minutt minuten",
        ),
        (
            Unit::Hour,
            "h hr hrs hour hours ч час часа часов timme timmar time timer stunde stunden std",
        ),
        (
            Unit::Day,
            "d day days день дня дней dag dagar dage dager tag tage tagen",
        ),
        (
            Unit::Week,
            "week weeks неделя неделю недели недель vecka veckor uge uger uke uker woche wochen",
        ),
        (
            Unit::Month,
            "month months месяц месяца месяцев månad månader måned måneder monat monate monaten",
        ),
        (Unit::Year, "year years год года лет år jahr jahre jahren"),
    ];
    table
        .iter()
        .flat_map(|(unit, words)| words.split(' ').map(|word| (word, *unit)))
        .collect()
});

#[cfg(test)]
#[path = "numbers_tests.rs"]
mod numbers_tests;
