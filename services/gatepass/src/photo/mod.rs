//! Photos taken at the gate: accepted by content, kept without anything but the picture, served inert.
//!
//! [`accept`] is the only way in. [`Photos`] is where accepted ones are kept: a local folder or an S3-compatible bucket.

mod boxes;
mod heic;
mod jpeg;
mod png;
mod raster;
mod store;

pub use store::{Bucket, Photos, StoreError};

#[cfg(test)]
mod heic_tests;
#[cfg(test)]
mod intake_tests;
#[cfg(test)]
mod store_tests;

/// No side of a photo may be longer.
const MAX_SIDE: u32 = 12_000;
/// No photo may have more pixels.
const MAX_PIXELS: u64 = 40_000_000;
/// What taking in one photo may allocate, everything together.
const MAX_MEMORY: u64 = 64 * 1024 * 1024;

/// A kind of picture that we take, told by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Jpeg,
    Png,
    Heic,
}

/// A photo that may be kept: our own encoding, or a HEIC container with only its picture left in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    pub format: Format,
    pub bytes: Vec<u8>,
}

/// Why a file is not kept as a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Empty,
    TooLarge { limit: usize },
    NotAPhoto,
    TooManyPixels { width: u32, height: u32 },
    TooMuchMemory,
    Damaged(&'static str),
}

impl Format {
    pub(crate) const ALL: [Format; 3] = [Format::Jpeg, Format::Png, Format::Heic];

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
            Format::Heic => "image/heic",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::Heic => "heic",
        }
    }

    pub(crate) fn from_media_type(text: &str) -> Option<Format> {
        Format::ALL
            .into_iter()
            .find(|format| format.media_type() == text)
    }

    fn sniff(bytes: &[u8]) -> Option<Format> {
        if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
            Some(Format::Jpeg)
        } else if bytes.starts_with(&png::SIGNATURE) {
            Some(Format::Png)
        } else if heic::looks_like(bytes) {
            Some(Format::Heic)
        } else {
            None
        }
    }
}

/// Takes a file in as a photo. Neither its name nor its declared type counts. CPU-bound: run it off the async threads.
pub(crate) fn accept(bytes: Vec<u8>, limit: usize) -> Result<Accepted, Refused> {
    if bytes.is_empty() {
        return Err(Refused::Empty);
    }
    if bytes.len() > limit {
        return Err(Refused::TooLarge { limit });
    }
    let format = Format::sniff(&bytes).ok_or(Refused::NotAPhoto)?;
    let bytes = match format {
        Format::Jpeg => {
            let more = jpeg::check(&bytes)?;
            raster::reencode(&bytes, image::ImageFormat::Jpeg, more)?
        }
        Format::Png => {
            let picture_only = png::strip(&bytes)?;
            raster::reencode(&picture_only, image::ImageFormat::Png, 0)?
        }
        Format::Heic => heic::strip(bytes)?,
    };
    Ok(Accepted { format, bytes })
}

/// A JPEG of a kept photo, small enough to be printed; `None` for HEIC, which is never decoded.
pub(crate) fn for_print(format: Format, bytes: &[u8]) -> Option<Vec<u8>> {
    let format = match format {
        Format::Jpeg => image::ImageFormat::Jpeg,
        Format::Png => image::ImageFormat::Png,
        Format::Heic => return None,
    };
    raster::preview(bytes, format).ok()
}

/// Refuses dimensions before anything is allocated for them.
fn check_size(width: u32, height: u32) -> Result<(), Refused> {
    let fits = (1..=MAX_SIDE).contains(&width)
        && (1..=MAX_SIDE).contains(&height)
        && u64::from(width) * u64::from(height) <= MAX_PIXELS;
    if fits {
        Ok(())
    } else {
        Err(Refused::TooManyPixels { width, height })
    }
}

impl Refused {
    /// What the person at the gate should do about it.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Refused::Empty => "photo is empty; take the picture again.".to_owned(),
            Refused::TooLarge { limit } => format!(
                "photo is larger than {limit} bytes ({:.0} MB); send a smaller one.",
                *limit as f64 / (1024.0 * 1024.0)
            ),
            Refused::NotAPhoto => {
                "photo must be a JPEG, PNG or HEIC picture; the content of this file is none of them."
                    .to_owned()
            }
            Refused::TooManyPixels { width, height } => format!(
                "photo has {width} × {height} pixels; at most {MAX_SIDE} on a side and {} million in all are taken.",
                MAX_PIXELS / 1_000_000
            ),
            Refused::TooMuchMemory => {
                "photo needs too much memory to open; save it with fewer pixels.".to_owned()
            }
            Refused::Damaged(how) => {
                format!("photo is damaged or incomplete ({how}); take the picture again.")
            }
        }
    }

    /// A stable name of the rule, for programs.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Refused::Empty => "not_empty",
            Refused::TooLarge { .. } => "max_size",
            Refused::NotAPhoto => "format",
            Refused::TooManyPixels { .. } => "max_pixels",
            Refused::TooMuchMemory => "max_memory",
            Refused::Damaged(_) => "intact",
        }
    }
}
