//! Sentences in a CV or transcript that talk to a machine. They are left out of every assessment and reported.

use super::notes::cues::Reader;
use super::problem::Problem;
use super::text::sentences::sentences;
use super::text::words::{one_line, shorten, words};

const QUOTED: usize = 80;

/// The text without such sentences, and a warning when there were any.
pub(crate) fn without(text: &str, field: &str, reader: &Reader) -> (String, Vec<Problem>) {
    let found: Vec<&str> = sentences(text, &reader.abbreviations)
        .into_iter()
        .filter(|s| reader.injection.contains(&words(s)))
        .collect();
    let Some(first) = found.first() else {
        return (text.to_owned(), vec![]);
    };
    let warning = format!(
        "The text contains instructions to a machine (“{}”). They were not followed, and the passage was not used.",
        shorten(&one_line(first), QUOTED)
    );
    (cut(text, &found), vec![Problem::new(field, warning)])
}

/// The found sentences stand in the text in this order.
fn cut(text: &str, found: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    for sentence in found {
        if let Some((before, after)) = rest.split_once(sentence) {
            out.push_str(before);
            rest = after;
        }
    }
    out.push_str(rest);
    out
}
