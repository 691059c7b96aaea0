//! An answer without a model that writes: the best passage quoted whole, then the best of
//! others, word for word and each with its source.

use std::collections::HashSet;

use super::blocks::{self, Block, BlockKind};
use super::retrieval::{PassageResult, RetrievalToolResponse};
use super::window::{self, shared};

const MOST_QUOTES: usize = 3;
/// In characters. A longer passage is quoted around its best block.
const LONGEST_QUOTE: usize = 1_200;
/// In characters. The quotation of a passage that is not the best.
const LONGEST_FURTHER: usize = 500;
/// A further passage is quoted if it shares this part of the words that the best one shares.
const WORTH_QUOTING: f64 = 0.6;

/// The result of a search in words for people.
pub(super) fn quoted(response: &RetrievalToolResponse) -> String {
    if let Some(message) = response.message.as_ref().filter(|_| response.is_error()) {
        let for_person = message.split(" Tell the person").next();
        return for_person.unwrap_or(message).to_owned();
    }
    let quotations = quotations(response);
    if quotations.is_empty() {
        return "I could not find this in the documents. Try other words.".to_owned();
    }
    let asked = window::words(&response.query);
    let texts = quotations.iter().map(|one| one.render(&asked));
    let texts: Vec<String> = texts.collect();
    let sources: Vec<String> = quotations.iter().map(Quotation::source_line).collect();
    format!(
        "{}\n\n**Sources**\n{}",
        texts.join("\n\n"),
        sources.join("\n")
    )
}

/// The blocks that are quoted of one result.
struct Quotation<'r> {
    number: usize,
    result: &'r PassageResult,
    blocks: Vec<Block<'r>>,
}

fn quotations(response: &RetrievalToolResponse) -> Vec<Quotation<'_>> {
    let asked = window::words(&response.query);
    let mut quotations: Vec<Quotation<'_>> = Vec::new();
    let mut least = 0.0;
    for index in by_section(&response.results) {
        let result = &response.results[index];
        let is_best = quotations.is_empty();
        let share = shared(&asked, &format!("{} {}", result.heading, result.passage));
        let longest = if is_best {
            LONGEST_QUOTE
        } else {
            LONGEST_FURTHER
        };
        let blocks = choose(result, &asked, longest);
        let is_quoted = |block: &Block<'_>| {
            let mut quoted = quotations.iter().flat_map(|one| &one.blocks);
            quoted.any(|other| other.text == block.text)
        };
        let is_new = !blocks.is_empty() && !blocks.iter().any(is_quoted);
        if is_new && (is_best || share >= least) {
            if is_best {
                least = (share * WORTH_QUOTING).max(f64::EPSILON);
            }
            quotations.push(Quotation {
                number: index + 1,
                result,
                blocks,
            });
        }
        if quotations.len() == MOST_QUOTES {
            break;
        }
    }
    quotations
}

/// The results, those of new sections before those of sections that came earlier: two parts of
/// one section mostly say the same.
fn by_section(results: &[PassageResult]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let (first, later): (Vec<usize>, Vec<usize>) = (0..results.len()).partition(|index| {
        let result = &results[*index];
        seen.insert((&result.url, &result.heading))
    });
    [first, later].concat()
}

/// The blocks of a passage, from the best one on if it is long. They begin where the section
/// does, if that is near: a text first says what it is about. Code and tables follow the sentence
/// that announces them, also out of the passage.
fn choose<'r>(
    result: &'r PassageResult,
    asked: &HashSet<String>,
    longest: usize,
) -> Vec<Block<'r>> {
    let all = blocks::split(result.surrounding());
    let own = result.range();
    let is_own = |block: &Block<'_>| block.range.start < own.end && own.start < block.range.end;
    let says_something = |at: &usize| is_own(&all[*at]) && all[*at].says_something();
    let (Some(first), Some(last)) = (
        (0..all.len()).find(says_something),
        (0..all.len()).rfind(says_something),
    ) else {
        // Headings and labels are all there is.
        return all.into_iter().filter(is_own).collect();
    };
    let is_heading = |block: &Block<'_>| block.kind == BlockKind::Heading;
    let heading = all[..first].iter().rposition(is_heading);
    let section = heading.map_or(first, |heading| heading + 1);
    let candidates: Vec<usize> = (section..=last)
        .filter(|at| all[*at].says_something())
        .collect();
    let length = |from: usize, to: usize| -> usize {
        let chosen = &all[from..=to];
        chosen.iter().map(|block| block.text.chars().count()).sum()
    };
    let (mut from, mut to) = (candidates[0], last);
    if length(from, to) > longest {
        let best = best_block(&all, &candidates, asked);
        let leads = best
            .checked_sub(1)
            .filter(|before| all[*before].is_lead_in());
        from = leads.unwrap_or(best);
        to = best;
        while to < last && length(from, to + 1) <= longest {
            to += 1;
        }
    }
    while continues(&all, to) && length(from, to + 1) <= 2 * longest {
        to += 1;
    }
    let chosen = all[from..=to].iter().filter(|block| block.says_something());
    let text = result.surrounding();
    let cut = |block: &Block<'r>| match block.text.chars().count() > 2 * longest {
        true => block.code_within(text, &own),
        false => block.clone(),
    };
    chosen.map(cut).collect()
}

