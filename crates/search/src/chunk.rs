//! Cuts a document into passages. Each passage carries the headings above it; code blocks
//! and tables stay whole as long as they fit, with the sentence that introduces them;
//! neighbours overlap. A passage knows the wider text around it: a search compares small
//! passages, a reader needs the text around them.

mod blocks;

use std::ops::Range;

use frontdesk_core::search::ChunkConfig;

use crate::tokens;
use blocks::{Block, BlockKind};

/// Allowed chunk sizes, in tokens.
pub const SIZES: std::ops::RangeInclusive<u32> = 128..=2_048;

/// The chunk size and overlap used when the caller sets none. A passage of this size has
/// about 500 characters, which is what a model is shown of it.
pub const DEFAULT: ChunkConfig = ChunkConfig {
    chunk_size: 128,
    chunk_overlap: 16,
};

/// Separates the headings above a passage.
pub const SEPARATOR: &str = " › ";

/// In bytes. The text around a passage, with the passage itself.
const CONTEXT: usize = 1_800;

/// Validates a chunk size and overlap. The error names the value and its bounds.
pub fn check(config: ChunkConfig) -> Result<(), String> {
    if !SIZES.contains(&config.chunk_size) {
        return Err(format!(
            "the chunk size is {}; it must be from {} to {} tokens",
            config.chunk_size,
            SIZES.start(),
            SIZES.end()
        ));
    }
    if config.chunk_overlap * 2 > config.chunk_size {
        return Err(format!(
            "the chunk overlap is {}; it must be at most half the chunk size",
            config.chunk_overlap
        ));
    }
    Ok(())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The headings above the passage, outermost first.
    pub headings: Vec<String>,
    /// The passage text, unchanged from the document.
    pub text: String,
    /// Byte range of the passage in the document's text.
    pub range: Range<usize>,
    /// Byte range of the passage and its neighbours in the same section.
    pub context: Range<usize>,
    pub tokens: u32,
}

impl Passage {
    /// The text with title and headings, as it is embedded and indexed.
    pub fn with_context(&self, title: &str) -> String {
        let mut lines: Vec<&str> = Vec::new();
        if !title.is_empty() && self.headings.first().is_none_or(|first| first != title) {
            lines.push(title);
        }
        lines.extend(self.headings.iter().map(String::as_str));
        let context = lines.join(SEPARATOR);
        if context.is_empty() {
            self.text.clone()
        } else {
            format!("{context}\n\n{}", self.text)
        }
    }
}

/// Splits a Markdown text into passages, in document order.
pub fn passages(text: &str, config: ChunkConfig) -> Vec<Passage> {
    let mut cutter = Cutter {
        text,
        config,
        headings: Vec::new(),
        open: None,
        passages: Vec::new(),
    };
    let blocks = with_lead_ins(text, blocks::of(text), config.chunk_size);
    for block in &blocks {
        cutter.take(block);
    }
    cutter.close();
    let mut passages = cutter.passages;
    for at in 0..passages.len() {
        let whole = with_whole_blocks(&passages[at].range, &blocks);
        passages[at].context = context(&passages, at, whole);
    }
    passages
}

/// Widens a range to the code blocks and tables of which it holds a part, as far as they fit.
fn with_whole_blocks(own: &Range<usize>, blocks: &[Block]) -> Range<usize> {
    let first = blocks.partition_point(|block| block.range.end <= own.start);
    let overlapping = blocks[first..].iter();
    let overlapping = overlapping.take_while(|block| block.range.start < own.end);
    let mut whole = own.clone();
    for block in overlapping.filter(|block| block.is_laid_out()) {
        let wider = whole.start.min(block.range.start)..whole.end.max(block.range.end);
        if wider.len() <= CONTEXT {
            whole = wider;
        }
    }
    whole
}

