//! The data files: the same phrases in all languages, nothing left in English, and nothing that breaks our own rules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::job_ad::polish::speaks;
use super::language::{GermanAddress, Language};
use super::library::Library;
use super::style_check::check;
use super::test_desk::{library, neutral};
use super::text::fill::fill;
use super::text::words::word_count;

/// Files whose strings are shown to people, not searched for.
const SPOKEN: [&str; 10] = [
    "common",
    "profile",
    "job_ad",
    "screening",
    "outreach",
    "report",
    "funnel",
    "review",
    "inclusion",
    "invite",
];
/// Up to this many words a phrase may look the same in two languages.
const SHARED_WORDS: usize = 4;

fn strings(language: Language, file: &str) -> BTreeMap<String, String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tata/domain/data/{language}/{file}.toml"));
    let table: toml::Table = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut out = BTreeMap::new();
    flatten("", &toml::Value::Table(table), &mut out);
    out
}

fn flatten(path: &str, value: &toml::Value, out: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::String(s) => {
            out.insert(path.to_owned(), s.clone());
        }
        toml::Value::Array(list) => list
            .iter()
            .enumerate()
            .for_each(|(i, v)| flatten(&format!("{path}[{i}]"), v, out)),
        toml::Value::Table(t) => t
            .iter()
            .for_each(|(k, v)| flatten(&format!("{path}.{k}"), v, out)),
        toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_) => {}
    }
}

fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split('{')
        .skip(1)
        .filter_map(|p| p.split_once('}'))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn all_files_load() {
    Library::load().unwrap();
}

#[test]
fn every_language_has_the_same_phrases_with_the_same_placeholders() {
    for file in SPOKEN {
        let english = strings(Language::En, file);
        for language in Language::ALL {
            let own = strings(language, file);
            assert_eq!(
                own.keys().collect::<Vec<_>>(),
                english.keys().collect::<Vec<_>>(),
                "{language}/{file}"
            );
            for (key, text) in &own {
                assert_eq!(
                    placeholders(text),
                    placeholders(&english[key]),
                    "{language}/{file}{key}"
                );
                assert!(!text.trim().is_empty(), "{language}/{file}{key}");
            }
        }
    }
}

#[test]
fn nothing_is_left_in_english() {
    for file in SPOKEN {
        let english = strings(Language::En, file);
        for language in [Language::Sv, Language::Da, Language::No, Language::De] {
            for (key, text) in strings(language, file) {
                let bare = without_placeholders(&text);
                let english =
                    text == english[&key] || library().language_of(&bare) == Some(Language::En);
                assert!(
                    !english || word_count(&bare) <= SHARED_WORDS,
                    "{language}/{file}{key}: {text}"
                );
            }
        }
    }
}

fn without_placeholders(text: &str) -> String {
    let filled = fill(text, GermanAddress::Sie, &[]);
    let mut out = String::new();
    for (i, part) in filled.split('{').enumerate() {
        out.push_str(if i == 0 {
            part
        } else {
            part.split_once('}').map_or(part, |(_, rest)| rest)
        });
    }
    out
}

#[test]
fn our_own_phrases_keep_the_house_style() {
    for file in SPOKEN {
        for language in Language::ALL {
            for (key, text) in strings(language, file) {
                for address in [GermanAddress::Du, GermanAddress::Sie] {
                    let said = fill(&text, address, &[]);
                    assert_eq!(
                        check(&said, language, neutral()),
                        [],
                        "{language}/{file}{key}"
                    );
                }
            }
        }
    }
}

#[test]
fn german_phrases_have_both_forms_of_address_and_others_none() {
    for file in SPOKEN {
        for language in Language::ALL {
            for (key, text) in strings(language, file) {
                if language != Language::De {
                    assert!(!text.contains("[["), "{language}/{file}{key}");
                    continue;
                }
                let du = fill(&text, GermanAddress::Du, &[]);
                let sie = fill(&text, GermanAddress::Sie, &[]);
                assert!(
                    !du.contains("]]") && !sie.contains("|"),
                    "{file}{key}: {text}"
                );
                if key.starts_with(".address_") {
                    continue;
                }
                assert!(!speaks(&du, GermanAddress::Sie), "{file}{key}: {du}");
                assert!(!speaks(&sie, GermanAddress::Du), "{file}{key}: {sie}");
            }
        }
    }
}

#[test]
fn the_language_of_a_text_is_recognised() {
    let check = |text: &str, language| assert_eq!(library().language_of(text), language, "{text}");
    check(
        "We are looking for a colleague with experience",
        Some(Language::En),
    );
    check(
        "Vi söker en kollega som har erfarenhet av det här",
        Some(Language::Sv),
    );
    check(
        "Vi søger en kollega, der har erfaring af arbejdet",
        Some(Language::Da),
    );
    check(
        "Vi søker en kollega som har erfaring av arbeid",
        Some(Language::No),
    );
    check(
        "Wir suchen eine Person mit Erfahrung in der Leitung",
        Some(Language::De),
    );
    check("Python, SQL", None);
}
