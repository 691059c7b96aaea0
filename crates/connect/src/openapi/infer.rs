//! Effect and consent of an operation, from its method, path and names.

use frontdesk_core::tool::Effect;

use super::operations::Endpoint;
use super::words::{literal_segments, words};
use crate::operation::HttpMethod;

/// Proposed effect and consent, with the reason for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inference {
    pub effect: Effect,
    pub always_asks: bool,
    pub reason: String,
    /// Someone should look at it: the method says one thing, the name another.
    pub doubtful: bool,
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

impl Inference {
    pub(crate) fn new(effect: Effect, always_asks: bool, reason: impl Into<String>) -> Self {
        Self {
            effect,
            always_asks,
            reason: reason.into(),
            doubtful: false,
        }
    }

    pub(crate) fn doubtful_if(self, doubtful: bool) -> Self {
        Self { doubtful, ..self }
    }
}

/// `has_key` is true if the operation declares an idempotency key.
pub(super) fn infer(operation: &Endpoint, has_key: bool) -> Inference {
    let effect = match has_key {
        true => Effect::Idempotent,
        false => Effect::AtMostOnce,
    };
    match operation.request.method {
        HttpMethod::Get | HttpMethod::Head => match changing_word(operation) {
            Some(word) => {
                let reason = format!("GET, but \"{word}\" looks like a change: check it");
                let asks = lists(GRAVE, &word);
                Inference::new(Effect::AtMostOnce, asks, reason).doubtful_if(true)
            }
            None => Inference::new(Effect::Read, false, "GET reads"),
        },
        HttpMethod::Delete => Inference::new(effect, true, "DELETE always asks"),
        HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => infer_write(operation, effect),
    }
}

fn infer_write(operation: &Endpoint, effect: Effect) -> Inference {
    let method = operation.request.method.as_str();
    let segments = || literal_segments(&operation.request.path);
    let names = segments()
        .flat_map(words)
        .chain(words(operation.id))
        .chain(words(&operation.summary).into_iter().take(1));
    if let Some(word) = grave_word(names) {
        let reason = format!("{method}, and \"{word}\" always asks");
        return Inference::new(effect, true, reason);
    }
    let last = segments().last().map(words).unwrap_or_default();
    match last.first().filter(|word| lists(READING, word)) {
        Some(word) => {
            let reason =
                format!("{method} writes; if \"{word}\" only reads, set effect = \"read\"");
            Inference::new(effect, false, reason).doubtful_if(true)
        }
        None => Inference::new(effect, false, format!("{method} writes")),
    }
}

fn changing_word(operation: &Endpoint) -> Option<String> {
    let of_path = literal_segments(&operation.request.path).flat_map(|segment| {
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

/// The first word that makes a write ask each time, whatever defined it.
pub(crate) fn grave_word(words: impl IntoIterator<Item = String>) -> Option<String> {
    let mut words = words.into_iter().map(|word| base_form(&word));
    words.find(|word| lists(GRAVE, word))
}

/// Whether a list of words has this one.
pub(super) fn lists(words: &str, wanted: &str) -> bool {
    words.split(' ').any(|word| word == wanted)
}

/// `payments` and `cancels` without the `s`.
pub(super) fn base_form(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
#[path = "infer_tests.rs"]
mod infer_tests;
