//! The blocks of a Markdown passage: headings, paragraphs, list items, code and tables.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    Heading,
    Paragraph,
    Item,
    Code,
    Table,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block<'t> {
    pub(super) kind: BlockKind,
    /// As written; code without its fences.
    pub(super) text: &'t str,
    /// Bytes of the passage, with fences.
    pub(super) range: Range<usize>,
}

impl<'t> Block<'t> {
    /// Code with only its lines in the range; other blocks as they are.
    pub(super) fn code_within(&self, text: &'t str, range: &Range<usize>) -> Self {
        let part = self.range.start.max(range.start)..self.range.end.min(range.end);
        let mut block = self.clone();
        if self.kind == BlockKind::Code && !part.is_empty() {
            block.text = content(&text[part.clone()], self.kind);
            block.range = part;
        }
        block
    }

    /// False for headings, for labels of one word, such as `Note`, and for signs.
    pub(super) fn says_something(&self) -> bool {
        match self.kind {
            BlockKind::Heading => false,
            BlockKind::Paragraph | BlockKind::Item => {
                let is_word = |word: &&str| word.contains(char::is_alphanumeric);
                self.text.split_whitespace().filter(is_word).count() > 1
            }
            BlockKind::Code | BlockKind::Table => true,
        }
    }

    /// A paragraph that announces the next block.
    pub(super) fn is_lead_in(&self) -> bool {
        let announces = matches!(self.kind, BlockKind::Paragraph | BlockKind::Item);
        announces && self.text.trim_end().ends_with(':')
    }
}

/// Splits a passage into its blocks, in order.
pub(super) fn split(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut at = 0;
    let mut in_code = begins_in_code(text);
    if in_code {
        blocks.push(code(0..0));
    }
    let mut after_blank = true;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let bare = line.trim();
        if is_fence(bare) {
            if !in_code {
                blocks.push(code(range));
            } else if let Some(last) = blocks.last_mut() {
                last.range.end = range.end;
            }
            in_code = !in_code;
            after_blank = true;
            continue;
        }
        let kind = if in_code {
            BlockKind::Code
        } else {
            kind_of(bare)
        };
        let last = blocks.last_mut();
        match last {
            Some(last) if in_code || continues(last.kind, kind, bare, after_blank) => {
                last.range.end = range.end;
            }
            Some(_) | None if bare.is_empty() => {}
            Some(_) | None => blocks.push(Block {
                kind,
                text: "",
                range,
            }),
        }
        after_blank = bare.is_empty();
    }
    for block in &mut blocks {
        block.text = content(&text[block.range.clone()], block.kind);
    }
    blocks.retain(|block| !block.text.trim().is_empty());
    blocks
}

fn code<'t>(range: Range<usize>) -> Block<'t> {
    Block {
        kind: BlockKind::Code,
        text: "",
        range,
    }
}

fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// A passage may be cut inside a code block: then the number of fences is odd, and either the
/// parts at even places are code or the others. If only one of them has headings or
/// lists, the other is code; otherwise the one with more lines that look like code. The middle of a
/// long code block has no fences, but indented lines and no marked code.
fn begins_in_code(text: &str) -> bool {
    /// A line with more words is a sentence.
    const LONGEST_CODE: usize = 12;
    let is_code = |line: &str| {
        let has_signs = line.starts_with("  ") || line.contains(['(', '=', '{', ';']);
        has_signs && line.split_whitespace().count() < LONGEST_CODE
    };
    let is_markdown = |line: &str| line.starts_with("##") || kind_of(line) == BlockKind::Item;
    let has_indented = text.lines().any(|line| line.starts_with("    "));
    let (mut fences, mut lines, mut code) = (0, [0_usize; 2], [0_usize; 2]);
    let mut has_markdown = [false; 2];
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if is_fence(line.trim()) {
            fences += 1;
        } else {
            lines[fences % 2] += 1;
            code[fences % 2] += usize::from(is_code(line));
            has_markdown[fences % 2] |= is_markdown(line);
        }
    }
    if fences == 0 {
        let is_marked = text.contains('`') || has_markdown[0];
        return has_indented && !is_marked && code[0] * 3 > lines[0] * 2;
    }
    if has_markdown[0] != has_markdown[1] {
        return fences % 2 == 1 && has_markdown[1];
    }
    // The share of lines that look like code, compared without a division.
    let is_larger = code[0] * lines[1].max(1) > code[1] * lines[0].max(1);
    fences % 2 == 1 && is_larger && code[0] * 2 > lines[0]
}

fn kind_of(line: &str) -> BlockKind {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < line.len() && number.starts_with(". ");
    if line.starts_with('#') && line.trim_start_matches('#').starts_with(' ') {
        BlockKind::Heading
    } else if line.starts_with('|') {
        BlockKind::Table
    } else if line.starts_with("- ") || line.starts_with("* ") || is_numbered {
        BlockKind::Item
    } else {
        BlockKind::Paragraph
    }
}

fn continues(last: BlockKind, kind: BlockKind, bare: &str, after_blank: bool) -> bool {
    match (last, kind) {
        (BlockKind::Table, BlockKind::Table) => !after_blank,
        (BlockKind::Paragraph | BlockKind::Item, BlockKind::Paragraph) => {
            !after_blank && !bare.is_empty()
        }
        (
            BlockKind::Heading
            | BlockKind::Paragraph
            | BlockKind::Item
            | BlockKind::Code
            | BlockKind::Table,
            _,
        ) => false,
    }
}

fn content(text: &str, kind: BlockKind) -> &str {
    let text = text.trim_matches('\n');
    match kind {
        BlockKind::Code => {
            let text = match text.split_once('\n') {
                Some((first, rest)) if is_fence(first.trim()) => rest,
                Some(_) | None => text,
            };
            match text.rsplit_once('\n') {
                Some((rest, last)) if is_fence(last.trim()) => rest,
                Some(_) | None if is_fence(text.trim()) => "",
                Some(_) | None => text,
            }
        }
        BlockKind::Heading => text.trim().trim_start_matches('#').trim(),
        BlockKind::Item => {
            let text = text.trim();
            let text = text.trim_start_matches(|c: char| c.is_ascii_digit());
            text.trim_start_matches(['-', '*', '.']).trim_start()
        }
        BlockKind::Paragraph | BlockKind::Table => text.trim(),
    }
}
