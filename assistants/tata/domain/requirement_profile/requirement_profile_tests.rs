//! Four must-haves from the recruiter's own words, or a question.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::requirement_profile::*;
use crate::tata::domain::style_guide::{BusinessUnit, GuideFile, StyleGuide};
use crate::tata::domain::test_desk::{desk, library, neutral, now, profile, profile_input};

fn input(title: &str, notes: &str) -> RequirementProfileInput {
    RequirementProfileInput {
        startup_notes: notes.into(),
        position_title: title.into(),
        ..Default::default()
    }
}

fn messages(input: &RequirementProfileInput) -> Vec<(String, String)> {
    let problems = process(input, &desk(Language::En)).unwrap_err();
    problems
        .list()
        .iter()
        .map(|p| (p.field.clone(), p.message.clone()))
        .collect()
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| (*s).to_owned()).collect()
}

#[test]
fn notes_become_a_whole_profile() {
    let produced = process(
        &profile_input("16_messy_mixed_languages"),
        &desk(Language::En),
    )
    .unwrap();
    assert_eq!(produced.warnings, []);
    assert_eq!(
        produced.artifact,
        RequirementProfile {
            position_title: "Solution Architect".into(),
            must_have_skills: [
                "TM Forum standards".into(),
                "8+ years of architecture work".into(),
                "API design".into(),
                "Stakeholder management in English and Swedish".into(),
            ],
            must_have_sources: [Source::StartupNotes; 4],
            primary_responsibilities: strings(&[
                "Target architecture for order to cash",
                "Guide four delivery teams",
                "Review all integrations"
            ]),
            responsibility_sources: vec![Source::StartupNotes; 3],
            good_to_haves: strings(&["SAP integration", "Erfarenhet från public cloud"]),
            soft_skills: vec![],
            motivations: strings(&["you shape the whole Nordic stack"]),
            team_info: None,
            bu_description: Some("Group IT runs the systems for all five countries.".into()),
            mission: None,
            performance_measures: strings(&["time to market, number of legacy systems closed"]),
            challenges: strings(&["three ERP systems after mergers"]),
            salary: None,
            status: ProfileStatus::Draft,
            language: Language::En,
            german_address: GermanAddress::Sie,
            created_at: now(),
        }
    );
}

#[test]
fn the_team_the_salary_and_soft_skills_are_found() {
    let found = profile("01_bullets_en", Language::Sv);
    let team = TeamInfo {
        size: Some(8),
        location: Some("Stockholm".into()),
        collaboration_style: Some("hybridarbete".into()),
    };
    assert_eq!(found.team_info, Some(team));
    assert_eq!(
        found.salary.as_deref(),
        Some("55 000 - 62 000 SEK per month")
    );
    assert_eq!(
        found.soft_skills,
        ["strukturerad", "lugn under press", "samarbetsinriktad"]
    );
    assert_eq!(found.status, ProfileStatus::Confirmed);
}

#[test]
fn too_few_must_haves_are_asked_for_and_never_invented() {
    assert_eq!(
        messages(&profile_input("13_two_only_en")),
        [(
            "startup_notes".to_owned(),
            "A requirement profile needs exactly four must-haves. The notes name two: Experience in office administration; \
             Excel. Please tell me two more."
                .to_owned()
        )]
    );
    let none = messages(&input(
        "Chef",
        "We met on Monday and talked about the canteen and its opening hours for a long time.",
    ));
    assert_eq!(
        none[0].1,
        "A requirement profile needs exactly four must-haves. The notes name none. Which four skills or experiences must a \
         candidate have?"
    );
    let design = "I need to hire a senior Python developer for our backend team. Must have 5+ years Python, Django experience, and AWS knowledge.";
    assert_eq!(
        messages(&input("Python developer", design))[0].1,
        "A requirement profile needs exactly four must-haves. The notes name three: 5+ years Python; Django experience; AWS \
         knowledge. Please tell me one more."
    );
}

