//! An assistant's name is found outside its folder, and nowhere else.

use super::super::synthetic::found;
use super::*;

fn check(path: &str, text: &str, expected: &[usize]) {
    let expected: Vec<String> = expected
        .iter()
        .map(|line| format!("{path}:{line}"))
        .collect();
    assert_eq!(
        found(assistants_stay_at_home, &[(path, text)]),
        expected,
        "{text}"
    );
}

#[test]
fn an_assistant_named_in_code_fails() {
    let path = "crates/frontdesk/src/app.rs";
    check(path, "let a = \"tata\";\nlet b = \"docs\";\n", &[1, 2]);
    check(
        path,
        "let gig_id = 1;\nstruct TataAgent;\nuse assistants::autopilot;\n",
        &[1, 2, 3],
    );
    check(path, "const GATEPASS: u8 = 1;\n", &[1]);
}

#[test]
fn everyday_words_and_comments_pass() {
    let path = "crates/core/src/conversation.rs";
    check(
        path,
        "/// For example a gig's id.\nlet docs = read(\"docs/api.md\");\n",
        &[],
    );
    check(path, "let digging = brigade.gigabytes + datatable;\n", &[]);
    check(path, "use frontdesk_service_gatepass::serve;\n", &[]);
}

#[test]
fn an_assistant_named_in_other_files_fails() {
    check("Makefile", "run:\n\tfrontdesk chat tata\n", &[2]);
    check(
        "ARCHITECTURE.md",
        "See docs/api.md.\nThe Gig assistant …\n",
        &[2],
    );
    check(
        "Cargo.toml",
        "frontdesk-service-gatepass = { path = \"services/gatepass\" }\n",
        &[],
    );
}

#[test]
fn assistants_may_be_named_in_their_folders() {
    for home in [
        "assistants/gig/mod.rs",
        "services/gatepass/src/lib.rs",
        "web/src/app.tsx",
        "bench/README.md",
        "docs/api.md",
        "README.md",
        "CHANGELOG.md",
        "frontdesk.example.toml",
        "crates/core/src/grant_tests.rs",
        "crates/frontdesk/tests/it/main.rs",
        "tests/kit/src/golden.rs",
    ] {
        check(home, "let a = \"gig\";\n", &[]);
    }
}

#[test]
fn a_new_assistant_is_known_by_its_folder() {
    let files = [
        ("assistants/lib.rs", "//! x\n"),
        ("assistants/travel/mod.rs", "//! x\n"),
        ("crates/frontdesk/src/app.rs", "let a = \"travel\";\n"),
    ];
    assert_eq!(
        found(assistants_stay_at_home, &files),
        ["crates/frontdesk/src/app.rs:1"]
    );
}
