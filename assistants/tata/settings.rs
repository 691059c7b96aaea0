//! What an operator may set.

use std::collections::BTreeMap;
use std::path::PathBuf;

use frontdesk_core::setting::{Setting, SettingKind};

pub(super) const GUIDES: &str = "tata.style_guides";

pub(crate) const SETTINGS: &[Setting] = &[Setting {
    key: GUIDES,
    default: "",
    env: None,
    kind: SettingKind::Text,
    about: "Folder with the companies' style guides: <company id>.toml, or default.toml for all others; when empty the neutral guide is used.",
}];

/// The folder, if there is one.
pub(super) fn guides(settings: &BTreeMap<String, String>) -> Option<PathBuf> {
    let folder = settings.get(GUIDES).map(|text| text.trim())?;
    (!folder.is_empty()).then(|| PathBuf::from(folder))
}
