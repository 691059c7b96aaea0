//! The structure of a JPEG file, walked before a decoder sees it: complete, bounded, one frame.
//! Decoders forgive missing data and allocate by what the header claims; we do neither.

use super::check_size;
use crate::Refused;

/// Progressive pictures have about ten scans; each one costs a pass over all pixels.
const MAX_SCANS: usize = 64;

const TRUNCATED: Refused = Refused::Damaged("the JPEG data end too early");

/// Accepts a JPEG whose markers lead to its end and whose size is within bounds. Gives back how many bytes decoding it
/// takes beside the picture itself.
pub(super) fn check(bytes: &[u8]) -> Result<u64, Refused> {
    let mut at = 2;
    let mut frame = None;
    let mut scans = 0;
    loop {
        let marker = next_marker(bytes, &mut at)?;
        match marker {
            0xD9 => {
                let held = frame.filter(|_| scans > 0);
                return held.ok_or(Refused::Damaged("the JPEG holds no picture"));
            }
            0x01 | 0xD0..=0xD8 => continue,
            0xC0..=0xC2 if frame.is_some() => {
                return Err(Refused::Damaged("the JPEG has several frames"));
            }
            0xC0..=0xC2 => {
                frame = Some(check_frame(segment(bytes, &mut at)?, marker == 0xC2)?);
            }
            0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return Err(Refused::Damaged("this kind of JPEG is not in use"));
            }
            0xDA => {
                segment(bytes, &mut at)?;
                scans += 1;
                if scans > MAX_SCANS {
                    return Err(Refused::Damaged("the JPEG has too many scans"));
                }
                skip_entropy_coded(bytes, &mut at)?;
            }
            _ => {
                segment(bytes, &mut at)?;
            }
        }
    }
}

/// The next marker byte; any number of 0xFF may stand before it.
fn next_marker(bytes: &[u8], at: &mut usize) -> Result<u8, Refused> {
    if bytes.get(*at) != Some(&0xFF) {
        return Err(match *at < bytes.len() {
            true => Refused::Damaged("the JPEG has bytes where a marker must be"),
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

/// The body of the segment at `at`, which is moved behind it.
fn segment<'a>(bytes: &'a [u8], at: &mut usize) -> Result<&'a [u8], Refused> {
    let length = match bytes.get(*at..*at + 2) {
        Some([high, low]) => usize::from(u16::from_be_bytes([*high, *low])),
        Some(_) | None => return Err(TRUNCATED),
    };
    let body = bytes.get(*at + 2..*at + length.max(2)).ok_or(TRUNCATED)?;
    *at += length.max(2);
    Ok(body)
}

/// Moves behind the compressed data of a scan, to the marker that ends it.
fn skip_entropy_coded(bytes: &[u8], at: &mut usize) -> Result<(), Refused> {
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

/// Checks the frame header: precision, height, width, then three bytes a component.
fn check_frame(header: &[u8], progressive: bool) -> Result<u64, Refused> {
    const BAD: Refused = Refused::Damaged("the JPEG's frame header is wrong");
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
    // All scans of a progressive picture add to coefficients that are held at two bytes each.
    let h_max = factors.iter().map(|f| f.0).max().unwrap_or(1);
    let v_max = factors.iter().map(|f| f.1).max().unwrap_or(1);
    let across = u64::from(width).div_ceil(8 * h_max);
    let down = u64::from(height).div_ceil(8 * v_max);
    Ok(factors
        .iter()
        .map(|(h, v)| across * h * down * v * 64 * 2)
        .sum())
}
