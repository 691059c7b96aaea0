//! What every processor works with: the phrase library, the company's guide, the project's language and the time.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::language::{GermanAddress, Language};
use super::library::Library;
use super::problem::Problem;
use super::style_guide::StyleGuide;
use super::voice::Voice;

/// Everything a processor may know besides its input. Nothing is read from the outside.
#[derive(Clone, Copy, Debug)]
pub struct Desk<'a> {
    pub library: &'a Library,
    pub style: &'a StyleGuide,
    /// The project's language, used where an input names none.
    pub language: Language,
    /// The German address already chosen in this project.
    pub german_address: Option<GermanAddress>,
    /// The signed-in recruiter's name; never asked for.
    pub recruiter: Option<&'a str>,
    pub now: DateTime<Utc>,
}

impl<'a> Desk<'a> {
    pub(crate) fn voice(&self, language: Language, address: GermanAddress) -> Voice<'a> {
        Voice::new(self.library.pack(language), language, address)
    }
}

/// A document and what the recruiter should know about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Produced<A> {
    pub artifact: A,
    pub warnings: Vec<Problem>,
}
