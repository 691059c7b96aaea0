//! Long subjects and subjects without an area are found.

use super::*;

#[test]
fn an_area_and_a_short_summary_pass() {
    let log = "a1 web: show the card at once\nb2 store, db: read the lease in one statement\n\
               c3 docs/api.md: describe `limit`\n";
    assert_eq!(subjects_are_plain(log), []);
}

#[test]
fn a_long_subject_and_a_missing_area_fail() {
    let long = format!("a1 web: {}", "x".repeat(68));
    let log = format!("{long}\nb2 wip\nc3 Fix the card\nd4 web:\ne5 web: \n");
    let findings = subjects_are_plain(&log);
    let found: Vec<&str> = findings.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(found, ["a1", "b2", "c3", "d4", "e5"]);
    assert!(
        findings[0]
            .problem
            .starts_with("the subject has 73 characters")
    );
}
