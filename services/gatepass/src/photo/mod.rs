//! Photos taken at the gate: accepted by content, stripped of metadata, served inert.
//!
//! `frontdesk_files` validates them; [`Photos`] stores them in a local folder or an
//! S3-compatible bucket.

mod store;

use frontdesk_files::UploadError;

pub use store::{Bucket, Photos, StoreError};

#[cfg(test)]
mod store_tests;

/// The rule's stable name, for programs.
pub(crate) fn rule(refused: &UploadError) -> &'static str {
    match refused {
        UploadError::Empty => "not_empty",
        UploadError::TooLarge { .. } => "max_size",
        UploadError::Unsupported => "format",
        UploadError::TooManyPixels { .. } => "max_pixels",
        UploadError::TooMuchMemory => "max_memory",
        UploadError::Damaged(_) => "intact",
    }
}

/// Advice for the guard about a refused photo.
pub(crate) fn sentence(refused: &UploadError) -> String {
    match refused {
        UploadError::Empty => "photo is empty; take the picture again.".to_owned(),
        UploadError::TooLarge { limit } => format!(
            "photo is larger than {limit} bytes ({:.0} MB); send a smaller one.",
            *limit as f64 / (1024.0 * 1024.0)
        ),
        UploadError::Unsupported => {
            "photo must be a JPEG, PNG or HEIC picture; the content of this file is none of them."
                .to_owned()
        }
        UploadError::TooManyPixels { width, height } => format!(
            "photo has {width} × {height} pixels; at most {} on a side and {} million in all are allowed.",
            frontdesk_files::MAX_SIDE,
            frontdesk_files::MAX_PIXELS / 1_000_000
        ),
        UploadError::TooMuchMemory => {
            "photo needs too much memory to open; save it with fewer pixels.".to_owned()
        }
        UploadError::Damaged(how) => {
            format!("photo is damaged or incomplete ({how}); take the picture again.")
        }
    }
}
