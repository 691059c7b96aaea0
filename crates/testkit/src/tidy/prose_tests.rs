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
fn typescript_is_checked_and_other_files_are_not() {
    let text = "// What it shows.\nconst a = 1;\n";
    assert_eq!(lines("a.ts", text), ["1"]);
    assert!(lines("a.md", text).is_empty());
}
