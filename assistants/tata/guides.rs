//! The companies' style guides: files that people edit, read again when they change. A company without one has the
//! neutral guide.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use frontdesk_core::id::CompanyId;

use super::domain::library::Library;
use super::domain::problem::Problems;
use super::domain::style_guide::{Fact, FactStatus, GuideFile, StyleGuide};
use super::facts::ApprovedFact;
use super::settings;
use crate::bundle::SetupError;

pub(super) struct Guides {
    folder: Option<PathBuf>,
    library: &'static Library,
    neutral: GuideFile,
    /// Guides as they were last used. Making one means sorting a few thousand banned words.
    made: Mutex<HashMap<PathBuf, Made>>,
}

struct Made {
    changed: Option<SystemTime>,
    facts: Vec<ApprovedFact>,
    guide: Arc<StyleGuide>,
}

impl Guides {
    /// Reads every guide once, so that a mistake is told at start.
    pub(super) fn new(
        folder: Option<PathBuf>,
        library: &'static Library,
    ) -> Result<Self, SetupError> {
        let wrong = |problem: String| SetupError::Setting {
            key: settings::GUIDES,
            problem,
        };
        let neutral = StyleGuide::neutral(library).map_err(|e| wrong(e.to_string()))?;
        if let Some(folder) = &folder {
            let cannot = |e: std::io::Error| wrong(format!("{}: {e}", folder.display()));
            for entry in std::fs::read_dir(folder).map_err(cannot)? {
                let path = entry.map_err(cannot)?.path();
                if path.extension().is_some_and(|ending| ending == "toml") {
                    read(&path, library).map_err(|e| wrong(format!("{}: {e}", path.display())))?;
                }
            }
        }
        Ok(Self {
            folder,
            library,
            neutral: neutral.file().clone(),
            made: Mutex::default(),
        })
    }

    /// The guide of this company with the facts that were approved in conversations.
    pub(super) fn of(
        &self,
        company: Option<CompanyId>,
        facts: Vec<ApprovedFact>,
    ) -> Result<Arc<StyleGuide>, Problems> {
        let path = self.path(company);
        let changed = path
            .as_ref()
            .and_then(|path| path.metadata().and_then(|m| m.modified()).ok());
        let key = path.clone().unwrap_or_default();
        if let Some(made) = self.lock().get(&key)
            && made.changed == changed
            && made.facts == facts
        {
            return Ok(Arc::clone(&made.guide));
        }
        let mut file = match &path {
            Some(path) => read(path, self.library)?.file().clone(),
            None => self.neutral.clone(),
        };
        file.facts.extend(facts.iter().map(|fact| Fact {
            status: FactStatus::Approved,
            text: BTreeMap::from([(fact.language, fact.sentence.clone())]),
        }));
        let guide = Arc::new(StyleGuide::new(file, self.library)?);
        let made = Made {
            changed,
            facts,
            guide: Arc::clone(&guide),
        };
        self.lock().insert(key, made);
        Ok(guide)
    }

    fn path(&self, company: Option<CompanyId>) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?;
        let own = company.map(|company| folder.join(format!("{}.toml", company.uuid())));
        own.into_iter()
            .chain([folder.join("default.toml")])
            .find(|path| path.is_file())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(path: &Path, library: &Library) -> Result<StyleGuide, Problems> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        Problems::one(
            "style_guide",
            format!("The style guide cannot be read: {e}"),
        )
    })?;
    StyleGuide::parse(&text, library)
}
