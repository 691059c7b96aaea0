//! The rendered text is independent of chunk boundaries and fits the terminal.

use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::*;

const PLAIN: Look = Look {
    colours: false,
    width: 40,
};
const COLOURED: Look = Look {
    colours: true,
    width: 40,
};

fn shown(text: &str, look: Look) -> String {
    let mut markdown = Markdown::new(look);
    let mut out = markdown.feed(text);
    out.push_str(&markdown.finish());
    out
}

#[test]
fn words_are_wrapped_and_lists_are_indented() {
    let text = "- Purpose: collects a laptop from the Lahore office today\n2. two";
    assert_eq!(
        shown(text, PLAIN),
        "• Purpose: collects a laptop from the\n  Lahore office today\n2. two"
    );
}

#[test]
fn emphasis_and_code_are_styled_until_the_end_of_the_line() {
    assert_eq!(
        shown("a **b** `c`\n**open\nshut", COLOURED),
        "a \x1b[1mb\x1b[22m \x1b[36mc\x1b[39m\n\x1b[1mopen\x1b[22m\nshut"
    );
    assert_eq!(shown("2 * 3 = 6, 2*3", PLAIN), "2 * 3 = 6, 2*3");
}

#[test]
fn headings_and_fences() {
    assert_eq!(
        shown("## Next\ntext", COLOURED),
        "\x1b[1mNext\x1b[22m\ntext"
    );
    assert_eq!(
        shown("```rust\nlet **a** = 1;\n```\nok", PLAIN),
        "    let **a** = 1;\nok"
    );
}

#[test]
fn a_table_is_laid_out_within_the_width() {
    let table = "| No. | Purpose | Back |\n|---|:--|---|\n\
                 | 1 | Visit to the customer's warehouse with samples | yes |\n| 22 | a \\| b | no |\n\nDone.";
    assert_eq!(
        shown(table, PLAIN),
        "No.  Purpose                        Back\n\
         ───  ─────────────────────────────  ────\n\
         1    Visit to the customer's        yes\n     warehouse with samples\n\
         22   a | b                          no\n\nDone."
    );
}

#[test]
fn a_table_at_the_end_is_not_lost() {
    assert_eq!(shown("| a |\n|---|\n| b |", PLAIN), "a\n─\nb");
}

proptest! {
    #[test]
    fn chunk_boundaries_do_not_change_the_output(
        text in "(\\*\\*|[a-zж`|#*\\-0-9. \n]){0,60}",
        cuts in prop::collection::vec(0usize..60, 0..6),
    ) {
        let letters: Vec<char> = text.chars().collect();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(letters.len())).collect();
        cuts.extend([0, letters.len()]);
        cuts.sort_unstable();
        let mut markdown = Markdown::new(COLOURED);
        let mut pieces = String::new();
        for pair in cuts.windows(2) {
            pieces.push_str(&markdown.feed(&letters[pair[0]..pair[1]].iter().collect::<String>()));
        }
        pieces.push_str(&markdown.finish());
        prop_assert_eq!(pieces, shown(&text, COLOURED));
    }

    #[test]
    fn prose_of_short_words_fits_and_keeps_its_words(words in prop::collection::vec("[a-zа-я界]{1,12}", 1..40)) {
        let out = shown(&words.join(" "), PLAIN);
        prop_assert!(out.lines().all(|line| line.width() <= PLAIN.width), "{out}");
        let rendered: Vec<&str> = out.split_whitespace().collect();
        prop_assert_eq!(rendered, words.iter().map(String::as_str).collect::<Vec<_>>());
    }
}
