//! The job ad review: twelve sections, three scores, at most ten recommendations.

use proptest::prelude::*;

use crate::tata::domain::desk::Produced;
use crate::tata::domain::job_ad::{self, JobAdInput};
use crate::tata::domain::job_ad_review::section::AdSection;
use crate::tata::domain::job_ad_review::*;
use crate::tata::domain::language::Language;
use crate::tata::domain::print::Printed;
use crate::tata::domain::test_desk::{desk, library, now, profile};

fn review(text: &str) -> Produced<JobAdReview> {
    process(
        &JobAdReviewInput {
            job_ad_text: text.into(),
            ..Default::default()
        },
        &desk(Language::En),
    )
    .unwrap()
}

fn found(text: &str) -> Vec<AdSection> {
    review(text)
        .artifact
        .section_analyses
        .into_iter()
        .filter(|s| s.found)
        .map(|s| s.section)
        .collect()
}

const SHORT: &str = "The section is too short: requirements (2 words, at least 20 are needed).";

fn twelve_sections() -> Vec<SectionAnalysis> {
    let missing = |section, name: &str, add: &str| SectionAnalysis {
        section,
        found: false,
        quality_score: 0.0,
        word_count: 0,
        issues: vec![format!("This section is missing: {name}.")],
        suggestions: vec![add.to_owned()],
    };
    let there = |section, score, words, issues: &[&str], suggestions: &[&str]| SectionAnalysis {
        section,
        found: true,
        quality_score: score,
        word_count: words,
        issues: issues.iter().map(|i| (*i).to_owned()).collect(),
        suggestions: suggestions.iter().map(|i| (*i).to_owned()).collect(),
    };
    use AdSection::*;
    vec![
        there(
            Headline,
            90.0,
            2,
            &["This word should not stand in an ad: “Ninja”"],
            &["Write “Specialist” instead."],
        ),
        there(Intro, 100.0, 4, &[], &[]),
        missing(
            RoleDescription,
            "role description",
            "Describe in a few sentences what the role is about.",
        ),
        missing(
            Responsibilities,
            "responsibilities",
            "List three to five main responsibilities.",
        ),
        there(
            Requirements,
            70.0,
            2,
            &[SHORT],
            &["Add what a reader needs to know to decide."],
        ),
        missing(
            SoftSkills,
            "soft skills",
            "Describe how the person works with others.",
        ),
        missing(
            GoodToHaves,
            "good to have",
            "Separate what is good to have from what is required.",
        ),
        missing(
            TeamInfo,
            "team",
            "Say how large the team is and how it works.",
        ),
        missing(
            CompanyInfo,
            "company",
            "Say in one or two sentences what the company does.",
        ),
        missing(Benefits, "benefits", "Say what the role offers."),
        missing(Process, "process", "Explain how the recruitment is done."),
        missing(
            CallToAction,
            "call to action",
            "End with how and where to apply.",
        ),
    ]
}

fn issue(
    category: IssueCategory,
    severity: IssueSeverity,
    description: &str,
    location: &str,
    suggestion: &str,
) -> ReviewIssue {
    ReviewIssue {
        category,
        severity,
        description: description.into(),
        location: location.into(),
        suggestion: suggestion.into(),
    }
}

fn grave_issues() -> Vec<ReviewIssue> {
    use IssueCategory::{BannedWords, Compliance, Structure};
    use IssueSeverity::{Critical, High};
    vec![
        issue(
            Structure,
            Critical,
            "This section is missing: role description.",
            "role description",
            "Describe in a few sentences what the role is about.",
        ),
        issue(
            Structure,
            Critical,
            "This section is missing: responsibilities.",
            "responsibilities",
            "List three to five main responsibilities.",
        ),
        issue(
            Compliance,
            High,
            "The ad contains emoji: 1.",
            "line 1",
            "Remove the emoji.",
        ),
        issue(
            BannedWords,
            High,
            "This word should not stand in an ad: “Ninja”",
            "line 1",
            "Write “Specialist” instead.",
        ),
    ]
}

fn lesser_issues() -> Vec<ReviewIssue> {
    use IssueCategory::{Compliance, Structure};
    use IssueSeverity::Medium;
    vec![
        issue(
            Structure,
            Medium,
            SHORT,
            "requirements",
            "Add what a reader needs to know to decide.",
        ),
        issue(
            Structure,
            Medium,
            "This section is missing: team.",
            "team",
            "Say how large the team is and how it works.",
        ),
        issue(
            Structure,
            Medium,
            "This section is missing: benefits.",
            "benefits",
            "Say what the role offers.",
        ),
        issue(
            Structure,
            Medium,
            "This section is missing: call to action.",
            "call to action",
            "End with how and where to apply.",
        ),
        issue(
            Structure,
            Medium,
            "The headline does not name the position Developer.",
            "headline",
            "Put the position title in the headline.",
        ),
        issue(
            Compliance,
            Medium,
            "Lines that begin with a dash: 2.",
            "line 6",
            "Use dots as bullets.",
        ),
    ]
}

