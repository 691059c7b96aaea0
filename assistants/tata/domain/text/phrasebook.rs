//! Finds many phrases at once in a text's words: whole words only, the longest phrase wins,
//! in time linear in the text whatever the number of phrases. The phrases are our own, so a fast hash is safe.

use rustc_hash::FxHashMap;

use super::words::{Word, folded_words};

/// A word tree. A phrase whose last word ends in `*` matches every ending of that word.
#[derive(Clone, Debug)]
pub(crate) struct Phrasebook<T> {
    nodes: Vec<Node<T>>,
}

#[derive(Clone, Debug)]
struct Node<T> {
    next: FxHashMap<Box<str>, usize>,
    /// Stems of `word*`, by their first letter.
    stems: FxHashMap<char, Vec<(Box<str>, T)>>,
    value: Option<T>,
}

/// A phrase found: the words `first..=last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit<T> {
    pub(crate) value: T,
    pub(crate) first: usize,
    pub(crate) last: usize,
}

impl<T> Hit<T> {
    /// The bytes of the text that the phrase covers.
    pub(crate) fn span(&self, words: &[Word<'_>]) -> std::ops::Range<usize> {
        words[self.first].start..words[self.last].end
    }
}

impl<T: Copy> Phrasebook<T> {
    /// Of two equal phrases the first one counts.
    pub(crate) fn new<P: AsRef<str>>(entries: impl IntoIterator<Item = (P, T)>) -> Self {
        let mut book = Phrasebook {
            nodes: vec![Node::empty()],
        };
        for (phrase, value) in entries {
            book.add(phrase.as_ref(), value);
        }
        book
    }

    /// Non-overlapping phrases from left to right.
    pub(crate) fn find(&self, words: &[Word<'_>]) -> Vec<Hit<T>> {
        self.find_counting(words).0
    }

    /// The same, with the number of comparisons made.
    pub(crate) fn find_counting(&self, words: &[Word<'_>]) -> (Vec<Hit<T>>, usize) {
        let mut hits = Vec::new();
        let mut steps = 0;
        let mut at = 0;
        while at < words.len() {
            match self.longest(words, at, &mut steps) {
                Some((value, last)) => {
                    hits.push(Hit {
                        value,
                        first: at,
                        last,
                    });
                    at = last + 1;
                }
                None => at += 1,
            }
        }
        (hits, steps)
    }

    /// The leftmost phrase.
    pub(crate) fn first(&self, words: &[Word<'_>]) -> Option<Hit<T>> {
        let mut steps = 0;
        let found = |at| {
            self.longest(words, at, &mut steps)
                .map(|(value, last)| Hit {
                    value,
                    first: at,
                    last,
                })
        };
        (0..words.len()).find_map(found)
    }

    pub(crate) fn contains(&self, words: &[Word<'_>]) -> bool {
        self.first(words).is_some()
    }

    fn longest(&self, words: &[Word<'_>], at: usize, steps: &mut usize) -> Option<(T, usize)> {
        let mut node = &self.nodes[0];
        let mut best = None;
        for (i, word) in words.iter().enumerate().skip(at) {
            if i > at && !word.joined {
                break;
            }
            *steps += 1;
            if let Some(stem) = node.stem_of(&word.folded, steps) {
                best = Some((stem, i));
            }
            match node.next.get(word.folded.as_ref()) {
                Some(&next) => node = &self.nodes[next],
                None => break,
            }
            if let Some(value) = node.value {
                best = Some((value, i));
            }
        }
        best
    }

    fn add(&mut self, phrase: &str, value: T) {
        let open_ended = phrase.ends_with('*');
        let words = folded_words(phrase);
        let Some((last, before)) = words.split_last() else {
            return;
        };
        let mut at = 0;
        for word in before {
            at = self.step(at, word);
        }
        if open_ended {
            if let Some(first) = last.chars().next() {
                self.nodes[at]
                    .stems
                    .entry(first)
                    .or_default()
                    .push((last.as_str().into(), value));
            }
        } else {
            let end = self.step(at, last);
            self.nodes[end].value.get_or_insert(value);
        }
    }

    fn step(&mut self, from: usize, word: &str) -> usize {
        if let Some(&known) = self.nodes[from].next.get(word) {
            return known;
        }
        self.nodes.push(Node::empty());
        let new = self.nodes.len() - 1;
        self.nodes[from].next.insert(word.into(), new);
        new
    }
}

impl<T: Copy> Node<T> {
    fn empty() -> Self {
        Node {
            next: FxHashMap::default(),
            stems: FxHashMap::default(),
            value: None,
        }
    }

    fn stem_of(&self, word: &str, steps: &mut usize) -> Option<T> {
        if self.stems.is_empty() {
            return None;
        }
        let candidates = self.stems.get(&word.chars().next()?)?;
        *steps += candidates.len();
        let longest = candidates
            .iter()
            .filter(|(stem, _)| word.starts_with(&**stem));
        longest
            .max_by_key(|(stem, _)| stem.len())
            .map(|(_, value)| *value)
    }
}
