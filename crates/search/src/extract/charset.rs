//! Decodes bytes to text: by byte order mark, by the declared encoding, as UTF-8, or by the
//! encoding that a browser would guess.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::ExtractError;

pub(super) use Source::{Html, Plain};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// May declare its encoding in a `meta` element.
    Html,
    Plain,
}

/// In bytes. The part of a page that is searched for a declaration, as in browsers.
const DECLARATION: usize = 1_024;
/// In bytes. The part of a file that shows whether it is text.
const SAMPLE: usize = 4_096;

pub(super) fn decode(
    bytes: &[u8],
    declared: Option<&str>,
    source: Source,
) -> Result<String, ExtractError> {
    let known = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| Encoding::for_label(declared?.as_bytes()))
        .or_else(|| (source == Html).then(|| in_meta(bytes)).flatten())
        .or_else(|| utf_16(bytes));
    for encoding in known.into_iter().chain([UTF_8]) {
        let (text, _, damaged) = encoding.decode(bytes);
        if !damaged && !text.contains('\0') {
            return Ok(text.into_owned());
        }
    }
    if is_binary(bytes) {
        return Err(ExtractError::Binary);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let (text, ..) = detector.guess(None, Utf8Detection::Deny).decode(bytes);
    Ok(text.into_owned())
}

/// UTF-16 without a byte order mark: text in Latin script has a zero in every second byte.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE) & !1];
    let zeros = |odd: usize| {
        let half = sample.iter().skip(odd).step_by(2);
        half.filter(|byte| **byte == 0).count() * 4 > sample.len() / 2 * 3
    };
    match (zeros(0), zeros(1)) {
        (false, true) => Some(UTF_16LE),
        (true, false) => Some(UTF_16BE),
        (true, true) | (false, false) => None,
    }
}

/// True if the bytes have control characters that text never has.
fn is_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let controls = sample
        .iter()
        .filter(|byte| **byte < 9 || (14..32).contains(*byte) && **byte != 27)
        .count();
    bytes.contains(&0) || controls * 20 > sample.len()
}

fn in_meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION)]).to_ascii_lowercase();
    let after = &head[head.find("charset=")? + "charset=".len()..];
    let label: String = after
        .trim_start_matches(['"', '\''])
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        .collect();
    Encoding::for_label(label.as_bytes())
}
