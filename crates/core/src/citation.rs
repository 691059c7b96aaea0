//! Checks an answer's citations against the retrieved passages. The model's claims about its
//! sources are never trusted: numbers, links and quotations are verified, unsourced sentences
//! reported.

use serde::{Deserialize, Serialize};

use crate::tool::Source;

/// Shorter sentences are courtesies and need no source.
const FEWEST_WORDS: usize = 4;
/// A shorter quotation is a name or a term.
const FEWEST_QUOTED: usize = 4;
/// Limit of each list in a [`Review`].
const MOST: usize = 50;

/// The result of the check. Numbers start at 1, in the order of the turn's sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// Sources that the answer cites.
    pub cited: Vec<usize>,
    /// Numbers and links that match no retrieved source.
    pub unknown: Vec<String>,
    /// Sentences without a source.
    pub unsupported: Vec<String>,
    /// Quotations that occur in no retrieved passage.
    pub misquoted: Vec<String>,
}

impl Review {
    /// The addresses of the cited sources, without duplicates.
    pub fn addresses(&self, sources: &[Source]) -> Vec<String> {
        let mut addresses: Vec<String> = Vec::new();
        for source in self
            .cited
            .iter()
            .filter_map(|number| sources.get(number - 1))
        {
            if !addresses.contains(&source.url) {
                addresses.push(source.url.clone());
            }
        }
        addresses
    }
}

/// Checks an answer against the sources retrieved in its turn.
pub fn review(answer: &str, sources: &[Source]) -> Review {
    let mut review = Review::default();
    let passages: Vec<String> = sources.iter().map(|source| plain(&source.text)).collect();
    for block in blocks(answer) {
        let marks = marks(&block, sources);
        for number in &marks.numbers {
            if (1..=sources.len()).contains(number) {
                push(&mut review.cited, *number);
            } else {
                push(&mut review.unknown, format!("[{number}]"));
            }
        }
        for link in marks.foreign {
            push(&mut review.unknown, link);
        }
        for quoted in quotations(&block) {
            let wanted = plain(&quoted);
            let known = passages.iter().any(|passage| passage.contains(&wanted));
            if !known {
                push(&mut review.misquoted, quoted);
            }
        }
        // A quotation is one statement: a mark at its end covers all its sentences.
        if block.trim_start().starts_with('>') && has_mark(&block) {
            continue;
        }
        for sentence in sentences(&block) {
            if needs_source(&sentence) && !has_mark(&sentence) {
                push(&mut review.unsupported, sentence.trim().to_owned());
            }
        }
    }
    review.cited.sort_unstable();
    review
}

fn push<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) && list.len() < MOST {
        list.push(item);
    }
}

/// Paragraphs, list items and quoted lines, without headings, code and the list of sources.
fn blocks(answer: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut in_code = false;
    let mut in_sources = false;
    for line in answer.lines() {
        let bare = line.trim();
        if bare.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if in_code {
            continue;
        }
        in_sources |= is_sources_heading(bare);
        let item = is_item(bare);
        if bare.is_empty() || bare.starts_with('#') || item || in_sources {
            blocks.push(std::mem::take(&mut open));
        }
        if bare.starts_with('#') || is_sources_heading(bare) {
            continue;
        }
        if in_sources {
            // Entries of the source list are not sentences; only their links are checked.
            blocks.push(format!("§{bare}"));
            continue;
        }
        open.push(' ');
        open.push_str(bare);
    }
    blocks.push(open);
    blocks.retain(|block| !block.trim().is_empty());
    blocks
}

fn is_item(line: &str) -> bool {
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with("• ")
        || line.starts_with('>')
        || (after_number.len() < line.len() && after_number.starts_with(". "))
        || line.starts_with('|')
}

fn is_sources_heading(line: &str) -> bool {
    let word = line
        .trim_matches(|c: char| !c.is_alphabetic())
        .to_lowercase();
    let decorated = line.len() <= word.len() + 12;
    decorated
        && matches!(
            word.as_str(),
            "sources" | "quellen" | "источники" | "source"
        )
}

struct Marks {
    numbers: Vec<usize>,
    foreign: Vec<String>,
}

/// A text in square brackets, and the text after it.
struct Bracket<'t> {
    start: usize,
    inside: &'t str,
    after: &'t str,
}

impl<'t> Bracket<'t> {
    fn all_in(text: &'t str) -> impl Iterator<Item = Self> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let start = from + text[from..].find('[')?;
            let (inside, after) = text[start + 1..].split_once(']')?;
            from = text.len() - after.len();
            Some(Self {
                start,
                inside,
                after,
            })
        })
    }

    /// The sources of `[3]` and `[1, 2]`.
    fn numbers(&self) -> Option<Vec<usize>> {
        let numbers = self.inside.split(',');
        numbers.map(|number| number.trim().parse().ok()).collect()
    }
}

