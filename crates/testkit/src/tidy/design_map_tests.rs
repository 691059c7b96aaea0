//! A map that tells the truth passes; each way not to is found.

use super::super::made_up::found;
use super::*;

const HEAD: &str = "| what | document | where | proven by | state |\n|---|---|---|---|---|\n";

/// What is found when the map has this one row, beside rows that are fine.
fn row(row: &str) -> Vec<String> {
    let mut map = format!("# Map\n## 000 First\n{HEAD}{row}\n");
    for document in &DOCUMENTS[1..] {
        map.push_str(&format!(
            "## {document} Other\n{HEAD}| `x` | {document} | — | — | open |\n"
        ));
    }
    found(
        map_is_true,
        &[
            (PATH, &map),
            ("crates/core/src/message.rs", "pub struct Message;"),
            (
                "crates/core/src/message_tests.rs",
                "fn round_trip() {}\nfn generic<T>() {}",
            ),
            ("assistants/a/conversations/b.md", "# A greeting"),
            ("web/tests/chat.spec.ts", "test('sends a message', …)"),
        ],
    )
}

#[track_caller]
fn check(text: &str, fine: bool) {
    assert_eq!(row(text).is_empty(), fine, "{text}");
}

#[test]
fn rows_that_tell_the_truth_pass() {
    check("| a | 000 | — | — | open |", true);
    check(
        "| a | 000 | `crates/core/src/message.rs` | — | open |",
        true,
    );
    check("| a | 000 | `crates/core/src` | — | open |", true);
    check(
        "| a | 000 | `crates/core/src/message.rs::Message` | `crates/core/src/message_tests.rs::round_trip` | done |",
        true,
    );
    check(
        "| a | 000 | crates/core | crates/core/src/message_tests.rs::generic<br>assistants/a/conversations/b.md | done |",
        true,
    );
    check(
        "| a | 000 | — | web/tests/chat.spec.ts::sends a message | open |",
        true,
    );
}

#[test]
fn a_place_that_is_gone_fails() {
    check(
        "| a | 000 | `crates/core/src/letter.rs` | — | open |",
        false,
    );
    check(
        "| a | 000 | `crates/core/src/message.rs::Letter` | — | open |",
        false,
    );
    check("| a | 000 | crates/core<br>crates/post | — | open |", false);
}

#[test]
fn a_test_that_is_gone_fails() {
    check(
        "| a | 000 | — | crates/core/src/message_tests.rs::round | open |",
        false,
    );
    check(
        "| a | 000 | — | crates/core/src/letter_tests.rs::round_trip | open |",
        false,
    );
    check(
        "| a | 000 | — | crates/core/src/message_tests.rs | open |",
        false,
    );
    check(
        "| a | 000 | — | web/tests/chat.spec.ts::receives | open |",
        false,
    );
    check(
        "| a | 000 | — | assistants/a/conversations/c.md | open |",
        false,
    );
}

#[test]
fn done_needs_a_place_and_a_test() {
    check("| a | 000 | crates/core | — | done |", false);
    check(
        "| a | 000 | — | crates/core/src/message_tests.rs::round_trip | done |",
        false,
    );
    check("| a | 000 | — | — | nearly |", false);
}

#[test]
fn a_foreign_document_or_a_repeated_row_fails() {
    check("| a | 005 | — | — | open |", false);
    check(
        "| a | 000 | — | — | open |\n| a | 000 | — | — | open |",
        false,
    );
}

#[test]
fn a_row_that_would_be_overlooked_fails() {
    let fine = "| a | 000 | — | — | open |";
    check(
        &format!("{fine}\n| b or c | d | 000 | — | — | open |"),
        false,
    );
    check(&format!("{fine}\n| b | 000 | — | — | open"), false);
}

#[test]
fn a_heading_without_rows_fails_and_so_does_a_missing_document() {
    check("| a | 000 | — | — | open |\n### Errors\n", false);
    check("", false);
    let missing = format!("## 000 First\n{HEAD}| a | 000 | — | — | open |\n");
    assert_eq!(found(map_is_true, &[(PATH, &missing)]).len(), 4);
    assert!(!found(map_is_true, &[]).is_empty());
}

#[test]
fn done_and_open_rows_are_counted() {
    let map = format!("{HEAD}| a | 000 | x | y | done |\n| b | 000 | — | — | open |\n");
    let tree = Tree::of(&[(PATH, &map)]);
    assert_eq!(progress(&tree)["000"], Progress { done: 1, open: 1 });
}
