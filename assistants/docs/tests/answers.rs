//! Answers without a model that writes: word for word, with correct sources.

use frontdesk_core::citation;
use frontdesk_core::embed::EmbedError;
use frontdesk_core::search::{RetrievalResult, SearchError};
use frontdesk_core::tool::Source;
use proptest::prelude::*;

use super::responses::chunk;
use crate::answer::quoted;
use crate::retrieval::RetrievalToolResponse;
use crate::{selection, window};

fn response(query: &str, texts: &[&str]) -> RetrievalToolResponse {
    let chunks = texts
        .iter()
        .map(|text| chunk(text, Some("How [approvals] work"), 0.6))
        .collect();
    RetrievalToolResponse::found(RetrievalResult::new(query.to_owned(), chunks, 0.1))
}

#[test]
fn the_best_passage_is_quoted_whole_with_its_source() {
    let found = response(
        "How long is a card valid?",
        &[
            "# Approvals\n\nA person decides. A card is valid for ten minutes and one use. Declined is final.",
        ],
    );
    assert_eq!(
        quoted(&found),
        "> A person decides. A card is valid for ten minutes and one use. Declined is final. [1]\n\n**Sources**\n- [1] [How approvals work](http://desk.example/sources/web_documents/a.md)"
    );
}

/// A passage within the text around it.
fn with_context(query: &str, passage: &str, context: &str) -> RetrievalToolResponse {
    let mut found = chunk(passage, Some("Tables"), 0.6);
    found.context = Some(context.to_owned());
    found.section = Some("Tables › Columns".to_owned());
    found.page = Some(12);
    RetrievalToolResponse::found(RetrievalResult::new(query.to_owned(), vec![found], 0.1))
}

#[test]
fn code_follows_the_sentence_that_announces_it_and_keeps_its_signs() {
    let passage = "To add a column [5] to a table:";
    let code = "if n <= 2:\n    return fib(n-1) + fib(n-2)";
    let context = format!("Before.\n\n{passage}\n\n```sql\n{code}\n```\n\nAfter.");
    let found = with_context("How do I add a column?", passage, &context);
    assert_eq!(
        quoted(&found),
        format!(
            "> To add a column \\[5\\] to a table: [1]\n\n```\n{code}\n```\n\n**Sources**\n- [1] [Tables › Columns, page 12](http://desk.example/sources/web_documents/a.md)"
        )
    );
    let sources: Vec<Source> = found.results.iter().map(|result| result.source()).collect();
    let review = citation::review(&quoted(&found), &sources);
    assert_eq!(review.cited, [1]);
    assert!(
        review.unknown.is_empty() && review.misquoted.is_empty(),
        "{review:?}"
    );
}

#[test]
fn text_before_a_code_block_that_was_cut_off_is_not_code() {
    let passage = "7. The file list is removed.\n\n#### 1\n\nThis is so that an error can be repaired. For example:\n\n```";
    let answer = quoted(&with_context("What is removed?", passage, passage));
    assert!(
        answer.contains("> - The file list is removed.") && !answer.contains("```"),
        "{answer}"
    );
}

#[test]
fn a_quotation_begins_where_the_section_begins() {
    let passage = "It is counted for each sort.";
    let context = format!("Other.\n\n#### work_mem (integer)\n\nThe default is 4 MB.\n\n{passage}");
    let answer = quoted(&with_context("What is work_mem?", passage, &context));
    let quotation = "> The default is 4 MB. [1]\n\n> It is counted for each sort. [1]";
    assert!(answer.starts_with(quotation), "{answer}");
}

#[test]
fn the_middle_of_a_long_code_block_is_code() {
    let passage = "def flatten(lists):\n    \"Flatten one level.\"\n    return chain(lists)\n\ndef first(items):\n    return items[0]";
    let answer = quoted(&with_context("How do I flatten?", passage, passage));
    assert!(answer.contains(&format!("```\n{passage}\n```")), "{answer}");
}

