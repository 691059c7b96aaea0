//! PDF: one page with the caller's layout ([`print()`] hands out a [`Canvas`]), or text over several
//! pages ([`print_text`]).
//!
//! - `fonts` has the built-in fonts and those of a folder
//! - `page` prints one page; `flow` sets text over pages
//! - `text` shapes and breaks lines; `canvas` draws

mod canvas;
mod flow;
mod fonts;
mod page;
mod text;

pub use canvas::{Align, Area, Canvas, Colour, FAINT, INK, MUTED, PAPER, Style, WHITE};
pub use flow::{Block, print_text};
pub use fonts::{Fonts, ScriptCoverage};
pub use page::{Page, print};

pub struct Pdf {
    pub bytes: Vec<u8>,
    /// Letters without a font, printed as boxes.
    pub missing: Vec<char>,
}

#[derive(Debug, thiserror::Error)]
#[error("the page could not be printed: {0}")]
pub struct PrintError(pub String);

#[cfg(test)]
mod text_tests;
