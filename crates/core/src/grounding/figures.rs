//! Figures in a text: "42,000", "42 000", "42k" and the 42 of "42-46k" support each other.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

/// Values in thousandths, so that equal figures have equal keys.
type Key = u128;
const SCALE: u128 = 1_000;

/// All values in the sources.
#[derive(Default)]
pub(super) struct Figures(HashSet<Key>);

/// A figure and its possible values.
pub(super) struct Figure {
    pub(super) span: Range<usize>,
    meanings: Vec<Key>,
    /// 1,000 for "42k", 1 without a unit.
    factor: u128,
}

impl Figures {
    pub(super) fn add(&mut self, text: &str) {
        let found = find(text);
        for (index, figure) in found.iter().enumerate() {
            self.0.extend(&figure.meanings);
            // "42-46k": the first figure shares the unit of the second.
            if let Some(next) = found.get(index + 1)
                && next.factor > 1
                && figure.factor == 1
                && is_range(&text[figure.span.end..next.span.start])
            {
                let shared = figure.meanings.iter().map(|key| key * next.factor);
                self.0.extend(shared);
            }
        }
        let words = text.split(|c: char| !c.is_alphabetic());
        self.0.extend(words.filter_map(number_word));
    }

    pub(super) fn supports(&self, figure: &Figure) -> bool {
        figure.meanings.iter().any(|key| self.0.contains(key))
    }
}

/// Whether a text has a figure that another one gives.
pub(super) fn share_a_figure(text: &str, other: &str) -> bool {
    let mut given = Figures::default();
    given.add(other);
    find(text).iter().any(|figure| given.supports(figure))
}

/// Finds figures, except digits inside a word ("B2B", "O365") and list numbers ("1. …").
pub(super) fn find(text: &str) -> Vec<Figure> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let end = end_of_number(text, at);
        let in_word = text[..at]
            .chars()
            .next_back()
            .is_some_and(char::is_alphabetic);
        if !in_word && !is_list_number(text, at..end) {
            let (factor, end) = unit(text, end);
            found.push(Figure {
                meanings: meanings(&text[at..end_of_number(text, at)], factor),
                span: at..end,
                factor,
            });
            at = end;
        } else {
            at = end;
        }
    }
    found
}

/// Digits with separators between them: `12`, `1 200`, `42,5`, `15:30`.
fn end_of_number(text: &str, start: usize) -> usize {
    let mut end = start;
    for (at, c) in text[start..].char_indices() {
        if c.is_ascii_digit() {
            end = start + at + 1;
            continue;
        }
        let joins = match c {
            '.' | ',' | ':' | '\'' | '’' => {
                text[start + at + c.len_utf8()..].starts_with(|n: char| n.is_ascii_digit())
            }
            // Spaces separate thousands only.
            ' ' | '\u{a0}' | '\u{202f}' => is_group(&text[start + at + c.len_utf8()..]) && at <= 11,
            _ => false,
        };
        if !joins {
            break;
        }
    }
    end
}