/// Marks with numbers, and links by their addresses.
fn marks(text: &str, sources: &[Source]) -> Marks {
    let mut marks = Marks {
        numbers: Vec::new(),
        foreign: Vec::new(),
    };
    for bracket in Bracket::all_in(text) {
        marks
            .numbers
            .extend(bracket.numbers().into_iter().flatten());
        let link = bracket.after.strip_prefix('(');
        if let Some((address, _)) = link.and_then(|link| link.split_once(')')) {
            let bare = address.split('#').next().unwrap_or(address);
            let known = sources
                .iter()
                .position(|source| source.url == address || source.url == bare);
            match known {
                Some(place) => marks.numbers.push(place + 1),
                None => marks.foreign.push(address.to_owned()),
            }
        }
    }
    marks
}

fn has_mark(sentence: &str) -> bool {
    Bracket::all_in(sentence)
        .any(|bracket| bracket.numbers().is_some() || bracket.after.starts_with('('))
}

/// Splits into sentences, each with the marks that follow it.
fn sentences(block: &str) -> Vec<String> {
    if block.starts_with('§') {
        return Vec::new();
    }
    let mut sentences: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut chars = block.chars().peekable();
    while let Some(c) = chars.next() {
        open.push(c);
        let ends = matches!(c, '.' | '!' | '?' | '。' | ':');
        let at_end = chars.peek().is_none_or(|next| next.is_whitespace());
        if ends && at_end {
            sentences.push(std::mem::take(&mut open));
        }
    }
    sentences.push(open);
    let mut joined: Vec<String> = Vec::new();
    for sentence in sentences {
        let only_marks = sentence
            .chars()
            .all(|c| c.is_whitespace() || c.is_ascii_digit() || matches!(c, '[' | ']' | ',' | '.'));
        match joined.last_mut() {
            Some(last) if only_marks => last.push_str(&sentence),
            Some(last) => {
                let (behind_the_last, own) = sentence.split_at(marks_before(&sentence));
                last.push_str(behind_the_last);
                joined.push(own.to_owned());
            }
            None => joined.push(sentence),
        }
    }
    joined
}

/// Length of the leading marks that belong to the previous sentence: `… is so. [1] The next`. Lower
/// case after them makes them part of this sentence: `[1] says that …`.
fn marks_before(sentence: &str) -> usize {
    let mut rest = sentence;
    for bracket in Bracket::all_in(sentence) {
        let between = &sentence[sentence.len() - rest.len()..bracket.start];
        if !between.trim().is_empty() || bracket.numbers().is_none() {
            break;
        }
        rest = bracket.after;
    }
    let continues = rest.trim_start().starts_with(char::is_lowercase);
    if continues {
        return 0;
    }
    sentence.len() - rest.len()
}

/// False for questions, introductions and reports that nothing was found: they state no fact.
fn needs_source(sentence: &str) -> bool {
    const ABOUT_NOTHING: &[&str] = &[
        "not find",
        "nothing",
        "no passage",
        "not in the documents",
        "do not say",
        "does not say",
        "don't know",
        "not covered",
        "could you",
        "would you",
        "let me know",
        "i can ",
        "try ",
        "nicht gefunden",
        "не найд",
        "rephras",
    ];
    let bare = sentence.trim();
    let words = bare.split_whitespace().count();
    let lower = bare.to_lowercase();
    words >= FEWEST_WORDS
        && !bare.ends_with('?')
        && !bare.ends_with(':')
        && !bare.starts_with('|')
        && !ABOUT_NOTHING.iter().any(|phrase| lower.contains(phrase))
}

/// Text between quotation marks, and block quotes.
fn quotations(block: &str) -> Vec<String> {
    const PAIRS: &[(char, char)] = &[('“', '”'), ('„', '“'), ('«', '»'), ('"', '"')];
    let mut found = Vec::new();
    if let Some(line) = block.trim_start().strip_prefix('>') {
        found.push(without_marks(line));
    }
    for (open, close) in PAIRS {
        let mut rest = block;
        while let Some(at) = rest.find(*open) {
            rest = &rest[at + open.len_utf8()..];
            let Some(end) = rest.find(*close) else { break };
            found.push(rest[..end].to_owned());
            rest = &rest[end + close.len_utf8()..];
        }
    }
    found.retain(|quoted| quoted.split_whitespace().count() >= FEWEST_QUOTED);
    found
}

fn without_marks(text: &str) -> String {
    let mut plain = String::new();
    let mut from = 0;
    for bracket in Bracket::all_in(text).filter(|bracket| bracket.numbers().is_some()) {
        plain.push_str(&text[from..bracket.start]);
        from = text.len() - bracket.after.len();
    }
    plain.push_str(&text[from..]);
    plain
}

/// Normalises for comparison: lower-case letters and digits, single blanks.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

#[cfg(test)]
#[path = "citation_tests.rs"]
mod citation_tests;
