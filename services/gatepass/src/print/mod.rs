//! A pass on paper: one letter page as PDF, whatever is written in it.

mod canvas;
mod fonts;
mod page;
mod text;

pub(crate) use page::{Fact, Photo, Pdf, PrintError, Sheet, print};
pub use fonts::{Fonts, ScriptCoverage};

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod text_tests;