#[test]
fn long_code_of_a_further_passage_is_cut_to_the_passage() {
    let code = |name: &str| format!("    {name} = open('{name}', encoding='utf-8')\n").repeat(30);
    let passage = "def flatten(lists):\n    return chain(lists)\n";
    let mut further = chunk(passage, Some("Recipes"), 0.6);
    further.context = Some(format!(
        "```\n{}{passage}{}```",
        code("before"),
        code("after")
    ));
    let best = chunk("To flatten lists, use a loop.", Some("Lists"), 0.9);
    let found = RetrievalResult::new(
        "How do I flatten lists?".to_owned(),
        vec![best, further],
        0.1,
    );
    let answer = quoted(&RetrievalToolResponse::found(found));
    assert!(answer.contains(&format!("```\n{passage}```")), "{answer}");
}

#[test]
fn a_caption_is_followed_by_its_table_and_a_list_is_whole() {
    let caption = "Table 13.1. Isolation levels";
    let table = "| level | reads |\n|---|---|\n| serializable | none |";
    let context = format!("{caption}\n\n{table}\n\nAfter.");
    let answer = quoted(&with_context("Which levels are there?", caption, &context));
    assert!(
        answer.contains(table) && !answer.contains("After"),
        "{answer}"
    );
    let context = "- the first level\n- the second level\n- the third level\n\nAfter.";
    let answer = quoted(&with_context("Which levels?", "- the first level", context));
    assert!(
        answer.contains("third") && !answer.contains("After"),
        "{answer}"
    );
}

#[test]
fn brackets_in_code_are_escaped_only_where_they_may_cite() {
    let passage = "It equals `del a[:]` and sets `a[1]` and b[:].";
    let answer = quoted(&with_context("What does it equal?", passage, passage));
    let quotation = r"> It equals `del a[:]` and sets `a\[1\]` and b\[:\]. [1]";
    assert!(answer.starts_with(quotation), "{answer}");
}

#[test]
fn signs_are_not_quoted() {
    let passage = "A dump is a file.\n\n- * *\n\nIt is restored by hand.";
    let answer = quoted(&with_context("What is a dump?", passage, passage));
    assert!(!answer.contains("* *"), "{answer}");
}

#[test]
fn code_follows_the_text_that_explains_it() {
    let passage = "The following changes the time zone.";
    let context = format!("{passage}\n\n```\n# dpkg-reconfigure tzdata\n```\n\nAfter.");
    let answer = quoted(&with_context(
        "How do I change the time zone?",
        passage,
        &context,
    ));
    assert!(
        answer.contains("```\n# dpkg-reconfigure tzdata\n```"),
        "{answer}"
    );
    assert!(!answer.contains("After"), "{answer}");
}

#[test]
fn a_long_table_is_cut_to_the_rows_that_were_asked_for() {
    let rows: String = (0..100)
        .map(|n| format!("| item {n} | made of steel |\n"))
        .collect();
    let table = format!("| name | remarks |\n|---|---|\n{rows}| zebra | has stripes |");
    let answer = quoted(&with_context(
        "Does the zebra have stripes?",
        &table,
        &table,
    ));
    let quotation = "| name | remarks |\n|---|---|\n| zebra | has stripes |";
    assert!(answer.contains(quotation), "{answer}");
    let answer = quoted(&with_context("What is there?", &table, &table));
    assert!(
        answer.contains("| item 1 |") && answer.len() < 1_500,
        "{answer}"
    );
}

#[test]
fn other_sections_are_quoted_before_more_of_the_same() {
    let section = |name: &str, text: &str| {
        let mut found = chunk(text, Some("Tables"), 0.6);
        found.section = Some(name.to_owned());
        found
    };
    let found = RetrievalToolResponse::found(RetrievalResult::new(
        "add a column".to_owned(),
        vec![
            section("Sniffing", "A column is added first."),
            section("Sniffing", "A column is added second."),
            section("Altering", "A column is added third."),
            section("Dropping", "A column is added fourth."),
        ],
        0.1,
    ));
    let answer = quoted(&found);
    assert!(
        answer.contains("third. [3]") && answer.contains("fourth. [4]"),
        "{answer}"
    );
    assert!(!answer.contains("second"), "{answer}");
}

#[test]
fn the_model_is_shown_the_part_that_matches() {
    let filler = "This sentence tells nothing about the matter at hand. ".repeat(20);
    let passage = format!("{filler}If maxsize is None, the cache can grow without bound. {filler}");
    let found = with_context("What if maxsize is None?", &passage, &passage);
    let shown = &found.results[0].text;
    assert!(shown.contains("grow without bound"), "{shown}");
    assert!(shown.chars().count() <= 500);
}

