//! Notices changes of files by their size and time of modification.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use frontdesk_search::ingest::local_files;

/// Between two looks at the files.
pub(super) const PAUSE: Duration = Duration::from_secs(2);

type Snapshot = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

pub(super) struct Files {
    roots: Vec<PathBuf>,
    last: Snapshot,
}

impl Files {
    pub(super) fn new(roots: &[&Path]) -> Self {
        let roots: Vec<PathBuf> = roots.iter().map(|root| (*root).to_owned()).collect();
        Self {
            last: snapshot(&roots),
            roots,
        }
    }

    /// True if a file was added, changed or removed since the last call.
    pub(super) fn have_changed(&mut self) -> bool {
        let now = snapshot(&self.roots);
        let changed = now != self.last;
        self.last = now;
        changed
    }
}

/// Unreadable files and folders are left out until they can be read.
fn snapshot(roots: &[PathBuf]) -> Snapshot {
    let files = roots.iter().filter_map(|root| local_files(root).ok());
    files
        .flatten()
        .filter_map(|(_, file)| {
            let data = file.metadata().ok()?;
            Some((file, (data.len(), data.modified().ok())))
        })
        .collect()
}
