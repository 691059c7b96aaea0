//! Effect and consent of an operation, from its method, path and names.

use frontdesk_core::tool::Effect;

use super::operations::Endpoint;
use super::words::{literal_segments, words};
use crate::operation::HttpMethod;

/// Proposed effect and consent, with the reason for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Inference {
    pub(super) effect: Effect,
    pub(super) always_asks: bool,
    pub(super) reason: String,
    /// Someone should look at it: the method says one thing, the name another.
    pub(super) doubtful: bool,
}

/// Words of writes that delete, decide, pay, send or cannot be undone.
const GRAVE: &str = "accept approve ban block buy cancel capture charge checkout confirm deactivate decline \
    delete deny deploy destroy disable drop erase finalize grant invite kill merge notify \
    order pay payment payout publish purchase purge refund reject remove reset revoke send \
    submit suspend terminate transfer void wipe withdraw";

/// Verbs that make a GET suspicious as the first word of a segment, an id or a summary. Nouns such
/// as `order` and `transfer` are not among them: a GET of these reads.
const CHANGING: &str = "accept activate add approve archive assign cancel clear confirm create deactivate \
    decline delete disable enable expire logout mark pay publish purge reject remove reset \
    restart resend revoke send set signout start stop submit suspend toggle trigger \
    unsubscribe update verify void";

/// Words of a POST that probably only reads.
const READING: &str = "aggregate calculate check count estimate export find lookup preview query search \
    validate";

/// `has_key` is true if the operation declares an idempotency key.
pub(super) fn infer(operation: &Endpoint, has_key: bool) -> Inference {
    match operation.method {
        HttpMethod::Get | HttpMethod::Head => infer_get(operation),
        HttpMethod::Delete => Inference {
            effect: write_effect(has_key),
            always_asks: true,
            reason: "DELETE always asks".to_owned(),
            doubtful: false,
        },
        HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => infer_write(operation, has_key),
    }
}

fn infer_get(operation: &Endpoint) -> Inference {
    match changing_word(operation) {
        Some(word) => Inference {
            effect: Effect::AtMostOnce,
            always_asks: is_grave(&word),
            reason: format!("GET, but \"{word}\" looks like a change: check it"),
            doubtful: true,
        },
        None => Inference {
            effect: Effect::Read,
            always_asks: false,
            reason: "GET reads".to_owned(),
            doubtful: false,
        },
    }
}

fn infer_write(operation: &Endpoint, has_key: bool) -> Inference {
    let method = operation.method.as_str();
    let names = literal_segments(operation.path)
        .flat_map(words)
        .chain(words(operation.id))
        .chain(words(&operation.summary).into_iter().take(1));
    let grave = names.map(|word| base_form(&word)).find(|w| is_grave(w));
    let reading = literal_segments(operation.path)
        .last()
        .and_then(|segment| words(segment).into_iter().next())
        .filter(|word| lists(READING, word));
    let (reason, doubtful) = match (&grave, reading) {
        (Some(word), _) => (format!("{method}, and \"{word}\" always asks"), false),
        (None, Some(word)) => (
            format!("{method} writes; if \"{word}\" only reads, set effect = \"read\""),
            true,
        ),
        (None, None) => (format!("{method} writes"), false),
    };
    Inference {
        effect: write_effect(has_key),
        always_asks: grave.is_some(),
        reason,
        doubtful,
    }
}

fn write_effect(has_key: bool) -> Effect {
    if has_key {
        Effect::Idempotent
    } else {
        Effect::AtMostOnce
    }
}

fn changing_word(operation: &Endpoint) -> Option<String> {
    let of_path = literal_segments(operation.path).flat_map(|segment| {
        let parts = words(segment);
        // `log-out` and `sign_out` are one word.
        [parts.concat(), parts.into_iter().next().unwrap_or_default()]
    });
    let first = |text: &str| words(text).into_iter().next();
    let of_names = [first(operation.id), first(&operation.summary)];
    of_path
        .chain(of_names.into_iter().flatten().map(|word| base_form(&word)))
        .find(|word| lists(CHANGING, word))
}

/// `True` for words that make a write ask each time, whatever defined it.
pub(crate) fn is_grave(word: &str) -> bool {
    lists(GRAVE, word)
}

/// Whether a list of words has this one.
pub(super) fn lists(words: &str, wanted: &str) -> bool {
    words.split(' ').any(|word| word == wanted)
}

/// `payments` and `cancels` without the `s`.
pub(crate) fn base_form(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
#[path = "infer_tests.rs"]
mod infer_tests;
