//! Ads and the company's guide: hype, facts, the German form of address, and four must-haves whatever the profile says.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::tata::domain::desk::Desk;
use crate::tata::domain::job_ad::polish::speaks;
use crate::tata::domain::job_ad::*;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::print::Printed;
use crate::tata::domain::requirement_profile::{self, RequirementProfile, is_visible};
use crate::tata::domain::style_check::check;
use crate::tata::domain::style_guide::{BannedEntry, Fact, FactStatus, GuideFile, StyleGuide};
use crate::tata::domain::test_desk::{desk, library, neutral, profile, profile_input};

fn with_guide(file: GuideFile, language: Language, run: impl FnOnce(&Desk<'_>)) {
    let style = StyleGuide::new(file, library()).unwrap();
    run(&Desk {
        style: &style,
        ..desk(language)
    });
}

#[test]
fn hype_in_the_notes_does_not_reach_the_ad() {
    let mut notes = profile_input("01_bullets_en");
    notes.startup_notes = notes
        .startup_notes
        .replace("Mentor two", "🚀 Mentor two exciting rockstar")
        .replace("Scripting", "Module A Scripting");
    let desk = desk(Language::En);
    let profile = requirement_profile::process(&notes, &desk)
        .unwrap()
        .artifact
        .confirm(&desk);
    let produced = process(&JobAdInput::default(), &profile, &desk).unwrap();
    assert_eq!(
        produced.artifact.responsibilities[3],
        "Mentor two interesting skilled colleague junior engineers"
    );
    assert_eq!(
        produced.artifact.requirements.must_haves[2],
        "Scripting in Python"
    );
    assert_eq!(
        produced.warnings[0].message,
        "The company's style was applied: “exciting” became “interesting”; “rockstar” became “skilled colleague”."
    );
}

#[test]
fn only_approved_facts_and_the_companys_own_process_are_used() {
    let fact = |status, text: &str| Fact {
        status,
        text: BTreeMap::from([(Language::En, text.to_owned())]),
    };
    let file = GuideFile {
        company: "Nordfiber".into(),
        facts: vec![
            fact(FactStatus::Approved, "We run 5,000 km of fiber."),
            fact(FactStatus::Proposed, "We are the best."),
        ],
        process: BTreeMap::from([(
            Language::En,
            "We interview as applications come in.".to_owned(),
        )]),
        ..neutral().file().clone()
    };
    with_guide(file, Language::En, |desk| {
        let profile = profile("01_bullets_en", Language::En);
        let context = Some("We run 5,000 km of fiber. We have a gym.".to_owned());
        let produced = process(
            &JobAdInput {
                company_context: context,
                ..Default::default()
            },
            &profile,
            desk,
        )
        .unwrap();
        let found = produced.artifact;
        assert!(
            found
                .team_and_why_gc
                .contains("We run 5,000 km of fiber. At Nordfiber every application"),
            "{}",
            found.team_and_why_gc
        );
        assert!(!found.team_and_why_gc.contains("best") && !found.team_and_why_gc.contains("gym"));
        assert_eq!(found.process, "We interview as applications come in.");
        assert_eq!(
            found.headline,
            "Senior Network Engineer at Nordfiber in Stockholm"
        );
        assert_eq!(
            produced.warnings[0].message,
            "These statements about the company are not approved in the style guide and were not used: We have a gym. Approve \
             them there and they will be."
        );
    });
}

#[test]
fn a_must_have_made_of_banned_words_is_a_problem() {
    let file = GuideFile {
        banned: vec![BannedEntry {
            language: Language::En,
            words: vec!["scripting in python".into()],
            replacement: "coding".into(),
        }],
        ..neutral().file().clone()
    };
    with_guide(file, Language::En, |desk| {
        let problems = process(
            &JobAdInput::default(),
            &profile("01_bullets_en", Language::En),
            desk,
        )
        .unwrap_err();
        assert_eq!(problems.list()[0].field, "must_have_skills");
    });
}

#[test]
fn german_address_is_kept_whatever_the_tone() {
    for (address, other) in [
        (GermanAddress::Du, GermanAddress::Sie),
        (GermanAddress::Sie, GermanAddress::Du),
    ] {
        let profile = RequirementProfile {
            german_address: address,
            ..profile("09_german", Language::De)
        };
        for tone in [Tone::Formal, Tone::Casual, Tone::Friendly] {
            let input = JobAdInput {
                tone: Some(tone),
                ..Default::default()
            };
            let produced = process(&input, &profile, &desk(Language::De)).unwrap();
            let text = produced.artifact.document(library()).to_text();
            assert!(
                speaks(&text, address) && !speaks(&text, other),
                "{address:?} {tone:?}\n{text}"
            );
            let unusual = matches!(
                (tone, address),
                (Tone::Casual, GermanAddress::Sie) | (Tone::Formal, GermanAddress::Du)
            );
            assert_eq!(produced.warnings.iter().any(|w| w.field == "tone"), unusual);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the profile says, the ad shows its four must-haves, breaks no rule of style and survives storage.
    #[test]
    fn four_must_haves_are_visible_in_every_ad(
        skills in prop::collection::vec("[A-ZÅÄÖÆØ][a-zåäöæø]{2,9}( [a-zåäöæøß]{2,9}){0,5}", 4),
        tasks in prop::collection::vec("[A-Z][a-z]{2,9} (amazing|the|🚀|and) [a-z]{2,9}", 3..8),
        choice in 0usize..5,
    ) {
        let language = Language::ALL[choice];
        let base = profile("01_bullets_en", language);
        let profile = RequirementProfile {
            must_have_skills: std::array::from_fn(|i| skills[i].clone()),
            primary_responsibilities: tasks[..tasks.len().min(5)].to_vec(),
            ..base
        };
        let found = process(&JobAdInput::default(), &profile, &desk(language)).unwrap().artifact;
        let text = found.document(library()).to_text();
        for skill in &skills {
            prop_assert!(is_visible(skill, &text), "{skill}\n{text}");
        }
        prop_assert_eq!(check(&text, language, neutral()), vec![]);
        prop_assert!((3..=5).contains(&found.responsibilities.len()));
        let stored = serde_json::to_string(&found).unwrap();
        prop_assert_eq!(serde_json::from_str::<JobAd>(&stored).unwrap(), found);
    }
}
