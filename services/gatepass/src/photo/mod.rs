//! Photos taken at the gate: accepted by content, kept without anything but the picture, served inert.
//!
//! What is accepted is decided by `frontdesk_files`; [`Photos`] is where accepted ones are kept: a local folder or an
//! S3-compatible bucket.

mod store;

use frontdesk_files::Refused;

pub use store::{Bucket, Photos, StoreError};

#[cfg(test)]
mod store_tests;

/// A stable name of the rule, for programs.
pub(crate) fn rule(refused: &Refused) -> &'static str {
    match refused {
        Refused::Empty => "not_empty",
        Refused::TooLarge { .. } => "max_size",
        Refused::NotTaken => "format",
        Refused::TooManyPixels { .. } => "max_pixels",
        Refused::TooMuchMemory => "max_memory",
        Refused::Damaged(_) => "intact",
    }
}

/// What the person at the gate should do about a refused photo.
pub(crate) fn sentence(refused: &Refused) -> String {
    match refused {
        Refused::Empty => "photo is empty; take the picture again.".to_owned(),
        Refused::TooLarge { limit } => format!(
            "photo is larger than {limit} bytes ({:.0} MB); send a smaller one.",
            *limit as f64 / (1024.0 * 1024.0)
        ),
        Refused::NotTaken => {
            "photo must be a JPEG, PNG or HEIC picture; the content of this file is none of them."
                .to_owned()
        }
        Refused::TooManyPixels { width, height } => format!(
            "photo has {width} × {height} pixels; at most {} on a side and {} million in all are taken.",
            frontdesk_files::MAX_SIDE,
            frontdesk_files::MAX_PIXELS / 1_000_000
        ),
        Refused::TooMuchMemory => {
            "photo needs too much memory to open; save it with fewer pixels.".to_owned()
        }
        Refused::Damaged(how) => {
            format!("photo is damaged or incomplete ({how}); take the picture again.")
        }
    }
}