fn is_group(rest: &str) -> bool {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// A number at the start of a line, followed by a point or bracket.
fn is_list_number(text: &str, span: Range<usize>) -> bool {
    let line = text[..span.start].rsplit('\n').next().unwrap_or_default();
    let rest = &text[span.end..];
    line.trim().is_empty() && (rest.starts_with(". ") || rest.starts_with(") "))
}

/// The factor of the unit after a number, and the unit's end.
fn unit(text: &str, end: usize) -> (u128, usize) {
    const THOUSAND: [&str; 7] = ["k", "tkr", "thousand", "tusen", "tusind", "tausend", "тыс"];
    const MILLION: [&str; 8] = [
        "m", "mn", "mio", "mkr", "million", "millions", "miljoner", "млн",
    ];
    let gap = text[end..].len()
        - text[end..]
            .trim_start_matches([' ', '\u{a0}', '\u{202f}'])
            .len();
    let rest = &text[end + gap..];
    let length = rest
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(rest.len());
    let word = rest[..length].to_lowercase();
    // A single letter is a unit only if it touches the number.
    let touches = gap == 0 || length > 1;
    if THOUSAND.contains(&word.as_str()) && touches {
        (1_000, end + gap + length)
    } else if MILLION.contains(&word.as_str()) && touches {
        (1_000_000, end + gap + length)
    } else {
        (1, end)
    }
}

/// The possible values: separators group thousands, or the last one starts the decimals.
fn meanings(number: &str, factor: u128) -> Vec<Key> {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let mut values = Vec::new();
    let groups: Vec<&str> = number.split(|c: char| !c.is_ascii_digit()).collect();
    let grouped = groups.iter().skip(1).all(|group| group.len() == 3);
    if grouped && let Ok(whole) = digits.parse::<u128>() {
        values.push(whole.saturating_mul(SCALE));
    }
    if let [whole @ .., decimals] = groups.as_slice()
        && !whole.is_empty()
        && let Ok(whole) = whole.concat().parse::<u128>()
    {
        let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
        let part: u128 = thousandths.parse().unwrap_or(0);
        values.push(whole.saturating_mul(SCALE).saturating_add(part));
    }
    if factor > 1 {
        let multiplied: Vec<Key> = values
            .iter()
            .map(|key| key.saturating_mul(factor))
            .collect();
        values.extend(multiplied);
    }
    values
}

fn is_range(between: &str) -> bool {
    matches!(
        between.trim(),
        "-" | "–" | "—" | "to" | "till" | "til" | "bis" | "до"
    )
}

/// Number words, by language.
const NUMBER_WORDS: [(&str, u32); 12] = [
    ("two två to zwei zwo два две", 2),
    ("three tre drei три", 3),
    ("four fyra fire vier четыре", 4),
    ("five fem fünf пять", 5),
    ("six sex seks sechs шесть", 6),
    ("seven sju syv sieben семь", 7),
    ("eight åtta otte åtte acht восемь", 8),
    ("nine nio ni neun девять", 9),
    ("ten tio ti zehn десять", 10),
    ("eleven elva elleve elf одиннадцать", 11),
    ("twelve tolv zwölf двенадцать", 12),
    ("hundred hundra hundrede hundert сто", 100),
];
const TEENS_AND_TENS: [(&str, u32); 15] = [
    ("thirteen tretton tretten dreizehn", 13),
    ("fourteen fjorton fjorten vierzehn", 14),
    ("fifteen femton femten fünfzehn", 15),
    ("sixteen sexton seksten sechzehn", 16),
    ("seventeen sjutton sytten siebzehn", 17),
    ("eighteen arton atten achtzehn", 18),
    ("nineteen nitton nitten neunzehn", 19),
    ("twenty tjugo tyve tjue zwanzig двадцать", 20),
    ("thirty trettio tredive tretti dreißig тридцать", 30),
    ("forty fyrtio fyrre førti vierzig сорок", 40),
    ("fifty femtio halvtreds femti fünfzig пятьдесят", 50),
    ("sixty sextio tres seksti sechzig шестьдесят", 60),
    ("seventy sjuttio halvfjerds sytti siebzig семьдесят", 70),
    ("eighty åttio firs åtti achtzig восемьдесят", 80),
    ("ninety nittio halvfems nitti neunzig девяносто", 90),
];

static BY_WORD: LazyLock<HashMap<&str, Key>> = LazyLock::new(|| {
    let all = NUMBER_WORDS.iter().chain(&TEENS_AND_TENS);
    all.flat_map(|(words, value)| {
        words
            .split(' ')
            .map(|word| (word, Key::from(*value) * SCALE))
    })
    .collect()
});

fn number_word(word: &str) -> Option<Key> {
    match BY_WORD.get(word) {
        Some(value) => Some(*value),
        None if word.starts_with(char::is_uppercase) => {
            BY_WORD.get(word.to_lowercase().as_str()).copied()
        }
        None => None,
    }
}
