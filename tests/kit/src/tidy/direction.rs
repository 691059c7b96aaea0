//! Allowed dependencies of our crates, read from the manifests so that a finding names the
//! line.

use toml::{Table, Value};

use super::{Finding, Rule, Tree};

/// Each crate and the crates of ours that it may depend on. Adapters never depend on each
/// other; they share ports in core.
const LAYERS: [(&str, &[&str]); 15] = [
    ("frontdesk-core", &[]),
    ("frontdesk-files", &[]),
    ("frontdesk-print", &[]),
    ("frontdesk-db", &["frontdesk-core"]),
    ("frontdesk-connect", &["frontdesk-core"]),
    ("frontdesk-models", &["frontdesk-core"]),
    ("frontdesk-offline", &["frontdesk-core"]),
    ("frontdesk-search", &["frontdesk-core"]),
    ("frontdesk-store", &["frontdesk-core", "frontdesk-db"]),
    (
        "frontdesk-bundle",
        &["frontdesk-core", "frontdesk-db", "frontdesk-store"],
    ),
    (
        "frontdesk-assistants",
        &["frontdesk-core", "frontdesk-bundle", ASSISTANT],
    ),
    (SERVICES, &["frontdesk-core", "frontdesk-db", SERVICE]),
    (
        PRODUCT,
        &[
            "frontdesk-connect",
            "frontdesk-core",
            "frontdesk-db",
            "frontdesk-files",
            "frontdesk-models",
            "frontdesk-offline",
            "frontdesk-print",
            "frontdesk-search",
            "frontdesk-store",
            "frontdesk-assistants",
            "frontdesk-bundle",
            SERVICES,
        ],
    ),
    (
        TESTKIT,
        &["frontdesk-core", "frontdesk-db", "frontdesk-store"],
    ),
    (
        BENCH,
        &[
            "frontdesk-connect",
            "frontdesk-core",
            "frontdesk-db",
            "frontdesk-models",
            "frontdesk-search",
            "frontdesk-store",
            "frontdesk-assistants",
            "frontdesk-bundle",
            SERVICE,
            PRODUCT,
            TESTKIT,
        ],
    ),
];
/// For development, like the test kit: nothing depends on it.
const BENCH: &str = "frontdesk-bench";
const PRODUCT: &str = "frontdesk";
const TESTKIT: &str = "frontdesk-testkit";
/// The list of bundled back-end services.
const SERVICES: &str = "frontdesk-services";
/// Name prefix of a bundled back-end service.
const SERVICE: &str = "frontdesk-service-";
const SERVICE_USES: &[&str] = &["frontdesk-db", "frontdesk-files", "frontdesk-print"];
/// Name prefix of an assistant's crate.
const ASSISTANT: &str = "frontdesk-assistant-";
const ASSISTANT_USES: &[&str] = &[
    "frontdesk-connect",
    "frontdesk-core",
    "frontdesk-db",
    "frontdesk-store",
    "frontdesk-bundle",
    "frontdesk-print",
];

/// A dependency entry of a manifest.
struct Dependency<'a> {
    package: &'a str,
    value: &'a Value,
    dev: bool,
}

struct Manifest {
    path: String,
    text: String,
    table: Table,
}

/// `core ← {db ← store, models, offline, search}`, `store ← bundle ← each assistant ← assistants ← frontdesk`;
/// services depend on `db`, and the product knows them as a list.
pub fn dependency_direction(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "dependency direction",
        remedy: "Move the code to the crate that may depend on the other, or make it a port in core",
    };
    let mut findings = Vec::new();
    for manifest in manifests(tree) {
        let name = manifest.package();
        let Some(allowed) = allowed(name) else {
            findings.push(manifest.finding(
                RULE,
                "name",
                format!("{name} has no layer; add it to tidy/direction.rs"),
            ));
            continue;
        };
        for dependency in manifest.dependencies().filter(|d| is_ours(d.package)) {
            let package = dependency.package;
            let fine = if dependency.dev {
                package != PRODUCT
            } else {
                allowed.iter().any(|layer| covers(layer, package))
            };
            if !fine {
                let problem = format!("{name} depends on {package}");
                findings.push(manifest.finding(RULE, package, problem));
            }
        }
    }
    findings
}

/// A heavy optional part gets its own crate, not a feature.
pub fn no_features_between_our_crates(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "no features between our crates",
        remedy: "Build it always, or give it a crate of its own",
    };
    let mut findings = Vec::new();
    for manifest in manifests(tree) {
        if manifest.table.contains_key("features") {
            findings.push(manifest.finding(RULE, "[features]", "has a [features] table"));
        }
        for dependency in manifest.dependencies().filter(|d| is_ours(d.package)) {
            for key in ["features", "default-features", "optional"] {
                if dependency.value.get(key).is_some() {
                    let problem = format!("{} is used with `{key}`", dependency.package);
                    findings.push(manifest.finding(RULE, dependency.package, problem));
                }
            }
        }
    }
    findings
}

/// The workspace's lints apply to every crate.
pub fn lints_are_inherited(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "lints are inherited",
        remedy: "Add `[lints]` with `workspace = true`",
    };
    manifests(tree)
        .filter(|manifest| {
            let lints = manifest.table.get("lints").and_then(|l| l.get("workspace"));
            lints.and_then(Value::as_bool) != Some(true)
        })
        .map(|manifest| manifest.finding(RULE, "[lints]", "does not inherit the lints"))
        .collect()
}