#[test]
fn what_the_recruiter_adds_completes_the_profile() {
    let mut asked = profile_input("13_two_only_en");
    asked.recruiter_input = Some("Must have: fluent Norwegian and budget responsibility".into());
    let found = process(&asked, &desk(Language::En)).unwrap().artifact;
    assert_eq!(
        found.must_have_skills,
        [
            "Fluent Norwegian",
            "Budget responsibility",
            "Experience in office administration",
            "Excel"
        ]
    );
    use Source::{RecruiterInput, StartupNotes};
    assert_eq!(
        found.must_have_sources,
        [RecruiterInput, RecruiterInput, StartupNotes, StartupNotes]
    );
}

#[test]
fn sources_count_in_order_notes_manager_old_ad() {
    let asked = RequirementProfileInput {
        startup_notes:
            "Must have: Excel. It is an office role with many contacts in the whole house.".into(),
        position_title: "Office Manager".into(),
        hiring_manager_input: Some("Must have: English and EXCEL".into()),
        old_job_ad: Some("Requirements:\n- Bookkeeping\n- Event planning\n- Norwegian".into()),
        ..Default::default()
    };
    let found = process(&asked, &desk(Language::En)).unwrap();
    assert_eq!(
        found.artifact.must_have_skills,
        ["Excel", "English", "Bookkeeping", "Event planning"]
    );
    use Source::{HiringManagerInput, OldJobAd, StartupNotes};
    assert_eq!(
        found.artifact.must_have_sources,
        [StartupNotes, HiringManagerInput, OldJobAd, OldJobAd]
    );
    // The fifth is not lost.
    assert_eq!(found.artifact.good_to_haves, ["Norwegian"]);
    assert_eq!(
        found.warnings[0].message,
        "More than four must-haves were named. These four were kept: Excel; English; Bookkeeping; Event planning. These \
         became good to have: Norwegian. Tell me if another choice is right."
    );
}

#[test]
fn a_skill_that_was_only_named_is_pointed_out() {
    let notes = "Must have SQL, Power BI and Python. The person also has experience with Snowflake from earlier work.";
    let found = process(&input("Analyst", notes), &desk(Language::En)).unwrap();
    assert_eq!(
        found.artifact.must_have_skills[3],
        "Experience with Snowflake from earlier work"
    );
    assert_eq!(
        found.warnings[0].message,
        "The notes do not call these a must, please check them: Experience with Snowflake from earlier work."
    );
}

#[test]
fn empty_short_and_very_long_notes_get_a_clear_answer() {
    assert_eq!(
        messages(&input(" ", "\n\t")),
        [
            ("position_title".to_owned(), "The position title is missing. What is the position called?".to_owned()),
            (
                "startup_notes".to_owned(),
                "The start-up notes are empty. Paste the notes from the start-up meeting; they can be as messy as they are."
                    .to_owned()
            ),
        ]
    );
    let short = process(
        &input("Dev", "Must have: A1, B2, C3 and D4"),
        &desk(Language::En),
    )
    .unwrap();
    assert_eq!(
        short.warnings[0].message,
        "The start-up notes are very short (28 characters). Please check that nothing is missing."
    );
    let long = format!(
        "Must have: Rust, SQL, Linux and English.\n{}",
        "We talked about many other things.\n".repeat(6000)
    );
    assert!(long.len() > 200_000);
    let found = process(&input("Dev", &long), &desk(Language::En)).unwrap();
    assert_eq!(
        found.artifact.must_have_skills,
        ["Rust", "SQL", "Linux", "English"]
    );
    assert!(
        found.warnings[0]
            .message
            .starts_with("The start-up notes are very long"),
        "{:?}",
        found.warnings
    );
    let huge = "x".repeat(1_000_001);
    assert_eq!(
        messages(&input("Dev", &huge))[0].1,
        "The notes are longer than a million characters. Paste only the part about this position."
    );
    let title = messages(&input(
        &"very ".repeat(40),
        "Must have: Rust, SQL, Linux and English.",
    ));
    assert!(
        title[0].1.starts_with("The position title is very long"),
        "{title:?}"
    );
}