/// Joins code and tables with the paragraph before them that ends with a colon.
fn with_lead_ins(text: &str, blocks: Vec<Block>, most: u32) -> Vec<Block> {
    let mut joined: Vec<Block> = Vec::new();
    for block in blocks {
        if block.is_laid_out()
            && let Some(last) = joined.last_mut()
            && last.kind == BlockKind::Prose
            && text[last.range.clone()].trim_end().ends_with(':')
            && tokens::count(&text[last.range.start..block.range.end]) <= most
        {
            *last = Block {
                kind: block.kind,
                range: last.range.start..block.range.end,
            };
        } else {
            joined.push(block);
        }
    }
    joined
}

/// Widens the range of a passage by its neighbours of the same section: by what follows first,
/// because text explains what it has named.
fn context(passages: &[Passage], at: usize, mut range: Range<usize>) -> Range<usize> {
    let own = &passages[at];
    let (mut first, mut last) = (at, at);
    let belongs = |other: &Passage| {
        let shorter = own.headings.len().min(other.headings.len()).max(1);
        other.headings.get(..shorter) == own.headings.get(..shorter)
    };
    let fits = |start: usize, end: usize| end.saturating_sub(start) <= CONTEXT;
    loop {
        let next = passages.get(last + 1).filter(|next| belongs(next));
        if let Some(next) = next.filter(|next| fits(range.start, next.range.end)) {
            range.end = range.end.max(next.range.end);
            last += 1;
            continue;
        }
        let before = first.checked_sub(1).map(|at| &passages[at]);
        let before = before.filter(|before| belongs(before));
        match before.filter(|before| fits(before.range.start, range.end)) {
            Some(before) => {
                range.start = range.start.min(before.range.start);
                first -= 1;
            }
            None => return range,
        }
    }
}

struct Cutter<'a> {
    text: &'a str,
    config: ChunkConfig,
    headings: Vec<(usize, String)>,
    /// The passage being filled.
    open: Option<OpenPassage>,
    passages: Vec<Passage>,
}

struct OpenPassage {
    range: Range<usize>,
    tokens: u32,
    /// The latest piece that the next passage may repeat.
    overlap: Option<Range<usize>>,
}

