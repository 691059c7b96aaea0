//! Headless openings and listed phrases are found in comments, and only there.

use super::super::synthetic::found;
use super::*;

fn lines(path: &str, text: &str) -> Vec<String> {
    let found = found(comments_are_plain, &[(path, text)]);
    let prefix = format!("{path}:");
    found
        .iter()
        .map(|place| place.trim_start_matches(&prefix).to_owned())
        .collect()
}

#[test]
fn a_headless_opening_fails_with_every_marker() {
    let text = "//! What a word takes.\n\n/// Who asks for it.\nfn a() {} // Where it is.\n\
                // Whoever waits\n// keeps others out.\n";
    assert_eq!(lines("a.rs", text), ["1", "3", "4", "5"]);
}

#[test]
fn questions_and_other_subjects_pass() {
    let text = "// What is the limit? None.\n/// Whatsapp is no service here.\n/// The place where it is.\n\
                const A: &str = \"// What a word takes.\";\n";
    assert!(lines("a.rs", text).is_empty());
}

#[test]
fn a_listed_phrase_fails_on_its_line() {
    let text = "/// A node reads the table and\n/// goes\n/// on. It Brings more.\nfn a() {}\n// It is told.\n";
    assert_eq!(lines("a.rs", text), ["3", "2", "5"]);
}

#[test]
fn parts_of_other_words_and_code_pass() {
    let text = "/// This is toldable; offsprings.\nlet text = \"it brings\"; is_told();\n";
    assert!(lines("a.rs", text).is_empty());
}

#[test]
fn every_language_of_the_tree_is_checked() {
    for (path, marker) in [
        ("a.ts", "//"),
        ("a.mjs", "//"),
        ("a.css", "/*"),
        ("a.sql", "--"),
        ("a.toml", "#"),
        ("scripts/test", "#"),
        ("Makefile", "#"),
    ] {
        let text = format!("x\n{marker} What it shows.\n\n{marker} A test goes\n{marker} on.\n");
        assert_eq!(lines(path, &text), ["2", "4"], "{path}");
    }
    for path in ["migrations/a.json", "crates/a/migrations/0001_a.sqlite.sql"] {
        assert!(lines(path, "-- What it shows.\n").is_empty(), "{path}");
    }
}

#[test]
fn paragraphs_and_list_items_of_documents_are_checked() {
    let text = "# What a heading says\n\nThe text\ngoes on.\n\n- Who reads it.\n- A list\n  brings it.\n\n\
                | What | a table |\n\n> What is quoted.\n\n```sh\n# What is code.\n```\nWhat follows.\n";
    assert_eq!(lines("docs/a.md", text), ["4", "6", "8", "17"]);
    assert!(lines("x/conversations/a.md", text).is_empty());
}
