//! A difference names its lines in both versions.

use super::ChangeKind::{Added, Removed, Same};
use super::*;

#[test]
fn a_difference_names_its_lines() {
    let change = |kind, text: &str, old_line, new_line| LineChange {
        kind,
        text: text.to_owned(),
        old_line,
        new_line,
    };
    assert_eq!(
        changes("a\nb\nc\n", "a\nx\nc\n"),
        [
            change(Same, "a", Some(1), Some(1)),
            change(Removed, "b", Some(2), None),
            change(Added, "x", None, Some(2)),
            change(Same, "c", Some(3), Some(3)),
        ]
    );
}
