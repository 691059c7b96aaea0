//! The installation's own name, logo and accent colour, as the page shows them.

mod colour;

use anyhow::{Context, bail};
use axum::body::Bytes;
use serde_json::{Value, json};

use crate::config::BrandSettings;
use crate::http::escape;

pub use colour::Rgb;
use colour::Shades;

pub const DEFAULT_NAME: &str = "Frontdesk";
/// Each visitor loads the logo.
const MAX_LOGO_BYTES: usize = 256 * 1024;
pub const STYLE_PATH: &str = "brand/style.css";
pub const LOGO_PATH: &str = "brand/logo";

pub struct Brand {
    name: String,
    logo: Option<Logo>,
    accent: Option<Rgb>,
}

#[derive(Clone)]
pub struct Logo {
    pub media_type: &'static str,
    pub bytes: Bytes,
}

impl Brand {
    /// Reads the logo.
    pub fn load(settings: &BrandSettings) -> anyhow::Result<Self> {
        let logo = match &settings.logo {
            None => None,
            Some(path) => {
                let bytes = std::fs::read(path)
                    .with_context(|| format!("setting `brand.logo`: {}", path.display()))?;
                Some(Logo::parse(bytes)?)
            }
        };
        Ok(Self {
            name: settings.name.clone(),
            logo,
            accent: settings.accent,
        })
    }

    pub fn is_default(&self) -> bool {
        self.name == DEFAULT_NAME && self.logo.is_none() && self.accent.is_none()
    }

    pub fn logo(&self) -> Option<&Logo> {
        self.logo.as_ref()
    }

    /// Replaces the page's accent colours.
    pub fn stylesheet(&self) -> Option<String> {
        self.accent.map(|accent| Shades::of(accent).stylesheet())
    }

    /// The built index.html with this brand.
    pub fn page(&self, html: &str) -> String {
        let name = escape(&self.name);
        let mut root = format!("<html data-brand=\"{name}\"");
        let mut icon = "href=\"/favicon.svg\" type=\"image/svg+xml\"".to_owned();
        if let Some(logo) = &self.logo {
            root.push_str(" data-logo");
            icon = format!("href=\"/{LOGO_PATH}\" type=\"{}\"", logo.media_type);
        }
        let style = match self.accent {
            Some(_) => format!("<link rel=\"stylesheet\" href=\"/{STYLE_PATH}\" /></head>"),
            None => "</head>".to_owned(),
        };
        html.replace("<html", &root)
            .replace(
                "<title>Frontdesk</title>",
                &format!("<title>{name}</title>"),
            )
            .replace("href=\"/favicon.svg\" type=\"image/svg+xml\"", &icon)
            .replace("</head>", &style)
    }

    /// The built web app manifest with this brand.
    pub fn manifest(&self, built: &str) -> serde_json::Result<String> {
        let mut manifest: Value = serde_json::from_str(built)?;
        manifest["name"] = json!(self.name);
        manifest["short_name"] = json!(self.name);
        if let Some(accent) = self.accent {
            manifest["theme_color"] = json!(accent.to_string());
        }
        if let Some(logo) = &self.logo {
            let src = format!("/{LOGO_PATH}");
            manifest["icons"] = json!([{ "src": src, "sizes": "any", "type": logo.media_type }]);
        }
        serde_json::to_string(&manifest)
    }
}

impl Logo {
    fn parse(bytes: Vec<u8>) -> anyhow::Result<Self> {
        if bytes.len() > MAX_LOGO_BYTES {
            bail!("setting `brand.logo`: the file has more than 256 kB");
        }
        let media_type = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            "image/png"
        } else if std::str::from_utf8(&bytes).is_ok_and(|text| text.contains("<svg")) {
            "image/svg+xml"
        } else {
            bail!("setting `brand.logo`: the file is neither SVG nor PNG");
        };
        Ok(Self {
            media_type,
            bytes: bytes.into(),
        })
    }
}

#[cfg(test)]
#[path = "brand_tests.rs"]
mod brand_tests;
