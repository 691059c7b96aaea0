//! Stored reports, one file each below the data folder.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::report::{Report, Summary};

const FOLDER: &str = "evals";
/// Only the newest reports are listed.
const MOST: usize = 200;

/// A report without its cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluationEntry {
    pub id: String,
    pub suite: String,
    pub model: String,
    pub at: DateTime<Utc>,
    pub summary: Summary,
}

pub struct ReportStore {
    folder: PathBuf,
}

impl ReportStore {
    pub fn of(data_dir: &Path) -> Self {
        Self {
            folder: data_dir.join(FOLDER),
        }
    }

    /// A safe file name that sorts by time.
    pub fn id(suite: &str, at: DateTime<Utc>) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let suite: String = suite.chars().map(plain).collect();
        format!("{}-{suite}", at.format("%Y%m%dT%H%M%S%3f"))
    }

    pub fn save(&self, report: &Report) -> std::io::Result<PathBuf> {
        std::fs::create_dir_all(&self.folder)?;
        let path = self.path(&report.id);
        std::fs::write(&path, serde_json::to_vec_pretty(report)?)?;
        Ok(path)
    }

    /// Newest first. Skips files that are not reports.
    pub fn list(&self) -> Vec<EvaluationEntry> {
        let Ok(files) = std::fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut names: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
        names.sort();
        let newest = names.iter().rev().take(MOST);
        newest.filter_map(|path| read(path)).collect()
    }

    /// The whole report; `None` if it does not exist.
    pub fn get(&self, id: &str) -> Option<Report> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if id.is_empty() || !id.chars().all(is_plain) {
            return None;
        }
        read(&self.path(id))
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}
