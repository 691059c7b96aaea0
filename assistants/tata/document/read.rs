//! Reads a document back from Markdown that a person or a model has changed. Sections are
//! recognised by their headings, so that code finds them by id.

use frontdesk_core::draft::Quote;

use super::markdown::INTERNAL;
use super::{Body, Document, Item, Section, one_line, paragraphs_in};
use crate::labels::labels;
use crate::language::Language;

/// More than anybody edits by hand; reading stays linear.
const LONGEST: usize = 200_000;

impl Document {
    /// The document that this Markdown is, as a new version of `previous`.
    pub(crate) fn read_markdown(text: &str, previous: &Self) -> Result<Self, String> {
        if text.chars().count() > LONGEST {
            return Err(format!(
                "The document is longer than {LONGEST} characters. Make it shorter."
            ));
        }
        let mut document = Self {
            sections: Vec::new(),
            ..previous.clone()
        };
        let mut parts: Vec<Part<'_>> = vec![Part::default()];
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("# ") {
                let title = Some(plain(title)).filter(|title| !title.is_empty());
                document.title = title.unwrap_or(document.title);
            } else if let Some(heading) = line.trim_end().strip_prefix("##") {
                parts.push(Part::headed(heading.trim_start_matches('#')));
            } else if let Some(part) = parts.last_mut() {
                part.lines.push(line);
            }
        }
        if let Some(first) = parts.first_mut() {
            first.lines.retain(|line| !is_fallback_line(line));
        }
        for part in &parts {
            let section = part.section(previous, &document.sections);
            document.sections.extend(section);
        }
        if document.sections.is_empty() {
            return Err("The document is empty. Write its text, or leave it as it is.".to_owned());
        }
        Ok(document)
    }
}

fn is_fallback_line(line: &str) -> bool {
    let said = line.strip_prefix('>').map(str::trim);
    let mut languages = Language::ALL.into_iter();
    languages.any(|language| Some(labels(language).word("made_without_model")) == said)
}

/// The lines under one heading.
#[derive(Default)]
struct Part<'a> {
    heading: String,
    internal: bool,
    lines: Vec<&'a str>,
}

impl Part<'_> {
    fn headed(heading: &str) -> Self {
        let heading = heading.trim();
        let public = heading.strip_suffix(INTERNAL);
        Self {
            heading: plain(public.unwrap_or(heading)),
            internal: public.is_some(),
            lines: Vec::new(),
        }
    }

    /// `None` where neither a heading nor a text is left.
    fn section(&self, previous: &Document, taken: &[Section]) -> Option<Section> {
        let body = body(&self.lines);
        if matches!(&body, Body::Paragraphs(texts) if texts.is_empty()) {
            return None;
        }
        let is_free = |id: &str| taken.iter().all(|section| section.id != id);
        let same = previous.sections.iter().find(|section| {
            is_free(&section.id) && section.heading.to_lowercase() == self.heading.to_lowercase()
        });
        let fresh = || {
            let numbers = (1..).map(|number| format!("section_{number}"));
            let is_new = |id: &String| is_free(id) && previous.section(id).is_none();
            { numbers }.find(is_new).unwrap_or_default()
        };
        Some(Section {
            id: same.map_or_else(fresh, |section| section.id.clone()),
            heading: self.heading.clone(),
            internal: self.internal || same.is_some_and(|section| section.internal),
            body,
        })
    }
}

fn body(lines: &[&str]) -> Body {
    let written = || lines.iter().filter(|line| !line.trim().is_empty());
    if written().count() > 1 && written().all(|line| line.trim().starts_with('|')) {
        return table(written().map(|line| line.trim()));
    }
    let first_is_item = written()
        .next()
        .is_some_and(|line| entry_of(line).is_some());
    let is_loose = |line: &&&str| entry_of(line).is_none() && !line.starts_with([' ', '\t']);
    if first_is_item && written().find(is_loose).is_none() {
        return Body::Items(items(written().copied()));
    }
    Body::Paragraphs(paragraphs(lines))
}

