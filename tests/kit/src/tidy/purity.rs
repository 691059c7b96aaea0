//! Core opens no socket and no file and reads no clock; its ports supply them.

use super::{Finding, Rule, Tree, rust, tree};

/// Paths and calls that do IO or read the clock.
const REACHES: [&str; 15] = [
    "std::fs",
    "std::net",
    "std::process",
    "std::env",
    "std::thread",
    "tokio::fs",
    "tokio::net",
    "tokio::process",
    "tokio::time",
    "tokio::spawn",
    "Instant::now",
    "SystemTime::now",
    "Utc::now",
    "Local::now",
    "Uuid::now_v7",
];

/// Finds code in core that does IO, reads the clock or starts a task.
pub fn core_reaches_for_nothing(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "core does no IO",
        remedy: "Pass it as an argument, or add it to a port",
    };
    let mut findings = Vec::new();
    for (path, text) in tree.rust() {
        if !path.starts_with("crates/core/src/") || tree::is_test(path) {
            continue;
        }
        for (index, line) in rust::read(text).code.lines().enumerate() {
            for reach in REACHES.into_iter().filter(|reach| line.contains(reach)) {
                findings.push(RULE.at(path, index + 1, format!("core reaches for `{reach}`")));
            }
        }
    }
    findings
}

#[cfg(test)]
#[path = "purity_tests.rs"]
mod purity_tests;
