//! Inclusive language: flags, alternatives, scores, and the German title.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::tata::domain::desk::Produced;
use crate::tata::domain::di_review::*;
use crate::tata::domain::german_title::{has_gender_mark, with_gender_mark};
use crate::tata::domain::language::Language;
use crate::tata::domain::test_desk::{desk, library, now};
use crate::tata::domain::text::words::{folded_words, words};

fn review(text: &str, language: Language) -> Produced<DiReview> {
    process(
        &DiReviewInput {
            job_ad_text: text.into(),
            language: Some(language),
        },
        &desk(Language::En),
    )
    .unwrap()
}

fn flags(text: &str, language: Language) -> Vec<(String, Category)> {
    review(text, language)
        .artifact
        .flagged_items
        .into_iter()
        .map(|f| (f.text, f.category))
        .collect()
}

#[test]
fn an_ad_becomes_a_whole_review() {
    let text = "Åland: Chairman wanted\n\nWe want young people with a car required.";
    let produced = review(text, Language::En);
    assert_eq!(produced.warnings, []);
    let flag =
        |text: &str, category: Category, explanation: &str, alternatives: &[&str], position| {
            FlaggedItem {
                text: text.into(),
                category,
                severity: category.severity(),
                explanation: explanation.into(),
                alternatives: alternatives.iter().map(|a| (*a).to_owned()).collect(),
                position,
            }
        };
    let issues = [Category::Gender, Category::Age, Category::Socioeconomic];
    let scores = Category::ALL.map(|c| {
        let issues_found = usize::from(issues.contains(&c));
        (
            c,
            CategoryScore {
                score: 100.0 - 15.0 * issues_found as f64,
                issues_found,
            },
        )
    });
    let better = |original: &str, alternative: &str| SuggestedAlternative {
        original: original.into(),
        alternative: alternative.into(),
    };
    let expected = DiReview {
        // (2·85 + 2·85 + 1·85 + 9·100) / 14
        overall_score: 94.6,
        category_scores: BTreeMap::from(scores),
        flagged_items: vec![
            flag("Chairman", Category::Gender, "The wording speaks to one gender more than to others.", &["chair", "chairperson"], 7),
            flag(
                "young",
                Category::Age,
                "The wording suggests that only a certain age is welcome.",
                &["motivated", "committed"],
                32,
            ),
            flag(
                "car required",
                Category::Socioeconomic,
                "The wording favours people from a certain social background.",
                &["travel is part of the work; company transport is possible"],
                52,
            ),
        ],
        suggested_alternatives: vec![
            better("Chairman", "chair"),
            better("young", "motivated"),
            better("car required", "travel is part of the work; company transport is possible"),
        ],
        compliance_notes: vec![
            "Findings: 3. Serious ones: 2.".into(),
            "Equal treatment law protects gender, age, disability, origin, religion and sexual orientation; flagged passages in \
             these categories should be changed before publication."
                .into(),
            "The review gives hints and does not replace legal advice.".into(),
        ],
        original_text: text.into(),
        language: Language::En,
        created_at: now(),
    };
    assert_eq!(produced.artifact, expected);
}

#[test]
fn weights_and_severities_are_the_specifications() {
    use FlagSeverity::{High, Low, Medium};
    let table: Vec<(Category, f64, FlagSeverity)> = Category::ALL
        .iter()
        .map(|c| (*c, c.weight(), c.severity()))
        .collect();
    assert_eq!(
        table,
        [
            (Category::Gender, 2.0, High),
            (Category::Age, 2.0, High),
            (Category::Disability, 2.0, High),
            (Category::Nationality, 1.5, Medium),
            (Category::Family, 1.5, Medium),
            (Category::SexualOrientation, 1.5, Medium),
            (Category::Socioeconomic, 1.0, Medium),
            (Category::GermanTitle, 1.0, Medium),
            (Category::Readability, 0.5, Low),
            (Category::Requirements, 0.5, Low),
            (Category::Location, 0.5, Low),
        ]
    );
}

