//! Decodes a checked JPEG or PNG within limits and re-encodes it: upright, at most
//! [`KEPT_SIDE`] pixels long, without metadata.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{MAX_MEMORY, MAX_SIDE, check_size};
use crate::UploadError;

/// In pixels. Enough to recognise a face and read a badge; a full-size original needs ten
/// times the disk.
const KEPT_SIDE: u32 = 1_920;
const JPEG_QUALITY: u8 = 85;

const UNDECODABLE: UploadError = UploadError::Damaged("the picture cannot be decoded");

/// `more` is the decoder's memory besides the picture, in bytes.
pub(super) fn reencode(
    bytes: &[u8],
    format: ImageFormat,
    more: u64,
) -> Result<Vec<u8>, UploadError> {
    let picture = decode(bytes, format, more)?;
    let mut out = Vec::new();
    let written = match format == ImageFormat::Png {
        true => flat(picture).write_with_encoder(PngEncoder::new(&mut out)),
        false => {
            let rgb = DynamicImage::from(picture.into_rgb8());
            rgb.write_with_encoder(JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY))
        }
    };
    written.map_err(|_| UploadError::Damaged("the picture cannot be encoded"))?;
    Ok(out)
}

fn decode(bytes: &[u8], format: ImageFormat, more: u64) -> Result<DynamicImage, UploadError> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| UNDECODABLE)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    if needed(bytes, &decoder) + more > MAX_MEMORY {
        return Err(UploadError::TooMuchMemory);
    }
    let orientation = decoder.orientation().map_err(|_| UNDECODABLE)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|_| UNDECODABLE)?;
    if width.max(height) > KEPT_SIDE {
        picture = picture.thumbnail(KEPT_SIDE, KEPT_SIDE);
    }
    // After shrinking, so that rotation never needs a second full-size buffer.
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// Peak memory in bytes: the file and the decoder's copy of it, the picture, the result,
/// and its output buffer.
fn needed(bytes: &[u8], decoder: &impl ImageDecoder) -> u64 {
    const OUTPUT: u64 = 4 * 1024 * 1024;
    let (width, height) = decoder.dimensions();
    let shrunk = |side: u32| u64::from(side.min(KEPT_SIDE));
    let kept = shrunk(width) * shrunk(height) * u64::from(decoder.color_type().bytes_per_pixel());
    bytes.len() as u64 * 2 + decoder.total_bytes() + kept + OUTPUT
}

/// Eight bits per channel; an alpha channel only if the picture has one.
fn flat(picture: DynamicImage) -> DynamicImage {
    match (picture.color().has_alpha(), picture.color().has_color()) {
        (true, _) => picture.into_rgba8().into(),
        (false, true) => picture.into_rgb8().into(),
        (false, false) => picture.into_luma8().into(),
    }
}

/// A small JPEG of an accepted photo for the printed pass.
pub(super) fn preview(bytes: &[u8], format: ImageFormat) -> Result<Vec<u8>, UploadError> {
    const PRINTED_SIDE: u32 = 900;
    let mut picture = decode(bytes, format, 0)?;
    if picture.width().max(picture.height()) > PRINTED_SIDE {
        picture = picture.thumbnail(PRINTED_SIDE, PRINTED_SIDE);
    }
    // Transparent areas print white.
    let mut paper =
        image::RgbaImage::from_pixel(picture.width(), picture.height(), image::Rgba([255; 4]));
    image::imageops::overlay(&mut paper, &picture.into_rgba8(), 0, 0);
    let mut out = Vec::new();
    DynamicImage::from(DynamicImage::from(paper).into_rgb8())
        .write_with_encoder(JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY))
        .map_err(|_| UNDECODABLE)?;
    Ok(out)
}
