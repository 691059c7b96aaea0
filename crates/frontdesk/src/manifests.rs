//! Assistants that manifests define, and how they are loaded again. A manifest with an error is
//! reported and skipped; if an earlier version of it runs, that version stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use frontdesk_connect::manifest::{
    ManifestAssistant, ManifestError, ManifestFolder, SetUp, folders, load,
};
use frontdesk_core::assistant::Assistant;
use frontdesk_core::persona::Persona;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::config::Config;
use crate::installed::Installed;
use crate::runtime::Runtime;

/// The manifests of this installation, beside its built-in assistants.
pub struct Manifests {
    folder: PathBuf,
    set_up: SetUp,
    built_in: Vec<Arc<Assistant>>,
    personas: Vec<Persona>,
    entries: Mutex<BTreeMap<String, ManifestEntry>>,
}

#[derive(Clone)]
struct ManifestEntry {
    /// The files of the newest attempt; `None` if they could not be read.
    files: Option<ManifestFolder>,
    problem: Option<String>,
    current: Option<Arc<ManifestAssistant>>,
}

/// The result of loading one manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestReport {
    /// The assistant's name.
    pub name: String,
    pub state: ManifestState,
    /// The error of the newest version, with file, line and key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Doubts that do not prevent its use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ManifestState {
    /// The newest version is in use.
    Loaded,
    /// The newest version has an error; the earlier one stays in use.
    Kept,
    /// It has an error and is not in use.
    Skipped,
    /// Its folder is gone, and the assistant with it.
    Removed,
}

impl Manifests {
    pub fn new(
        config: &Config,
        set_up: SetUp,
        built_in: Vec<Arc<Assistant>>,
        personas: Vec<Persona>,
    ) -> Self {
        Self {
            folder: config.manifests.folder.clone(),
            set_up,
            built_in,
            personas,
            entries: Mutex::default(),
        }
    }

    pub fn folder(&self) -> &PathBuf {
        &self.folder
    }

    /// Reads all folders and builds what changed since the last time.
    pub fn read(&self) -> Vec<ManifestReport> {
        let mut known = self.entries();
        let paths = match folders(&self.folder) {
            Ok(paths) => paths,
            Err(error) => {
                let folder = self.folder.display();
                tracing::warn!("the manifests in {folder} cannot be read: {error}");
                return Vec::new();
            }
        };
        let mut reports = Vec::new();
        let mut seen = BTreeSet::new();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.into_owned();
            let before = known.get(&name).cloned();
            let now = self.next(before, ManifestFolder::read(&path));
            reports.push(now.report(&name));
            known.insert(name.clone(), now);
            seen.insert(name);
        }
        let gone = known.keys().filter(|name| !seen.contains(*name));
        for name in gone.cloned().collect::<Vec<_>>() {
            known.remove(&name);
            reports.push(ManifestReport {
                name,
                state: ManifestState::Removed,
                problem: None,
                warnings: Vec::new(),
            });
        }
        reports
    }

    /// The next state of a manifest with these files. Unchanged files keep their version, and with it the
    /// connections of its tools; a manifest with an error is tried again, since a missing secret
    /// leaves its files as they are.
    fn next(
        &self,
        before: Option<ManifestEntry>,
        files: Result<ManifestFolder, ManifestError>,
    ) -> ManifestEntry {
        let current = before.as_ref().and_then(|known| known.current.clone());
        let failed = |files, error: ManifestError| ManifestEntry {
            files,
            problem: Some(error.to_string()),
            current: current.clone(),
        };
        let files = match files {
            Ok(files) => files,
            Err(error) => return failed(None, error),
        };
        match before {
            Some(known) if known.problem.is_none() && known.files.as_ref() == Some(&files) => known,
            Some(_) | None => match self.load(&files) {
                Ok(loaded) => ManifestEntry {
                    files: Some(files),
                    problem: None,
                    current: Some(Arc::new(loaded)),
                },
                Err(error) => failed(Some(files), error),
            },
        }
    }

    fn load(&self, files: &ManifestFolder) -> Result<ManifestAssistant, ManifestError> {
        if self.built_in.iter().any(|one| one.name == files.name) {
            let name = &files.name;
            return Err(ManifestError::of_file(
                &files.path,
                format!("an assistant named {name} is built in; rename the folder"),
            ));
        }
        load(files, &self.set_up)
    }

    /// The built-in assistants and the manifests in use.
    pub fn installed(&self) -> Installed {
        let loaded = self.loaded();
        let of_manifests = loaded.iter().map(|one| Arc::clone(&one.assistant));
        let people = loaded.iter().flat_map(|one| one.people.iter().cloned());
        Installed::new(
            self.built_in.iter().cloned().chain(of_manifests).collect(),
            self.personas.iter().cloned().chain(people).collect(),
        )
    }

    /// The manifests in use.
    pub fn loaded(&self) -> Vec<Arc<ManifestAssistant>> {
        let known = self.entries();
        let current = known.values().filter_map(|one| one.current.clone());
        current.collect()
    }

    /// The newest attempt at each manifest.
    pub fn reports(&self) -> Vec<ManifestReport> {
        let known = self.entries();
        known.iter().map(|(name, one)| one.report(name)).collect()
    }

    /// Reads the manifests again and replaces the assistants.
    pub fn reload(&self, runtime: &Runtime) -> Vec<ManifestReport> {
        let reports = self.read();
        runtime.install(self.installed());
        log(&reports);
        reports
    }

    /// True if a manifest was added, changed or removed since it was last read.
    pub fn has_changed(&self) -> bool {
        let Ok(paths) = folders(&self.folder) else {
            return false;
        };
        let known = self.entries();
        paths.len() != known.len()
            || paths.iter().any(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let before = known.get(name.as_ref()).and_then(|one| one.files.as_ref());
                ManifestFolder::read(path).ok().as_ref() != before
            })
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, ManifestEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ManifestEntry {
    fn report(&self, name: &str) -> ManifestReport {
        let warnings = self.current.iter().flat_map(|loaded| &loaded.warnings);
        ManifestReport {
            name: name.to_owned(),
            state: match (&self.problem, &self.current) {
                (None, _) => ManifestState::Loaded,
                (Some(_), Some(_)) => ManifestState::Kept,
                (Some(_), None) => ManifestState::Skipped,
            },
            problem: self.problem.clone(),
            warnings: warnings.map(ToString::to_string).collect(),
        }
    }
}

