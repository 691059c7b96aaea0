//! Checks a text against the house style and corrects what can be corrected without changing its meaning.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::language::Language;
use super::style_guide::StyleGuide;
use super::text::emoji::emoji;
use super::text::words::{Word, capitalised, words};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StyleRule {
    Emoji,
    DashBullet,
    ModuleLetter,
    BannedWord,
    CompanyTerm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    Error,
    Warning,
}

impl StyleRule {
    pub fn weight(self) -> Weight {
        match self {
            StyleRule::Emoji
            | StyleRule::ModuleLetter
            | StyleRule::BannedWord
            | StyleRule::CompanyTerm => Weight::Error,
            StyleRule::DashBullet => Weight::Warning,
        }
    }
}

/// One breach of the style, with its place in bytes and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub rule: StyleRule,
    pub text: String,
    pub place: Range<usize>,
    pub replacement: String,
}

/// All breaches in the order of the text.
pub fn check(text: &str, language: Language, guide: &StyleGuide) -> Vec<Finding> {
    let list = words(text);
    let mut found: Vec<Finding> = Vec::new();
    found.extend(
        emoji(text)
            .into_iter()
            .map(|place| finding(StyleRule::Emoji, text, place, String::new())),
    );
    found.extend(dash_bullets(text));
    found.extend(module_letters(text, &list));
    found.extend(banned(text, &list, language, guide));
    found.extend(guide.terms().find(&list).into_iter().filter_map(|hit| {
        let place = hit.span(&list);
        let right = guide.term(hit.value);
        let wrong = &text[place.clone()] != right && !in_address(text, &place);
        wrong.then(|| finding(StyleRule::CompanyTerm, text, place, right.to_owned()))
    }));
    found.sort_by_key(|f| (f.place.start, f.place.end));
    found
}

/// The banned words alone, without the other rules.
pub(crate) fn banned_words(text: &str, language: Language, guide: &StyleGuide) -> Vec<Finding> {
    banned(text, &words(text), language, guide)
}

fn banned(text: &str, list: &[Word<'_>], language: Language, guide: &StyleGuide) -> Vec<Finding> {
    let hits = guide.banned_book(language).find(list).into_iter();
    let each = hits.map(|hit| {
        let place = hit.span(list);
        let replacement = like(&text[place.clone()], &guide.banned(hit.value).replacement);
        finding(StyleRule::BannedWord, text, place, replacement)
    });
    each.collect()
}

/// Taking something away can bring a dash to the start of a line, so correcting goes on until nothing is left to do.
const MAX_ROUNDS: usize = 5;

/// The text with every breach corrected, and what was changed.
pub fn correct(text: &str, language: Language, guide: &StyleGuide) -> (String, Vec<Finding>) {
    let mut text = text.to_owned();
    let mut all = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let found = check(&text, language, guide);
        if found.is_empty() {
            break;
        }
        text = replace(&text, &found);
        all.extend(found);
    }
    (text, all)
}

fn replace(text: &str, found: &[Finding]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for f in found {
        if f.place.start < from {
            continue;
        }
        out.push_str(&text[from..f.place.start]);
        from = f.place.end;
        if f.replacement.is_empty() {
            let gap = text[from..].len() - text[from..].trim_start_matches(' ').len();
            // The space of a word that is gone goes with it, before punctuation too.
            if out.is_empty() || out.ends_with([' ', '\n']) {
                from += gap;
            }
            if text[from..].starts_with(['.', ',', ';', '!', '?', '\n']) || from == text.len() {
                out.truncate(out.trim_end_matches(' ').len());
            }
        } else {
            out.push_str(&f.replacement);
        }
    }
    out.push_str(&text[from..]);
    out
}

fn finding(rule: StyleRule, text: &str, place: Range<usize>, replacement: String) -> Finding {
    Finding {
        rule,
        text: text[place.clone()].to_owned(),
        place,
        replacement,
    }
}

/// A line that begins with a dash. Our own bullets are dots.
fn dash_bullets(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let mut chars = line[indent..].chars();
        if let Some(dash @ ('-' | '–' | '—')) = chars.next()
            && chars.as_str().starts_with([' ', '\t'])
        {
            let place = at + indent..at + indent + dash.len_utf8();
            found.push(finding(StyleRule::DashBullet, text, place, "•".to_owned()));
        }
        at += line.len();
    }
    found
}

/// "Module C" is a name the recruiter never sees.
fn module_letters(text: &str, list: &[Word<'_>]) -> Vec<Finding> {
    let pairs = list.windows(2).filter(|pair| {
        let letter = &text[pair[1].start..pair[1].end];
        pair[1].joined
            && matches!(
                pair[0].folded.as_ref(),
                "module" | "modul" | "modulen" | "modulet"
            )
            && letter.len() == 1
            && ("A"..="J").contains(&letter)
    });
    pairs
        .map(|p| {
            finding(
                StyleRule::ModuleLetter,
                text,
                p[0].start..p[1].end,
                String::new(),
            )
        })
        .collect()
}

/// The replacement begins like the word it replaces.
fn like(original: &str, replacement: &str) -> String {
    if original.starts_with(char::is_uppercase) {
        capitalised(replacement)
    } else {
        replacement.to_owned()
    }
}

/// Web and mail addresses are written in lower case.
fn in_address(text: &str, place: &Range<usize>) -> bool {
    let before = text[..place.start].ends_with(['@', '/', '.', '#']);
    let mut after = text[place.end..].chars();
    let next = after.next();
    before
        || matches!(next, Some('@' | '/'))
        || (next == Some('.') && after.next().is_some_and(char::is_alphanumeric))
}
