//! Clean Markdown: nothing in a text can turn into markup, and lists use stars, never dashes.

use super::{Block, Document, WRITING_LINE};

pub(super) fn render(document: &Document) -> String {
    let mut parts = vec![format!("# {}", escape(&document.title))];
    parts.extend(document.blocks.iter().map(block));
    parts.join("\n\n") + "\n"
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("## {}", escape(text)),
        Block::Subheading(text) => format!("### {}", escape(text)),
        Block::Paragraph(text) => paragraph(text),
        Block::Bullets(items) => items
            .iter()
            .map(|i| format!("* {}", one_line(i)))
            .collect::<Vec<_>>()
            .join("\n"),
        Block::Numbered(items) => {
            let lines = items
                .iter()
                .enumerate()
                .map(|(i, text)| format!("{}. {}", i + 1, one_line(text)));
            lines.collect::<Vec<_>>().join("\n")
        }
        Block::Table { header, rows } => table(header, rows),
        Block::NoteSpace(label) => format!("{}\n\n{WRITING_LINE}", escape(label)),
    }
}

/// Line breaks inside a paragraph stay; lines with our round bullets become a list.
fn paragraph(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        let is_item = |at: usize| lines.get(at).is_some_and(|l| l.starts_with("• "));
        if i > 0 {
            let list_edge = is_item(i) != is_item(i - 1) && !line.is_empty();
            out.push_str(if list_edge { "\n\n" } else { "\n" });
        }
        match line.strip_prefix("• ") {
            Some(item) => {
                out.push_str("* ");
                out.push_str(&escape(item));
            }
            None => {
                out.push_str(&escape(line));
                // A hard line break, unless the paragraph or the line ends here anyway.
                if !line.is_empty()
                    && lines.get(i + 1).is_some_and(|l| !l.is_empty())
                    && !is_item(i + 1)
                {
                    out.push('\\');
                }
            }
        }
    }
    out
}

fn table(header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        format!(
            "| {} |",
            cells
                .iter()
                .map(|c| cell(c))
                .collect::<Vec<_>>()
                .join(" | ")
        )
    };
    let rule = format!("|{}", " --- |".repeat(header.len()));
    let mut lines = vec![line(header), rule];
    lines.extend(rows.iter().map(|r| line(r)));
    lines.join("\n")
}

/// Inside a cell nothing can begin a list or a heading.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::with_capacity(line.len());
    inline(&line, &mut out);
    out.replace('|', "\\|")
}

fn one_line(text: &str) -> String {
    escape(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Escapes what Markdown would read as markup, and no more.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        let indent = line.len() - line.trim_start().len();
        let start = &line[indent..];
        out.push_str(&line[..indent]);
        let digits = start.bytes().take_while(u8::is_ascii_digit).count();
        let numbered = digits > 0 && start[digits..].starts_with(['.', ')']);
        let rest = if numbered {
            out.push_str(&start[..digits]);
            out.push('\\');
            &start[digits..]
        } else {
            if start.starts_with(['#', '+', '-', '=', '>', '~']) {
                out.push('\\');
            }
            start
        };
        inline(rest, &mut out);
    }
    out
}

fn inline(text: &str, out: &mut String) {
    for c in text.chars() {
        if matches!(c, '\\' | '*' | '_' | '`' | '<' | '[' | ']') {
            out.push('\\');
        }
        out.push(c);
    }
}
