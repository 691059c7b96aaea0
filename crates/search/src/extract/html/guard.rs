//! Refuses pages that would take a browser's parser quadratic time: elements nested
//! thousands deep, or tags with thousands of attributes. Runs in linear time.

use crate::extract::ExtractError;

const DEEPEST: usize = 500;
const MOST_ATTRIBUTES: usize = 1_000;
/// Elements that never nest: they are void, or the next of their kind closes them.
const FLAT: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr", "p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "colgroup",
    "option", "optgroup", "html", "head", "body", "rt", "rp",
];

pub(super) fn check(source: &str) -> Result<(), ExtractError> {
    let mut depth = 0_usize;
    let mut rest = source;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let closes = rest.starts_with('/');
        let tag = rest.trim_start_matches('/');
        let end = tag
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .unwrap_or(tag.len());
        let name = tag[..end].to_ascii_lowercase();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let (length, attributes, is_empty) = read_attributes(&tag[end..]);
        if attributes > MOST_ATTRIBUTES {
            return Err(too_complex("a tag has too many attributes"));
        }
        rest = &tag[end + length..];
        if closes {
            depth = depth.saturating_sub(usize::from(!FLAT.contains(&name.as_str())));
            continue;
        }
        if matches!(name.as_str(), "script" | "style" | "textarea" | "title") {
            rest = after_raw(rest, &name);
        } else if !is_empty && !FLAT.contains(&name.as_str()) {
            depth += 1;
        }
        if depth > DEEPEST {
            return Err(too_complex("its elements are nested too deeply"));
        }
    }
    Ok(())
}

fn too_complex(what: &str) -> ExtractError {
    ExtractError::Damaged(what.to_owned())
}

/// The length of a tag's attributes, how many there are, and whether the tag ends with `/`.
fn read_attributes(tag: &str) -> (usize, usize, bool) {
    let (mut quote, mut count, mut last) = (None, 0, b' ');
    for (at, byte) in tag.bytes().enumerate() {
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            None if byte == b'>' => return (at + 1, count, last == b'/'),
            None if matches!(byte, b'"' | b'\'') && last == b'=' => quote = Some(byte),
            None => {
                let begins = matches!(last, b' ' | b'\n' | b'\t' | b'\r' | b'/' | b'"' | b'\'');
                count += usize::from(begins && byte != last);
            }
        }
        last = byte;
    }
    (tag.len(), count, false)
}

/// Skips the content of an element that has no markup inside.
fn after_raw<'a>(rest: &'a str, name: &str) -> &'a str {
    let close = format!("</{name}");
    let bytes = rest.as_bytes();
    let found = bytes
        .windows(close.len())
        .position(|part| part.eq_ignore_ascii_case(close.as_bytes()));
    found.map_or("", |at| &rest[at..])
}
