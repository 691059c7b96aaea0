//! The house rules hold in this tree. What each rule says, and that it can fail, stands in
//! the test kit's `tidy`.

use frontdesk_testkit::tidy::{
    Finding, Tree, direction, marks, names, purity, report, shape, workspace_root,
};

#[track_caller]
fn check(rule: fn(&Tree) -> Vec<Finding>) {
    let tree = Tree::read(&workspace_root()).unwrap();
    // A rule that looks at nothing finds nothing.
    for file in ["Cargo.toml", "Cargo.lock", "crates/core/src/lib.rs"] {
        assert!(tree.get(file).is_some(), "{file} is not in the tree");
    }
    let findings = rule(&tree);
    assert!(findings.is_empty(), "{}", report(&findings));
}

#[test]
fn crates_depend_in_one_direction() {
    check(direction::dependency_direction);
}

#[test]
fn our_crates_have_no_features() {
    check(direction::no_features_between_our_crates);
}

#[test]
fn every_crate_inherits_the_lints() {
    check(direction::lints_are_inherited);
}

#[test]
fn the_lock_file_stays_within_its_budget() {
    check(direction::few_packages);
}

#[test]
fn core_depends_on_no_io_crate() {
    check(direction::core_names_no_io_crate);
}

#[test]
fn core_reaches_for_no_file_socket_or_clock() {
    check(purity::core_reaches_for_nothing);
}

#[test]
fn no_assistant_is_named_outside_its_home() {
    check(names::assistants_stay_at_home);
}

#[test]
fn every_file_starts_with_its_purpose() {
    check(shape::files_start_with_their_purpose);
}

#[test]
fn files_are_short() {
    check(shape::files_are_short);
}

#[test]
fn functions_are_short() {
    check(shape::functions_are_short);
}

#[test]
fn every_lib_is_a_map() {
    check(shape::lib_is_a_map);
}

#[test]
fn exceptions_from_the_sizes_are_needed() {
    check(shape::exceptions_are_needed);
}

#[test]
fn no_lint_is_silenced() {
    check(marks::no_silenced_lint);
}

#[test]
fn ignored_tests_say_why() {
    check(marks::ignored_tests_say_why);
}

#[test]
fn no_code_is_unfinished() {
    check(marks::no_unfinished_code);
}

#[test]
fn nobody_leaves_a_note_to_oneself() {
    check(marks::no_note_to_oneself);
}

#[test]
fn no_registry_is_named() {
    check(marks::no_registry_address);
}

/// The text of a file of the tree.
fn text(path: &str) -> String {
    let tree = Tree::read(&workspace_root()).unwrap();
    tree.get(path)
        .unwrap_or_else(|| panic!("{path} is not in the tree"))
        .to_owned()
}

/// What runs on every commit runs all tests of all crates, properties included.
#[test]
fn every_commit_runs_all_tests() {
    let ci = text(".ci/run");
    assert!(ci.lines().any(|line| line == "make test"), "{ci}");
    assert!(text("Makefile").contains("test: ## "));
    assert!(text("Makefile").contains("\t@scripts/test\n"));
    let test = text("scripts/test");
    assert!(test.contains("set -euo pipefail") && test.contains("run_tests"));
    let common = text("scripts/common");
    assert!(common.contains("cargo nextest run --workspace --locked"));
}

#[test]
fn coverage_below_four_fifths_fails() {
    let script = text("scripts/coverage");
    assert!(script.contains("minimum=${1:-80}"));
    assert!(script.contains("set -euo pipefail") && script.contains("exit !(lines > minimum)"));
    // The script's own comparison, with figures on both sides of it.
    let compare = |lines: &str| {
        let program = "BEGIN { exit !(lines > minimum) }";
        let status = std::process::Command::new("awk")
            .args(["-v", &format!("lines={lines}"), "-v", "minimum=80", program])
            .status();
        status.unwrap().success()
    };
    assert!(compare("80.01") && !compare("80.00") && !compare("7.9"));
}
