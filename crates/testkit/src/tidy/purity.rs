//! Core opens no socket and no file and reads no clock; what it needs of the world it is
//! given through its ports.

use super::{Finding, Rule, Tree, rust, tree};

/// How code reaches the machine, as it is written.
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

/// Code in core that would do IO, read the clock or start a task.
pub fn core_reaches_for_nothing(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "core does no IO",
        remedy: "Take it as an argument, or ask for it through a port (see world.rs)",
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
