//! Each assistant is one folder; code outside must not mention its name.

use std::collections::BTreeSet;

use super::rust::{self, is_word};
use super::{Finding, Rule, Tree, tree};

/// The assistants of the design; each folder under `assistants/` adds its own name.
const DESIGNED: [&str; 5] = ["tata", "docs", "autopilot", "gatepass", "gig"];

/// Names that are also common words. They count only as a whole string literal.
const EVERYDAY: [&str; 1] = ["docs"];

/// Paths that may mention assistants.
const HOMES: [&str; 9] = [
    "assistants/",
    "services/",
    "web/",
    "bench/",
    "docs/",
    "README",
    "CHANGELOG",
    "frontdesk.example.toml",
    "Cargo.lock",
];

/// The bundled back-end service is a separate system and may be named.
const SERVICES: [&str; 3] = [
    "frontdesk-service-gatepass",
    "frontdesk_service_gatepass",
    "services/gatepass",
];

/// Assistants must not be named outside their folders.
pub fn assistants_stay_at_home(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "assistants stay at home",
        remedy: "Move it into the assistant's folder; `assistants/lib.rs` lists each assistant",
    };
    let names = names(tree);
    let mut findings = Vec::new();
    for (path, text) in tree.files().filter(|(path, _)| !is_home(path)) {
        let found = if path.ends_with(".rs") {
            in_rust(text, &names)
        } else {
            in_text(text, &names)
        };
        for (line, name) in found {
            findings.push(RULE.at(path, line, format!("names the assistant `{name}`")));
        }
    }
    findings
}

fn names(tree: &Tree) -> BTreeSet<&str> {
    let folders = tree.files().filter_map(|(path, _)| {
        let (folder, _) = path.strip_prefix("assistants/")?.split_once('/')?;
        Some(folder)
    });
    folders
        .filter(|folder| *folder != "tests")
        .chain(DESIGNED)
        .collect()
}

fn is_home(path: &str) -> bool {
    tree::is_test(path) || HOMES.iter().any(|home| path.starts_with(home))
}

/// Names in identifiers (`gig_id`, `TataAgent`) and whole string literals (`"docs"`).
/// Comments may use the words, since they are also business terms.
fn in_rust<'a>(text: &str, names: &BTreeSet<&'a str>) -> Vec<(usize, &'a str)> {
    let source = rust::read(text);
    let identifiers = source
        .words()
        .filter(|(_, word)| !SERVICES.contains(word))
        .filter_map(|(line, word)| Some((line, name_in_identifier(word, names)?)));
    let texts = source.texts.iter().filter_map(|(line, text)| {
        let name = names.iter().find(|name| *name == text)?;
        Some((*line, *name))
    });
    let mut found: Vec<_> = identifiers.chain(texts).collect();
    found.sort_unstable();
    found
}

fn name_in_identifier<'a>(identifier: &str, names: &BTreeSet<&'a str>) -> Option<&'a str> {
    let parts = snake(identifier);
    names
        .iter()
        .find(|name| !EVERYDAY.contains(name) && parts.split('_').any(|part| part == **name))
        .copied()
}

/// `TataAgent` as `tata_agent`.
fn snake(identifier: &str) -> String {
    let mut text = String::with_capacity(identifier.len() + 4);
    let mut after_small = false;
    for c in identifier.chars() {
        if c.is_uppercase() && after_small {
            text.push('_');
        }
        after_small = !c.is_uppercase();
        text.extend(c.to_lowercase());
    }
    text
}

/// Names as words of any other text.
fn in_text<'a>(text: &str, names: &BTreeSet<&'a str>) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = SERVICES.iter().fold(line.to_lowercase(), |line, service| {
            line.replace(service, "")
        });
        let mut words = line.split(|c| !is_word(c));
        let name = words.find_map(|word| names.get(word).filter(|name| !EVERYDAY.contains(name)));
        found.extend(name.map(|name| (index + 1, *name)));
    }
    found
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod names_tests;
