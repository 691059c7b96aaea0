//! The built page in the binary, with the compressed copies that the build adds. A debug build
//! reads `web/dist`, so that changes show immediately.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use rust_embed::{Embed, EmbeddedFile};
use std::borrow::Cow;
use std::fmt::Write;

#[derive(Embed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// Best first. The build writes a compressed copy only if it is smaller.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

pub(super) struct Asset {
    path: String,
    plain: EmbeddedFile,
}

impl Asset {
    pub(super) fn named(path: &str) -> Option<Self> {
        // Compressed copies have no address of their own.
        if ENCODINGS.iter().any(|(_, ending)| has_ending(path, ending)) {
            return None;
        }
        Some(Self {
            plain: Dist::get(path)?,
            path: path.to_owned(),
        })
    }

    pub(super) fn media_type(&self) -> &'static str {
        let ending = self.path.rsplit('.').next().unwrap_or_default();
        match ending {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "json" | "map" => "application/json",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "ico" => "image/x-icon",
            "woff2" => "font/woff2",
            "txt" => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        }
    }

    /// The content, if it is text.
    pub(super) fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.plain.data).ok()
    }

    /// The content in the best accepted encoding, the encoding and the ETag.
    pub(super) fn encoded_for(&self, asked: &HeaderMap) -> (Option<&'static str>, Bytes, String) {
        for (encoding, ending) in ENCODINGS {
            if accepts(asked, encoding)
                && let Some(copy) = Dist::get(&format!("{}.{ending}", self.path))
            {
                let tag = self.tag(encoding);
                return (Some(encoding), bytes(copy.data), tag);
            }
        }
        (None, bytes(self.plain.data.clone()), self.tag("plain"))
    }

    /// ETags differ by encoding, because the bodies do.
    fn tag(&self, encoding: &str) -> String {
        let hash = self.plain.metadata.sha256_hash();
        let mut tag = String::from("\"");
        for byte in hash.iter().take(16) {
            // Writing to a String cannot fail.
            let _ = write!(tag, "{byte:02x}");
        }
        tag.push('-');
        tag.push_str(encoding);
        tag.push('"');
        tag
    }
}

fn has_ending(path: &str, ending: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, last)| last == ending)
}

fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// True if a client accepts this encoding; `q=0` refuses it.
fn accepts(asked: &HeaderMap, encoding: &str) -> bool {
    asked
        .get_all(ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|part| {
            let mut parts = part.split(';').map(str::trim);
            let named = parts
                .next()
                .is_some_and(|name| name.eq_ignore_ascii_case(encoding));
            named && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
}
