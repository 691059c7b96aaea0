//! The companies' style guides: files that people edit, read for each document. A company without
//! one has the neutral guide.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use frontdesk_bundle::SetupError;
use frontdesk_core::id::CompanyId;
use frontdesk_core::setting::{Setting, SettingKind};

use super::style_guide::{NEUTRAL, StyleGuide};

const FOLDER: &str = "tata.style_guides";

pub(super) const SETTINGS: &[Setting] = &[Setting {
    key: FOLDER,
    default: "",
    env: None,
    kind: SettingKind::Text,
    about: "Folder with the companies' style guides: <company id>.toml, or default.toml for all others; when empty the neutral guide is used.",
}];

pub(super) struct Guides {
    folder: Option<PathBuf>,
    neutral: StyleGuide,
}

impl Guides {
    /// Reads every guide once, so that a mistake is reported at start.
    pub(super) fn new(settings: &BTreeMap<String, String>) -> Result<Self, SetupError> {
        let folder = settings.get(FOLDER).map(|text| text.trim());
        let folder = folder.filter(|text| !text.is_empty()).map(PathBuf::from);
        let wrong = |problem: String| SetupError::Setting {
            key: FOLDER,
            problem,
        };
        let neutral = StyleGuide::parse(NEUTRAL).map_err(wrong)?;
        if let Some(folder) = &folder {
            let cannot = |error: std::io::Error| wrong(format!("{}: {error}", folder.display()));
            for entry in std::fs::read_dir(folder).map_err(cannot)? {
                let path = entry.map_err(cannot)?.path();
                if path.extension().is_some_and(|ending| ending == "toml") {
                    read(&path).map_err(wrong)?;
                }
            }
        }
        Ok(Self { folder, neutral })
    }

    /// The guide of this company.
    pub(super) fn of(&self, company: Option<CompanyId>) -> Result<StyleGuide, String> {
        match self.path(company) {
            Some(path) => read(&path),
            None => Ok(self.neutral.clone()),
        }
    }

    fn path(&self, company: Option<CompanyId>) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let own = company.map(|company| folder.join(format!("{}.toml", company.uuid())));
        own.into_iter()
            .chain([folder.join("default.toml")])
            .find(|path| path.is_file())
    }
}

fn read(path: &Path) -> Result<StyleGuide, String> {
    let said = |problem: String| format!("The style guide {} {problem}", path.display());
    let text =
        std::fs::read_to_string(path).map_err(|error| said(format!("cannot be read: {error}")))?;
    StyleGuide::parse(&text).map_err(said)
}
