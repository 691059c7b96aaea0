//! Splits a Markdown text into blocks: headings, code, tables and prose. The ranges cover
//! the whole text without gaps.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// Heading level, 1 to 6.
    Heading(usize),
    Code,
    Table,
    Prose,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) range: Range<usize>,
}

impl Block {
    /// True for code and tables, whose lines belong together.
    pub(super) fn is_laid_out(&self) -> bool {
        matches!(self.kind, BlockKind::Code | BlockKind::Table)
    }
}

pub(super) fn of(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut at = 0;
    let mut fence: Option<&str> = None;
    let mut after_blank = true;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let bare = line.trim();
        let kind = match fence {
            Some(_) => BlockKind::Code,
            None => kind_of(bare),
        };
        let closes = fence.is_some_and(|fence| {
            bare.starts_with(fence)
                && bare
                    .trim_matches(fence.chars().next().unwrap_or('`'))
                    .is_empty()
        });
        let continues = match (blocks.last(), kind) {
            (Some(last), BlockKind::Code) if fence.is_some() => last.kind == BlockKind::Code,
            (Some(last), BlockKind::Table) => last.kind == BlockKind::Table && !after_blank,
            (Some(last), BlockKind::Prose) => {
                // A blank line ends a paragraph and is part of it.
                bare.is_empty() || (last.kind == BlockKind::Prose && !after_blank)
            }
            (Some(_) | None, _) => false,
        };
        match blocks.last_mut() {
            Some(last) if continues => last.range.end = range.end,
            Some(_) | None => blocks.push(Block { kind, range }),
        }
        if closes {
            fence = None;
        } else if fence.is_none() && kind == BlockKind::Code {
            fence = Some(if bare.starts_with("~~~") {
                "~~~"
            } else {
                "```"
            });
        }
        after_blank = bare.is_empty() && fence.is_none();
    }
    blocks
}

fn kind_of(line: &str) -> BlockKind {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) && line[level..].starts_with(' ') {
        BlockKind::Heading(level)
    } else if line.starts_with("```") || line.starts_with("~~~") {
        BlockKind::Code
    } else if line.starts_with('|') && line.len() > 1 {
        BlockKind::Table
    } else {
        BlockKind::Prose
    }
}
