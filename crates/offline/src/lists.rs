//! The word lists of `word_lists.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::Word;

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let lines = include_str!("word_lists.txt").lines();
    let lists = lines.filter(|line| !line.starts_with('#'));
    let parse = |line: &'static str| {
        let (name, words) = line.split_once(": ")?;
        Some((name, words.split(", ").collect()))
    };
    lists.filter_map(parse).collect()
});

/// The words of a list; empty if the list does not exist.
pub(crate) fn words_of(list: &str) -> &'static [&'static str] {
    LISTS.get(list).map_or(&[], Vec::as_slice)
}

pub(crate) fn contains(list: &str, word: &str) -> bool {
    words_of(list).contains(&word)
}

/// True if the word starts with one of the list's entries.
pub(crate) fn begins(list: &str, word: &str) -> bool {
    words_of(list).iter().any(|start| word.starts_with(start))
}

pub(crate) fn any(list: &str, words: &[Word]) -> bool {
    words.iter().any(|word| contains(list, &word.lower))
}
