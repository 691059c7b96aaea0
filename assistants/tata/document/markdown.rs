//! Writes a document as Markdown, for reading, editing and export.

use super::{Body, Document, Item, Section};

/// Starts an entry of a list inside a paragraph.
const BULLET: &str = "• ";

/// Marks a heading whose section candidates must not see.
pub(super) const INTERNAL: &str = "[internal]";

impl Document {
    pub(crate) fn to_markdown(&self) -> String {
        let mut parts = vec![format!("# {}", escape(&self.title))];
        parts.extend(self.fallback_line().map(|line| format!("> {line}")));
        for section in &self.sections {
            parts.extend(heading(section));
            parts.push(body(&section.body));
        }
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n") + "\n"
    }
}

fn heading(section: &Section) -> Option<String> {
    let mark = if section.internal { INTERNAL } else { "" };
    let text = format!("{} {mark}", escape(&section.heading));
    Some(format!("## {}", text.trim())).filter(|line| line != "## ")
}

fn body(body: &Body) -> String {
    match body {
        Body::Paragraphs(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| paragraph(text)).collect();
            texts.join("\n\n")
        }
        Body::Items(items) => {
            let items: Vec<String> = items.iter().map(item).collect();
            items.join("\n")
        }
        Body::Table { header, rows } => table(header, rows),
    }
}

/// Line breaks inside a paragraph stay; lines with round bullets are a list.
fn paragraph(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let groups = lines.chunk_by(|a, b| a.starts_with(BULLET) == b.starts_with(BULLET));
    let groups = groups.map(|lines| {
        let lines: Vec<String> = lines.iter().map(|line| line_of_prose(line)).collect();
        match lines.first().is_some_and(|line| line.starts_with("* ")) {
            true => lines.join("\n"),
            // CommonMark's hard line break.
            false => lines.join("\\\n"),
        }
    });
    groups.collect::<Vec<_>>().join("\n\n")
}

fn line_of_prose(line: &str) -> String {
    match line.strip_prefix(BULLET) {
        Some(entry) => format!("* {}", escape(entry)),
        None => escape(line),
    }
}

fn item(item: &Item) -> String {
    let mut out = String::from("* ");
    if let Some(heading) = item.heading() {
        out.push_str(&format!("**{}:** ", escape(&heading)));
    }
    out.push_str(&escape(&item.text));
    let out = out.trim_end().to_owned();
    let quotes = item.quotes.iter().map(|quote| {
        format!(
            "\n  > “{}” ({})",
            escape(&quote.quote),
            // Sources have identifiers; people read words.
            escape(&quote.source.replace('_', " "))
        )
    });
    let rewrite = item
        .rewrite
        .iter()
        .map(|rewrite| format!("\n  → {}", escape(rewrite)));
    // Behind a quote it would read as a part of it.
    rewrite.chain(quotes).fold(out, |out, line| out + &line)
}

fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        format!("| {} |", cells.join(" | "))
    };
    let rule = format!("|{}", " --- |".repeat(header.len()));
    let rows = rows.iter().map(|row| line(row));
    let lines: Vec<String> = [line(header), rule].into_iter().chain(rows).collect();
    lines.join("\n")
}

/// Escapes characters that Markdown or our reader treats as markup.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let starts_block = at == 0 && matches!(c, '#' | '+' | '-' | '=' | '>' | '~' | '→' | '•');
        let ends = next.is_none_or(char::is_whitespace);
        let numbers = at > 0 && at == digits && ends && matches!(c, '.' | ')');
        let links = c == ']' && next.is_some_and(|next| matches!(next, '(' | '[' | ':'));
        if starts_block || numbers || links || matches!(c, '\\' | '*' | '_' | '`' | '<' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    // The marker of internal sections is ours.
    match out.ends_with(INTERNAL) {
        true => out.replace(INTERNAL, "\\[internal]"),
        false => out,
    }
}