#[test]
fn a_poor_ad_becomes_a_whole_review() {
    let text = "Ninja wanted 🚀\n\nWe need you now.\n\nRequirements:\n- Rust\n- Go\n";
    let input = JobAdReviewInput {
        job_ad_text: text.into(),
        position_title: Some("Developer".into()),
        language: None,
    };
    let produced = process(&input, &desk(Language::En)).unwrap();
    assert_eq!(produced.warnings, []);
    let expected = JobAdReview {
        // 0.3·45 + 0.4·86.7 + 0.3·70
        overall_score: 69.2,
        // Two required and three recommended sections are missing.
        structure_score: 45.0,
        content_score: 86.7,
        // Emoji, dashes and one banned word.
        compliance_score: 70.0,
        section_analyses: twelve_sections(),
        issues: [grave_issues(), lesser_issues()].concat(),
        recommendations: [
            "Describe in a few sentences what the role is about.",
            "List three to five main responsibilities.",
            "Remove the emoji.",
            "Write “Specialist” instead.",
            "Add what a reader needs to know to decide.",
            "Say how large the team is and how it works.",
            "Say what the role offers.",
            "End with how and where to apply.",
            "Put the position title in the headline.",
            "Use dots as bullets.",
        ]
        .map(str::to_owned)
        .to_vec(),
        original_text: text.into(),
        language: Language::En,
        created_at: now(),
    };
    assert_eq!(produced.artifact, expected);
}

#[test]
fn sections_are_found_by_heading_and_by_phrase() {
    use AdSection::*;
    assert_eq!(
        found(
            "Process Engineer\n\nJoin us today.\n\nWhat you will do\nBuild\n\nYour profile:\nRust\n\nTeam player needed\n\n**Apply**\nHere"
        ),
        [
            Headline,
            Intro,
            Responsibilities,
            Requirements,
            CallToAction
        ]
    );
    let prose = "Developer\n\nHello there.\n\nIn this role you will be responsible for our servers.\n\nYou have five years of experience with Linux.\n\nWe offer free fruit. Apply now!";
    assert_eq!(
        found(prose),
        [
            Headline,
            Intro,
            RoleDescription,
            Responsibilities,
            Requirements,
            Benefits,
            CallToAction
        ]
    );
}

#[test]
fn our_own_ads_pass_our_own_review() {
    for (language, notes) in [
        (Language::En, "01_bullets_en"),
        (Language::Sv, "05_swedish_bullets"),
        (Language::Da, "07_danish"),
        (Language::No, "08_norwegian"),
        (Language::De, "09_german"),
    ] {
        let desk = desk(language);
        let ad = job_ad::process(&JobAdInput::default(), &profile(notes, language), &desk)
            .unwrap()
            .artifact;
        let text = ad.document(library()).to_text();
        let input = JobAdReviewInput {
            job_ad_text: text,
            position_title: Some(ad.headline.clone()),
            language: None,
        };
        let found = process(&input, &desk).unwrap().artifact;
        assert_eq!(
            (found.structure_score, found.compliance_score),
            (100.0, 100.0),
            "{found:#?}"
        );
        assert!(found.overall_score >= 95.0, "{found:#?}");
    }
}

#[test]
fn repetitions_are_found() {
    let text = "Title\n\nWe build the best networks here. We build the best networks here.\n\nDeep fiber knowledge. Some deep fiber knowledge. More deep fiber knowledge.";
    let repeated: Vec<String> = review(text)
        .artifact
        .issues
        .into_iter()
        .filter(|i| i.category == IssueCategory::Duplication)
        .map(|i| i.description)
        .collect();
    assert_eq!(
        repeated,
        [
            "The same sentence occurs 2 times: “We build the best networks here.”",
            "The same phrase occurs 3 times: “deep fiber knowledge”"
        ]
    );
}

#[test]
fn compliance_has_its_limits() {
    let score = |text: &str| review(text).artifact.compliance_score;
    assert_eq!(score("Good ad"), 100.0);
    assert_eq!(score("Good ad 🚀🚀🚀"), 85.0);
    assert_eq!(score("Ad\n- a\n- b"), 90.0);
    assert_eq!(score("Amazing ninja"), 90.0);
    assert_eq!(score(&"ninja ".repeat(20)), 70.0);
    assert_eq!(score(&format!("🚀\n- x\n{}", "ninja ".repeat(20))), 45.0);
}

#[test]
fn an_empty_ad_is_refused() {
    let problems = process(&JobAdReviewInput::default(), &desk(Language::En)).unwrap_err();
    assert_eq!(
        problems.to_string(),
        "The job ad is empty. Paste the text of the ad that should be reviewed."
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn scores_follow_their_formula(
        parts in prop::collection::vec(prop::sample::select(&[
            "Requirements:", "- Rust", "\n", "\n\n", "Responsibilities", "About the role", "🚀", "amazing", "Apply now", "We offer", "team",
            "The same sentence again and again.", "日本語", "Benefits", "word word word",
        ][..]), 1..60),
        choice in 0usize..5,
    ) {
        let text = parts.join("\n");
        let input = JobAdReviewInput { job_ad_text: text.clone(), language: Some(Language::ALL[choice]), position_title: None };
        let Ok(produced) = process(&input, &desk(Language::En)) else {
            prop_assert!(text.trim().is_empty());
            return Ok(());
        };
        let found = produced.artifact;
        prop_assert_eq!(&found.original_text, &text);
        prop_assert_eq!(found.section_analyses.iter().map(|s| s.section).collect::<Vec<_>>(), AdSection::ALL.to_vec());
        prop_assert!(found.recommendations.len() <= 10);
        let expected = 0.3 * found.structure_score + 0.4 * found.content_score + 0.3 * found.compliance_score;
        prop_assert!((found.overall_score - expected).abs() <= 0.0501, "{} {}", found.overall_score, expected);
        for score in [found.overall_score, found.structure_score, found.content_score, found.compliance_score] {
            prop_assert!((0.0..=100.0).contains(&score));
        }
        let stored = serde_json::to_string(&found).unwrap();
        prop_assert_eq!(serde_json::from_str::<JobAdReview>(&stored).unwrap(), found);
    }
}
