//! BERT's tokeniser: cleans and lower-cases the text, strips accents, splits it into words
//! and punctuation, and maps each word to the longest pieces of the vocabulary.

use std::collections::HashMap;

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

/// Longer words map to the unknown token, as in the reference implementation.
const LONGEST_WORD: usize = 100;
/// Upper bound on the bytes read per token wanted: limits work on texts that the window
/// would cut anyway.
const BYTES_A_TOKEN: usize = 128;

pub(super) struct WordPiece {
    pieces: HashMap<String, u32>,
    unknown: u32,
    first: u32,
    last: u32,
}

impl WordPiece {
    pub(super) fn new(vocabulary: &str) -> Result<Self, String> {
        let pieces: HashMap<String, u32> = vocabulary
            .lines()
            .zip(0..)
            .map(|(piece, id)| (piece.trim_end().to_owned(), id))
            .collect();
        let id = |piece: &str| {
            pieces
                .get(piece)
                .copied()
                .ok_or_else(|| format!("the vocabulary has no {piece}"))
        };
        Ok(Self {
            unknown: id("[UNK]")?,
            first: id("[CLS]")?,
            last: id("[SEP]")?,
            pieces,
        })
    }

    /// Returns at most `longest` tokens, including the frame tokens.
    pub(super) fn encode(&self, text: &str, longest: usize) -> Vec<u32> {
        let mut ids = vec![self.first];
        let room = longest.saturating_sub(1);
        for word in words(head(text, longest * BYTES_A_TOKEN)) {
            if ids.len() >= room {
                break;
            }
            self.word(&word, &mut ids);
        }
        ids.truncate(room.max(1));
        ids.push(self.last);
        ids
    }

    /// Splits a longer text into several framed windows.
    pub(super) fn windows(&self, text: &str, longest: usize, most: usize) -> Vec<Vec<u32>> {
        let inside = longest - 2;
        let ids = self.encode(text, inside * most + 2);
        let bare = &ids[1..ids.len() - 1];
        if bare.len() <= inside {
            return vec![ids];
        }
        bare.chunks(inside)
            .map(|window| [&[self.first], window, &[self.last]].concat())
            .collect()
    }

    fn word(&self, word: &str, ids: &mut Vec<u32>) {
        let before = ids.len();
        if word.chars().count() > LONGEST_WORD {
            ids.push(self.unknown);
            return;
        }
        let mut rest = word;
        let mut piece = String::new();
        while !rest.is_empty() {
            let found = ends(rest).find_map(|end| {
                piece.clear();
                if rest.len() < word.len() {
                    piece.push_str("##");
                }
                piece.push_str(&rest[..end]);
                self.pieces.get(&piece).map(|id| (*id, end))
            });
            let Some((id, end)) = found else {
                ids.truncate(before);
                ids.push(self.unknown);
                return;
            };
            ids.push(id);
            rest = &rest[end..];
        }
    }
}

/// Candidate ends of a piece at the start of `text`, longest first.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let starts = text.char_indices().map(|(index, _)| index).rev();
    std::iter::once(text.len()).chain(starts.filter(|end| *end > 0))
}

fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let plain = text
        .chars()
        .filter(|c| !is_control(*c))
        .nfd()
        .filter(|c| !is_nonspacing_mark(*c))
        .flat_map(char::to_lowercase);
    for c in plain {
        if c.is_whitespace() {
            finish(&mut word, &mut words);
        } else if is_punctuation(c) || is_ideograph(c) {
            finish(&mut word, &mut words);
            words.push(c.to_string());
        } else {
            word.push(c);
        }
    }
    finish(&mut word, &mut words);
    words.into_iter()
}

fn finish(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// Control, invisible and unassigned characters are dropped; white space separates words.
fn is_control(c: char) -> bool {
    let white = matches!(c, '\t' | '\n' | '\r');
    let other = matches!(
        get_general_category(c),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::Unassigned
            | GeneralCategory::PrivateUse
    );
    (other && !white) || c == '\u{fffd}'
}

/// Accents after canonical decomposition.
fn is_nonspacing_mark(c: char) -> bool {
    get_general_category(c) == GeneralCategory::NonspacingMark
}

/// Every ASCII sign counts, although Unicode classifies some as symbols.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(
            get_general_category(c),
            GeneralCategory::ConnectorPunctuation
                | GeneralCategory::DashPunctuation
                | GeneralCategory::OpenPunctuation
                | GeneralCategory::ClosePunctuation
                | GeneralCategory::InitialPunctuation
                | GeneralCategory::FinalPunctuation
                | GeneralCategory::OtherPunctuation
        )
}

/// Each ideograph is a word of its own.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
