//! The fixed phrases of `phrases.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::language::Language;

static PHRASES: LazyLock<HashMap<(&str, &str), &str>> = LazyLock::new(|| {
    let mut phrases = HashMap::new();
    let mut language = "";
    for line in include_str!("phrases.txt").lines() {
        if let Some(code) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            language = code;
        } else if let Some((key, phrase)) = line.split_once(" = ") {
            phrases.insert((language, key), phrase);
        }
    }
    phrases
});

/// A test ensures that every language has every key.
pub(crate) fn phrase(language: Language, key: &str) -> &'static str {
    PHRASES
        .get(&(language.code(), key))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
pub(crate) fn keys(language: Language) -> Vec<&'static str> {
    let own = PHRASES.keys().filter(|(code, _)| *code == language.code());
    let mut keys: Vec<&str> = own.map(|(_, key)| *key).collect();
    keys.sort_unstable();
    keys
}
