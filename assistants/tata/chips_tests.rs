//! Suggestions follow what the project has.

use super::*;

fn mark(module: Module, status: ArtifactStatus, key: &str) -> ArtifactMark {
    ArtifactMark {
        kind: module.facts().artifact.to_owned(),
        key: key.to_owned(),
        version: 1,
        status,
    }
}

#[test]
fn a_draft_waits_for_confirmation_first() {
    assert_eq!(chips(&[]), FIRST[..3]);
    assert!(FIRST[..3].iter().all(|chip| chip.len() <= 80));
    let draft = mark(Module::RequirementProfile, ArtifactStatus::Draft, "");
    assert_eq!(chips(&[draft])[0], "Confirm the requirement profile.");
}

#[test]
fn chips_are_complete_sentences() {
    for chip in FIRST {
        assert!(
            chip.chars().count() <= 140 && chip.ends_with('.') && !chip.contains('['),
            "{chip}"
        );
    }
}

#[test]
fn what_is_made_is_not_suggested_again() {
    let profile = mark(Module::RequirementProfile, ArtifactStatus::Confirmed, "");
    let ad = mark(Module::JobAd, ArtifactStatus::Confirmed, "en");
    let guide = mark(Module::TaScreening, ArtifactStatus::Confirmed, "en");
    let report = |key| mark(Module::CandidateReport, ArtifactStatus::Confirmed, key);
    let next = chips(&[profile, ad, guide, report("a"), report("b")]);
    assert!(!next.contains(&"Write the job ad.") && next.contains(&"Compare the candidates."));
    assert!(next.contains(&"Write headhunting messages."));
}
