//! Decodes bytes to text: by the declared encoding, else UTF-8 or UTF-16 by byte order
//! mark, else Windows-1252.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

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

pub(super) fn decode(
    bytes: &[u8],
    declared: Option<&str>,
    source: Source,
) -> Result<String, ExtractError> {
    let encoding = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| Encoding::for_label(declared?.as_bytes()))
        .or_else(|| (source == Html).then(|| in_meta(bytes)).flatten())
        .unwrap_or(UTF_8);
    if encoding == UTF_8 && bytes.contains(&0) {
        return Err(ExtractError::Binary);
    }
    let (text, _, damaged) = encoding.decode(bytes);
    if !damaged {
        return Ok(text.into_owned());
    }
    if mostly_binary(bytes) {
        return Err(ExtractError::Binary);
    }
    let (text, ..) = WINDOWS_1252.decode(bytes);
    Ok(text.into_owned())
}

/// True if the bytes have control characters that text never has.
fn mostly_binary(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(4_096)];
    let controls = sample
        .iter()
        .filter(|byte| **byte < 9 || (14..32).contains(*byte))
        .count();
    controls * 20 > sample.len()
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
