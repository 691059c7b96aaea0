//! The printed pass: always one letter page as PDF.

mod canvas;
mod fonts;
mod page;
mod text;

pub use fonts::{Fonts, ScriptCoverage};
pub(crate) use page::{Fact, Pdf, PhotoSlot, Sheet, print};

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod text_tests;
