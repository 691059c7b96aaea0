//! `frontdesk bench` hands over to the program that measures. What that one prints is told by its own package.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::cli::{Done, check_failure};

const PRODUCT: &str = env!("CARGO_BIN_EXE_frontdesk");

/// A folder with a program in it that says what it was asked for.
fn folder_with(measurement: &str, exit: u8) -> TempDir {
    // On the same file system as the product, which is linked into it.
    let built = Path::new(PRODUCT).parent().unwrap();
    let folder = TempDir::new_in(built).unwrap();
    let program = folder.path().join(measurement);
    std::fs::write(
        &program,
        format!("#!/bin/sh\necho \"$0 $*\"\nexit {exit}\n"),
    )
    .unwrap();
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
    folder
}

/// The product in this folder. A symbolic link would lead back to where it was built.
fn bench(folder: &Path, arguments: &[&str]) -> Done {
    let product = folder.join("frontdesk");
    std::fs::hard_link(PRODUCT, &product).unwrap();
    let output = Command::new(product)
        .arg("bench")
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .output();
    Done::from(output.unwrap())
}

fn check(measurement: &str, arguments: &[&str], passed_on: &str) {
    let folder = folder_with(measurement, 0);
    let done = bench(folder.path(), arguments);
    assert_eq!(done.code, Some(0), "{done:?}");
    let program = folder.path().join(measurement);
    assert_eq!(
        done.out.trim(),
        format!("{} {passed_on}", program.display()).trim()
    );
}

#[test]
fn it_hands_over_to_the_program_that_measures_what_was_asked_for() {
    check("frontdesk-bench", &[], "");
    check("frontdesk-bench", &["--check"], "--check");
    check("frontdesk-bench", &["turns", "--json"], "--json");
    check("frontdesk-bench-durable", &["servers"], "");
    check(
        "frontdesk-bench-durable",
        &["servers", "--check", "--json", "--", "--only", "sqlite"],
        "--json --check --only sqlite",
    );
}

#[test]
fn a_goal_that_is_missed_fails_the_command() {
    let folder = folder_with("frontdesk-bench", 1);
    let done = bench(folder.path(), &["--check"]);
    assert_eq!(done.code, Some(1), "{done:?}");
}

#[test]
fn without_that_program_it_says_how_to_get_it() {
    let folder = folder_with("frontdesk-bench", 0);
    let done = bench(folder.path(), &["servers"]);
    check_failure(
        &done,
        1,
        "cargo build --release -p frontdesk -p frontdesk-bench",
    );
}
