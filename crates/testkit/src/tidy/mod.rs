//! House rules as functions from a tree of files to findings. Every rule says file, line,
//! what is wrong and what to do; a made-up tree proves that it can fail.

pub mod design_map;
pub mod direction;
pub mod licence;
pub mod marks;
pub mod names;
pub mod purity;
pub mod shape;

mod rust;
mod tree;

use std::fmt;

pub use tree::{Tree, workspace_root};

/// A place where a rule does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub file: String,
    pub line: usize,
    pub rule: &'static str,
    pub problem: String,
    /// What to do about it, as a sentence.
    pub remedy: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            file,
            line,
            rule,
            problem,
            remedy,
        } = self;
        write!(f, "{file}:{line}: [{rule}] {problem}. {remedy}")
    }
}

/// All findings, one a line, for the message of a failing test.
pub fn report(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
    format!("{} found:\n{}", findings.len(), lines.join("\n"))
}

/// A rule's name and its remedy; findings are made from it.
#[derive(Clone, Copy)]
struct Rule {
    name: &'static str,
    remedy: &'static str,
}

impl Rule {
    fn at(self, file: &str, line: usize, problem: impl Into<String>) -> Finding {
        Finding {
            file: file.to_owned(),
            line,
            rule: self.name,
            problem: problem.into(),
            remedy: self.remedy,
        }
    }
}

/// What the unit tests of the rules share.
#[cfg(test)]
mod made_up {
    use super::{Finding, Tree};

    /// Runs a rule on a made-up tree and gives back `file:line` of what it found.
    pub(super) fn found(
        rule: impl Fn(&Tree) -> Vec<Finding>,
        files: &[(&str, &str)],
    ) -> Vec<String> {
        rule(&Tree::of(files))
            .into_iter()
            .map(|finding| format!("{}:{}", finding.file, finding.line))
            .collect()
    }
}
