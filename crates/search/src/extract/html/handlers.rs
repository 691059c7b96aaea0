//! How elements become Markdown where htmd's own form does not suit search: links and
//! emphasis as plain text, definition terms as headings, compact tables, all code fenced.

use std::rc::Rc;

use htmd::element_handler::{HandlerResult, Handlers};
use htmd::options::{BulletListMarker, Options};
use htmd::{Element, HtmlToMarkdown, Node};

use super::{attribute, name, one_line, text};

/// In characters. Longer definition terms are paragraphs.
const LONGEST_TERM: usize = 200;
/// The heading level of a definition term; terms inside definitions are one level lower.
const TERM_LEVEL: usize = 4;
const LOWEST_LEVEL: usize = 6;
/// Classes of remarks. Their headings, such as `Note`, begin no section.
const REMARKS: &[&str] = &[
    "note",
    "tip",
    "hint",
    "important",
    "warning",
    "caution",
    "danger",
    "admonition",
];

pub(super) fn converter() -> HtmlToMarkdown {
    HtmlToMarkdown::builder()
        .options(Options {
            bullet_list_marker: BulletListMarker::Dash,
            ul_bullet_spacing: 1,
            ol_number_spacing: 1,
            ..Options::default()
        })
        .add_handler(vec!["a", "em", "i", "strong", "b", "sup"], plain)
        .add_handler(vec!["blockquote"], paragraphs)
        .add_handler(vec!["head"], nothing)
        .add_handler(vec!["pre"], code_block)
        .add_handler(vec!["dt"], term)
        .add_handler(vec!["h2", "h3", "h4", "h5", "h6"], heading)
        .add_handler(vec!["table"], table)
        .build()
}

fn nothing(_: &dyn Handlers, _: Element<'_>) -> Option<HandlerResult> {
    None
}

fn plain(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    Some(handlers.walk_children(element.node))
}

/// Manuals indent with quotations; what is quoted is text like any other.
fn paragraphs(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let content = handlers.walk_children(element.node).content;
    Some(format!("\n\n{}\n\n", content.trim_matches('\n')).into())
}

fn code_block(_: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let code = text(element.node);
    let code = code.trim_matches('\n');
    if code.trim().is_empty() {
        return None;
    }
    let fence = if code.contains("```") { "~~~~" } else { "```" };
    Some(format!("\n\n{fence}\n{code}\n{fence}\n\n").into())
}

fn term(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let term = one_line(&text(element.node));
    if term.is_empty() || term.chars().count() > LONGEST_TERM || is_in(element.node, "table") > 0 {
        return handlers.fallback(element);
    }
    let level = (TERM_LEVEL + is_in(element.node, "dl").saturating_sub(1)).min(LOWEST_LEVEL);
    Some(format!("\n\n{} {term}\n\n", "#".repeat(level)).into())
}

fn heading(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let classes = parent(element.node).and_then(|parent| attribute(&parent, "class"));
    let mut classes = classes.iter().flat_map(|all| all.split_whitespace());
    if classes.any(|class| REMARKS.contains(&class)) {
        return paragraphs(handlers, element);
    }
    handlers.fallback(element)
}

/// A table row is one line; a table of one column is laid out as its content.
fn table(handlers: &dyn Handlers, element: Element<'_>) -> Option<HandlerResult> {
    let rows: Vec<Vec<String>> = rows(element.node)
        .iter()
        .map(|row| cells(handlers, row))
        .filter(|cells| cells.iter().any(|cell| !cell.is_empty()))
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if columns < 2 {
        return Some(handlers.walk_children(element.node));
    }
    let mut lines: Vec<String> = rows
        .iter()
        .map(|cells| format!("| {} |", cells.join(" | ")))
        .collect();
    lines.insert(1, format!("|{}", "---|".repeat(columns)));
    let caption = element
        .node
        .children
        .borrow()
        .iter()
        .find(|child| name(child) == Some("caption"))
        .map_or_else(String::new, |caption| one_line(&text(caption)));
    Some(format!("\n\n{caption}\n\n{}\n\n", lines.join("\n")).into())
}

/// The rows of a table, not those of tables inside it.
fn rows(table: &Rc<Node>) -> Vec<Rc<Node>> {
    let mut rows = Vec::new();
    for child in table.children.borrow().iter() {
        match name(child) {
            Some("tr") => rows.push(Rc::clone(child)),
            Some("thead" | "tbody" | "tfoot") => {
                let children = child.children.borrow();
                rows.extend(
                    children
                        .iter()
                        .filter(|row| name(row) == Some("tr"))
                        .cloned(),
                );
            }
            Some(_) | None => {}
        }
    }
    rows
}

fn cells(handlers: &dyn Handlers, row: &Rc<Node>) -> Vec<String> {
    let children = row.children.borrow();
    let cells = children
        .iter()
        .filter(|cell| matches!(name(cell), Some("td" | "th")));
    cells
        .map(|cell| one_line(&handlers.walk_children(cell).content.replace('|', "/")))
        .collect()
}

/// How many ancestors have this name.
fn is_in(node: &Rc<Node>, wanted: &str) -> usize {
    let mut count = 0;
    let mut at = parent(node);
    while let Some(node) = at {
        count += usize::from(name(&node) == Some(wanted));
        at = parent(&node);
    }
    count
}

fn parent(node: &Rc<Node>) -> Option<Rc<Node>> {
    let parent = node.parent.take();
    let found = parent.as_ref().and_then(std::rc::Weak::upgrade);
    node.parent.set(parent);
    found
}

/// Removes the backslashes that htmd writes before signs, and non-breaking blanks: the text is
/// read and quoted, not only rendered. Code has no such backslashes.
pub(super) fn without_escapes(markdown: &str) -> String {
    let markdown = markdown.replace('\u{a0}', " ");
    let mut text = String::with_capacity(markdown.len());
    let mut in_code = false;
    for line in markdown.split_inclusive('\n') {
        let is_fence =
            line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~~");
        in_code ^= is_fence;
        if in_code || is_fence || !line.contains('\\') {
            text.push_str(line);
            continue;
        }
        for (index, part) in line.split('`').enumerate() {
            if index > 0 {
                text.push('`');
            }
            if index % 2 == 1 {
                text.push_str(part);
            } else {
                push_unescaped(part, &mut text);
            }
        }
    }
    text
}

fn push_unescaped(part: &str, text: &mut String) {
    let mut chars = part.chars().peekable();
    while let Some(c) = chars.next() {
        let escapes = c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
        text.push(match escapes {
            true => chars.next().unwrap_or(c),
            false => c,
        });
    }
}
