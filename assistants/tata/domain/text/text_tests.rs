//! Words, phrases, sentences, emoji and templates.

use proptest::prelude::*;

use super::emoji::{emoji, without_emoji};
use super::fill::fill;
use super::phrasebook::Phrasebook;
use super::sentences::{Abbreviations, sentences};
use super::words::{capitalised, folded_words, normal, shorten, word_count, words};
use crate::tata::domain::language::GermanAddress;

fn found(book: &Phrasebook<u8>, text: &str) -> Vec<(String, u8)> {
    let list = words(text);
    book.find(&list)
        .iter()
        .map(|hit| (text[hit.span(&list)].to_owned(), hit.value))
        .collect()
}

#[test]
fn words_are_folded_with_their_signs() {
    assert_eq!(
        folded_words("C++ and C#, Ärger, 5+ years"),
        ["c++", "and", "c#", "ärger", "5+", "years"]
    );
    // Decomposed letters, soft hyphens and zero-width characters from copied text are one and the same word.
    assert_eq!(
        normal("A\u{30a}ngstro\u{308}m ma\u{ad}na\u{200b}ger"),
        "ångström manager"
    );
    assert_eq!(words("5+ years")[0].number(), Some(5));
    assert_eq!(word_count("  …  "), 0);
}

#[test]
fn a_phrase_matches_whole_words_only_and_the_longest_one() {
    let book = Phrasebook::new([
        ("young", 1),
        ("young and dynamic", 2),
        ("fast paced", 3),
        ("negotiat*", 4),
    ]);
    let check = |text: &str, expected: &[(&str, u8)]| {
        let expected: Vec<(String, u8)> = expected
            .iter()
            .map(|(t, v)| ((*t).to_owned(), *v))
            .collect();
        assert_eq!(found(&book, text), expected, "{text}");
    };
    check("Young and\ndynamic team", &[("Young and\ndynamic", 2)]);
    check("a young team", &[("young", 1)]);
    check("youngster, Youngstown", &[]);
    check("Young. And dynamic.", &[("Young", 1)]);
    check(
        "fast-paced and fast paced",
        &[("fast-paced", 3), ("fast paced", 3)],
    );
    check(
        "negotiating, negotiation",
        &[("negotiating", 4), ("negotiation", 4)],
    );
    check("- young\n- and dynamic", &[("young", 1)]);
}

#[test]
fn sentences_survive_abbreviations_dates_and_wrapped_lines() {
    let short = Abbreviations::new(&["e.g.".to_owned(), "z.b.".to_owned()]);
    let check =
        |text: &str, expected: &[&str]| assert_eq!(sentences(text, &short), expected, "{text}");
    check(
        "We use tools, e.g. Git. It works!",
        &["We use tools, e.g. Git.", "It works!"],
    );
    check(
        "Am 14. März geht es los. Gut.",
        &["Am 14. März geht es los.", "Gut."],
    );
    check(
        "A line that\nwraps here.\nNext Line",
        &["A line that\nwraps here.", "Next Line"],
    );
    check(
        "He said “yes.” Then he left",
        &["He said “yes.”", "Then he left"],
    );
    check("...", &[]);
}

#[test]
fn emoji_are_found_without_swallowing_cjk() {
    let check = |text: &str, without: &str| assert_eq!(without_emoji(text), without, "{text}");
    check("Great 🚀 team", "Great team");
    check("👩‍👩‍👧 family 🇸🇪 flag 👍🏽", "family flag");
    check("☎ call, ✔ done, ☀️ sun", "call, done, sun");
    check(
        "株式会社グローバル 한국어 李小龙",
        "株式会社グローバル 한국어 李小龙",
    );
    check("© 2026 ™ 5 # * 100 % → •", "© 2026 ™ 5 # * 100 % → •");
    check("1️⃣ first", "first");
    assert_eq!(emoji("👩‍👩‍👧").len(), 1);
}

#[test]
fn a_template_is_filled_once() {
    let say = |template: &str, address| {
        fill(
            template,
            address,
            &[("name", "{company}"), ("company", "X [[a|b]]")],
        )
    };
    assert_eq!(
        say("{name} at {company}", GermanAddress::Du),
        "{company} at X [[a|b]]"
    );
    assert_eq!(
        say(
            "[[Du bist|Sie sind]] {name} [ok] {other}",
            GermanAddress::Sie
        ),
        "Sie sind {company} [ok] {other}"
    );
    assert_eq!(
        say("[[Du, {name}|Sie]]", GermanAddress::Du),
        "Du, {company}"
    );
}

#[test]
fn long_texts_are_cut_at_a_word() {
    assert_eq!(shorten("one two three", 9), "one two…");
    assert_eq!(shorten("one", 9), "one");
    assert_eq!(capitalised("éa"), "Éa");
}

/// Counts comparisons instead of time: they grow with the text, not with its square.
#[test]
fn finding_phrases_takes_work_linear_in_the_text() {
    let library = crate::tata::domain::test_desk::library();
    let reader = library.reader();
    // The worst text for a word tree: the beginning of a phrase over and over.
    let text = "must have nice to have young and ".repeat(100);
    let steps = |times: usize| reader.cues.find_counting(&words(&text.repeat(times))).1;
    let (one, eight) = (steps(1), steps(8));
    assert!(
        eight <= 8 * one + 64,
        "{one} comparisons for one, {eight} for eight times the text"
    );
    assert!(
        one <= 12 * word_count(&text),
        "{one} comparisons for {} words",
        word_count(&text)
    );
}

proptest! {
    #[test]
    fn words_and_sentences_lie_inside_the_text_in_order(text in "\\PC{0,200}") {
        let list = words(&text);
        for pair in list.windows(2) {
            prop_assert!(pair[0].end <= pair[1].start);
        }
        for word in &list {
            prop_assert!(text.get(word.start..word.end).is_some());
        }
        prop_assert_eq!(word_count(&text), list.len());
        let all: usize = sentences(&text, &Abbreviations::default()).iter().map(|s| s.len()).sum();
        prop_assert!(all <= text.len());
    }

    #[test]
    fn text_without_emoji_has_none_left(text in "[a-zåäö 日本語한🚀👍🏽🇸🇪☎️©1#️⃣]{0,40}") {
        prop_assert!(emoji(&without_emoji(&text)).is_empty(), "{:?}", without_emoji(&text));
    }

    #[test]
    fn cjk_text_is_never_emoji(text in "[一-龥ぁ-んァ-ヶ가-힣，。]{0,40}") {
        prop_assert!(emoji(&text).is_empty());
    }
}
