//! A Word file with headings, lists and tables as such.

use std::io::Cursor;

use docx_rs::{
    AbstractNumbering, BreakType, Docx, IndentLevel, Level, LevelJc, LevelText, LineSpacing,
    NumberFormat, Numbering, NumberingId, Paragraph, Run, RunFonts, SpecialIndentType, Start,
    Style, StyleType, Table, TableCell, TableRow, WidthType,
};

use super::{Body, Document, Item};

/// The id of the bullet list.
const BULLETS: usize = 1;
const INDENT: i32 = 720;
/// The width of a table in twentieths of a point, within the default margins.
const TABLE_WIDTH: usize = 8500;

impl Document {
    /// `None` if the archive cannot be written, which memory does not refuse.
    pub(crate) fn to_docx(&self) -> Option<Vec<u8>> {
        let mut docx = styled().add_paragraph(text(&self.title).style("Title"));
        if let Some(line) = self.fallback_line() {
            docx = docx.add_paragraph(text(line));
        }
        for section in &self.sections {
            if !section.heading.is_empty() {
                docx = docx.add_paragraph(text(&section.heading).style("Heading1").keep_next(true));
            }
            docx = match &section.body {
                Body::Paragraphs(texts) => texts
                    .iter()
                    .flat_map(|text| prose(text))
                    .fold(docx, Docx::add_paragraph),
                Body::Items(items) => items.iter().flat_map(item).fold(docx, Docx::add_paragraph),
                // Word needs a paragraph between a table and what follows.
                Body::Table { header, rows } => {
                    docx.add_table(table(header, rows)).add_paragraph(text(""))
                }
            };
        }
        let mut file = Cursor::new(Vec::new());
        docx.pack(&mut file).ok()?;
        Some(file.into_inner())
    }
}

fn styled() -> Docx {
    let spaced = |before, after| LineSpacing::new().before(before).after(after);
    let style = |id: &str, name: &str| {
        Style::new(id, StyleType::Paragraph)
            .name(name)
            .based_on("Normal")
    };
    let indented = SpecialIndentType::Hanging(INDENT / 2);
    let (bullet, left) = (LevelText::new("•"), LevelJc::new("left"));
    let level = Level::new(0, Start::new(1), NumberFormat::new("bullet"), bullet, left);
    let level = level.indent(Some(INDENT), Some(indented), None, None);
    let heading = style("Heading1", "heading 1").bold().size(28);
    let list = style("ListParagraph", "List Paragraph").line_spacing(spaced(0, 60));
    Docx::new()
        .default_fonts(RunFonts::new().ascii("Calibri").hi_ansi("Calibri"))
        .default_size(22)
        .default_line_spacing(spaced(0, 120).line(264))
        .add_style(
            style("Title", "Title")
                .bold()
                .size(36)
                .line_spacing(spaced(0, 240)),
        )
        .add_style(heading.outline_lvl(0).line_spacing(spaced(240, 80)))
        .add_style(list.indent(Some(INDENT), None, None, None))
        .add_abstract_numbering(AbstractNumbering::new(BULLETS).add_level(level))
        .add_numbering(Numbering::new(BULLETS, BULLETS))
}

/// Quotes and the rewrite stand under their item, indented.
fn item(item: &Item) -> Vec<Paragraph> {
    let heading = item
        .heading()
        .map_or_else(String::new, |heading| heading + ": ");
    let quotes = item
        .quotes
        .iter()
        .map(|quote| format!("“{}” ({})", quote.quote, quote.source));
    let rewrite = item.rewrite.iter().map(|rewrite| format!("→ {rewrite}"));
    let below = quotes
        .chain(rewrite)
        .map(|line| text(&line).style("ListParagraph"));
    [bullet(&format!("{heading}{}", item.text))]
        .into_iter()
        .chain(below)
        .collect()
}

/// Lines of a text that begin with our round bullet become list items; an empty line parts paragraphs.
fn prose(prose: &str) -> Vec<Paragraph> {
    let lines: Vec<&str> = prose.lines().collect();
    let together = |a: &&str, b: &&str| {
        ![a, b]
            .iter()
            .any(|line| line.is_empty() || line.starts_with("• "))
    };
    let groups = lines.chunk_by(together).map(|lines| lines.join("\n"));
    let paragraph = |lines: String| match lines.strip_prefix("• ") {
        Some(item) => bullet(item),
        None => text(&lines),
    };
    groups
        .filter(|lines| !lines.is_empty())
        .map(paragraph)
        .collect()
}

fn bullet(line: &str) -> Paragraph {
    let list = text(line).style("ListParagraph");
    list.numbering(NumberingId::new(BULLETS), IndentLevel::new(0))
}

fn text(text: &str) -> Paragraph {
    Paragraph::new().add_run(run(text))
}

/// Lines stay lines; control characters that XML 1.0 forbids are left out.
fn run(text: &str) -> Run {
    let is_allowed =
        |c: &char| *c == '\t' || !matches!(c, '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    let mut lines = text
        .split('\n')
        .map(|line| line.chars().filter(is_allowed).collect::<String>());
    let first = Run::new().add_text(lines.next().unwrap_or_default());
    lines.fold(first, |run, line| {
        run.add_break(BreakType::TextWrapping).add_text(line)
    })
}

fn table(header: &[String], rows: &[Vec<String>]) -> Table {
    let width = TABLE_WIDTH / header.len().max(1);
    let cell = |run: Run| {
        TableCell::new()
            .width(width, WidthType::Dxa)
            .add_paragraph(Paragraph::new().add_run(run))
    };
    let head = TableRow::new(header.iter().map(|text| cell(run(text).bold())).collect());
    let rows = rows
        .iter()
        .map(|row| TableRow::new(row.iter().map(|text| cell(run(text))).collect()));
    Table::new([head].into_iter().chain(rows).collect()).set_grid(vec![width; header.len()])
}
