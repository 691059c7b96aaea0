//! Leftovers: silenced lints, unfinished code, ignored tests, notes to oneself, and
//! addresses of package registries.

use super::rust::{self, is_word};
use super::{Finding, Rule, Tree};

/// `expect` fails when its reason is gone; `allow` stays for ever.
pub fn no_silenced_lint(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "no silenced lint",
        remedy: "Fix the cause of the lint, or use `#[expect(lint, reason = \"…\")]`",
    };
    in_attributes(tree, RULE, |attribute| {
        if names(attribute, "allow") {
            Some("silences a lint with `allow`")
        } else if names(attribute, "expect") && !attribute.contains("reason") {
            Some("expects a lint without a reason")
        } else {
            None
        }
    })
}

/// An ignored test needs a reason.
pub fn ignored_tests_say_why(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "ignored tests say why",
        remedy: "Write `#[ignore = \"…\"]`, or let the test run",
    };
    in_attributes(tree, RULE, |attribute| {
        (attribute == "ignore").then_some("ignores a test without a reason")
    })
}

pub fn no_unfinished_code(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "no unfinished code",
        remedy: "Finish it or remove it",
    };
    const MACROS: [&str; 3] = ["todo!", "dbg!", "unimplemented!"];
    let mut findings = Vec::new();
    for (path, text) in tree.rust() {
        for (index, line) in rust::read(text).code.lines().enumerate() {
            for name in MACROS.into_iter().filter(|name| has_word(line, name)) {
                findings.push(RULE.at(path, index + 1, format!("`{name}` is left in the code")));
            }
        }
    }
    findings
}

/// Plans belong in the tracker, not in the tree.
pub fn no_note_to_oneself(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "no note to oneself",
        remedy: "Do it now, or write it where it will be planned",
    };
    // Split, so that this file passes.
    const NOTES: [&str; 2] = [concat!("TO", "DO"), concat!("FIX", "ME")];
    in_lines(tree, RULE, |line| {
        let note = NOTES.into_iter().find(|note| has_word(line, note))?;
        Some(format!("has a {note}"))
    })
}

/// The package source is part of the build environment, not of the tree.
pub fn no_registry_address(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "no registry address",
        remedy: "Leave it to the builder's own settings; lock files of npm can do without \
                 (`omit-lockfile-registry-resolved=true`)",
    };
    in_lines(tree, RULE, |line| {
        let address = REGISTRIES.into_iter().find(|part| line.contains(part))?;
        Some(format!("names a package registry (`{address}`)"))
    })
}

/// Split, so that this file passes.
const REGISTRIES: [&str; 15] = [
    concat!("registry.", "npmjs.org"),
    concat!("www.", "npmjs.com"),
    concat!("registry.", "yarnpkg.com"),
    concat!("npm.", "pkg.github.com"),
    concat!("index.", "crates.io"),
    concat!("static.", "crates.io"),
    concat!("://", "crates.io"),
    concat!("pypi", ".org"),
    concat!("files.", "pythonhosted.org"),
    concat!("--index", "-url"),
    concat!("index-url", " ="),
    concat!("--", "registry"),
    concat!("replace", "-with ="),
    concat!("\"resolved\": ", "\"http"),
    concat!("art", "ifactory"),
];

/// Applies a rule to each attribute of each Rust file.
fn in_attributes(
    tree: &Tree,
    rule: Rule,
    problem: impl Fn(&str) -> Option<&'static str>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust() {
        for (line, attribute) in rust::read(text).attributes() {
            findings.extend(problem(attribute).map(|problem| rule.at(path, line, problem)));
        }
    }
    findings
}

/// Applies a rule to each line of each text file.
fn in_lines(tree: &Tree, rule: Rule, problem: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.files() {
        for (index, line) in text.lines().enumerate() {
            findings.extend(problem(line).map(|problem| rule.at(path, index + 1, problem)));
        }
    }
    findings
}

/// True if an attribute applies `what(…)`, itself or within `cfg_attr`.
fn names(attribute: &str, what: &str) -> bool {
    attribute
        .match_indices(what)
        .any(|(at, _)| is_start(attribute, at) && attribute[at + what.len()..].starts_with('('))
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let after = line[at + word.len()..].chars().next();
        is_start(line, at) && !after.is_some_and(is_word)
    })
}

fn is_start(text: &str, at: usize) -> bool {
    !text[..at].chars().next_back().is_some_and(is_word)
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod marks_tests;