/// The text of a list entry: `* `, `- `, `+ `, `• ` or `1. ` at the start of a line.
fn entry_of(line: &str) -> Option<&str> {
    if let Some(text) = line.strip_prefix(['*', '-', '+', '•']) {
        return text
            .strip_prefix([' ', '\t'])
            .or((text.is_empty()).then_some(""));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let is_number = (1..=3).contains(&digits) && rest.starts_with(['.', ')']);
    is_number.then(|| rest[1..].strip_prefix(' ')).flatten()
}

fn paragraphs(lines: &[&str]) -> Vec<String> {
    let mut text = String::new();
    let mut in_list = false;
    for line in lines {
        let listed = entry_of(line);
        let is_blank = line.trim().is_empty();
        // A list belongs to the paragraph that leads to it, whatever blank lines surround it.
        if listed.is_some() && !in_list {
            text.truncate(text.trim_end().len());
            if !text.is_empty() {
                text.push('\n');
            }
        }
        match listed {
            Some(item) => text.push_str(&format!("• {}", plain(item))),
            None => text.push_str(&plain(without_break(line))),
        }
        in_list = listed.is_some() || (in_list && is_blank);
        text.push('\n');
    }
    paragraphs_in(&text)
}

/// A line without the mark of a hard break, which is a backslash that escapes nothing.
fn without_break(line: &str) -> &str {
    let marks = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
    &line[..line.len() - marks % 2]
}

fn items<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for line in lines {
        if let Some(text) = entry_of(line) {
            items.push(item(text));
            continue;
        }
        let Some(item) = items.last_mut() else {
            continue;
        };
        let line = line.trim();
        if let Some(said) = line.strip_prefix('>') {
            item.quotes.extend(quote(said.trim()));
        } else if let Some(rewrite) = line.strip_prefix('→') {
            item.rewrite = Some(plain(rewrite));
        } else {
            item.text = one_line(&format!("{} {}", item.text, plain(line)));
        }
    }
    items
}

/// `**Label (4/5):** text`, also with the colon behind the stars.
fn item(text: &str) -> Item {
    let labelled = text.trim().strip_prefix("**").and_then(|rest| {
        let (label, text) = rest.split_once(":**").or_else(|| rest.split_once("**:"))?;
        (!label.contains("**")).then_some((label, text))
    });
    let Some((label, text)) = labelled else {
        return Item::new(plain(text));
    };
    let (label, rating) = rated(label);
    Item {
        rating,
        ..Item::labelled(plain(label), plain(text))
    }
}

/// "Excel (4/5)".
fn rated(label: &str) -> (&str, Option<u8>) {
    let rated = label.trim_end().strip_suffix("/5)");
    let parts = rated.and_then(|rated| rated.rsplit_once('('));
    let read = parts.and_then(|(label, rating)| Some((label.trim_end(), rating.parse().ok()?)));
    read.filter(|(_, rating)| (1..=5).contains(rating))
        .map_or((label, None), |(label, rating)| (label, Some(rating)))
}

/// `“words” (source)`.
fn quote(text: &str) -> Option<Quote> {
    let (quote, source) = match text.rsplit_once("” (") {
        Some((quote, source)) => (quote, source.strip_suffix(')').unwrap_or(source)),
        None => (text.trim_end_matches('”'), ""),
    };
    let quote = Quote {
        quote: plain(quote.trim_start_matches('“')),
        source: plain(source).replace(' ', "_"),
    };
    (!quote.quote.is_empty()).then_some(quote)
}

fn table<'a>(lines: impl Iterator<Item = &'a str>) -> Body {
    let is_rule = |row: &Vec<String>| {
        let mut cells = row.iter();
        let dashes = |cell: &String| cell.contains('-') && cell.chars().all(|c| "-:".contains(c));
        !row.is_empty() && cells.all(dashes)
    };
    let mut rows = lines.map(cells).peekable();
    let header = rows.next().unwrap_or_default();
    rows.next_if(is_rule);
    let width = header.len();
    let rows = rows.map(|mut row| {
        row.resize(width, String::new());
        row
    });
    Body::Table {
        rows: rows.collect(),
        header,
    }
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, cells.last_mut()) {
            ('|', _) => cells.push(String::new()),
            ('\\', Some(cell)) => {
                cell.push('\\');
                cell.extend(chars.next());
            }
            (c, Some(cell)) => cell.push(c),
            (_, None) => {}
        }
    }
    // The line ends in a bar, behind which nothing follows.
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| plain(cell)).collect()
}

/// The text without escapes and without bold marks, on one line.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        match (c, next) {
            ('\\', Some(escaped))
                if escaped.is_ascii_punctuation() || matches!(escaped, '→' | '•') =>
            {
                out.push(escaped);
                chars.next();
            }
            ('*', Some('*')) | ('_', Some('_')) => {
                chars.next();
            }
            _ => out.push(c),
        }
    }
    one_line(&out)
}
