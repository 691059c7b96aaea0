//! Notices changes of files by their size and time of modification.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use frontdesk_search::ingest::local_files;

/// Between two looks at the files.
pub(super) const PAUSE: Duration = Duration::from_secs(2);

/// Size and time of modification of each file, by its path inside the folder.
type Snapshot = BTreeMap<String, (PathBuf, u64, Option<SystemTime>)>;

pub(super) struct Files(Vec<(PathBuf, Snapshot)>);

/// Files by their paths inside their folders.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) changed: Vec<(String, PathBuf)>,
    pub(super) gone: Vec<String>,
}

impl Files {
    pub(super) fn new(roots: &[String]) -> Self {
        let known = |root: &String| {
            let root = PathBuf::from(root);
            let files = snapshot(&root).unwrap_or_default();
            (root, files)
        };
        Self(roots.iter().map(known).collect())
    }

    /// The files that were added, changed or removed since the last call. A folder that cannot
    /// be read has not changed.
    pub(super) fn changes(&mut self) -> Changes {
        let mut changes = Changes::default();
        for (root, last) in &mut self.0 {
            let Some(now) = snapshot(root) else {
                continue;
            };
            let gone = last.keys().filter(|name| !now.contains_key(*name));
            changes.gone.extend(gone.cloned());
            let changed = now
                .iter()
                .filter(|(name, file)| last.get(*name) != Some(file));
            changes
                .changed
                .extend(changed.map(|(name, (path, ..))| (name.clone(), path.clone())));
            *last = now;
        }
        changes
    }
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.gone.is_empty()
    }
}

/// Unreadable files are left out until they can be read.
fn snapshot(root: &Path) -> Option<Snapshot> {
    let files = local_files(root).ok()?.into_iter();
    let described = files.filter_map(|(inside, file)| {
        let data = file.metadata().ok()?;
        Some((inside, (file, data.len(), data.modified().ok())))
    });
    Some(described.collect())
}
