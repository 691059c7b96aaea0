//! The difference between two versions of a document, line by line.

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use super::Document;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    Same,
    Added,
    Removed,
}

/// One line, with its number (from 1) in the versions that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineChange {
    pub kind: ChangeKind,
    pub text: String,
    pub old_line: Option<usize>,
    pub new_line: Option<usize>,
}

/// All lines of both versions in reading order.
pub fn diff(old: &Document, new: &Document) -> Vec<LineChange> {
    diff_text(&old.to_text(), &new.to_text())
}

pub fn diff_text(old: &str, new: &str) -> Vec<LineChange> {
    let diff = TextDiff::from_lines(old, new);
    let changes = diff.iter_all_changes().map(|change| LineChange {
        kind: match change.tag() {
            ChangeTag::Equal => ChangeKind::Same,
            ChangeTag::Insert => ChangeKind::Added,
            ChangeTag::Delete => ChangeKind::Removed,
        },
        text: change.value().trim_end_matches(['\n', '\r']).to_owned(),
        old_line: change.old_index().map(|i| i + 1),
        new_line: change.new_index().map(|i| i + 1),
    });
    changes.collect()
}
