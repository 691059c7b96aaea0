//! How the page names and shows the installation.

use std::path::PathBuf;

use super::{ConfigError, Raw, bad};
use crate::brand::Rgb;

/// It must fit above the sidebar and below an icon.
const LONGEST_NAME: usize = 40;

#[derive(Clone, Debug)]
pub struct BrandSettings {
    pub name: String,
    /// An SVG or PNG file; `None` for the built-in logo.
    pub logo: Option<PathBuf>,
    pub accent: Option<Rgb>,
}

pub(super) fn read(raw: &Raw) -> Result<BrandSettings, ConfigError> {
    const NAME: &str = "brand.name";
    let name: String = raw.parse(NAME)?;
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME {
        return Err(bad(
            NAME,
            format!("must have 1 to {LONGEST_NAME} characters"),
        ));
    }
    Ok(BrandSettings {
        name: name.trim().to_owned(),
        logo: raw.optional("brand.logo")?,
        accent: raw.optional("brand.accent")?,
    })
}
