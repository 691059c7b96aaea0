//! A line-by-line diff of two versions of a document, as data.

use schemars::JsonSchema;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ChangeKind {
    Same,
    Added,
    Removed,
}

/// One line, with its number (from 1) in each version that contains it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct LineChange {
    kind: ChangeKind,
    text: String,
    old_line: Option<usize>,
    new_line: Option<usize>,
}

/// All lines of both versions in reading order.
pub(super) fn changes(old: &str, new: &str) -> Vec<LineChange> {
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

#[cfg(test)]
#[path = "changes_tests.rs"]
mod changes_tests;
