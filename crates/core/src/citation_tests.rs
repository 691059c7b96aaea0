//! Citations of good and of made-up answers.

use proptest::prelude::*;

use super::{Review, review};
use crate::tool::Source;

fn sources() -> Vec<Source> {
    let source = |title: &str, url: &str, text: &str| Source {
        title: title.to_owned(),
        url: url.to_owned(),
        score: 0.8,
        text: text.to_owned(),
    };
    vec![
        source(
            "Approvals",
            "http://desk/sources/a.md",
            "A card is valid for ten minutes and\nfor **one** use.",
        ),
        source(
            "Roles",
            "http://desk/sources/b.md",
            "Admins decide about gate passes.",
        ),
        source(
            "Approvals",
            "http://desk/sources/a.md",
            "Declined is terminal.",
        ),
    ]
}

#[test]
fn a_mark_behind_the_full_stop_is_of_the_sentence_before() {
    let unsupported = |answer: &str| review(answer, &sources()).unsupported;
    let nothing: [&str; 0] = [];
    let behind = "> A card is valid for ten minutes. [1] Admins decide about gate passes. [2]";
    assert_eq!(unsupported(behind), nothing);
    let bare = "A card is valid for ten minutes. [1] [2] It is blue and made of paper.";
    assert_eq!(unsupported(bare), ["It is blue and made of paper."]);
    let subject = "As [1] says, a card is valid. [2] adds that admins decide about it.";
    assert_eq!(unsupported(subject), nothing);
}

#[test]
fn a_cited_answer_passes() {
    let answer = "A card is valid for ten minutes [1]. Admins decide about passes. [2]\n\n**Sources**\n- [1] [Approvals](http://desk/sources/a.md)\n- [2] [Roles](http://desk/sources/b.md)";
    let found = review(answer, &sources());
    assert_eq!(
        found,
        Review {
            cited: vec![1, 2],
            ..Review::default()
        }
    );
    assert_eq!(
        found.addresses(&sources()),
        ["http://desk/sources/a.md", "http://desk/sources/b.md"]
    );
}

#[test]
fn addresses_are_named_once() {
    let found = review("It is valid for ten minutes [1, 3].", &sources());
    assert_eq!(
        (found.cited.as_slice(), found.addresses(&sources()).len()),
        ([1, 3].as_slice(), 1)
    );
}

#[test]
fn a_sentence_without_a_source_is_reported() {
    let found = review(
        "A card is valid for ten minutes [1]. It is blue and made of paper.",
        &sources(),
    );
    assert_eq!(found.unsupported, ["It is blue and made of paper."]);
    let items = review(
        "- Cards expire after ten minutes [1]\n- Nobody has ever seen one of them",
        &sources(),
    );
    assert_eq!(items.unsupported, ["- Nobody has ever seen one of them"]);
}

#[test]
fn unknown_numbers_and_links_are_reported() {
    let found = review(
        "This is written somewhere else [7]. See [here for more](https://evil.example/x).",
        &sources(),
    );
    assert_eq!(found.unknown, ["[7]", "https://evil.example/x"]);
    assert!(found.cited.is_empty());
}

#[test]
fn quotations_must_stand_in_a_passage() {
    let good = review(
        "It says “valid for ten minutes and for one use” [1].\n\n> Admins decide about gate passes. [2]",
        &sources(),
    );
    assert!(good.misquoted.is_empty(), "{good:?}");
    let bad = review("It says \"valid for ten hours and more\" [1].", &sources());
    assert_eq!(bad.misquoted, ["valid for ten hours and more"]);
}

#[test]
fn questions_courtesies_and_what_was_not_found_need_no_source() {
    for answer in [
        "Which kind of approval do you mean?",
        "I could not find this in the documents. Try to rephrase the question.",
        "You are welcome!",
        "Here is what the handbook says about it:",
        "```sh\nfrontdesk approvals list --all of them\n```",
        "## How approvals work in detail",
    ] {
        assert!(
            review(answer, &sources()).unsupported.is_empty(),
            "{answer}"
        );
    }
}

proptest! {
    #[test]
    fn no_answer_is_a_fault(answer in "([a-zä .?!\n]|\\[[0-9, ]{0,4}\\]|\\(http[a-z:/]{0,9}\\)|>|“|”|\"|#|```|- |[^\\x00]){0,200}") {
        let found = review(&answer, &sources());
        prop_assert!(found.cited.iter().all(|number| (1..=3).contains(number)));
    }
}
