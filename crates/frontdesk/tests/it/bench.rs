//! `frontdesk bench` runs the separate benchmark program. The benchmark package tests its own
//! output.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::cli::{Done, check_failure};

const PRODUCT: &str = env!("CARGO_BIN_EXE_frontdesk");

/// A folder with a benchmark program that prints its arguments.
fn folder_with(measurement: &str, exit: u8) -> TempDir {
    // The folder is on the file system of the product binary, which is hard-linked into it.
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

/// Runs the product from this folder. A symbolic link would resolve to the build folder.
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
fn bench_passes_its_arguments_to_the_benchmark_program() {
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
fn a_missed_goal_fails_the_command() {
    let folder = folder_with("frontdesk-bench", 1);
    let done = bench(folder.path(), &["--check"]);
    assert_eq!(done.code, Some(1), "{done:?}");
}

#[test]
fn without_the_benchmark_program_bench_says_how_to_get_it() {
    let folder = folder_with("frontdesk-bench", 0);
    let done = bench(folder.path(), &["servers"]);
    check_failure(
        &done,
        1,
        "cargo build --release -p frontdesk -p frontdesk-bench",
    );
}
