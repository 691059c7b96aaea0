//! Text that runs over as many pages as it needs.

use krilla::Document;

use crate::canvas::{Align, Canvas, MUTED, Style};
use crate::fonts::Fonts;
use crate::page::{Page, finish};
use crate::text::{Paragraph, Typesetter};
use crate::{Pdf, PrintError};

const LEADING: f32 = 1.42;
const MARGIN: f32 = 56.0;
const FOOTER: f32 = 8.5;

/// A part of the text in one style.
pub struct Block {
    /// Line breaks are kept.
    pub text: String,
    pub style: Style,
    /// Space above it, in points; left out at the top of a page.
    pub space: f32,
}

/// A line and where it goes.
struct Placed<'a> {
    page: usize,
    /// Of its baseline.
    y: f32,
    text: &'a str,
    style: Style,
}

/// Sets the blocks one after the other and numbers the pages. CPU-bound: run it off the async threads.
pub fn print_text(fonts: &Fonts, page: Page<'_>, blocks: &[Block]) -> Result<Pdf, PrintError> {
    let (width, height) = page.size;
    let settings = page.settings()?;
    let mut document = Document::new();
    document.set_metadata(page.metadata());
    let typesetter = Typesetter::new(fonts, page.written);
    let lines = place(&typesetter, blocks, width - 2.0 * MARGIN, height);
    let pages = lines.last().map_or(1, |line| line.page + 1);
    let mut missing = Vec::new();
    let mut rest = lines.iter().peekable();
    for number in 0..pages {
        let mut sheet = document.start_page_with(settings.clone());
        let mut surface = sheet.surface();
        let mut canvas = Canvas::new(&mut surface, &typesetter);
        while let Some(line) = rest.next_if(|line| line.page == number) {
            canvas.line(line.text, MARGIN, line.y, width - 2.0 * MARGIN, line.style);
        }
        let footer = Style::regular(FOOTER, MUTED).align(Align::Right);
        let label = format!("{} / {pages}", number + 1);
        canvas.line(&label, width - MARGIN - 80.0, height - 30.0, 80.0, footer);
        missing.append(&mut canvas.missing);
        surface.finish();
        sheet.finish();
    }
    finish(document, missing)
}

fn place<'a>(
    typesetter: &Typesetter<'_>,
    blocks: &'a [Block],
    width: f32,
    height: f32,
) -> Vec<Placed<'a>> {
    let mut lines = Vec::new();
    let (mut page, mut y) = (0, MARGIN);
    for block in blocks {
        let size = block.style.size;
        if y > MARGIN {
            y += block.space;
        }
        for written in block.text.lines() {
            let paragraph = Paragraph::new(typesetter, block.style.weight, written);
            // An empty line keeps its height.
            let mut ranges = paragraph.broken(width / size);
            if written.trim().is_empty() {
                ranges.clear();
                ranges.push(0..0);
            }
            for range in ranges {
                if y + size * LEADING > height - MARGIN {
                    page += 1;
                    y = MARGIN;
                }
                let text = written.get(range).unwrap_or_default().trim_end();
                lines.push(Placed {
                    page,
                    y: y + size,
                    text,
                    style: block.style,
                });
                y += size * LEADING;
            }
        }
    }
    lines
}
