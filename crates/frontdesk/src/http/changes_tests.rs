//! A diff numbers its lines in both versions.

use proptest::prelude::*;

use super::ChangeKind::{Added, Removed, Same};
use super::*;

#[test]
fn a_diff_numbers_its_lines() {
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

proptest! {
    #[test]
    fn a_diff_rebuilds_both_versions(old in "([abc]{0,2}\n){0,12}", new in "([abc]{0,2}\n){0,12}") {
        let found = changes(&old, &new);
        let rebuild = |skip: ChangeKind| -> String {
            found.iter().filter(|c| c.kind != skip).map(|c| format!("{}\n", c.text)).collect()
        };
        prop_assert_eq!(rebuild(ChangeKind::Added), old);
        prop_assert_eq!(rebuild(ChangeKind::Removed), new);
    }
}
