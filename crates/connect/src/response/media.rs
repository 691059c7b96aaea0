//! Files in responses, recognised by content: raw, as base64 in JSON, or behind a link.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE};
use bytes::Bytes;
use frontdesk_core::tool::ProducedFile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::FileKind;

/// A kind of file, recognised by its first and last bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MediaKind {
    Jpeg,
    Png,
    Heic,
    Gif,
    Webp,
    Svg,
    Pdf,
    Html,
}

/// A file's bytes and media type.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub bytes: Bytes,
    pub media_type: String,
    pub extension: String,
}

impl Content {
    /// The file under this name, which gets its extension.
    pub fn named(self, name: &str) -> ProducedFile {
        ProducedFile {
            name: format!("{name}.{}", self.extension),
            media_type: self.media_type,
            bytes: self.bytes,
        }
    }
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The last chunk of every PNG.
const PNG_END: &[u8] = b"IEND\xAE\x42\x60\x82";

impl MediaKind {
    /// Detects the kind of a file from its content.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
            return Some(Self::Jpeg);
        }
        if bytes.starts_with(PNG) {
            return Some(Self::Png);
        }
        if bytes.starts_with(b"GIF8") {
            return Some(Self::Gif);
        }
        if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            return Some(Self::Webp);
        }
        if bytes.starts_with(b"%PDF-") {
            return Some(Self::Pdf);
        }
        if is_heic(bytes) {
            return Some(Self::Heic);
        }
        markup(bytes)
    }

    /// Its name, media type and file extension.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Jpeg => ("JPEG", "image/jpeg", "jpg"),
            Self::Png => ("PNG", "image/png", "png"),
            Self::Heic => ("HEIC", "image/heic", "heic"),
            Self::Gif => ("GIF", "image/gif", "gif"),
            Self::Webp => ("WebP", "image/webp", "webp"),
            Self::Svg => ("SVG", "image/svg+xml", "svg"),
            Self::Pdf => ("PDF", "application/pdf", "pdf"),
            Self::Html => ("HTML", "text/html", "html"),
        }
    }

    pub fn as_str(self) -> &'static str {
        self.names().0
    }

    pub fn media_type(self) -> &'static str {
        self.names().1
    }

    pub fn extension(self) -> &'static str {
        self.names().2
    }

    pub(crate) fn is_image(self) -> bool {
        !matches!(self, Self::Pdf | Self::Html)
    }

    /// Whether the end of the file is there, as far as its format shows it.
    fn is_whole(self, bytes: &[u8]) -> bool {
        match self {
            Self::Png => bytes.ends_with(PNG_END),
            Self::Pdf => {
                // Some writers add a few bytes after the mark.
                const TAIL: usize = 1024;
                let tail = &bytes[bytes.len().saturating_sub(TAIL)..];
                tail.windows(5).any(|window| window == b"%%EOF")
            }
            Self::Svg => ends_with_tag(bytes, b"</svg>"),
            Self::Html => ends_with_tag(bytes, b">"),
            Self::Jpeg | Self::Heic | Self::Gif | Self::Webp => true,
        }
    }
}

fn ends_with_tag(bytes: &[u8], tag: &[u8]) -> bool {
    bytes.trim_ascii_end().to_ascii_lowercase().ends_with(tag)
}

/// A HEIC file starts with a box that lists its brands. AVIF uses the same container.
fn is_heic(bytes: &[u8]) -> bool {
    let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
        return false;
    };
    let size = u32::from_be_bytes(*size) as usize;
    let brands = rest
        .strip_prefix(b"ftyp")
        .and_then(|brands| brands.get(..size.checked_sub(8)?));
    let has = |wanted: &[&[u8]]| {
        brands.is_some_and(|brands| brands.chunks(4).any(|brand| wanted.contains(&brand)))
    };
    has(&[b"heic", b"heix", b"heim", b"heis", b"mif1"]) && !has(&[b"avif", b"avis"])
}

