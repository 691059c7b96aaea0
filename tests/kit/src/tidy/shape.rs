//! Size limits of files and functions, and a module doc in each file.

use super::{Finding, Rule, Tree, rust};

/// Aim at 250.
const MAX_FILE: usize = 600;
/// Aim at 40.
const MAX_FUNCTION: usize = 80;
const MAX_LIB: usize = 80;

/// Permitted exceptions, each with its reason.
struct Exceptions {
    /// File and reason.
    files: &'static [(&'static str, &'static str)],
    /// File, function and reason.
    functions: &'static [(&'static str, &'static str, &'static str)],
}

const EXCEPTIONS: Exceptions = Exceptions {
    files: &[
        ("scripts/mcp-server/package-lock.json", "written by npm"),
        (
            "crates/frontdesk/tests/it/http/matrix/rows.rs",
            "one row for each operation, read as a table",
        ),
        (
            "web/src/api/schema.ts",
            "written by a program from the OpenAPI document",
        ),
    ],
    functions: &[
        (
            "crates/core/src/approval_tests.rs",
            "any_change_breaks_the_seal",
            "a table of cases is read in one piece",
        ),
        (
            "crates/models/src/openai/tests/faults.rs",
            "cases",
            "a table of cases is read in one piece",
        ),
    ],
};

/// Each Rust file starts with a module doc.
pub fn files_start_with_their_purpose(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "module doc first",
        remedy: "Start the file with `//!` and a sentence about its purpose",
    };
    tree.rust()
        .filter(|(_, text)| {
            let doc = text.lines().next().and_then(|l| l.strip_prefix("//!"));
            doc.is_none_or(|doc| doc.trim().is_empty())
        })
        .map(|(path, _)| RULE.at(path, 1, "does not start with a module doc"))
        .collect()
}

/// Each file has one subject.
pub fn files_are_short(tree: &Tree) -> Vec<Finding> {
    long_files(tree, &EXCEPTIONS)
}

fn long_files(tree: &Tree, exceptions: &Exceptions) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "at most 600 lines a file",
        remedy: "Split it by subject, or list it with a reason in tidy/shape.rs",
    };
    tree.files()
        .filter(|(path, _)| is_source(path))
        .filter(|(path, _)| exceptions.files.iter().all(|(file, _)| file != path))
        .filter_map(|(path, text)| {
            let lines = text.lines().count();
            (lines > MAX_FILE).then(|| RULE.at(path, MAX_FILE + 1, format!("has {lines} lines")))
        })
        .collect()
}

/// A function fits on a screen.
pub fn functions_are_short(tree: &Tree) -> Vec<Finding> {
    long_functions(tree, &EXCEPTIONS)
}

fn long_functions(tree: &Tree, exceptions: &Exceptions) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "at most 80 lines a function",
        remedy: "Extract a step and name it, or list it with a reason in tidy/shape.rs",
    };
    let excepted = |path: &str, name: &str| {
        let mut listed = exceptions.functions.iter();
        listed.any(|(file, function, _)| *file == path && *function == name)
    };
    tree.rust()
        .flat_map(|(path, text)| {
            let long = rust::read(text).functions().into_iter();
            long.filter(|f| f.lines > MAX_FUNCTION && !excepted(path, &f.name))
                .map(|f| RULE.at(path, f.line, format!("`{}` has {} lines", f.name, f.lines)))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// `lib.rs` has exports and a map of the crate.
pub fn lib_is_a_map(tree: &Tree) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "at most 80 lines in lib.rs",
        remedy: "Leave exports and a map there, and move the code into modules",
    };
    tree.rust()
        .filter(|(path, _)| path.ends_with("/lib.rs"))
        .filter_map(|(path, text)| {
            let lines = text.lines().count();
            (lines > MAX_LIB).then(|| RULE.at(path, MAX_LIB + 1, format!("has {lines} lines")))
        })
        .collect()
}

/// An unnecessary exception would hide a later violation.
pub fn exceptions_are_needed(tree: &Tree) -> Vec<Finding> {
    idle(tree, &EXCEPTIONS)
}

fn idle(tree: &Tree, exceptions: &Exceptions) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "exceptions are needed",
        remedy: "Remove it from the list in tidy/shape.rs",
    };
    const NO_EXCEPTIONS: Exceptions = Exceptions {
        files: &[],
        functions: &[],
    };
    let files = long_files(tree, &NO_EXCEPTIONS);
    let functions = long_functions(tree, &NO_EXCEPTIONS);
    let idle_files = exceptions
        .files
        .iter()
        .filter(|(path, _)| files.iter().all(|f| f.file != *path))
        .map(|(path, reason)| (path, "the file", reason));
    let idle_functions = exceptions
        .functions
        .iter()
        .filter(|(path, name, _)| {
            let named = format!("`{name}` ");
            !functions
                .iter()
                .any(|f| f.file == *path && f.problem.starts_with(&named))
        })
        .map(|(path, name, reason)| (path, *name, reason));
    idle_files
        .chain(idle_functions)
        .map(|(path, what, reason)| {
            RULE.at(
                path,
                1,
                format!("{what} is short enough now (listed: {reason})"),
            )
        })
        .collect()
}

fn is_source(path: &str) -> bool {
    [".rs", ".ts", ".tsx", ".sh"]
        .iter()
        .any(|ending| path.ends_with(ending))
        || path.starts_with("scripts/")
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod shape_tests;