#[test]
fn confirming_looks_up_the_business_unit_and_nothing_else() {
    let file = GuideFile {
        business_units: vec![BusinessUnit {
            name: "backbone".into(),
            text: BTreeMap::from([(Language::En, "Backbone connects the Nordics.".into())]),
        }],
        ..neutral().file().clone()
    };
    let style = StyleGuide::new(file, library()).unwrap();
    let desk = crate::tata::domain::desk::Desk {
        style: &style,
        ..desk(Language::En)
    };
    let draft = process(&profile_input("01_bullets_en"), &desk)
        .unwrap()
        .artifact;
    assert_eq!(draft.bu_description, None);
    let expected = RequirementProfile {
        status: ProfileStatus::Confirmed,
        bu_description: Some("Backbone connects the Nordics.".into()),
        ..draft.clone()
    };
    assert_eq!(draft.confirm(&desk), expected);
}

#[test]
fn german_address_follows_the_context() {
    let check = |notes: &str, expected| {
        let notes = format!("Must have: Rust, SQL, Linux, English. {notes}");
        assert_eq!(
            process(&input("Rolle", &notes), &desk(Language::De))
                .unwrap()
                .artifact
                .german_address,
            expected,
            "{notes}"
        );
    };
    check("Ein agiles Startup mit Scrum.", GermanAddress::Du);
    check(
        "Die Bank sucht für die Rechtsabteilung.",
        GermanAddress::Sie,
    );
    check("Nichts weiter.", GermanAddress::Sie);
}

#[test]
fn markup_within_a_word_hides_no_word() {
    let notes = "Needs Py**thon** and Ter__raform__ daily.";
    assert!(is_traceable("Python", notes));
    assert!(is_traceable("Terraform", notes));
    assert!(!is_traceable("Kubernetes", notes));
}

const PHRASES: [&str; 24] = [
    "must have",
    "nice to have",
    "is required",
    "Python",
    "SQL",
    "and",
    ",",
    ";",
    ".",
    "\n- ",
    "\n",
    ": ",
    "at least 5 years of",
    "project management",
    "krav",
    "(AWS, Azure)",
    "responsible for",
    "is a plus",
    "not a must",
    "ska ha",
    "erfarenhet av",
    "Requirements:\n",
    "Tasks:\n",
    "🚀",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Never invented: every skill and responsibility can be traced to the input.
    #[test]
    fn every_statement_is_traceable(parts in prop::collection::vec(prop::sample::select(&PHRASES[..]), 5..60), noise in "\\PC{0,60}") {
        let notes = format!("{} {noise}", parts.join(" "));
        if let Ok(found) = process(&input("Role", &notes), &desk(Language::En)) {
            let profile = found.artifact;
            for statement in profile.must_have_skills.iter().chain(&profile.primary_responsibilities).chain(&profile.good_to_haves) {
                prop_assert!(is_traceable(statement, &notes), "{statement} / {notes}");
            }
        }
    }

    /// Four, distinct, short enough; at most five responsibilities, each with its source; and it survives storage.
    #[test]
    fn a_profile_has_exactly_four_distinct_must_haves(parts in prop::collection::vec(prop::sample::select(&PHRASES[..]), 5..60), extra in "[a-zA-Z ,.\\n-]{0,300}") {
        let notes = format!("Must have: Rust, Go, {} {extra}", parts.join(" "));
        match process(&input("Role", &notes), &desk(Language::En)) {
            Ok(found) => {
                let profile = found.artifact;
                let mut seen: Vec<String> = profile.must_have_skills.iter().map(|s| s.to_lowercase()).collect();
                seen.sort();
                seen.dedup();
                prop_assert_eq!(seen.len(), 4);
                prop_assert!(profile.must_have_skills.iter().all(|s| !s.trim().is_empty() && s.chars().count() <= 200));
                prop_assert!(profile.primary_responsibilities.len() <= 5);
                prop_assert_eq!(profile.primary_responsibilities.len(), profile.responsibility_sources.len());
                let stored = serde_json::to_string(&profile).unwrap();
                prop_assert_eq!(serde_json::from_str::<RequirementProfile>(&stored).unwrap(), profile);
            }
            Err(problems) => prop_assert!(problems.to_string().contains("exactly four must-haves"), "{}", problems),
        }
    }
}
