//! Pictures: detected by content, decoded within limits and re-encoded, which drops all
//! metadata.

mod boxes;
mod heic;
mod jpeg;
mod png;
mod raster;

use crate::UploadError;

#[cfg(test)]
mod heic_tests;
#[cfg(test)]
mod picture_tests;

/// Maximum side of a photo, in pixels.
pub const MAX_SIDE: u32 = 12_000;
/// Maximum pixels of a photo.
pub const MAX_PIXELS: u64 = 40_000_000;
/// Maximum memory for processing one photo, in bytes.
const MAX_MEMORY: u64 = 64 * 1024 * 1024;

/// A supported picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    Heic,
}

/// A sanitised photo: re-encoded, or a HEIC container with only its picture left.
#[derive(Debug, PartialEq, Eq)]
pub struct Picture {
    pub format: Format,
    pub bytes: Vec<u8>,
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Jpeg, Format::Png, Format::Heic];

    pub fn media_type(self) -> &'static str {
        match self {
            Format::Jpeg => "image/jpeg",
            Format::Png => "image/png",
            Format::Heic => "image/heic",
        }
    }

    pub fn extension(self) -> &'static str {
        match self {
            Format::Jpeg => "jpg",
            Format::Png => "png",
            Format::Heic => "heic",
        }
    }

    pub fn from_media_type(text: &str) -> Option<Format> {
        Format::ALL
            .into_iter()
            .find(|format| format.media_type() == text)
    }

    pub(crate) fn sniff(bytes: &[u8]) -> Option<Format> {
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

/// Accepts a photo by content, regardless of name and declared type. CPU-bound: run it off
/// the async threads.
pub fn accept_picture(bytes: Vec<u8>, limit: usize) -> Result<Picture, UploadError> {
    if bytes.is_empty() {
        return Err(UploadError::Empty);
    }
    if bytes.len() > limit {
        return Err(UploadError::TooLarge { limit });
    }
    let format = Format::sniff(&bytes).ok_or(UploadError::Unsupported)?;
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
    Ok(Picture { format, bytes })
}

/// A JPEG of a stored photo at print size; `None` for HEIC, which is never decoded.
pub fn for_print(format: Format, bytes: &[u8]) -> Option<Vec<u8>> {
    let format = match format {
        Format::Jpeg => image::ImageFormat::Jpeg,
        Format::Png => image::ImageFormat::Png,
        Format::Heic => return None,
    };
    raster::preview(bytes, format).ok()
}

/// Checks the dimensions before anything is allocated for them.
fn check_size(width: u32, height: u32) -> Result<(), UploadError> {
    let fits = (1..=MAX_SIDE).contains(&width)
        && (1..=MAX_SIDE).contains(&height)
        && u64::from(width) * u64::from(height) <= MAX_PIXELS;
    if fits {
        Ok(())
    } else {
        Err(UploadError::TooManyPixels { width, height })
    }
}
