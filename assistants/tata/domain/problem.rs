//! What is wrong with an input, in the recruiter's words and with the field it is about.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::text::words::{one_line, shorten};

const EXCERPT: usize = 120;
const MAX_EXCERPTS: usize = 8;

/// One thing the recruiter can put right. As part of [`Problems`] it stopped the work; as a warning it did not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The input field, as the tool's schema names it.
    pub field: String,
    /// A whole sentence that says what to do.
    pub message: String,
}

impl Problem {
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Problem {
            field: field.to_owned(),
            message: message.into(),
        }
    }
}

/// Why a document could not be produced. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problems(Vec<Problem>);

impl Problems {
    pub fn one(field: &str, message: impl Into<String>) -> Self {
        Problems(vec![Problem::new(field, message)])
    }

    /// `Ok` when nothing was found.
    pub fn check(found: Vec<Problem>) -> Result<(), Problems> {
        if found.is_empty() {
            Ok(())
        } else {
            Err(Problems(found))
        }
    }

    #[cfg(test)]
    pub fn list(&self) -> &[Problem] {
        &self.0
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            f.write_str(&problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// A text of the recruiter's inside one of our sentences: one line, not longer than needed to recognise it.
pub(crate) fn excerpt(text: &str) -> String {
    shorten(&one_line(text), EXCERPT)
}

/// Several of them, the first few.
pub(crate) fn excerpts<T: AsRef<str>>(texts: &[T]) -> String {
    let shown: Vec<String> = texts
        .iter()
        .take(MAX_EXCERPTS)
        .map(|t| excerpt(t.as_ref()))
        .collect();
    let more = if texts.len() > MAX_EXCERPTS {
        "; …"
    } else {
        ""
    };
    format!("{}{more}", shown.join("; "))
}

/// An optional text that says something: models send `""` for "nothing".
pub(crate) fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|t| !t.trim().is_empty())
}
