//! Ads in every language and tone: complete, in house style, with four visible must-haves and nothing invented.

use crate::tata::domain::desk::Produced;
use crate::tata::domain::job_ad::*;
use crate::tata::domain::language::{GermanAddress, Language};
use crate::tata::domain::print::Printed;
use crate::tata::domain::requirement_profile::is_visible;
use crate::tata::domain::style_check::check;
use crate::tata::domain::test_desk::{desk, library, neutral, now, profile};
use crate::tata::domain::text::sentences::{Abbreviations, sentences};
use crate::tata::domain::translation::Translation;

const NOTES: [(Language, &str); 5] = [
    (Language::En, "01_bullets_en"),
    (Language::Sv, "05_swedish_bullets"),
    (Language::Da, "07_danish"),
    (Language::No, "08_norwegian"),
    (Language::De, "09_german"),
];

fn ad(input: &JobAdInput, notes: &str, language: Language) -> Produced<JobAd> {
    process(input, &profile(notes, language), &desk(language)).unwrap()
}

fn where_each_section_comes_from() -> Vec<SectionSource> {
    let source = |section: &str, sources: &[AdSource]| SectionSource {
        section: section.into(),
        sources: sources.to_vec(),
    };
    use AdSource::{RequirementProfile, StandardText, StyleGuide};
    vec![
        source("headline", &[RequirementProfile, StyleGuide]),
        source("intro", &[RequirementProfile, StyleGuide]),
        source("role_description", &[RequirementProfile]),
        source("the_why", &[RequirementProfile]),
        source("responsibilities", &[RequirementProfile]),
        source("requirements", &[RequirementProfile]),
        source("soft_skills_paragraph", &[RequirementProfile]),
        source("team_and_why_gc", &[RequirementProfile, StyleGuide]),
        source("process", &[StandardText]),
        source("ending", &[StandardText]),
    ]
}

fn the_four_and_the_rest() -> AdRequirements {
    AdRequirements {
        must_haves: [
            "Solid experience with fiber networks (DWDM, MPLS)",
            "Routing and switching, preferably Juniper",
            "Scripting in Python",
            "Fluent Swedish and English",
        ]
        .map(str::to_owned),
        soft_skills: ["structured", "calm under pressure", "collaborative"]
            .map(str::to_owned)
            .to_vec(),
        good_to_haves: [
            "Cisco certifications (CCNP or similar)",
            "Experience from a telecom operator",
        ]
        .map(str::to_owned)
        .to_vec(),
    }
}

#[test]
fn a_profile_becomes_a_whole_ad() {
    let produced = ad(
        &JobAdInput {
            include_salary: Some(true),
            ..Default::default()
        },
        "01_bullets_en",
        Language::En,
    );
    assert_eq!(produced.warnings, []);
    let expected = JobAd {
        headline: "Senior Network Engineer at GlobalConnect in Stockholm".into(),
        intro: "Would you like to work as Senior Network Engineer at GlobalConnect? Here we tell you what the job is about, what \
                you need to bring and how we recruit."
            .into(),
        role_description: "As Senior Network Engineer you take care of four main areas of responsibility, which you find listed \
                           below. Four requirements are decisive, and we name them openly so that you can judge for yourself \
                           whether the role suits you."
            .into(),
        the_why: "This is work that others depend on. You are the person who makes sure that it gets done: Design and expand the \
                  backbone network in Sweden."
            .into(),
        responsibilities: [
            "Design and expand the backbone network in Sweden",
            "Lead troubleshooting of major incidents",
            "Document and hand over to operations",
            "Mentor two junior engineers",
        ]
        .map(str::to_owned)
        .to_vec(),
        requirements: the_four_and_the_rest(),
        soft_skills_paragraph: "To do well in this role, it helps to be structured, calm under pressure and collaborative. How \
                                you work together with others matters to us as much as what you know."
            .into(),
        team_and_why_gc: "You join a team of 8 people. The position is based in Stockholm. How the team works: hybrid work. At \
                          GlobalConnect every application is judged by what a person can do. We welcome applicants of every \
                          gender, age, origin, religion, disability and sexual orientation."
            .into(),
        process: "The process starts with a conversation with our Talent Acquisition team. It is followed by an interview with \
                  the hiring manager."
            .into(),
        ending: "If you see yourself in this role, we would be glad to hear from you. Send your application through the link in \
                 this ad. You do not need to meet every point under “Good to have”."
            .into(),
        salary: Some("Salary: 55 000 - 62 000 SEK per month".into()),
        alternative_headlines: [
            "GlobalConnect is looking for a new colleague: Senior Network Engineer",
            "Open position: Senior Network Engineer",
        ]
        .map(str::to_owned)
        .to_vec(),
        alternative_intros: [
            "The position of Senior Network Engineer at GlobalConnect is open for applications. Read on for the tasks, the \
             requirements and the next steps.",
            "At GlobalConnect we are looking for a colleague who wants to work as Senior Network Engineer. This ad describes the \
             work, the team and what matters to us.",
        ]
        .map(str::to_owned)
        .to_vec(),
        section_sources: where_each_section_comes_from(),
        company: "GlobalConnect".into(),
        tone: Tone::Friendly,
        language: Language::En,
        german_address: GermanAddress::Sie,
        created_at: now(),
    };
    assert_eq!(produced.artifact, expected);
}