/// HTML or SVG, by the first tag after declarations and comments.
fn markup(bytes: &[u8]) -> Option<MediaKind> {
    const HEAD: usize = 1024;
    let head = &bytes[..bytes.len().min(HEAD)];
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    let text = text.trim_start_matches('\u{FEFF}').trim_start();
    if !text.starts_with('<') {
        return None;
    }
    if text.starts_with("<!doctype html") || text.starts_with("<html") {
        return Some(MediaKind::Html);
    }
    let is_prolog = ["<?xml", "<!--", "<!doctype svg", "<svg"]
        .iter()
        .any(|opening| text.starts_with(opening));
    (is_prolog && text.contains("<svg")).then_some(MediaKind::Svg)
}

impl FileKind {
    /// The content of this kind in these bytes, if it is there as a whole.
    pub(crate) fn content(self, bytes: &Bytes, declared: Option<&str>) -> Option<Content> {
        let found = MediaKind::of(bytes);
        let fits = match self {
            FileKind::Image => found.is_some_and(MediaKind::is_image),
            FileKind::Document => found.is_some_and(|kind| !kind.is_image()),
            FileKind::Any => true,
        };
        if !fits || found.is_some_and(|kind| !kind.is_whole(bytes)) {
            return None;
        }
        let (media_type, extension) = match (found, declared) {
            (Some(kind), _) => (kind.media_type().to_owned(), kind.extension().to_owned()),
            // An object that the rules have not recognised is no file.
            (None, Some(declared)) if is_json(declared) => return None,
            (None, Some(declared)) if !bytes.is_empty() => {
                (declared.to_ascii_lowercase(), "bin".to_owned())
            }
            (None, Some(_) | None) => return None,
        };
        Some(Content {
            bytes: bytes.clone(),
            media_type,
            extension,
        })
    }
}

fn is_json(media_type: &str) -> bool {
    media_type.ends_with("/json") || media_type.ends_with("+json")
}

/// The file that a JSON body carries as base64, with or without a `data:` prefix.
pub(crate) fn embedded(body: &Value, kind: FileKind) -> Option<Content> {
    texts(body).into_iter().find_map(|text| {
        let (declared, code) = match text.strip_prefix("data:") {
            Some(rest) => {
                let (head, code) = rest.split_once(',')?;
                (Some(head.strip_suffix(";base64")?), code)
            }
            None => (None, text),
        };
        let bytes = decoded(code)?;
        kind.content(&Bytes::from(bytes), declared)
    })
}

fn decoded(code: &str) -> Option<Vec<u8>> {
    // Shorter text is a word, not a file.
    const SHORTEST: usize = 32;
    if code.len() < SHORTEST || code.contains(' ') {
        return None;
    }
    let code: String = code.split_ascii_whitespace().collect();
    [STANDARD, STANDARD_NO_PAD, URL_SAFE]
        .iter()
        .find_map(|engine| engine.decode(&code).ok())
}

/// The link to a file in a JSON body, preferring fields whose names say so.
pub fn link(body: &Value) -> Option<&str> {
    let looks = |text: &str| {
        text.starts_with("https://") || text.starts_with("http://") || text.starts_with('/')
    };
    let mut found: Vec<(bool, &str)> = Vec::new();
    collect_links(body, "", &mut |key, text| {
        if looks(text) && !text.contains(char::is_whitespace) {
            let key = key.to_ascii_lowercase();
            let named = ["url", "link", "href", "file", "path"]
                .iter()
                .any(|word| key.contains(word));
            found.push((named, text));
        }
    });
    let named = found.iter().find(|(named, _)| *named);
    named.or(found.first()).map(|(_, text)| *text)
}

fn collect_links<'a>(value: &'a Value, key: &str, each: &mut impl FnMut(&str, &'a str)) {
    match value {
        Value::String(text) => each(key, text),
        Value::Object(fields) => {
            for (key, value) in fields {
                collect_links(value, key, each);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect_links(item, key, each)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn texts(value: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    collect_links(value, "", &mut |_, text| found.push(text));
    found
}
