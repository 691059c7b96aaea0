//! Sentences in pasted texts that talk to a machine. They never reach a model or a document; the
//! recruiter gets a note.

use std::sync::LazyLock;

use frontdesk_core::grounding::sentences;
use regex::Regex;

use super::document::one_line;

/// A verb and its object in five languages, or a phrase that nobody writes to people.
#[rustfmt::skip]
const PATTERN: &str = r"(?ix)
    \b(ignore|disregard|forget|override|bypass|ignorera|glöm|bortse|ignorer|glem|se\ bort|ignoriere|ignorieren|vergiss|vergessen)\b
    .*\b(instructions?|previous|above|rules|prompt|instruktion\w*|tidigare|ovanstående|regler\w*|reglene
        |instruksjon\w*|tidligere|ovenstående|anweisung\w*|vorherig\w*|bisherig\w*|obige|regeln)\b
    |system\ ?prompt|\bas\ an\ ai\b|\bnote\ to\ (the\ )?ai\b|\bto\ the\ language\ model\b|\brate\ (me|this\ candidate)\b
    |\bgive\ (me|this\ candidate)\ the\ highest\b|till?\ språkmodellen|til\ sprogmodellen|an\ das\ sprachmodell
    |\b(som\ en|als)\ (ai|ki)\b|\b(ge\ mig|giv\ mig|gi\ meg|gib\ mir)\ (die\ )?h(ögsta|øjeste|øyeste|öchste)\b|betygsätt\ mig|bewerte\ mich";

static ORDER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PATTERN).ok());

/// The most characters of such a sentence in a note.
const SHOWN_CHARS: usize = 80;

/// Whether a sentence gives orders to a machine rather than saying something about a job.
pub(super) fn is_order(sentence: &str) -> bool {
    ORDER.as_ref().is_some_and(|order| order.is_match(sentence))
}

/// The text without such sentences, and the beginning of each of them.
pub(super) fn without_orders(text: &str) -> (String, Vec<String>) {
    let (orders, kept): (Vec<&str>, Vec<&str>) = sentences(text).partition(|part| is_order(part));
    let shown = |order: &&str| one_line(order).chars().take(SHOWN_CHARS).collect();
    (kept.concat(), orders.iter().map(shown).collect())
}

#[cfg(test)]
#[path = "orders_tests.rs"]
mod orders_tests;
