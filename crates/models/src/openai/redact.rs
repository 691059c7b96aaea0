//! Removes keys from provider messages: some providers quote the key.

use secrecy::{ExposeSecret, SecretString};

/// In characters: long enough for a cause, short enough for a log line.
const MAX_CHARS: usize = 300;

/// A run that shares this many leading characters with the key is the key, even if the rest
/// is masked.
const TELLTALE: usize = 8;

const REDACTED: &str = "[redacted]";

/// A provider's text on one line, truncated and without keys.
pub(super) fn redact(text: &str, key: Option<&SecretString>) -> String {
    let key = key.map_or("", |key| key.expose_secret());
    let text = if key.is_empty() {
        text.to_owned()
    } else {
        text.replace(key, REDACTED)
    };
    let mut clean = String::with_capacity(text.len().min(2 * MAX_CHARS));
    let mut after_bearer = false;
    let mut length = 0;
    for run in runs(&text) {
        let word = run.starts_with(is_key_char);
        let shown = match run {
            _ if word && (after_bearer || is_secret(run, key)) => REDACTED,
            _ if run.starts_with(is_break) => " ",
            run => run,
        };
        if word {
            after_bearer = run.eq_ignore_ascii_case("bearer");
        }
        length += shown.chars().count();
        if length > MAX_CHARS {
            clean.push('…');
            break;
        }
        clean.push_str(shown);
    }
    clean
}

/// Splits a text into runs of key characters, of blanks, and of the rest.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let same = |c: char| is_key_char(c) == is_key_char(first) && is_break(c) == is_break(first);
        let end = rest
            .char_indices()
            .find(|(_, c)| !same(*c))
            .map_or(rest.len(), |(at, _)| at);
        let (run, after) = rest.split_at(end);
        rest = after;
        Some(run)
    })
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '*' | '~' | '+' | '/' | '=')
}

fn is_break(c: char) -> bool {
    c.is_control() || c.is_whitespace()
}

fn is_secret(run: &str, key: &str) -> bool {
    let begins_like_key = key.get(..TELLTALE).is_some_and(|start| run.contains(start));
    begins_like_key || has_word(run, "sk-") || has_word(run, "eyJ")
}

/// True if a long run has a part with this prefix: `sk-…` and `key=sk-…`, but not
/// `risk-averse`.
fn has_word(run: &str, start: &str) -> bool {
    run.match_indices(start).any(|(at, _)| {
        let before = run[..at].chars().next_back();
        !before.is_some_and(char::is_alphanumeric) && run.len() - at > TELLTALE
    })
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod redact_tests;
