//! Splits a page into tags and text. Accepts any input and runs in linear time.

use super::entities::decode;

pub(super) enum Piece<'a> {
    Open(Tag),
    Close(String),
    Text(&'a str),
    /// The content of an element without markup inside, such as `script`.
    Raw {
        name: String,
        text: &'a str,
    },
}

pub(super) struct Tag {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

const RAW: &[&str] = &["script", "style", "title", "textarea", "noframes", "xmp"];
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
];
/// Further attributes are ignored.
const MOST_ATTRIBUTES: usize = 64;

impl Tag {
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    }

    pub(super) fn is_void(&self) -> bool {
        VOID.contains(&self.name.as_str())
    }
}

pub(super) fn pieces(source: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = source;
    let mut raw: Option<String> = None;
    std::iter::from_fn(move || {
        if let Some(name) = raw.take() {
            let end = find_close(rest, &name);
            let text = &rest[..end];
            rest = &rest[end..];
            return Some(Piece::Raw { name, text });
        }
        loop {
            if rest.is_empty() {
                return None;
            }
            let Some(after) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                let text = &rest[..end];
                rest = &rest[end..];
                return Some(Piece::Text(text));
            };
            if let Some(comment) = after.strip_prefix("!--") {
                rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
                continue;
            }
            let first = after.chars().next().unwrap_or(' ');
            if matches!(first, '!' | '?') {
                rest = after.find('>').map_or("", |end| &after[end + 1..]);
                continue;
            }
            if let Some(closing) = after.strip_prefix('/') {
                let end = closing.find('>').unwrap_or(closing.len());
                let name = name_of(&closing[..end]);
                rest = closing.get(end + 1..).unwrap_or("");
                return Some(Piece::Close(name));
            }
            if !first.is_ascii_alphabetic() {
                // A lone `<`, as in `a < b`.
                rest = after;
                return Some(Piece::Text("<"));
            }
            let (tag, left) = open(after);
            rest = left;
            if RAW.contains(&tag.name.as_str()) {
                raw = Some(tag.name.clone());
            }
            return Some(Piece::Open(tag));
        }
    })
}

/// Offset of `</name`, or the end of the text.
fn find_close(text: &str, name: &str) -> usize {
    let mut at = 0;
    while let Some(found) = text[at..].find("</") {
        let begin = at + found;
        let candidate = &text.as_bytes()[begin + 2..];
        let matches = candidate
            .get(..name.len())
            .is_some_and(|bytes| bytes.eq_ignore_ascii_case(name.as_bytes()));
        if matches {
            return begin;
        }
        at = begin + 2;
    }
    text.len()
}

fn name_of(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':'))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Parses a tag from its name on; returns it with the rest of the text.
fn open(text: &str) -> (Tag, &str) {
    let name = name_of(text);
    let mut rest = &text[name.len()..];
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            rest = after;
            break;
        }
        if rest.is_empty() {
            break;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))
            .unwrap_or(rest.len())
            .max(rest.chars().next().map_or(1, char::len_utf8));
        let key = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let (found, left) = attribute_value(after.trim_start());
            value = decode(found).into_owned();
            rest = left;
        }
        if attributes.len() < MOST_ATTRIBUTES {
            attributes.push((key, value));
        }
    }
    (Tag { name, attributes }, rest)
}

fn attribute_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).unwrap_or((inner, ""));
        }
    }
    let end = text
        .find(|c: char| c.is_whitespace() || c == '>')
        .unwrap_or(text.len());
    text.split_at(end)
}
