//! SentencePiece's unigram tokeniser: splits a text into the most probable pieces of its
//! vocabulary.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use super::onnx::{Value, fields, messages};

/// Marks the beginning of a word.
const SPACE: char = '\u{2581}';
const UNKNOWN: u32 = 0;
const FIRST: u32 = 1;
const LAST: u32 = 2;
/// An unknown character costs this more than the least probable piece.
const UNKNOWN_COST: f32 = 10.0;
/// Upper bound on the bytes read per piece wanted.
const BYTES_A_PIECE: usize = 32;

pub(super) struct Pieces {
    pieces: HashMap<Box<str>, Piece>,
    /// In characters.
    longest: usize,
    unknown_score: f32,
}

#[derive(Clone, Copy)]
struct Piece {
    id: u32,
    score: f32,
}

/// The best way to reach a position.
#[derive(Clone, Copy)]
struct Step {
    score: f32,
    from: usize,
    id: u32,
}

impl Pieces {
    /// Reads a SentencePiece model.
    pub(super) fn new(model: &[u8]) -> Result<Self, String> {
        const PIECE: u64 = 1;
        const NORMAL: u64 = 1;
        let mut read = Self {
            pieces: HashMap::new(),
            longest: 0,
            unknown_score: 0.0,
        };
        for (id, message) in (0..).zip(messages(model, PIECE)) {
            let (mut text, mut score, mut kind) = ("", 0.0, NORMAL);
            for (number, value) in fields(message) {
                match (number, value) {
                    (1, Value::Bytes(bytes)) => {
                        text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
                    }
                    (2, Value::Number(bits)) => score = f32::from_bits(bits as u32),
                    (3, Value::Number(number)) => kind = number,
                    (_, Value::Bytes(_) | Value::Number(_)) => {}
                }
            }
            if kind == NORMAL {
                read.longest = read.longest.max(text.chars().count());
                read.unknown_score = read.unknown_score.min(score - UNKNOWN_COST);
                read.pieces.insert(text.into(), Piece { id, score });
            }
        }
        match read.pieces.is_empty() {
            true => Err("the model has no vocabulary".to_owned()),
            false => Ok(read),
        }
    }

    /// Returns at most `most` ids, including the frame.
    pub(super) fn encode(&self, text: &str, most: usize) -> Vec<u32> {
        let text = &text[..text.floor_char_boundary(most * BYTES_A_PIECE)];
        let mut ids = vec![FIRST];
        ids.extend(self.most_probable(&normalised(text)));
        ids.truncate(most - 1);
        ids.push(LAST);
        ids
    }

    fn most_probable(&self, text: &str) -> Vec<u32> {
        let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        ends.push(text.len());
        let nowhere = Step {
            score: f32::NEG_INFINITY,
            from: 0,
            id: UNKNOWN,
        };
        let mut best = vec![nowhere; ends.len()];
        best[0].score = 0.0;
        for from in 0..ends.len() - 1 {
            let mut reach = |to: usize, piece: Piece| {
                let score = best[from].score + piece.score;
                if score > best[to].score {
                    let id = piece.id;
                    best[to] = Step { score, from, id };
                }
            };
            let mut is_known = false;
            for to in from + 1..ends.len().min(from + 1 + self.longest) {
                if let Some(piece) = self.pieces.get(&text[ends[from]..ends[to]]) {
                    is_known |= to == from + 1;
                    reach(to, *piece);
                }
            }
            if !is_known {
                let score = self.unknown_score;
                reach(from + 1, Piece { id: UNKNOWN, score });
            }
        }
        let mut ids = Vec::new();
        let mut at = ends.len() - 1;
        while at > 0 {
            // Neighbouring unknown characters are one unknown piece.
            if best[at].id != UNKNOWN || ids.last() != Some(&UNKNOWN) {
                ids.push(best[at].id);
            }
            at = best[at].from;
        }
        ids.reverse();
        ids
    }
}

/// Compatibility forms, no control characters, and one mark before each word.
fn normalised(text: &str) -> String {
    let is_blank = |c: char| {
        c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}')
    };
    let plain: String = text
        .chars()
        .map(|c| if is_blank(c) { ' ' } else { c })
        .filter(|c| !c.is_control())
        .nfkc()
        .collect();
    let mut normalised = String::with_capacity(plain.len() + 3);
    for word in plain.split_whitespace() {
        normalised.push(SPACE);
        normalised.push_str(word);
    }
    normalised
}
