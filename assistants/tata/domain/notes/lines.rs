//! Lines of pasted notes: without bullets, numbering and markup, wrapped lines put together again.

use crate::tata::domain::text::emoji::without_emoji;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Blank,
    Bullet,
    /// Marked as a heading by `#` or by being all bold.
    Heading,
    Plain,
}

/// Shorter lines are entries of a list, not the wrapped lines of a paragraph.
const WRAPPED_FROM: usize = 50;

pub(crate) fn lines(text: &str) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::new();
    let mut last_raw_length = 0;
    for raw in text.lines() {
        let line = line(raw);
        let length = raw.trim().chars().count();
        match out.last_mut() {
            Some(before) if goes_on(before, &line, last_raw_length) => {
                before.text.push(' ');
                before.text.push_str(&line.text);
            }
            _ => out.push(line),
        }
        last_raw_length = length;
    }
    out
}

/// A single line without its marker.
pub(crate) fn line(raw: &str) -> Line {
    let text = raw.trim();
    if text.is_empty() {
        return Line {
            text: String::new(),
            kind: LineKind::Blank,
        };
    }
    let bare = without_marker(text);
    let kind = if is_markdown_heading(text) || is_all_bold(text) {
        LineKind::Heading
    } else if bare.len() < text.len() {
        LineKind::Bullet
    } else {
        LineKind::Plain
    };
    let text = without_emoji(
        &bare
            .trim_start_matches('#')
            .replace("**", "")
            .replace("__", ""),
    );
    let text = text.trim().to_owned();
    let kind = if text.is_empty() {
        LineKind::Blank
    } else {
        kind
    };
    Line { text, kind }
}

/// The marker of a bullet point or of a numbered point is gone, if there is one.
pub(crate) fn without_marker(line: &str) -> &str {
    let mut rest = line.trim_start();
    loop {
        let next = strip_sign(rest)
            .or_else(|| strip_number(rest))
            .or_else(|| strip_box(rest));
        match next {
            Some(shorter) => rest = shorter.trim_start(),
            None => return rest,
        }
    }
}

fn strip_sign(text: &str) -> Option<&str> {
    let mut chars = text.chars();
    let sign = chars.next()?;
    let after = chars.as_str();
    let spaced = after.starts_with(char::is_whitespace) || after.is_empty();
    match sign {
        '•' | '·' | '▪' | '◦' | '‣' | '●' | '○' | '■' | '□' | '→' | '➢' | '❖' | '✓' | '✔'
        | '✅' | '☐' | '☑' => Some(after),
        '-' | '–' | '—' | '*' | '>' | '+' if spaced => Some(after),
        // Word writes second-level bullets as the letter o and a tab.
        'o' if after.starts_with('\t') => Some(after),
        _ => None,
    }
}

fn strip_number(text: &str) -> Option<&str> {
    let text = text.strip_prefix('(').unwrap_or(text);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let label = match digits {
        1 | 2 => digits,
        0 if text.starts_with(|c: char| c.is_ascii_lowercase()) && text[1..].starts_with(')') => 1,
        _ => return None,
    };
    let after = text[label..].strip_prefix(['.', ')'])?;
    after.starts_with(char::is_whitespace).then_some(after)
}

fn strip_box(text: &str) -> Option<&str> {
    ["[ ]", "[x]", "[X]"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
}

fn is_markdown_heading(text: &str) -> bool {
    let hashes = text.bytes().take_while(|b| *b == b'#').count();
    (1..=6).contains(&hashes) && text[hashes..].starts_with(' ')
}

fn is_all_bold(text: &str) -> bool {
    let inner = text.trim_end_matches(':');
    inner.len() > 4
        && inner.starts_with("**")
        && inner.ends_with("**")
        && inner.matches("**").count() == 2
}

/// A paragraph that was wrapped at a fixed width, or a list that goes on after a comma.
fn goes_on(before: &Line, line: &Line, last_length: usize) -> bool {
    let both =
        matches!(before.kind, LineKind::Plain | LineKind::Bullet) && line.kind == LineKind::Plain;
    if !both || before.text.ends_with(['.', '!', '?', ':', ';']) {
        return false;
    }
    before.text.ends_with(',')
        || (last_length >= WRAPPED_FROM && line.text.starts_with(|c: char| c.is_lowercase()))
}
