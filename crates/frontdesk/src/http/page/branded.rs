//! Files of the page that show the installation's brand. The others are as built.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header;
use axum::response::Response;
use sha2::{Digest, Sha256};

use super::assets::Asset;
use super::{CSP, INDEX, protect, set, unless_known};
use crate::brand::{Brand, LOGO_PATH, STYLE_PATH};

const MANIFEST: &str = "manifest.webmanifest";
/// A logo is a picture, also when it is opened by itself.
const PICTURE_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

pub(super) struct Branded {
    media_type: &'static str,
    policy: &'static str,
    bytes: Bytes,
}

/// `None` if the brand does not change this file.
pub(super) fn file(brand: &Brand, path: &str) -> Option<Branded> {
    let text = |media_type, text: String| Branded {
        media_type,
        policy: CSP,
        bytes: text.into(),
    };
    match path {
        STYLE_PATH => Some(text("text/css; charset=utf-8", brand.stylesheet()?)),
        LOGO_PATH => {
            let logo = brand.logo()?;
            Some(Branded {
                media_type: logo.media_type,
                policy: PICTURE_CSP,
                bytes: logo.bytes.clone(),
            })
        }
        INDEX | MANIFEST if !brand.is_default() => {
            let built = Asset::named(path)?;
            let own = match path {
                INDEX => brand.page(built.text()?),
                _ => brand.manifest(built.text()?).ok()?,
            };
            Some(text(built.media_type(), own))
        }
        _ => None,
    }
}

impl Branded {
    pub(super) fn respond(self, asked: &HeaderMap) -> Response {
        let digest = Sha256::digest(&self.bytes);
        let tag: String = digest
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let mut response = unless_known(asked, &format!("\"{tag}\""), self.bytes);
        let headers = response.headers_mut();
        set(headers, header::CONTENT_TYPE, self.media_type);
        set(headers, header::CACHE_CONTROL, "no-cache");
        set(headers, header::CONTENT_SECURITY_POLICY, self.policy);
        protect(headers);
        response
    }
}
