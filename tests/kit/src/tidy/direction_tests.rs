//! Each rule about manifests passes on a good one and fails on a bad one.

use super::super::synthetic::found;
use super::*;

fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"{name}\"\n{rest}")
}

/// The findings for a crate `name` that depends on `package` in `table`.
fn direction(name: &str, table: &str, package: &str) -> Vec<String> {
    let text = manifest(name, &format!("[{table}]\n{package}.workspace = true\n"));
    found(dependency_direction, &[("crates/x/Cargo.toml", &text)])
}

#[test]
fn the_direction_of_the_design_passes() {
    for (from, to) in [
        ("frontdesk-db", "frontdesk-core"),
        ("frontdesk-store", "frontdesk-db"),
        ("frontdesk-bundle", "frontdesk-store"),
        ("frontdesk-assistant-notes", "frontdesk-bundle"),
        ("frontdesk-assistants", "frontdesk-assistant-notes"),
        ("frontdesk-service-gatepass", "frontdesk-db"),
        ("frontdesk", "frontdesk-search"),
        ("frontdesk-bench", "frontdesk-testkit"),
        ("frontdesk-core", "serde"),
    ] {
        let expected: [&str; 0] = [];
        assert_eq!(
            direction(from, "dependencies", to),
            expected,
            "{from} → {to}"
        );
    }
}

#[test]
fn an_edge_against_the_direction_fails() {
    for (from, to) in [
        ("frontdesk-core", "frontdesk-models"),
        ("frontdesk-models", "frontdesk-store"),
        ("frontdesk-store", "frontdesk-search"),
        ("frontdesk-assistant-notes", "frontdesk-models"),
        ("frontdesk-assistant-notes", "frontdesk-assistant-other"),
        ("frontdesk-bundle", "frontdesk-assistants"),
        ("frontdesk-assistants", "frontdesk"),
        ("frontdesk-service-gatepass", "frontdesk-core"),
        ("frontdesk", "frontdesk-testkit"),
        ("frontdesk-testkit", "frontdesk"),
        ("frontdesk", "frontdesk-bench"),
    ] {
        let expected = ["crates/x/Cargo.toml:4"];
        assert_eq!(
            direction(from, "dependencies", to),
            expected,
            "{from} → {to}"
        );
    }
}

#[test]
fn an_edge_is_found_in_every_kind_of_table_and_under_another_name() {
    let at = ["crates/x/Cargo.toml:4"];
    assert_eq!(
        direction("frontdesk-core", "build-dependencies", "frontdesk"),
        at
    );
    assert_eq!(
        direction(
            "frontdesk-core",
            "target.'cfg(unix)'.dependencies",
            "frontdesk"
        ),
        at
    );
    let text = manifest(
        "frontdesk-core",
        "[dependencies]\nshop = { package = \"frontdesk\", path = \"../frontdesk\" }\n",
    );
    assert_eq!(
        found(dependency_direction, &[("crates/x/Cargo.toml", &text)]).len(),
        1
    );
}

#[test]
fn tests_may_use_the_test_kit_and_not_the_product() {
    let none: [&str; 0] = [];
    assert_eq!(
        direction("frontdesk-core", "dev-dependencies", "frontdesk-testkit"),
        none
    );
    assert_eq!(
        direction("frontdesk-core", "dev-dependencies", "frontdesk").len(),
        1
    );
}

#[test]
fn a_crate_without_a_place_is_named() {
    assert_eq!(
        direction("frontdesk-extras", "dependencies", "serde"),
        ["crates/x/Cargo.toml:2"]
    );
}

#[test]
fn features_between_our_crates_fail() {
    let table = manifest("frontdesk-db", "[features]\nfast = []\n");
    let used = manifest(
        "frontdesk-store",
        "[dependencies]\nserde = { version = \"1\", features = [\"rc\"] }\n\
         frontdesk-db = { path = \"../db\", features = [\"fast\"], optional = true }\n",
    );
    let files = [
        ("crates/db/Cargo.toml", table.as_str()),
        ("crates/store/Cargo.toml", &used),
    ];
    assert_eq!(
        found(no_features_between_our_crates, &files),
        [
            "crates/db/Cargo.toml:3",
            "crates/store/Cargo.toml:5",
            "crates/store/Cargo.toml:5"
        ]
    );
}

#[test]
fn a_crate_without_our_lints_fails() {
    let good = manifest("frontdesk-db", "[lints]\nworkspace = true\n");
    let bad = manifest("frontdesk-core", "[lints.clippy]\npanic = \"allow\"\n");
    let files = [
        ("crates/a/Cargo.toml", good.as_str()),
        ("crates/b/Cargo.toml", &bad),
    ];
    assert_eq!(
        found(lints_are_inherited, &files),
        ["crates/b/Cargo.toml:1"]
    );
}

#[test]
fn a_long_lock_file_fails_and_so_does_none() {
    let lock = |packages: usize| "[[package]]\n".repeat(packages);
    let none: [&str; 0] = [];
    assert_eq!(found(few_packages, &[("Cargo.lock", &lock(540))]), none);
    assert_eq!(
        found(few_packages, &[("Cargo.lock", &lock(541))]),
        ["Cargo.lock:1"]
    );
    assert_eq!(found(few_packages, &[]), ["Cargo.lock:1"]);
}

#[test]
fn io_in_the_manifest_of_core_fails() {
    let check = |dependencies: &str| {
        let text = manifest(
            "frontdesk-core",
            &format!("[dependencies]\n{dependencies}\n"),
        );
        found(core_names_no_io_crate, &[("crates/core/Cargo.toml", &text)]).len()
    };
    let sync = "tokio = { version = \"1\", default-features = false, features = [\"sync\"] }";
    assert_eq!(check(sync), 0);
    assert_eq!(
        check("serde.workspace = true\n[dev-dependencies]\ntempfile = \"3\""),
        0
    );
    assert_eq!(check("reqwest = \"0.13\""), 1);
    assert_eq!(check("tokio.workspace = true"), 1);
    assert_eq!(check(&sync.replace("sync", "net")), 1);
    assert_eq!(check(&sync.replace("default-features = false, ", "")), 1);
}
