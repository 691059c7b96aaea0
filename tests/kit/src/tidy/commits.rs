//! Commit subjects: `area: imperative summary` of limited length.

use super::{Finding, Rule};

/// The width that `git log --oneline` shows without wrapping.
const LONGEST_SUBJECT: usize = 72;

/// Checks lines of `<hash> <subject>`.
pub fn subjects_are_plain(log: &str) -> Vec<Finding> {
    const RULE: Rule = Rule {
        name: "commit subjects",
        remedy: "Write `area: imperative summary` in at most 72 characters, the why into the body",
    };
    let mut findings = Vec::new();
    for line in log.lines() {
        let (commit, subject) = line.split_once(' ').unwrap_or((line, ""));
        let length = subject.chars().count();
        if length > LONGEST_SUBJECT {
            let problem = format!("the subject has {length} characters: {subject}");
            findings.push(RULE.at(commit, 1, problem));
        } else if !has_area(subject) {
            findings.push(RULE.at(commit, 1, format!("the subject has no area: {subject}")));
        }
    }
    findings
}

/// True for `web: show …` and `store, db: read …`.
fn has_area(subject: &str) -> bool {
    let Some((area, summary)) = subject.split_once(": ") else {
        return false;
    };
    let is_area = |c: char| c.is_ascii_alphanumeric() || " ,/._-".contains(c);
    !area.is_empty() && area.chars().all(is_area) && !summary.trim().is_empty()
}

#[cfg(test)]
#[path = "commits_tests.rs"]
mod commits_tests;
