//! Dependencies come from one registry and have licences that allow shipping.

use std::process::Command;

use frontdesk_testkit::tidy::{Tree, licence, workspace_root};
use serde_json::Value;

/// The default registry, as lock files name it.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(workspace_root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{program} {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Every package that is built here. Packages of other platforms may not be downloaded, and listing
/// them would need a network.
fn packages() -> Vec<Value> {
    let version = run("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let metadata = run(
        env!("CARGO"),
        &[
            "metadata",
            "--offline",
            "--locked",
            "--format-version=1",
            "--filter-platform",
            host.unwrap(),
        ],
    );
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

// design: promises claims and packages
#[test]
fn every_licence_is_one_we_may_ship() {
    let packages = packages();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    let offenders: Vec<String> = packages
        .iter()
        .filter(|package| !licence::is_allowed(package["license"].as_str().unwrap_or_default()))
        .map(|package| {
            let licence = package["license"].as_str().unwrap_or("no licence named");
            format!("{} {}: {licence}", package["name"], package["version"])
        })
        .collect();
    assert!(
        offenders.is_empty(),
        "not on the list in tidy/licence.rs; leave the package out or decide about its \
         licence there:\n{}",
        offenders.join("\n")
    );
}

/// Read from the lock file, so that packages of other platforms count too.
// design: promises claims and packages
#[test]
fn every_package_comes_from_the_default_registry() {
    let tree = Tree::read(&workspace_root()).unwrap();
    let lock: toml::Table = tree.get("Cargo.lock").unwrap().parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let (ours, others): (Vec<_>, Vec<_>) = packages
        .iter()
        .partition(|package| package.get("source").is_none());
    assert!(others.len() > 100, "only {} packages", others.len());
    let is_ours = |name: &str| name == "frontdesk" || name.starts_with("frontdesk-");
    let offenders: Vec<String> = others
        .into_iter()
        .filter(|package| package["source"].as_str() != Some(SOURCE))
        .chain(
            ours.into_iter()
                .filter(|package| !is_ours(package["name"].as_str().unwrap())),
        )
        .map(|package| format!("{} from {:?}", package["name"], package.get("source")))
        .collect();
    assert!(
        offenders.is_empty(),
        "only releases from the default registry are built on:\n{}",
        offenders.join("\n")
    );
}
