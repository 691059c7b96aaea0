//! The company's guide and the house style.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::language::Language;
use super::style_check::{StyleRule, Weight, check, correct};
use super::style_guide::{AddressRule, BannedEntry, Fact, FactStatus, GuideFile, StyleGuide};
use super::test_desk::{library, neutral};

fn rules(text: &str, language: Language) -> Vec<(StyleRule, String)> {
    check(text, language, neutral())
        .into_iter()
        .map(|f| (f.rule, f.text))
        .collect()
}

#[test]
fn each_rule_finds_its_breach() {
    use StyleRule::{BannedWord, CompanyTerm, DashBullet, Emoji, ModuleLetter};
    let check = |text: &str, language, expected: &[(StyleRule, &str)]| {
        let expected: Vec<(StyleRule, String)> = expected
            .iter()
            .map(|(r, t)| (*r, (*t).to_owned()))
            .collect();
        assert_eq!(rules(text, language), expected, "{text}");
    };
    check("Great 🚀", Language::En, &[(Emoji, "🚀")]);
    check(
        "- one\n  – two\n• three\n-4 degrees",
        Language::En,
        &[(DashBullet, "-"), (DashBullet, "–")],
    );
    check(
        "Module C and modul J, but Module K and a module a",
        Language::En,
        &[(ModuleLetter, "Module C"), (ModuleLetter, "modul J")],
    );
    check(
        "An Exciting, FAST-PACED role",
        Language::En,
        &[(BannedWord, "Exciting"), (BannedWord, "FAST-PACED")],
    );
    check(
        "Unexcitingly leveraged ninjas? No: ninja.",
        Language::En,
        &[(BannedWord, "ninjas"), (BannedWord, "ninja")],
    );
    check(
        "En spännande roll",
        Language::Sv,
        &[(BannedWord, "spännande")],
    );
    check(
        "Et spændende job",
        Language::Da,
        &[(BannedWord, "spændende")],
    );
    check(
        "En spennende jobb",
        Language::No,
        &[(BannedWord, "spennende")],
    );
    check(
        "Eine spannende Stelle",
        Language::De,
        &[(BannedWord, "spannende")],
    );
    check("Spannende Stelle", Language::En, &[]);
    check(
        "Global Connect, Globalconnect, Global-Connect and GlobalConnect",
        Language::En,
        &[
            (CompanyTerm, "Global Connect"),
            (CompanyTerm, "Globalconnect"),
            (CompanyTerm, "Global-Connect"),
        ],
    );
    check(
        "globalconnect.se, jobs@globalconnect.dk, www.globalconnect.no/jobs",
        Language::En,
        &[],
    );
    assert_eq!(
        [Emoji, ModuleLetter, BannedWord, DashBullet].map(StyleRule::weight),
        [Weight::Error, Weight::Error, Weight::Error, Weight::Warning]
    );
}

#[test]
fn a_text_is_corrected_without_scars() {
    let check = |text: &str, language, expected: &str| {
        assert_eq!(correct(text, language, neutral()).0, expected, "{text}")
    };
    check(
        "An exciting role at Global Connect 🚀!",
        Language::En,
        "An interesting role at GlobalConnect!",
    );
    check(
        "Exciting!\n- one\n- two",
        Language::En,
        "Interesting!\n• one\n• two",
    );
    check("See Module A.", Language::En, "See.");
    check("Excitingly, we grow", Language::En, ", we grow");
    check(
        "Ett team i världsklass",
        Language::Sv,
        "Ett team av hög kvalitet",
    );
}

#[test]
fn a_company_adds_allows_and_fixes_its_own() {
    let file = GuideFile {
        company: "Nordfiber".into(),
        german_address: AddressRule::Du,
        allowed: vec!["exciting".into()],
        banned: vec![BannedEntry {
            language: Language::En,
            words: vec!["family".into()],
            replacement: "team".into(),
        }],
        ..neutral().file().clone()
    };
    let guide = StyleGuide::new(file.clone(), library()).unwrap();
    let found: Vec<String> = check("An exciting family", Language::En, &guide)
        .into_iter()
        .map(|f| f.replacement)
        .collect();
    assert_eq!(found, ["team"]);
    let stored = toml::to_string_pretty(&file).unwrap();
    assert_eq!(StyleGuide::parse(&stored, library()).unwrap().file(), &file);
}

#[test]
fn a_broken_guide_says_what_is_wrong() {
    let check = |toml: &str, expected: &str| {
        let problems = StyleGuide::parse(toml, library()).unwrap_err();
        assert!(problems.to_string().contains(expected), "{problems}");
    };
    check("company = ''", "The style guide has no company name.");
    check("company = 'X'\ncolour = 'red'", "unknown field `colour`");
    check(
        "company = 'X'\n[[offices]]\ncity = 'Y'",
        "missing field `address`",
    );
}

#[test]
fn offices_are_found_under_all_their_names() {
    let address = |city: &str| neutral().office(city).map(|o| o.address.as_str());
    assert_eq!(
        address("stockholm"),
        Some("Solnavägen 3H, 113 63 Stockholm")
    );
    assert_eq!(
        address("KØBENHAVN"),
        Some("Havneholmen 6, 2450 København SV")
    );
    assert_eq!(address("oslo"), Some("Snarøyveien 36, 1364 Fornebu"));
    assert_eq!(address("Berlin"), None);
}

#[test]
fn a_new_fact_is_used_only_after_approval() {
    let with = |status| {
        let mut file = neutral().file().clone();
        let text = BTreeMap::from([(Language::En, "We run fiber.".to_owned())]);
        file.facts.push(Fact { status, text });
        StyleGuide::new(file, library()).unwrap()
    };
    assert_eq!(with(FactStatus::Proposed).facts(Language::En), [""; 0]);
    let approved = with(FactStatus::Approved);
    assert_eq!(approved.facts(Language::En), ["We run fiber."]);
    assert_eq!(approved.facts(Language::Sv), [""; 0]);
}

proptest! {
    #[test]
    fn a_corrected_text_breaks_no_rule(
        parts in prop::collection::vec(prop::sample::select(&[
            "exciting", "🚀", "- ", "\n", "Module B", "Global Connect", "world-class", " ", ".", ",", "team", "ninja", "日本語", "rock star",
        ][..]), 0..30)
    ) {
        let text = parts.join(" ");
        let (better, _) = correct(&text, Language::En, neutral());
        prop_assert_eq!(check(&better, Language::En, neutral()), vec![], "{} / {}", text, better);
    }
}
