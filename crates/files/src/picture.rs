//! Pictures: told by their content, decoded within limits and encoded anew, so that nothing but the picture is kept.

mod boxes;
mod heic;
mod jpeg;
mod png;
mod raster;

use crate::Refused;

#[cfg(test)]
mod heic_tests;
#[cfg(test)]
mod picture_tests;

/// No side of a photo may be longer.
pub const MAX_SIDE: u32 = 12_000;
/// No photo may have more pixels.
pub const MAX_PIXELS: u64 = 40_000_000;
/// What taking in one photo may allocate, everything together.
const MAX_MEMORY: u64 = 64 * 1024 * 1024;

/// A kind of picture that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    Heic,
}

/// A photo that may be kept: our own encoding, or a HEIC container with only its picture left in it.
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

/// Takes a file in as a photo. Neither its name nor its declared type counts. CPU-bound: run it off the async threads.
pub fn accept_picture(bytes: Vec<u8>, limit: usize) -> Result<Picture, Refused> {
    if bytes.is_empty() {
        return Err(Refused::Empty);
    }
    if bytes.len() > limit {
        return Err(Refused::TooLarge { limit });
    }
    let format = Format::sniff(&bytes).ok_or(Refused::NotTaken)?;
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

/// A JPEG of a kept photo, small enough to be printed; `None` for HEIC, which is never decoded.
pub fn for_print(format: Format, bytes: &[u8]) -> Option<Vec<u8>> {
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
