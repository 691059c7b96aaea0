//! Repeated public names and bare participles are found, and nothing else.

use super::super::synthetic::found;
use super::*;

const MANIFEST: &str = "[package]\nname = \"x\"\n";

#[test]
fn a_repeated_public_type_fails() {
    let files = [
        ("crates/a/Cargo.toml", MANIFEST),
        (
            "crates/a/src/one.rs",
            "pub struct Report;\npub(crate) enum Kind {}\n",
        ),
        (
            "crates/a/src/two.rs",
            "\npub type Report = u8;\npub(crate) trait Kind {}\n",
        ),
    ];
    assert_eq!(
        found(public_types_have_distinct_names, &files),
        ["crates/a/src/two.rs:2", "crates/a/src/two.rs:3"]
    );
}

#[test]
fn local_types_tests_and_other_crates_may_share_a_name() {
    let files = [
        ("crates/a/Cargo.toml", MANIFEST),
        (
            "crates/a/src/one.rs",
            "pub struct Report;\n// pub struct Report;\n",
        ),
        (
            "crates/a/src/two.rs",
            "struct Report;\nmod x { pub(super) struct Report; }\n",
        ),
        ("crates/a/src/two_tests.rs", "pub struct Report;\n"),
        ("crates/a/tests/it/main.rs", "pub struct Report;\n"),
        ("crates/b/Cargo.toml", MANIFEST),
        ("crates/b/src/lib.rs", "pub struct Report;\n"),
    ];
    assert!(found(public_types_have_distinct_names, &files).is_empty());
}

#[test]
fn a_type_named_by_a_participle_fails() {
    let file = "crates/a/src/one.rs";
    let text = "struct Told;\npub enum Found<'a> { A(&'a str) }\ntrait Keeps {}\ntype Kept = u8;\n";
    assert_eq!(
        found(types_are_nouns, &[(file, text)]),
        [1, 2, 3, 4].map(|line| format!("{file}:{line}"))
    );
}

#[test]
fn nouns_and_variants_pass() {
    let text = "struct FetchedPage;\nenum State { Kept, Known }\n// struct Told;\n";
    assert!(found(types_are_nouns, &[("crates/a/src/one.rs", text)]).is_empty());
}

#[test]
fn a_bare_participle_of_typescript_fails() {
    let files = [(
        "web/src/a.tsx",
        "export interface Told {\n  Found: string;\n}\ntype Kept<T> = T;\nconst type = Lost;\ninterface Answer {}\n",
    )];
    assert_eq!(
        found(types_are_nouns, &files),
        ["web/src/a.tsx:1", "web/src/a.tsx:4"]
    );
}
