//! Type names: a noun for each type, and no two public types of one name in a crate.

use std::collections::BTreeMap;

use super::{Finding, Rule, Tree, rust};

/// Participles and other bare verb forms that say nothing about the thing they name.
const PARTICIPLES: [&str; 64] = [
    "Adopted", "Applied", "Asked", "Bound", "Broken", "Brought", "Built", "Called", "Chosen",
    "Counted", "Decided", "Drawn", "Drew", "Fetched", "Filled", "Found", "Gave", "Given", "Heard",
    "Held", "Joined", "Keeps", "Kept", "Known", "Learned", "Learnt", "Left", "Lost", "Made",
    "Meant", "Met", "Named", "Noted", "Packed", "Passed", "Prepared", "Put", "Ran", "Ranked",
    "Read", "Refused", "Rested", "Resting", "Said", "Seen", "Sent", "Serving", "Shown", "Spoken",
    "Standing", "Stood", "Taken", "Takes", "Gives", "Taught", "Thought", "Told", "Tried", "Turned",
    "Unheard", "Watched", "Woken", "Written", "Wrote",
];

/// A type declaration.
struct TypeDeclaration<'a> {
    line: usize,
    name: &'a str,
    /// `pub` or `pub(crate)`; narrower visibility has a local meaning.
    is_public: bool,
}

/// A public name has one meaning in its crate.
pub fn public_types_have_distinct_names(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "distinct public types",
        remedy: "Rename one of them after what sets it apart",
    };
    let crates = crate_folders(tree);
    let mut first: BTreeMap<(&str, String), String> = BTreeMap::new();
    let mut findings = Vec::new();
    for (path, text) in tree.rust().filter(|(path, _)| !is_test(path)) {
        let source = rust::read(text);
        for declaration in declarations(&source).filter(|declaration| declaration.is_public) {
            let TypeDeclaration { line, name, .. } = declaration;
            let key = (crate_of(&crates, path), name.to_owned());
            if let Some(place) = first.get(&key) {
                findings.push(RULE.at(path, line, format!("`{name}` is also in {place}")));
            } else {
                first.insert(key, format!("{path}:{line}"));
            }
        }
    }
    findings
}

/// A type's name says what the thing is, not what happened to it.
pub fn types_are_nouns(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "types are nouns",
        remedy: "Name the thing: `FetchedPage` or `QueryWords`, not `Fetched` or `Asked`",
    };
    let mut findings = Vec::new();
    let mut check = |path: &str, line: usize, name: &str| {
        if PARTICIPLES.contains(&name) {
            findings.push(RULE.at(path, line, format!("`{name}` is a bare participle")));
        }
    };
    for (path, text) in tree.files() {
        if path.ends_with(".rs") {
            let source = rust::read(text);
            for TypeDeclaration { line, name, .. } in declarations(&source) {
                check(path, line, name);
            }
        } else if path.ends_with(".ts") || path.ends_with(".tsx") {
            for (line, name) in typescript_types(text) {
                check(path, line, name);
            }
        }
    }
    findings
}

/// Types that TypeScript declares at the start of a line, with their lines.
fn typescript_types(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim_start();
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (keyword, rest) = line.split_once(' ')?;
        let is_type = ["interface", "type", "class", "enum"].contains(&keyword);
        let name = rest.split(|c: char| !rust::is_word(c)).next()?;
        is_type.then_some((index + 1, name))
    })
}

fn declarations(source: &rust::Source) -> impl Iterator<Item = TypeDeclaration<'_>> {
    const KEYWORDS: [&str; 5] = ["struct", "enum", "union", "trait", "type"];
    let words: Vec<(usize, &str)> = source.words().collect();
    let found: Vec<_> = (1..words.len())
        .filter(|at| KEYWORDS.contains(&words[at - 1].1))
        .filter(|at| words[*at].1.starts_with(char::is_uppercase))
        .map(|at| {
            let before = |back: usize| at.checked_sub(back).map(|index| words[index].1);
            TypeDeclaration {
                line: words[at].0,
                name: words[at].1,
                is_public: match before(2) {
                    Some("pub") => true,
                    Some("crate") => before(3) == Some("pub"),
                    _ => false,
                },
            }
        })
        .collect();
    found.into_iter()
}

fn crate_folders(tree: &Tree) -> Vec<&str> {
    tree.files()
        .filter(|(_, text)| text.contains("[package]"))
        .filter_map(|(path, _)| path.strip_suffix("Cargo.toml"))
        .collect()
}

/// The innermost crate folder of a file.
fn crate_of<'a>(crates: &[&'a str], path: &str) -> &'a str {
    let around = crates.iter().filter(|folder| path.starts_with(**folder));
    around
        .max_by_key(|folder| folder.len())
        .copied()
        .unwrap_or("")
}

/// Test modules and integration tests have their own names.
fn is_test(path: &str) -> bool {
    path.ends_with("_tests.rs")
        || path
            .split('/')
            .any(|part| part == "tests" || part == "examples")
}

#[cfg(test)]
#[path = "type_names_tests.rs"]
mod type_names_tests;
