//! One printed page, drawn by the caller.

use krilla::Document;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;

use crate::canvas::Canvas;
use crate::fonts::Fonts;
use crate::text::Typesetter;
use crate::{Pdf, PrintError};

/// The frame of a page.
pub struct Page<'a> {
    pub title: String,
    /// Width and height in points.
    pub size: (f32, f32),
    /// All text written by people, to select the fonts.
    pub written: &'a str,
}

impl Page<'_> {
    pub(crate) fn settings(&self) -> Result<PageSettings, PrintError> {
        let (width, height) = self.size;
        PageSettings::from_wh(width, height).ok_or_else(|| PrintError("page size".to_owned()))
    }

    pub(crate) fn metadata(&self) -> Metadata {
        Metadata::new()
            .title(self.title.clone())
            .creator("Frontdesk".to_owned())
    }
}

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

pub(crate) fn finish(document: Document, mut missing: Vec<char>) -> Result<Pdf, PrintError> {
    missing.sort_unstable();
    missing.dedup();
    let bytes = document
        .finish()
        .map_err(|error| PrintError(format!("{error:?}")))?;
    Ok(Pdf { bytes, missing })
}
