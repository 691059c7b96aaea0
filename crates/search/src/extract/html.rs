//! Converts pages to Markdown: headings, paragraphs, lists, code and tables of the main
//! content. Drops scripts, styles, navigation, footers and sidebars.

mod entities;
mod tags;

pub(in crate::extract) use entities::entity;

use super::Document;
use entities::decode;
use tags::{Piece, Tag, pieces};

/// Elements whose content is not page text.
const LEFT_OUT: &[&str] = &[
    "script", "style", "nav", "footer", "aside", "noscript", "template", "svg", "iframe", "form",
    "button", "select", "dialog", "head",
];
/// In characters. A `main` element with less text is a frame, not the content.
const LEAST_MAIN: usize = 200;

/// A page's links and its robots directives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Link targets as written.
    pub to: Vec<String>,
    pub base: Option<String>,
    /// `noindex`: the page must not be indexed.
    pub no_index: bool,
    /// `nofollow`: the page's links must not be followed.
    pub no_follow: bool,
}

pub(in crate::extract) fn document(source: &str) -> Document {
    let mut page = Page::default();
    for piece in pieces(source) {
        match piece {
            Piece::Open(tag) => page.open(&tag),
            Piece::Close(name) => page.close(&name),
            Piece::Text(text) => page.text(&decode(text)),
            Piece::Raw { name, text } if name == "title" => {
                page.title = one_line(&decode(text));
            }
            Piece::Raw { .. } => {}
        }
    }
    page.finish()
}

#[derive(Default)]
struct Page {
    title: String,
    links: Links,
    /// The whole body, and the parts marked as main content.
    body: Markdown,
    main: Markdown,
    /// Names of the open elements whose content is dropped.
    left_out: Vec<String>,
    main_depth: usize,
    first_heading: Option<String>,
}

impl Page {
    fn open(&mut self, tag: &Tag) {
        match tag.name.as_str() {
            "a" => self.links.to.extend(tag.attribute("href")),
            "base" => self.links.base = tag.attribute("href"),
            "meta" => self.meta(tag),
            _ => {}
        }
        if self.leaves_out(tag) {
            if !tag.is_void() {
                self.left_out.push(tag.name.clone());
            }
            return;
        }
        if !self.left_out.is_empty() {
            return;
        }
        let is_main = is_main(tag);
        if is_main || self.main_depth > 0 {
            self.main_depth += usize::from(!tag.is_void() && is_main);
            self.main.open(tag);
        }
        self.body.open(tag);
    }

    fn leaves_out(&self, tag: &Tag) -> bool {
        let name = tag.name.as_str();
        let hidden = tag.attribute("hidden").is_some()
            || tag.attribute("aria-hidden").as_deref() == Some("true");
        let role = tag.attribute("role");
        // A header inside the content holds its headline; outside, the site's.
        let site_header = name == "header" && self.main_depth == 0;
        LEFT_OUT.contains(&name)
            || site_header
            || (hidden && !tag.is_void())
            || role.is_some_and(|role| {
                matches!(
                    role.as_str(),
                    "navigation" | "banner" | "contentinfo" | "complementary" | "search"
                )
            })
    }

    fn meta(&mut self, tag: &Tag) {
        let is_robots = tag
            .attribute("name")
            .is_some_and(|name| name.eq_ignore_ascii_case("robots"));
        if is_robots {
            let content = tag
                .attribute("content")
                .unwrap_or_default()
                .to_ascii_lowercase();
            self.links.no_index |= content.contains("noindex") || content.contains("none");
            self.links.no_follow |= content.contains("nofollow") || content.contains("none");
        }
    }

    fn close(&mut self, name: &str) {
        if let Some(at) = self.left_out.iter().rposition(|open| open == name) {
            self.left_out.truncate(at);
            return;
        }
        if !self.left_out.is_empty() {
            return;
        }
        if self.main_depth > 0 {
            self.main.close(name);
            if matches!(name, "main" | "article") {
                self.main_depth -= 1;
            }
        }
        self.body.close(name);
    }

    fn text(&mut self, text: &str) {
        if !self.left_out.is_empty() {
            return;
        }
        if self.body.heading == Some(1) && self.first_heading.is_none() {
            let heading = one_line(text);
            if !heading.is_empty() {
                self.first_heading = Some(heading);
            }
        }
        if self.main_depth > 0 {
            self.main.text(text);
        }
        self.body.text(text);
    }

    fn finish(self) -> Document {
        let main = self.main.finish();
        let text = if main.len() >= LEAST_MAIN {
            main
        } else {
            self.body.finish()
        };
        let title = match self.title.is_empty() {
            false => self.title,
            true => self.first_heading.unwrap_or_default(),
        };
        Document {
            title,
            text,
            links: self.links,
        }
    }
}

