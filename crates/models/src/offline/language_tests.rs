//! A language shows by its script and its small words; where none shows, none is guessed.

use super::Language::{self, *};

#[test]
fn languages_are_told_by_their_small_words_and_letters() {
    for (text, language) in [
        ("show me all of the passes", Some(English)),
        ("покажи все пропуска", Some(Russian)),
        ("visa alla som väntar på mig", Some(Swedish)),
        ("jeg vil gerne se hvad der er på listen", Some(Danish)),
        ("jeg vil gjerne se hva som er på listen", Some(Norwegian)),
        ("ich möchte die Liste sehen", Some(German)),
        ("GP-2026-0007", None),
        ("ok approve gp-2026-0888, sana mir", None),
        ("", None),
        ("🙂", None),
    ] {
        assert_eq!(Language::of(text), language, "{text}");
    }
}
