//! PDF: one page with the caller's layout ([`print()`] hands out a [`Canvas`]), or text over several
//! pages ([`print_text`]).
//!
//! - `fonts` has the built-in fonts and those of a folder
//! - `flow` sets text over pages
//! - `text` shapes and breaks lines; `canvas` draws

mod canvas;
mod flow;
mod fonts;
mod text;

use krilla::Document;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;

pub use canvas::{Align, Area, Canvas, Colour, FAINT, INK, MUTED, PAPER, Style, WHITE};
pub use flow::{Block, print_text};
pub use fonts::{Fonts, ScriptCoverage};

use text::Typesetter;

/// The frame of a page.
pub struct Page<'a> {
    pub title: String,
    /// Width and height in points.
    pub size: (f32, f32),
    /// All text written by people, to select the fonts.
    pub written: &'a str,
}

impl Page<'_> {
    fn settings(&self) -> Result<PageSettings, PrintError> {
        let (width, height) = self.size;
        PageSettings::from_wh(width, height).ok_or_else(|| PrintError("page size".to_owned()))
    }

    fn metadata(&self) -> Metadata {
        Metadata::new()
            .title(self.title.clone())
            .creator("Frontdesk".to_owned())
    }
}

pub struct Pdf {
    pub bytes: Vec<u8>,
    /// Letters without a font, printed as boxes.
    pub missing: Vec<char>,
}

#[derive(Debug, thiserror::Error)]
#[error("the page could not be printed: {0}")]
pub struct PrintError(pub String);

/// Renders one page. CPU-bound: run it off the async threads.
pub fn print(
    fonts: &Fonts,
    page: Page<'_>,
    draw: impl FnOnce(&mut Canvas<'_, '_>) -> Result<(), PrintError>,
) -> Result<Pdf, PrintError> {
    let settings = page.settings()?;
    let mut document = Document::new();
    let metadata = page.metadata().language("en".to_owned());
    document.set_metadata(metadata);
    let mut sheet = document.start_page_with(settings);
    let mut surface = sheet.surface();
    let typesetter = Typesetter::new(fonts, page.written);
    let mut canvas = Canvas::new(&mut surface, &typesetter);
    draw(&mut canvas)?;
    let missing = std::mem::take(&mut canvas.missing);
    surface.finish();
    sheet.finish();
    finish(document, missing)
}

fn finish(document: Document, mut missing: Vec<char>) -> Result<Pdf, PrintError> {
    missing.sort_unstable();
    missing.dedup();
    let bytes = document
        .finish()
        .map_err(|error| PrintError(format!("{error:?}")))?;
    Ok(Pdf { bytes, missing })
}

#[cfg(test)]
mod text_tests;