fn is_main(tag: &Tag) -> bool {
    matches!(tag.name.as_str(), "main" | "article")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Writes Markdown as elements open and close.
#[derive(Default)]
struct Markdown {
    text: String,
    heading: Option<usize>,
    in_code: bool,
    lists: Vec<Option<u32>>,
    /// The cells of the current row.
    row: Option<Vec<String>>,
    rows: usize,
}

impl Markdown {
    fn open(&mut self, tag: &Tag) {
        match tag.name.as_str() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = tag
                    .name
                    .as_bytes()
                    .get(1)
                    .map_or(1, |digit| usize::from(digit - b'0'));
                self.paragraph();
                self.text.push_str(&"#".repeat(level));
                self.text.push(' ');
                self.heading = Some(level);
            }
            "pre" => {
                self.paragraph();
                self.text.push_str("```\n");
                self.in_code = true;
            }
            "ul" => self.lists.push(None),
            "ol" => self.lists.push(Some(0)),
            "li" => self.item(),
            "br" => self.line(),
            "table" => {
                self.paragraph();
                self.rows = 0;
            }
            "tr" => self.row = Some(Vec::new()),
            "td" | "th" => {
                if let Some(row) = &mut self.row {
                    row.push(String::new());
                }
            }
            "hr" => self.paragraph(),
            name if is_block(name) => self.paragraph(),
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.heading = None;
                self.paragraph();
            }
            "pre" if self.in_code => {
                self.in_code = false;
                self.line();
                self.text.push_str("```\n\n");
            }
            "ul" | "ol" => {
                self.lists.pop();
                self.paragraph();
            }
            "tr" => self.end_row(),
            "table" => {
                self.end_row();
                self.text.push('\n');
            }
            name if is_block(name) => self.paragraph(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(row) = &mut self.row {
            if let Some(cell) = row.last_mut() {
                push_words(cell, text);
            }
        } else if self.in_code {
            self.text.push_str(text);
        } else {
            push_words(&mut self.text, text);
        }
    }

    fn item(&mut self) {
        self.line();
        let depth = self.lists.len().saturating_sub(1);
        self.text.push_str(&"  ".repeat(depth.min(6)));
        match self.lists.last_mut() {
            Some(Some(number)) => {
                *number += 1;
                let number = *number;
                self.text.push_str(&format!("{number}. "));
            }
            Some(None) | None => self.text.push_str("- "),
        }
    }

    fn end_row(&mut self) {
        let Some(cells) = self.row.take().filter(|cells| !cells.is_empty()) else {
            return;
        };
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| one_line(cell).replace('|', "/"))
            .collect();
        self.line();
        self.text.push_str(&format!("| {} |\n", cells.join(" | ")));
        self.rows += 1;
        if self.rows == 1 {
            self.text
                .push_str(&format!("|{}\n", "---|".repeat(cells.len())));
        }
    }

    fn line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            trim_end(&mut self.text);
            self.text.push('\n');
        }
    }

    fn paragraph(&mut self) {
        // Inside a heading, list item or cell, a block does not start a paragraph.
        if self.heading.is_some() || self.row.is_some() || self.in_code {
            return;
        }
        trim_end(&mut self.text);
        let marker = self.text.ends_with("\n-")
            || self.text == "-"
            || self.text.ends_with('.') && ends_with_number(&self.text);
        if marker {
            self.text.push(' ');
        } else if !self.text.is_empty() {
            let newlines = if self.lists.is_empty() { "\n\n" } else { "\n" };
            while !self.text.ends_with(newlines) {
                self.text.push('\n');
            }
        }
    }

    fn finish(mut self) -> String {
        if self.in_code {
            self.line();
            self.text.push_str("```\n");
        }
        self.end_row();
        self.text.trim().to_owned()
    }
}

/// True if the text ends with `\n3.`, the marker of an item that has just begun.
fn ends_with_number(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default().trim();
    line.strip_suffix('.').is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn trim_end(text: &mut String) {
    let length = text.trim_end_matches([' ', '\t']).len();
    text.truncate(length);
}

/// Collapses white space to one blank, and drops it at the start of a line.
fn push_words(to: &mut String, text: &str) {
    for c in text.chars() {
        if c.is_whitespace() {
            if !to.is_empty() && !to.ends_with([' ', '\n']) {
                to.push(' ');
            }
        } else {
            to.push(c);
        }
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "blockquote"
            | "figure"
            | "figcaption"
            | "details"
            | "summary"
            | "dl"
            | "dt"
            | "dd"
            | "address"
            | "body"
            | "tbody"
            | "thead"
            | "li"
    )
}