impl Cutter<'_> {
    fn take(&mut self, block: &Block) {
        let text = &self.text[block.range.clone()];
        if let BlockKind::Heading(level) = block.kind {
            // A passage that is partly filled is closed before the next section starts.
            if self
                .open
                .as_ref()
                .is_some_and(|open| open.tokens * 4 > self.config.chunk_size)
            {
                self.close();
            }
            self.close_under_other_headings(level);
            self.headings.retain(|(above, _)| *above < level);
            self.headings
                .push((level, text.trim_start_matches('#').trim().to_owned()));
        }
        let tokens = tokens::count(text);
        if tokens > self.config.chunk_size {
            self.take_in_pieces(block);
        } else {
            self.add(block.range.clone(), tokens, block.kind == BlockKind::Prose);
        }
    }

    /// A passage has exactly one heading path.
    fn close_under_other_headings(&mut self, level: usize) {
        let ends_section = self.headings.iter().any(|(above, _)| *above >= level);
        let has_text = self
            .open
            .as_ref()
            .is_some_and(|open| open.tokens * 8 > self.config.chunk_size);
        if ends_section && has_text {
            self.close();
        }
    }

    /// Splits a block that exceeds one passage: by lines, then sentences, words and
    /// characters.
    fn take_in_pieces(&mut self, block: &Block) {
        let by_line = block.kind != BlockKind::Prose;
        let size = match by_line {
            true => self.config.chunk_size,
            // Each piece starts with the overlap from the previous one.
            false => self.config.chunk_size - self.config.chunk_overlap,
        };
        for piece in pieces(self.text, block.range.clone(), size, by_line) {
            let tokens = tokens::count(&self.text[piece.clone()]);
            self.add(piece, tokens, !by_line);
        }
    }

    fn add(&mut self, range: Range<usize>, tokens: u32, may_overlap: bool) {
        let full = self
            .open
            .as_ref()
            .is_some_and(|open| open.tokens + tokens > self.config.chunk_size);
        if full {
            let overlap = self.overlap();
            self.close();
            if let Some(overlap) = overlap.filter(|_| may_overlap) {
                let repeated = tokens::count(&self.text[overlap.clone()]);
                if repeated + tokens <= self.config.chunk_size {
                    self.open = Some(OpenPassage {
                        tokens: repeated,
                        overlap: None,
                        range: overlap,
                    });
                }
            }
        }
        match &mut self.open {
            Some(open) => {
                open.range.end = range.end;
                open.tokens += tokens;
                open.overlap = may_overlap.then_some(range);
            }
            None => {
                self.open = Some(OpenPassage {
                    overlap: may_overlap.then_some(range.clone()),
                    range,
                    tokens,
                });
            }
        }
    }

    /// The tail of the open passage within the overlap size, starting at a sentence if
    /// possible.
    fn overlap(&self) -> Option<Range<usize>> {
        let last = self.open.as_ref()?.overlap.clone()?;
        if self.config.chunk_overlap == 0 {
            return None;
        }
        let text = &self.text[last.clone()];
        let starts = text
            .char_indices()
            .filter(|(_, c)| c.is_whitespace())
            .map(|(at, c)| at + c.len_utf8());
        let fits = |start: &usize| tokens::count(&text[*start..]) <= self.config.chunk_overlap;
        let words: Vec<usize> = starts.filter(fits).collect();
        let sentence = words.iter().find(|start| {
            text[..**start]
                .trim_end()
                .ends_with(['.', '!', '?', '。', ':'])
        });
        let start = *sentence.or(words.first())?;
        (start < text.len()).then(|| last.start + start..last.end)
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let text = self.text[open.range.clone()].trim();
        let only_headings = text
            .lines()
            .all(|line| line.trim().is_empty() || line.starts_with('#'));
        // A passage of headings alone has no content; the headings become context of the
        // next one.
        if text.is_empty() || (only_headings && !self.passages.is_empty()) {
            return;
        }
        self.passages.push(Passage {
            headings: self
                .headings
                .iter()
                .map(|(_, heading)| heading.clone())
                .collect(),
            text: text.to_owned(),
            tokens: tokens::count(text),
            context: open.range.clone(),
            range: open.range,
        });
    }
}

/// Splits a range until each piece fits.
fn pieces(text: &str, range: Range<usize>, size: u32, by_line: bool) -> Vec<Range<usize>> {
    const PROSE: &[&str] = &["\n", ". ", "? ", "! ", "; ", " ", ""];
    const LINES: &[&str] = &["\n", " ", ""];
    let separators = if by_line { LINES } else { PROSE };
    let mut done = Vec::new();
    split(text, range, size, separators, &mut done);
    done
}

fn split(
    text: &str,
    range: Range<usize>,
    size: u32,
    separators: &[&str],
    done: &mut Vec<Range<usize>>,
) {
    if tokens::count(&text[range.clone()]) <= size {
        done.push(range);
        return;
    }
    let Some((separator, finer)) = separators.split_first() else {
        done.push(range);
        return;
    };
    if separator.is_empty() {
        // A text without blanks is split by characters. A token has at least one byte, so a
        // quarter as many characters always fit.
        let step = (size as usize / 4).max(1);
        let starts: Vec<usize> = text[range.clone()]
            .char_indices()
            .step_by(step)
            .map(|(at, _)| range.start + at)
            .collect();
        for (index, start) in starts.iter().enumerate() {
            done.push(*start..starts.get(index + 1).copied().unwrap_or(range.end));
        }
        return;
    }
    // Joins neighbouring parts as long as they fit together.
    let mut open = range.start..range.start;
    for part in text[range.clone()].split_inclusive(separator) {
        let end = open.end + part.len();
        if !open.is_empty() && tokens::count(&text[open.start..end]) > size {
            split(text, open.clone(), size, finer, done);
            open = open.end..open.end;
        }
        open.end = end;
    }
    if !open.is_empty() {
        split(text, open, size, finer, done);
    }
}

#[cfg(test)]
#[path = "chunk_tests.rs"]
mod chunk_tests;