#[test]
fn every_language_and_tone_is_complete_and_in_house_style() {
    for (language, notes) in NOTES {
        for tone in [Tone::Formal, Tone::Casual, Tone::Friendly] {
            let found = ad(
                &JobAdInput {
                    tone: Some(tone),
                    ..Default::default()
                },
                notes,
                language,
            )
            .artifact;
            let text = found.document(library()).to_text();
            assert_eq!(check(&text, language, neutral()), [], "{text}");
            assert_eq!(library().language_of(&text), Some(language), "{text}");
            assert!(
                found
                    .requirements
                    .must_haves
                    .iter()
                    .all(|m| is_visible(m, &text)),
                "{text}"
            );
            assert!((3..=5).contains(&found.responsibilities.len()));
            assert!(
                sentences(&found.intro, &Abbreviations::default()).len() <= 2,
                "{}",
                found.intro
            );
            assert!(
                found
                    .texts()
                    .iter()
                    .all(|t| !t.is_empty() && !t.contains(['{', '}']) && !t.contains("[[")),
                "{text}"
            );
            assert_eq!(
                language == Language::De,
                found.headline.contains("(m/w/d)"),
                "{}",
                found.headline
            );
        }
    }
}

#[test]
fn an_english_profile_in_another_language_says_what_must_be_translated() {
    for language in [Language::Sv, Language::Da, Language::No, Language::De] {
        let produced = ad(&JobAdInput::default(), "01_bullets_en", language);
        let told: Vec<&str> = produced.warnings.iter().map(|w| w.field.as_str()).collect();
        assert_eq!(told, ["translations"], "{:?}", produced.warnings);
    }
    let found = ad(&JobAdInput::default(), "01_bullets_en", Language::Sv).artifact;
    assert!(
        found
            .soft_skills_paragraph
            .contains("strukturerad, lugn under press och samarbetsinriktad")
    );
    assert!(
        found
            .team_and_why_gc
            .contains("Så arbetar teamet: hybridarbete."),
        "{}",
        found.team_and_why_gc
    );
}

#[test]
fn translations_are_used_when_they_keep_the_figures() {
    let profile = profile("02_prose_en", Language::En);
    let translation = |original: &str, translated: &str| Translation {
        original: original.into(),
        translated: translated.into(),
    };
    let notes = "Ansvar:\n- Bygga tjänster\n- Förvalta plattformen\n- Stötta kollegor";
    let good = JobAdInput {
        language: Some(Language::Sv),
        startup_notes: Some(notes.into()),
        translations: vec![translation(
            "5+ years Python",
            "Minst 5 års erfarenhet av Python",
        )],
        ..Default::default()
    };
    let found = process(&good, &profile, &desk(Language::En))
        .unwrap()
        .artifact;
    assert_eq!(
        found.requirements.must_haves[0],
        "Minst 5 års erfarenhet av Python"
    );
    assert_eq!(found.section_sources[4].sources, [AdSource::StartupNotes]);
    let bad = JobAdInput {
        translations: vec![
            translation("5+ years Python", "8 års erfarenhet"),
            translation("Cobol", "Cobol"),
        ],
        ..good
    };
    let problems = process(&bad, &profile, &desk(Language::En)).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "The translation “8 års erfarenhet” does not keep the figures of “5+ years Python”. The profile does not say “Cobol”, so \
         it cannot be translated."
    );
}

#[test]
fn missing_responsibilities_are_asked_for() {
    let profile = profile("02_prose_en", Language::En);
    let problems = process(&JobAdInput::default(), &profile, &desk(Language::En)).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "A job ad needs three to five main responsibilities; none is known yet. Which responsibilities does the role have? Tell \
         me and I will add them to the profile."
    );
    let with_one = JobAdInput {
        old_job_ad: Some("Tasks:\n- Build APIs".into()),
        ..Default::default()
    };
    let problems = process(&with_one, &profile, &desk(Language::En)).unwrap_err();
    assert!(
        problems.to_string().contains("known so far: Build APIs."),
        "{problems}"
    );
}

#[test]
fn a_salary_is_only_told_when_it_is_known() {
    let produced = ad(
        &JobAdInput {
            include_salary: Some(true),
            ..Default::default()
        },
        "05_swedish_bullets",
        Language::Sv,
    );
    assert_eq!(produced.artifact.salary, None);
    assert_eq!(produced.warnings[0].field, "include_salary");
    assert_eq!(
        ad(&JobAdInput::default(), "01_bullets_en", Language::En)
            .artifact
            .salary,
        None
    );
}
