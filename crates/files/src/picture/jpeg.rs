//! Walks the structure of a JPEG before decoding: complete, bounded, one frame. Decoders
//! tolerate missing data and allocate by the header's claims; this check does neither.

use super::check_size;
use crate::UploadError;

/// Progressive pictures have about ten scans; each costs a pass over all pixels.
const MAX_SCANS: usize = 64;

const TRUNCATED: UploadError = UploadError::Damaged("the JPEG is truncated");

/// Accepts a JPEG whose markers reach its end and whose size is within limits. Returns the
/// decoder's memory needs besides the picture, in bytes.
pub(super) fn check(bytes: &[u8]) -> Result<u64, UploadError> {
    let mut at = 2;
    let mut frame = None;
    let mut scans = 0;
    loop {
        let marker = next_marker(bytes, &mut at)?;
        match marker {
            0xD9 => {
                let held = frame.filter(|_| scans > 0);
                return held.ok_or(UploadError::Damaged("the JPEG has no picture"));
            }
            0x01 | 0xD0..=0xD8 => continue,
            0xC0..=0xC2 if frame.is_some() => {
                return Err(UploadError::Damaged("the JPEG has several frames"));
            }
            0xC0..=0xC2 => {
                frame = Some(check_frame(segment(bytes, &mut at)?, marker == 0xC2)?);
            }
            0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return Err(UploadError::Damaged("this kind of JPEG is not supported"));
            }
            0xDA => {
                segment(bytes, &mut at)?;
                scans += 1;
                if scans > MAX_SCANS {
                    return Err(UploadError::Damaged("the JPEG has too many scans"));
                }
                skip_entropy_coded(bytes, &mut at)?;
            }
            _ => {
                segment(bytes, &mut at)?;
            }
        }
    }
}

/// The next marker byte; any number of 0xFF may precede it.
fn next_marker(bytes: &[u8], at: &mut usize) -> Result<u8, UploadError> {
    if bytes.get(*at) != Some(&0xFF) {
        return Err(match *at < bytes.len() {
            true => UploadError::Damaged("the JPEG lacks a marker"),
            false => TRUNCATED,
        });
    }
    while bytes.get(*at) == Some(&0xFF) {
        *at += 1;
    }
    let marker = *bytes.get(*at).ok_or(TRUNCATED)?;
    *at += 1;
    Ok(marker)
}

/// The body of the segment at `at`; advances `at` behind it.
fn segment<'a>(bytes: &'a [u8], at: &mut usize) -> Result<&'a [u8], UploadError> {
    let length = match bytes.get(*at..*at + 2) {
        Some([high, low]) => usize::from(u16::from_be_bytes([*high, *low])),
        Some(_) | None => return Err(TRUNCATED),
    };
    let body = bytes.get(*at + 2..*at + length.max(2)).ok_or(TRUNCATED)?;
    *at += length.max(2);
    Ok(body)
}

/// Advances behind the compressed data of a scan, to the marker that ends it.
fn skip_entropy_coded(bytes: &[u8], at: &mut usize) -> Result<(), UploadError> {
    loop {
        let rest = bytes.get(*at..).ok_or(TRUNCATED)?;
        let next = rest
            .iter()
            .position(|byte| *byte == 0xFF)
            .ok_or(TRUNCATED)?;
        match rest.get(next + 1) {
            Some(0x00 | 0xD0..=0xD7) => *at += next + 2,
            Some(0xFF) => *at += next + 1,
            Some(_) => {
                *at += next;
                return Ok(());
            }
            None => return Err(TRUNCATED),
        }
    }
}

/// Checks the frame header: precision, height, width, then three bytes per component.
fn check_frame(header: &[u8], progressive: bool) -> Result<u64, UploadError> {
    const BAD: UploadError = UploadError::Damaged("the JPEG's frame header is wrong");
    let [8, h1, h0, w1, w0, count, components @ ..] = header else {
        return Err(BAD);
    };
    let (width, height) = (
        u16::from_be_bytes([*w1, *w0]).into(),
        u16::from_be_bytes([*h1, *h0]).into(),
    );
    check_size(width, height)?;
    if components.len() != usize::from(*count) * 3 || !(1..=4).contains(count) {
        return Err(BAD);
    }
    let factors: Vec<(u64, u64)> = components
        .chunks_exact(3)
        .map(|component| (u64::from(component[1] >> 4), u64::from(component[1] & 15)))
        .collect();
    if factors
        .iter()
        .any(|(h, v)| !(1..=4).contains(h) || !(1..=4).contains(v))
    {
        return Err(BAD);
    }
    if !progressive {
        return Ok(0);
    }
    // A progressive picture keeps its coefficients in memory, two bytes each.
    let h_max = factors.iter().map(|f| f.0).max().unwrap_or(1);
    let v_max = factors.iter().map(|f| f.1).max().unwrap_or(1);
    let across = u64::from(width).div_ceil(8 * h_max);
    let down = u64::from(height).div_ceil(8 * v_max);
    Ok(factors
        .iter()
        .map(|(h, v)| across * h * down * v * 64 * 2)
        .sum())
}