#[test]
fn a_short_passage_is_shown_with_the_sentences_around_it() {
    let after = "It needs a lock. ".repeat(40);
    let context = format!("# Tables\n\nA table has rows. To add a column:\n\n{after}");
    let found = with_context("How do I add a column?", "To add a column:", &context);
    let shown = &found.results[0].text;
    assert!(shown.starts_with("To add a column:\n\nIt needs"), "{shown}");
    assert!(shown.ends_with("a lock.") && (480..=500).contains(&shown.chars().count()));
    let whole = "# Tables\n\nA table has rows. To add a column: see above.";
    let found = with_context("How do I add a column?", "To add a column:", whole);
    assert_eq!(found.results[0].text, whole);
}

#[test]
fn nothing_found_and_failures_are_said() {
    assert!(quoted(&response("zebra", &[])).contains("could not find this"));
    let down =
        RetrievalToolResponse::failed("x".to_owned(), &SearchError::Index("host".to_owned()), 0.0);
    assert_eq!(quoted(&down), "The documents cannot be reached just now.");
    let slow = RetrievalToolResponse::failed("x".to_owned(), &SearchError::TimedOut, 0.0);
    assert_eq!(quoted(&slow), "The search took too long.");
    let embedding =
        RetrievalToolResponse::failed("x".to_owned(), &EmbedError::NotANumber.into(), 0.0);
    assert!(quoted(&embedding).contains("could not be compared"));
}

#[test]
fn a_selection_is_all_that_is_searched() {
    let selected = "Cards expire after ten minutes.\n\nZebras live in Africa.";
    let found = selection::search(selected, "When do cards expire?", 5, "http://desk.example");
    assert_eq!(found.total, 1);
    assert_eq!(found.results[0].text, "Cards expire after ten minutes.");
    assert_eq!(
        selection::search(selected, "leases", 5, "http://desk.example").total,
        0
    );
}

proptest! {
    /// Quotations of any passage pass the check of citations.
    #[test]
    fn quotations_pass_the_check(texts in prop::collection::vec("([A-Za-z]{1,9} ?|[.!?]( |\n)|\n- |\n# |, |\\[[0-9]\\] |\n\n){1,60}", 1..6)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = response("how does it work", &texts);
        let answer = quoted(&found);
        let sources: Vec<Source> = found.results.iter().map(|result| result.source()).collect();
        let review = citation::review(&answer, &sources);
        prop_assert!(review.unknown.is_empty(), "{:?}\n{}", review, answer);
        prop_assert!(review.misquoted.is_empty(), "{:?}\n{}", review, answer);
        prop_assert!(review.unsupported.is_empty(), "{:?}\n{}", review, answer);
    }
}

#[test]
fn a_text_without_blanks_is_shown_where_it_matches() {
    let text = format!(
        "{}会議室の鍵は受付で借りることができます。{}",
        "社員食堂は十二時から二時まで開いています。".repeat(20),
        "駐車場は地下にあります。".repeat(20)
    );
    let asked = window::words("会議室の鍵はどこで借りられますか");
    let shown = window::best(&text, &asked, 60);
    assert!(shown.contains("受付で借りる"), "{shown}");
}

#[test]
fn prose_before_a_cut_code_block_is_quoted_as_prose() {
    let prose = "The cascade (see below) deletes the rows that refer to it; nothing else changes, and the application need not be explicit about this in two commands.";
    let cut = format!(
        "{prose}\n\nFor example:\n\n```\nCREATE TABLE items (\n    id integer REFERENCES orders (id) ON DELETE CASCADE,"
    );
    let response = RetrievalToolResponse::found(RetrievalResult::new(
        "What does a cascade delete?".to_owned(),
        vec![chunk(&cut, Some("Constraints"), 0.9)],
        0.1,
    ));
    let answer = quoted(&response);
    assert!(answer.contains(&format!("> {prose} [1]")), "{answer}");
    assert!(answer.contains("```\nCREATE TABLE items ("), "{answer}");
}