#[test]
fn many_findings_cost_more() {
    let score = |text: &str| review(text, Language::En).artifact.overall_score;
    // Gender alone: 6 findings make 100 − 90 = 10 points, and more than five cost 5 more.
    let weighted = |gender: f64| ((2.0 * gender + 12.0 * 100.0) / 14.0 * 10.0).round() / 10.0;
    assert_eq!(score(&"guys. ".repeat(5)), weighted(25.0));
    assert_eq!(
        score(&"guys. ".repeat(6)),
        ((weighted(10.0) - 5.0) * 10.0).round() / 10.0
    );
    assert_eq!(
        score(&"guys. ".repeat(11)),
        ((weighted(0.0) - 10.0) * 10.0).round() / 10.0
    );
}

#[test]
fn each_language_has_its_words() {
    let check = |text: &str, language, expected: &[(&str, Category)]| {
        let expected: Vec<(String, Category)> = expected
            .iter()
            .map(|(t, c)| ((*t).to_owned(), *c))
            .collect();
        assert_eq!(flags(text, language), expected, "{text}");
    };
    check(
        "Vi söker en ung talesman med körkort krävs",
        Language::Sv,
        &[
            ("ung", Category::Age),
            ("talesman", Category::Gender),
            ("körkort krävs", Category::Location),
        ],
    );
    check(
        "Vi søger en formand, begge køn",
        Language::Da,
        &[
            ("formand", Category::Gender),
            ("begge køn", Category::SexualOrientation),
        ],
    );
    check(
        "Norsk som morsmål, ingen familieforpliktelser",
        Language::No,
        &[
            ("Norsk som morsmål", Category::Nationality),
            ("ingen familieforpliktelser", Category::Family),
        ],
    );
    check(
        "Leitung (m/w/d)\nbelastbar, eigener PKW",
        Language::De,
        &[
            ("belastbar", Category::Disability),
            ("eigener PKW", Category::Socioeconomic),
        ],
    );
    // Whole words only.
    check("Youngstown, manpowering, theguys", Language::En, &[]);
    check("younger", Language::En, &[]);
}

#[test]
fn german_forms_for_all_genders_are_not_flagged() {
    let text = "Verkäufer:in gesucht\nMitarbeiter*innen, Kolleginnen und Kollegen, Bewerber (m/w/d), Ansprechpartner/in";
    assert_eq!(flags(text, Language::De), []);
    assert_eq!(
        flags(
            "Leitung (m/w/d)\nUnsere Mitarbeiter und Kollegen",
            Language::De
        )
        .len(),
        2
    );
}

#[test]
fn a_german_title_needs_a_mark() {
    let check = |title: &str, marked: bool| assert_eq!(has_gender_mark(title), marked, "{title}");
    check("Entwickler (m/w/d)", true);
    check("Entwickler (w/m/d)", true);
    check("Entwickler (d/m/w) in Berlin", true);
    check("Entwickler:in", true);
    check("Entwickler*innen gesucht", true);
    check("Mitarbeiter_in", true);
    check("Entwickler", false);
    check("Entwickler (Berlin)", false);
    check("Leiter:intern", false);
    check("Entwickler (m/w)", false);
    assert_eq!(with_gender_mark("Entwickler"), "Entwickler (m/w/d)");
    assert_eq!(with_gender_mark("Entwickler:in"), "Entwickler:in");
    let found = review("\n# Netzplaner\nText", Language::De).artifact;
    assert_eq!(found.flagged_items[0].alternatives, ["Netzplaner (m/w/d)"]);
    assert!(found.compliance_notes.iter().any(|n| n.contains("(m/w/d)")));
    assert_eq!(flags("Network planner\nText", Language::En), []);
}

#[test]
fn long_sentences_paragraphs_and_many_years_are_flagged() {
    let long = format!("Title\n\n{}.", "word ".repeat(26).trim());
    assert_eq!(
        flags(&long, Language::En),
        [(
            format!("{}…", "word ".repeat(23).trim()),
            Category::Readability
        )]
    );
    let fine = format!("Title\n\n{}.", "word ".repeat(25).trim());
    assert_eq!(flags(&fine, Language::En), []);
    let paragraph = format!(
        "Title\n\n{}",
        "One two three four five six seven. ".repeat(15)
    );
    assert_eq!(flags(&paragraph, Language::En).len(), 1);
    assert_eq!(
        flags(
            "We ask for 12 years of experience, and 20 years of fiber history",
            Language::En
        ),
        [("12 years".to_owned(), Category::Requirements)]
    );
}

