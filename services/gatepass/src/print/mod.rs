//! A pass on paper: one letter page as PDF, whatever is written in it.

mod canvas;
mod fonts;
mod page;
mod text;

pub use fonts::{Fonts, ScriptCoverage};
pub(crate) use page::{Fact, Pdf, Photo, Sheet, print};

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod text_tests;
