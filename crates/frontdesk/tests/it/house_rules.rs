//! The house rules hold in this tree. The test kit's `tidy` defines the rules and proves that
//! each can fail.

use frontdesk_testkit::tidy::{
    Finding, Tree, commits, direction, marks, names, ordinals, prose, purity, report, shape,
    type_names, workspace_root,
};

#[track_caller]
fn check(rule: fn(&Tree) -> Vec<Finding>) {
    let tree = Tree::read(&workspace_root()).unwrap();
    // A rule over an empty tree would find nothing.
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
fn core_uses_no_file_socket_or_clock() {
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
fn no_file_has_a_todo_comment() {
    check(marks::no_note_to_oneself);
}

#[test]
fn no_registry_is_named() {
    check(marks::no_registry_address);
}

#[test]
fn public_types_of_a_crate_have_distinct_names() {
    check(type_names::public_types_have_distinct_names);
}

#[test]
fn no_type_is_a_bare_participle() {
    check(type_names::types_are_nouns);
}

#[test]
fn no_test_is_numbered() {
    check(ordinals::tests_are_not_numbered);
}

#[test]
fn no_file_is_numbered() {
    check(ordinals::files_are_not_numbered);
}

#[test]
fn comments_are_plain_prose() {
    check(prose::comments_are_plain);
}

/// The newest commits, as far back as this clone has them. Merges have git's own subjects. A shared
/// commit cannot be renamed, so a few subjects may break the rule.
#[test]
fn commit_subjects_are_short_and_name_their_area() {
    const NEWEST: &str = "-40";
    const TOLERATED: usize = 4;
    let log = std::process::Command::new("git")
        .args(["-c", "safe.directory=*", "log", "--no-merges", NEWEST])
        .arg("--format=%h %s")
        .current_dir(workspace_root())
        .output();
    // A source archive has no history.
    let log = log.map(|log| log.stdout).unwrap_or_default();
    let findings = commits::subjects_are_plain(&String::from_utf8_lossy(&log));
    assert!(findings.len() <= TOLERATED, "{}", report(&findings));
}

/// The text of a file of the tree.
fn text(path: &str) -> String {
    let tree = Tree::read(&workspace_root()).unwrap();
    tree.get(path)
        .unwrap_or_else(|| panic!("{path} is not in the tree"))
        .to_owned()
}

/// The commit workflow runs all tests of all crates, including properties.
// design: 003 every commit
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

// design: 003 coverage
#[test]
fn coverage_below_four_fifths_fails() {
    let script = text("scripts/coverage");
    assert!(script.contains("minimum=${1:-80}"));
    assert!(script.contains("set -euo pipefail") && script.contains("exit !(lines > minimum)"));
    // The script's own comparison, with figures on both sides of the threshold.
    let compare = |lines: &str| {
        let program = "BEGIN { exit !(lines > minimum) }";
        let status = std::process::Command::new("awk")
            .args(["-v", &format!("lines={lines}"), "-v", "minimum=80", program])
            .status();
        status.unwrap().success()
    };
    assert!(compare("80.01") && !compare("80.00") && !compare("7.9"));
}

// design: 004 coverage
#[test]
fn coverage_counts_all_but_tests_and_other_peoples_code() {
    let script = text("scripts/coverage");
    let (_, rest) = script.split_once("--ignore-filename-regex='").unwrap();
    let (ignored, _) = rest.split_once('\'').unwrap();
    let is_ignored = |path: &str| {
        let program = "BEGIN { exit !(path ~ ignored) }";
        let status = std::process::Command::new("awk")
            .args(["-v", &format!("path={path}")])
            .args(["-v", &format!("ignored={}", ignored.replace('\\', "\\\\"))])
            .arg(program)
            .status();
        status.unwrap().success()
    };
    assert!(is_ignored("/x/.cargo/registry/a.rs") && is_ignored("/x/core/src/run_tests.rs"));
    let tree = Tree::read(&workspace_root()).unwrap();
    let counted = tree.rust().filter(|(path, _)| {
        let product = path.contains("/gig/") || path.contains("/src/http/");
        product && !path.ends_with("_tests.rs") && !path.contains("/tests/")
    });
    for (path, _) in counted {
        assert!(!is_ignored(&format!("/x/{path}")), "{path}");
    }
}
