//! House rules as functions from a tree of files to findings. Each finding has a file, a
//! line, the problem and the remedy; unit tests on synthetic trees prove that each rule can
//! fail.

pub mod commits;
pub mod direction;
pub mod licence;
pub mod marks;
pub mod names;
pub mod ordinals;
pub mod prose;
pub mod purity;
pub mod shape;
pub mod type_names;

mod rust;
mod tree;

use std::fmt;

pub use tree::{Tree, workspace_root};

/// A violation of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub file: String,
    pub line: usize,
    pub rule: &'static str,
    pub problem: String,
    /// The fix, as a sentence.
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

/// All findings, one per line, for the message of a failing test.
pub fn report(findings: &[Finding]) -> String {
    let lines: Vec<String> = findings.iter().map(Finding::to_string).collect();
    format!("{} found:\n{}", findings.len(), lines.join("\n"))
}

/// A rule's name and remedy.
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

/// Shared by the unit tests of the rules.
#[cfg(test)]
mod synthetic {
    use super::{Finding, Tree};

    /// Runs a rule on a synthetic tree and returns `file:line` of each finding.
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
