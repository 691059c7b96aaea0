//! Dates in a text, in the product's languages: `2026-11-28`, `28.11.2026`, `November 28, 2026`.

use std::ops::Range;

/// A date; the year may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) span: Range<usize>,
    day: u32,
    month: u32,
    year: Option<u32>,
}

#[derive(Default)]
pub(super) struct Dates(Vec<Date>);

impl Dates {
    pub(super) fn add(&mut self, text: &str) {
        self.0.extend(find(text));
    }

    /// True if a source has this date. A year that only one side gives is not a contradiction.
    pub(super) fn supports(&self, date: &Date) -> bool {
        self.0.iter().any(|known| {
            known.day == date.day
                && known.month == date.month
                && (known.year.is_none() || date.year.is_none() || known.year == date.year)
        })
    }
}

impl Date {
    pub(super) fn covers(&self, span: &Range<usize>) -> bool {
        self.span.start <= span.start && span.end <= self.span.end
    }
}

pub(super) fn find(text: &str) -> Vec<Date> {
    let words = words(text);
    let mut found: Vec<Date> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if found.last().is_some_and(|date| word.start < date.span.end) {
            continue;
        }
        let rest = &words[index..];
        found.extend(
            numeric(text, word)
                .or_else(|| day_first(text, rest))
                .or_else(|| month_first(text, rest)),
        );
    }
    found
}

/// Runs of letters, digits and the separators of dates.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() && !matches!(c, '-' | '.' | '/') {
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if word.end == at => word.end = end,
            _ => words.push(at..end),
        }
    }
    words
}

/// `2026-11-28`, `28.11.2026`, `28/11/2026`.
fn numeric(text: &str, word: &Range<usize>) -> Option<Date> {
    let written = text[word.clone()].trim_end_matches(['.', '-', '/']);
    let parts: Vec<u32> = written
        .split(['-', '.', '/'])
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let [first, second, third] = parts.as_slice() else {
        return None;
    };
    let (day, month, year) = match (*first, *second, *third) {
        (year @ 1900..=2200, month, day) => (day, month, year),
        (month, day, year @ 1900..=2200) if day > 12 => (day, month, year),
        (day, month, year @ 1900..=2200) => (day, month, year),
        _ => return None,
    };
    date(
        word.start..word.start + written.len(),
        day,
        month,
        Some(year),
    )
}

/// `28 Nov`, `28. November 2026`, `28th of November`.
fn day_first(text: &str, words: &[Range<usize>]) -> Option<Date> {
    let day = day(&text[words.first()?.clone()])?;
    let next = usize::from(words.get(1).is_some_and(|word| &text[word.clone()] == "of")) + 1;
    let named = words.get(next)?;
    let month = month(&text[named.clone()])?;
    if text[words[0].end..named.start].contains('\n') {
        return None;
    }
    with_year(text, words[0].start, words.get(next..)?, day, month)
}

/// `November 28`, `Nov 28, 2026`.
fn month_first(text: &str, words: &[Range<usize>]) -> Option<Date> {
    let month = month(&text[words.first()?.clone()])?;
    let day = day(&text[words.get(1)?.clone()])?;
    with_year(text, words[0].start, words.get(1..)?, day, month)
}

/// The date that ends with the first of these words, or with the year after it.
fn with_year(
    text: &str,
    start: usize,
    words: &[Range<usize>],
    day: u32,
    month: u32,
) -> Option<Date> {
    let last = words.first()?;
    let year = words.get(1).and_then(|word| {
        let year: u32 = text[word.clone()].trim_end_matches('.').parse().ok()?;
        (1900..=2200).contains(&year).then_some((year, word.end))
    });
    let end = year.map_or(last.end, |(_, end)| end);
    date(start..end, day, month, year.map(|(year, _)| year))
}

fn date(span: Range<usize>, day: u32, month: u32, year: Option<u32>) -> Option<Date> {
    let possible = (1..=31).contains(&day) && (1..=12).contains(&month);
    possible.then_some(Date {
        span,
        day,
        month,
        year,
    })
}

/// `28`, `28.`, `28th`, `1:a`.
fn day(word: &str) -> Option<u32> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &word[digits..];
    let ordinal = matches!(behind, "" | "." | "st" | "nd" | "rd" | "th" | "e" | "a");
    let day: u32 = word.get(..digits)?.parse().ok()?;
    (ordinal && (1..=31).contains(&day)).then_some(day)
}

/// Prefixes of month names; a word needs at least three letters.
const MONTHS: [&[&str]; 12] = [
    &["jan", "янв"],
    &["feb", "фев"],
    &["mar", "mär", "мар"],
    &["apr", "апр"],
    &["may", "maj", "mai", "мая", "май"],
    &["jun", "июн"],
    &["jul", "июл"],
    &["aug", "авг"],
    &["sep", "сен"],
    &["oct", "okt", "окт"],
    &["nov", "ноя"],
    &["dec", "des", "dez", "дек"],
];

pub(super) fn is_month(word: &str) -> bool {
    month(word).is_some()
}

fn month(word: &str) -> Option<u32> {
    const LONGEST: usize = 10;
    let word = word.trim_end_matches('.').to_lowercase();
    let letters = word.chars().count();
    if !word.chars().all(char::is_alphabetic) || letters > LONGEST {
        return None;
    }
    let place = MONTHS
        .iter()
        .position(|names| names.iter().any(|name| word.starts_with(name)))?;
    // "may" and "mark" are also words: only whole names and three-letter forms count.
    let whole = letters <= 4 || is_whole_name(&word);
    u32::try_from(place + 1).ok().filter(|_| whole)
}

fn is_whole_name(word: &str) -> bool {
    const ENDINGS: [&str; 12] = [
        "uary", "uari", "uar", "ch", "il", "ust", "usti", "ember", "ober", "rts", "z", "ts",
    ];
    ENDINGS.iter().any(|ending| word.ends_with(ending)) || !word.is_ascii()
}
