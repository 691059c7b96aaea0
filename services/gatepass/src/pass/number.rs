//! The pass number, `GP-2026-0001`: year, then a sequence of at least four digits.

use std::fmt;
use std::str::FromStr;

/// The last number of a year: the pattern allows six digits.
pub(super) const LAST_OF_YEAR: i64 = 999_999;

/// A well-formed pass number; the pass may not exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PassNumber(String);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("A pass number looks like GP-2026-0001: GP, a four-digit year and four to six digits")]
pub(crate) struct MalformedNumber;

impl PassNumber {
    /// The `sequence`-th pass of `year`; `None` past the last number of the pattern.
    pub(crate) fn of(year: i32, sequence: i64) -> Option<PassNumber> {
        let fits = (0..=9999).contains(&year) && (1..=LAST_OF_YEAR).contains(&sequence);
        fits.then(|| PassNumber(format!("GP-{year:04}-{sequence:04}")))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PassNumber {
    type Err = MalformedNumber;

    fn from_str(text: &str) -> Result<Self, MalformedNumber> {
        let (year, sequence) = text
            .strip_prefix("GP-")
            .and_then(|rest| rest.split_once('-'))
            .ok_or(MalformedNumber)?;
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let well_formed = year.len() == 4
            && digits(year)
            && (4..=6).contains(&sequence.len())
            && digits(sequence);
        if well_formed {
            Ok(PassNumber(text.to_owned()))
        } else {
            Err(MalformedNumber)
        }
    }
}

impl fmt::Display for PassNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