/// True if the next block belongs to this one: a colon says so, code and tables follow the text
/// that explains them, and a list is whole.
fn continues(all: &[Block<'_>], at: usize) -> bool {
    let Some(next) = all.get(at + 1) else {
        return false;
    };
    match all[at].kind {
        BlockKind::Item if next.kind == BlockKind::Item => true,
        BlockKind::Paragraph | BlockKind::Item => {
            all[at].is_lead_in() || matches!(next.kind, BlockKind::Code | BlockKind::Table)
        }
        BlockKind::Heading | BlockKind::Code | BlockKind::Table => false,
    }
}

/// The candidate that shares most with the question; its heading counts as its words.
fn best_block(all: &[Block<'_>], candidates: &[usize], asked: &HashSet<String>) -> usize {
    let mut best = (-1.0, candidates[0]);
    for at in candidates {
        let heading = all[..*at]
            .iter()
            .rev()
            .find(|block| block.kind == BlockKind::Heading)
            .map_or("", |heading| heading.text);
        let share = shared(asked, &format!("{heading} {}", all[*at].text));
        if share > best.0 {
            best = (share, *at);
        }
    }
    best.1
}

impl Quotation<'_> {
    fn render(&self, asked: &HashSet<String>) -> String {
        let number = self.number;
        let mut parts: Vec<String> = Vec::new();
        let begins_with_words = self
            .blocks
            .first()
            .is_some_and(|block| matches!(block.kind, BlockKind::Paragraph | BlockKind::Item));
        if !begins_with_words {
            parts.push(format!("{} [{number}]:", escaped(&self.place())));
        }
        for block in &self.blocks {
            let text = block.text;
            parts.push(match block.kind {
                BlockKind::Paragraph | BlockKind::Heading => {
                    format!("> {} [{number}]", escaped(text))
                }
                BlockKind::Item => format!("> - {} [{number}]", escaped(text)),
                BlockKind::Code => format!("```\n{text}\n```"),
                BlockKind::Table => with_head(&rows(text, asked).replace('[', "\\[")),
            });
        }
        parts.join("\n\n")
    }

    /// Title, section and page.
    fn place(&self) -> String {
        let result = self.result;
        let mut place = result
            .title
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        // The first heading of a page is mostly its title.
        let title = window::letters(&place);
        for heading in result.heading.split(" › ").filter(|part| !part.is_empty()) {
            if !title.contains(&window::letters(heading)) {
                place.push_str(&format!(" › {}", heading.trim()));
            }
        }
        if let Some(page) = result.page {
            place.push_str(&format!(", page {page}"));
        }
        place
    }

    fn source_line(&self) -> String {
        // Brackets would end the link.
        let place = self.place().replace(['[', ']'], "");
        format!("- [{}] [{place}]({})", self.number, self.result.url)
    }
}

/// One line whose brackets and links are no citations.
fn escaped(text: &str) -> String {
    let lines = text.lines().map(|line| line.trim_start_matches(['>', ' ']));
    let line = lines.collect::<Vec<_>>().join(" ");
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut escaped = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(at) = rest.find(['[', ']']) {
        escaped.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if rest[at..].starts_with("](")
            && let Some(end) = after.find(')')
        {
            // The target of a link.
            escaped.push_str("\\]");
            rest = &after[end + 1..];
            continue;
        }
        // A backslash in code is shown.
        let is_in_code = escaped.matches('`').count() % 2 == 1;
        let is_number = |c: char| c.is_ascii_digit();
        let may_cite = after.trim_start().starts_with(is_number) || escaped.ends_with(is_number);
        if !is_in_code || may_cite {
            escaped.push('\\');
        }
        escaped.push_str(&rest[at..=at]);
        rest = after;
    }
    escaped.push_str(rest);
    escaped
}

/// A table; of a long one its head and the rows that share words with the question, or its first
/// rows.
fn rows(table: &str, asked: &HashSet<String>) -> String {
    if table.chars().count() <= LONGEST_QUOTE {
        return table.to_owned();
    }
    let is_kept = |(at, line): &(usize, &str)| *at < 2 || shared(asked, line) > 0.0;
    let lines = || table.lines().enumerate();
    let fitting = if lines().filter(is_kept).count() > 2 {
        lines().filter(is_kept).map(|(_, line)| line).collect()
    } else {
        table.lines().collect::<Vec<_>>()
    };
    let mut length = 0;
    let fits = |line: &&str| {
        length += line.chars().count();
        length <= LONGEST_QUOTE
    };
    let kept: Vec<&str> = fitting.into_iter().take_while(fits).collect();
    kept.join("\n")
}

/// A table that was cut has no head; Markdown needs one.
fn with_head(table: &str) -> String {
    let is_rule = |line: &str| line.starts_with("|-") || line.starts_with("| -");
    let mut lines: Vec<&str> = table.lines().collect();
    if lines.get(1).is_some_and(|line| is_rule(line)) {
        return table.to_owned();
    }
    lines.retain(|line| !is_rule(line));
    let columns = lines
        .first()
        .map_or(1, |line| line.matches('|').count().max(2) - 1);
    let head = format!("|{}\n|{}", " |".repeat(columns), "---|".repeat(columns));
    format!("{head}\n{}", lines.join("\n"))
}