const MAX_PACKAGES: usize = 540;

/// Every dependency must be built and trusted.
pub fn few_packages(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "at most 540 packages",
        remedy: "Leave a dependency out, or turn off features of one",
    };
    let lock = tree.get("Cargo.lock").unwrap_or_default();
    let packages = lock.lines().filter(|line| *line == "[[package]]").count();
    match packages {
        0 => vec![RULE.at("Cargo.lock", 1, "lists no package")],
        1..=MAX_PACKAGES => Vec::new(),
        more => vec![RULE.at("Cargo.lock", 1, format!("lists {more} packages"))],
    }
}

/// Crates that open sockets or files, or depend on such crates.
const IO_CRATES: [&str; 21] = [
    "async-std",
    "axum",
    "deadpool-postgres",
    "hyper",
    "hyper-util",
    "mio",
    "notify",
    "object_store",
    "postgres",
    "reqwest",
    "rusqlite",
    "rustls",
    "smol",
    "socket2",
    "sqlx",
    "tempfile",
    "tokio-postgres",
    "tokio-rustls",
    "tower-http",
    "tungstenite",
    "ureq",
];
/// The tokio features allowed in core: channels and locks, no IO.
const TOKIO_WITHOUT_IO: [&str; 2] = ["sync", "macros"];

/// `core` has no dependency that could open a socket or a file.
pub fn core_names_no_io_crate(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "core does no IO",
        remedy: "Make it a port in core and implement it in an adapter",
    };
    let mut findings = Vec::new();
    for manifest in manifests(tree).filter(|m| m.package() == "frontdesk-core") {
        for dependency in manifest.dependencies().filter(|d| !d.dev) {
            let package = dependency.package;
            let problem = if IO_CRATES.contains(&package) {
                format!("core depends on {package}, which does IO")
            } else if package == "tokio" && tokio_does_io(dependency.value) {
                "core may use tokio without default features and with `sync` or `macros` alone"
                    .to_owned()
            } else {
                continue;
            };
            findings.push(manifest.finding(RULE, package, problem));
        }
    }
    findings
}

/// The workspace's tokio has all features, so inheriting it counts as IO.
fn tokio_does_io(value: &Value) -> bool {
    let whole = value.get("default-features").and_then(Value::as_bool) != Some(false);
    let features = value.get("features").and_then(Value::as_array);
    whole
        || value.get("workspace").is_some()
        || features.into_iter().flatten().any(|feature| {
            feature
                .as_str()
                .is_none_or(|feature| !TOKIO_WITHOUT_IO.contains(&feature))
        })
}

fn allowed(package: &str) -> Option<&'static [&'static str]> {
    if package.starts_with(SERVICE) {
        return Some(SERVICE_USES);
    }
    if package.starts_with(ASSISTANT) {
        return Some(ASSISTANT_USES);
    }
    let layer = LAYERS.iter().find(|(name, _)| *name == package);
    layer.map(|(_, allowed)| *allowed)
}

fn covers(layer: &str, package: &str) -> bool {
    let is_prefix = layer == SERVICE || layer == ASSISTANT;
    layer == package || (is_prefix && package.starts_with(layer))
}

fn is_ours(package: &str) -> bool {
    package == PRODUCT || package.starts_with("frontdesk-")
}

/// The manifests of our crates; the virtual one at the root has no package.
fn manifests(tree: &Tree) -> impl Iterator<Item = Manifest> {
    tree.files()
        .filter(|(path, _)| path.ends_with("/Cargo.toml"))
        .filter_map(|(path, text)| {
            let table: Table = text.parse().ok()?;
            table.contains_key("package").then(|| Manifest {
                path: path.to_owned(),
                text: text.to_owned(),
                table,
            })
        })
}

impl Manifest {
    fn package(&self) -> &str {
        let name = self.table.get("package").and_then(|p| p.get("name"));
        name.and_then(Value::as_str).unwrap_or_default()
    }

    fn dependencies(&self) -> impl Iterator<Item = Dependency<'_>> {
        let targets = self.table.get("target").and_then(Value::as_table);
        let targets = targets.into_iter().flat_map(Table::values);
        std::iter::once(&self.table)
            .chain(targets.filter_map(Value::as_table))
            .flat_map(|table| {
                [
                    ("dependencies", false),
                    ("build-dependencies", false),
                    ("dev-dependencies", true),
                ]
                .into_iter()
                .filter_map(move |(key, dev)| Some((table.get(key)?.as_table()?, dev)))
            })
            .flat_map(|(table, dev)| {
                table.iter().map(move |(key, value)| Dependency {
                    package: value.get("package").and_then(Value::as_str).unwrap_or(key),
                    value,
                    dev,
                })
            })
    }

    /// A finding on the first line that starts with `word`.
    fn finding(&self, rule: Rule, word: &str, problem: impl Into<String>) -> Finding {
        let line = self.text.lines().position(|line| line.starts_with(word));
        rule.at(&self.path, line.map_or(1, |index| index + 1), problem)
    }
}

#[cfg(test)]
#[path = "direction_tests.rs"]
mod direction_tests;
