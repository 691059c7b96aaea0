//! Listed words are found in every language.

use super::*;
use crate::document::BLANK;

#[test]
fn every_list_can_be_read_and_used() {
    for language in Language::ALL {
        let list = &ALL[language as usize].list;
        assert!(list.terms.len() > 40, "{language:?}");
        for term in &list.terms {
            assert!(!term.words.is_empty() && !term.better.is_empty());
            assert_ne!(labels(language).choice(term.category), BLANK);
            assert_ne!(labels(language).reason(term.category), BLANK);
            for phrase in &term.words {
                let text = phrase.replace('*', "").replace('#', "35");
                let hits = find(&text, language);
                assert!(!hits.is_empty(), "{language:?}: {phrase} is never found");
            }
        }
    }
}

#[test]
fn the_longest_hit_counts_and_parts_of_words_do_not() {
    let hits = find(
        "He or she is a young professional. The chef heads others.",
        Language::En,
    );
    let words: Vec<&str> = hits.iter().map(|hit| hit.words).collect();
    assert_eq!(words, ["He or she", "young professional"]);
}

#[test]
fn the_ad_of_the_trial_has_its_findings() {
    let ad = "We're a young, fun team and like a family. Must be a Swedish native with perfect English, own a car \
              and be physically fit. Female candidates are especially encouraged. No gaps in your CV. Send photo.";
    let found: Vec<&str> = find(ad, Language::En).iter().map(|hit| hit.words).collect();
    for words in [
        "young",
        "like a family",
        "Swedish native",
        "own a car",
        "physically fit",
        "Female candidates",
        "photo",
    ] {
        assert!(found.contains(&words), "{words}: {found:?}");
    }
}