#[test]
fn an_empty_ad_and_the_wrong_language_get_a_clear_answer() {
    let empty = process(&DiReviewInput::default(), &desk(Language::En)).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "The job ad is empty. Paste the text of the ad that should be reviewed."
    );
    let swedish = review(
        "Vi söker en kollega som vill arbeta med oss och det är roligt att vara här",
        Language::En,
    );
    assert_eq!(
        swedish.warnings[0].message,
        "The ad looks Swedish, but it was reviewed as English. Ask for a review in Swedish to use the right word list."
    );
}

#[test]
fn every_language_flags_at_least_forty_terms_in_every_word_category() {
    for language in Language::ALL {
        let terms = &library().pack(language).word_pool.terms;
        assert!(terms.len() >= 40, "{language}: {}", terms.len());
        for category in Category::ALL
            .into_iter()
            .filter(|c| *c != Category::GermanTitle)
        {
            assert!(
                terms.iter().any(|t| t.category == category),
                "{language} {category:?}"
            );
        }
        let mut seen = std::collections::HashSet::new();
        for term in terms {
            assert!(
                !term.alternatives.is_empty()
                    && term.alternatives.iter().all(|a| !a.trim().is_empty()),
                "{term:?}"
            );
            for word in &term.words {
                assert!(
                    seen.insert(word.to_lowercase()),
                    "{language}: {word} stands twice"
                );
                let text = format!("Titel (m/w/d)\nX {} y", word.trim_end_matches('*'));
                assert!(
                    !flags(&text, language).is_empty(),
                    "{language}: {word} is not found"
                );
            }
        }
    }
}

/// Counts comparisons instead of time: a review is linear in the length of the ad.
#[test]
fn the_review_is_linear_in_the_length_of_the_ad() {
    let sentence = "Young and dynamic guys with a car required, native English and must live in Oslo, no family obligations. ";
    for language in Language::ALL {
        let steps = |times: usize| {
            let text = sentence.repeat(times);
            let list = words(&text);
            (library().pack(language).word_pool.steps(&list), list.len())
        };
        let ((one, length), (many, _)) = (steps(300), steps(2400));
        assert!(length >= 5000, "an ad of 5,000 words");
        assert!(
            many <= 8 * one + 64,
            "{language}: {one} steps for {length} words, {many} for eight times as many"
        );
        assert!(
            one <= 30 * length,
            "{language}: {one} steps for {length} words"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// The ad is never changed, every flag is a passage of it with an alternative, and scores follow the counts.
    #[test]
    fn flags_point_into_the_untouched_ad(
        parts in prop::collection::vec(prop::sample::select(&[
            "young", "guys", "\n\n", ". ", "native speaker", "日本語", "å", "single", "chairman", "12 years of experience", "🚀", "team",
        ][..]), 1..60),
        choice in 0usize..5,
    ) {
        let text = format!("{} Engineer", parts.join(" "));
        let found = review(&text, Language::ALL[choice]).artifact;
        prop_assert_eq!(&found.original_text, &text);
        let chars: Vec<char> = text.chars().collect();
        for flag in &found.flagged_items {
            prop_assert!(!flag.alternatives.is_empty());
            let shown = flag.text.trim_end_matches('…');
            let there: String = chars[flag.position..].iter().collect();
            prop_assert!(folded_words(&there).join(" ").starts_with(&folded_words(shown).join(" ")), "{} at {}", shown, flag.position);
        }
        for (category, score) in &found.category_scores {
            let n = found.flagged_items.iter().filter(|f| f.category == *category).count();
            prop_assert_eq!(score.issues_found, n);
            prop_assert_eq!(score.score, (100.0 - 15.0 * n as f64).max(0.0));
        }
        prop_assert!((0.0..=100.0).contains(&found.overall_score));
        let stored = serde_json::to_string(&found).unwrap();
        prop_assert_eq!(serde_json::from_str::<DiReview>(&stored).unwrap(), found);
    }
}
