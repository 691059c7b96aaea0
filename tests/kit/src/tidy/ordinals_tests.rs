//! Numbered tests and files are found; numbers inside a sentence are not.

use super::super::synthetic::found;
use super::*;

#[test]
fn a_numbered_test_fails() {
    let file = "crates/a/src/lib.rs";
    let text = "#[test]\nfn b11_f19_paths() {}\n#[tokio::test(start_paused = true)]\nasync fn g01_a() {}\n\
                #[test]\n#[ignore = \"x\"]\nfn property_11_holds() {}\n";
    assert_eq!(
        found(tests_are_not_numbered, &[(file, text)]),
        [2, 4, 7].map(|line| format!("{file}:{line}"))
    );
}

#[test]
fn sentences_and_other_functions_pass() {
    let text = "#[test]\nfn the_second_attempt_wins() {}\nfn u16_at() {}\nfn b11_helper() {}\n\
                #[test]\nfn u64_values_round_trip() {}\n#[test]\nfn twenty_requests_open_it() {}\n";
    assert!(found(tests_are_not_numbered, &[("crates/a/src/lib.rs", text)]).is_empty());
}

#[test]
fn a_numbered_file_fails() {
    let names = [
        "eighteenth.toml",
        "twenty-first.toml",
        "g01-a.md",
        "case3.json",
        "set_2.toml",
        "first.ts",
    ];
    for name in names {
        let file = format!("crates/a/tests/data/{name}");
        assert_eq!(
            found(files_are_not_numbered, &[(&file, "x")]),
            [format!("{file}:1")]
        );
    }
}

#[test]
fn files_named_by_their_subject_pass() {
    for name in [
        "0001_passes.sqlite.sql",
        "utf8.rs",
        "2026-11-withdrawals.toml",
        "first-answer.md",
        "sha256.rs",
    ] {
        let file = format!("crates/a/{name}");
        assert!(
            found(files_are_not_numbered, &[(&file, "x")]).is_empty(),
            "{name}"
        );
    }
}
