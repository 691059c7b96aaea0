//! Words of a query, and excerpts of what they find.

use super::SearchWords;

#[test]
fn a_query_is_cut_into_plain_words() {
    let check = |query: &str, expected: &[&str]| {
        let words = SearchWords::of(query)
            .map(|words| words.0)
            .unwrap_or_default();
        assert_eq!(words, expected, "{query}");
    };
    check("GP-2026-0014", &["gp", "2026", "0014"]);
    check("  Customs  OFFICE ", &["customs", "office"]);
    check("\"a\" OR b* NEAR(c)", &["a", "or", "b", "near", "c"]);
    check("Пропуск №5", &["пропуск", "5"]);
    check("' & :* --", &[]);
    let long = "x".repeat(1_000);
    check(&long, &[&long[..64]]);
}

#[test]
fn each_word_must_begin_a_word_of_the_text() {
    let words = SearchWords::of("ann sm").unwrap();
    assert!(words.all_begin_a_word_of("Anna-Maria Smith"));
    assert!(!words.all_begin_a_word_of("Joanna Smith"));
}

#[test]
fn an_excerpt_begins_near_the_first_word_that_matches() {
    let check = |text: &str, query: &str, expected: &str| {
        let words = SearchWords::of(query).unwrap();
        assert_eq!(words.excerpt(text), expected);
    };
    check("Short text", "text", "Short text");
    check("Two\nlines\n\nof it", "of", "Two lines of it");
    check("No match here", "absent", "No match here");
    check(
        "| Number | Person |\n|---|---|\n| GP-1 | **Sara** |",
        "sara",
        "Number Person GP-1 Sara",
    );
    // The beginning of a word counts, its middle does not.
    check("unoffice office", "office", "unoffice office");
    let long = format!(
        "{} the Customs office {}",
        "before ".repeat(40),
        "after ".repeat(60)
    );
    let shown = SearchWords::of("customs").unwrap().excerpt(&long);
    assert!(shown.starts_with("… before"), "{shown}");
    assert!(shown.contains("the Customs office after"), "{shown}");
    assert!(shown.ends_with('…'), "{shown}");
    assert!(shown.chars().count() <= 165, "{shown}");
}
