//! Words for the same thing have the same meaning in all languages, and the lexicon file
//! itself is well formed.

use super::*;

fn meanings(raw: &str) -> Vec<(String, bool)> {
    let text = Text::new(raw);
    LEXICON
        .read(&text)
        .into_iter()
        .flat_map(|m| {
            let commands = m.commands.clone();
            m.concepts
                .into_iter()
                .map(move |c| (LEXICON.name(c).to_owned(), commands.contains(&c)))
        })
        .collect()
}

#[test]
fn a_command_is_told_from_talk_about_it() {
    let has = |raw: &str, name: &str, command: bool| {
        let found = meanings(raw);
        assert!(
            found.contains(&(name.to_owned(), command)),
            "{raw}: {found:?}"
        );
    };
    has("approve", "approve", true);
    has("approved", "approve", false);
    has("одобрите", "approve", true);
    has("одобренные", "approved", false);
    has("turn it down", "reject", true);
    has("lehne GP-2026-0001 von Ali ab", "reject", true);
    has("she won't come back", "return", false);
    has("waiting for approval", "pending", false);
    has("reassign", "assign", true);
}

#[test]
fn a_phrase_hides_what_its_words_mean_alone() {
    assert_eq!(
        meanings("waiting for approval"),
        [("pending".to_owned(), false)]
    );
}

#[test]
fn an_english_word_is_no_swedish_command() {
    assert!(
        meanings("the visa interview")
            .iter()
            .all(|(name, _)| name != "show")
    );
    assert!(meanings("visa alla").contains(&("show".to_owned(), true)));
}

#[test]
fn a_state_comes_of_its_action() {
    let concept = |name: &str| LEXICON.named(name).expect("in the lexicon");
    assert!(LEXICON.comes_of(concept("rejected"), concept("reject")));
    assert!(!LEXICON.comes_of(concept("rejected"), concept("approve")));
}