impl ManifestReport {
    /// One line for the operator.
    pub fn in_words(&self) -> String {
        let problem = self.problem.as_deref().unwrap_or_default();
        match self.state {
            ManifestState::Loaded => format!("{} is in use", self.name),
            ManifestState::Kept => {
                format!("{} keeps its earlier version: {problem}", self.name)
            }
            ManifestState::Skipped => format!("{} is not in use: {problem}", self.name),
            ManifestState::Removed => format!("{} is removed", self.name),
        }
    }
}

/// Logs what an operator must know.
pub fn log(reports: &[ManifestReport]) {
    for report in reports {
        match report.state {
            ManifestState::Loaded => tracing::debug!("{}", report.in_words()),
            ManifestState::Removed => tracing::info!("{}", report.in_words()),
            ManifestState::Kept | ManifestState::Skipped => {
                tracing::error!("{}", report.in_words());
            }
        }
        for warning in &report.warnings {
            tracing::warn!("{warning}");
        }
    }
}

/// In demo mode, a change is noticed within this time.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Reloads on SIGHUP, and in demo mode whenever a file changes, until the server stops.
pub async fn follow(app: Arc<App>, stopping: CancellationToken) {
    let mut hangup = match signal(SignalKind::hangup()) {
        Ok(hangup) => hangup,
        Err(error) => {
            tracing::warn!("SIGHUP cannot be received: {error}");
            return;
        }
    };
    loop {
        let asked = tokio::select! {
            () = stopping.cancelled() => return,
            _ = hangup.recv() => true,
            () = app.env.sleep(LOOK_EVERY), if app.config.demo.is_on() => false,
        };
        let (manifests, runtime) = (Arc::clone(&app.manifests), app.runtime.clone());
        let reloaded = tokio::task::spawn_blocking(move || {
            let reports = (asked || manifests.has_changed()).then(|| manifests.reload(&runtime));
            for report in reports
                .iter()
                .flatten()
                .filter(|report| report.problem.is_none())
            {
                tracing::info!("{}", report.in_words());
            }
        });
        if let Err(error) = reloaded.await {
            tracing::error!("the reload stopped: {error}");
        }
    }
}
