//! Fits a table into the terminal: the widest columns shrink first, and their cells wrap.

use unicode_width::UnicodeWidthStr;

use crate::cli::paint::Look;

const GAP: usize = 2;
const NARROWEST: usize = 6;

/// Lays out rows of Markdown source. The last line has no line end.
pub(super) fn lay_out(lines: &[String], look: Look) -> String {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .filter(|line| !is_rule(line))
        .map(|line| cells(line))
        .collect();
    let widths = fit(natural_widths(&rows), look.width);
    let mut out: Vec<String> = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        for line in row_lines(row, &widths) {
            out.push(if index == 0 { look.bold(&line) } else { line });
        }
        if index == 0 {
            let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            out.push(look.dim(&rule.join("  ")));
        }
    }
    out.join("\n")
}

fn is_rule(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let line = match line.strip_suffix('|') {
        Some(cut) if !cut.ends_with('\\') => cut,
        Some(_) | None => line,
    };
    let mut cells = vec![String::new()];
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'|') => {
                letters.next();
                push(&mut cells, '|');
            }
            '|' => cells.push(String::new()),
            letter => push(&mut cells, letter),
        }
    }
    cells
        .iter()
        .map(|cell| cell.trim().replace("**", "").replace('`', ""))
        .collect()
}

fn push(cells: &mut [String], letter: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(letter);
    }
}

fn natural_widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        })
        .collect()
}

/// Shrinks the widest column until the row fits or no column can shrink.
fn fit(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    let gaps = GAP * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROWEST => *widest -= 1,
            Some(_) | None => break,
        }
    }
    widths
}

fn row_lines(row: &[String], widths: &[usize]) -> Vec<String> {
    let wrapped: Vec<Vec<String>> = widths
        .iter()
        .enumerate()
        .map(|(column, width)| wrap(row.get(column).map_or("", String::as_str), *width))
        .collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    (0..height)
        .map(|line| {
            let mut out = String::new();
            for (cell, width) in wrapped.iter().zip(widths) {
                let text = cell.get(line).map_or("", String::as_str);
                out.push_str(text);
                out.push_str(&" ".repeat(width.saturating_sub(text.width()) + GAP));
            }
            out.trim_end().to_owned()
        })
        .collect()
}

/// Wraps at words; a word longer than the column is split.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let used = lines.last().map_or(0, |line| line.width());
        if used > 0 && used + 1 + word.width() > width {
            lines.push(String::new());
        } else if used > 0 {
            push(&mut lines, ' ');
        }
        for letter in word.chars() {
            let used = lines.last().map_or(0, |line| line.width());
            if used + unicode_width::UnicodeWidthChar::width(letter).unwrap_or(0) > width
                && used > 0
            {
                lines.push(String::new());
            }
            push(&mut lines, letter);
        }
    }
    lines
}
