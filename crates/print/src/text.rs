//! Typesetting: font selection, direction and line breaking. Measures in ems, so that a
//! paragraph is measured once for all sizes.

use std::cell::OnceCell;
use std::ops::Range;

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, UnicodeBuffer};
use unicode_bidi::{BidiInfo, Level};
use unicode_segmentation::UnicodeSegmentation;

use crate::fonts::{Face, Fonts, Weight};

/// A line ready to be drawn: runs in visual order from left to right.
pub struct Line {
    pub runs: Vec<Run>,
    /// Width in ems.
    pub width: f32,
    pub right_to_left: bool,
}

/// Letters of one font and one direction.
pub struct Run {
    pub font: Font,
    pub text: String,
    pub glyphs: Vec<KrillaGlyph>,
    pub width: f32,
}

/// The fonts opened for one page.
pub struct Typesetter<'a> {
    regular: Vec<OpenFont<'a>>,
    bold: Vec<OpenFont<'a>>,
    in_folder: Vec<OpenFont<'a>>,
}

/// A font for the shaper and for embedding.
struct OpenFont<'a> {
    font: &'a Font,
    shaper: rustybuzz::Face<'a>,
}

impl OpenFont<'_> {
    fn has(&self, letter: char) -> bool {
        self.shaper.glyph_index(letter).is_some()
    }
}

impl<'a> Typesetter<'a> {
    /// Opens the fonts that `text` needs: those of the folder only for letters without a
    /// built-in font.
    pub fn new(fonts: &'a Fonts, text: &str) -> Self {
        let regular = open(fonts.built_in(Weight::Regular));
        let built_in = |letter| is_ignorable(letter) || regular.iter().any(|face| face.has(letter));
        let in_folder = match text.chars().all(built_in) {
            true => Vec::new(),
            false => open(fonts.in_folder()),
        };
        Self {
            regular,
            bold: open(fonts.built_in(Weight::Bold)),
            in_folder,
        }
    }

    /// The faces of a weight, in order of preference.
    fn faces(&self, weight: Weight) -> Vec<&OpenFont<'a>> {
        let built_in = match weight {
            Weight::Regular => &self.regular,
            Weight::Bold => &self.bold,
        };
        built_in.iter().chain(&self.in_folder).collect()
    }
}

fn open(faces: &[Face]) -> Vec<OpenFont<'_>> {
    faces
        .iter()
        .filter_map(|face| {
            Some(OpenFont {
                font: &face.font,
                shaper: face.shaper()?,
            })
        })
        .collect()
}

/// One measured paragraph in one weight.
pub struct Paragraph<'a> {
    text: &'a str,
    bidi: BidiInfo<'a>,
    faces: Vec<&'a OpenFont<'a>>,
    pieces: Vec<Piece>,
}

/// The smallest unbreakable part of a text.
struct Piece {
    range: Range<usize>,
    width: f32,
    /// Width of trailing white space, which may exceed the margin.
    space: f32,
    /// Its letters, measured only if the piece is wider than a line.
    letters: OnceCell<Vec<Piece>>,
}

impl<'a> Paragraph<'a> {
    pub fn new(typesetter: &'a Typesetter<'a>, weight: Weight, text: &'a str) -> Self {
        let mut paragraph = Self {
            text,
            bidi: BidiInfo::new(text, None),
            faces: typesetter.faces(weight),
            pieces: Vec::new(),
        };
        paragraph.pieces = pieces(text)
            .into_iter()
            .map(|range| paragraph.measure(range))
            .collect();
        paragraph
    }

    /// Letters without a font; drawn as boxes.
    pub fn missing(&self) -> Vec<char> {
        let has = |letter| self.faces.iter().any(|face| face.has(letter));
        self.text
            .chars()
            .filter(|letter| !is_ignorable(*letter) && !has(*letter))
            .collect()
    }

    /// The text ranges of lines of at most `width` ems.
    pub fn broken(&self, width: f32) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut filled = 0.0;
        for piece in self
            .pieces
            .iter()
            .flat_map(|piece| self.fitting(piece, width))
        {
            match lines.last_mut() {
                Some(line) if filled + piece.width - piece.space <= width => {
                    line.end = piece.range.end;
                    filled += piece.width;
                }
                Some(_) | None => {
                    lines.push(piece.range.clone());
                    filled = piece.width;
                }
            }
        }
        lines
    }

    pub fn line(&self, range: Range<usize>) -> Line {
        let shown = self.text.get(range.clone()).map_or("", str::trim_end);
        let range = range.start..range.start + shown.len();
        let Some(paragraph) = self.bidi.paragraphs.first() else {
            return Line {
                runs: Vec::new(),
                width: 0.0,
                right_to_left: false,
            };
        };
        let (levels, visual) = self.bidi.visual_runs(paragraph, range);
        let mut runs = Vec::new();
        for part in visual {
            let level = levels.get(part.start).copied().unwrap_or(Level::ltr());
            let mut shaped: Vec<Run> = self
                .by_face(part)
                .into_iter()
                .filter_map(|(face, range)| self.shape(face, range, level.is_rtl()))
                .collect();
            if level.is_rtl() {
                shaped.reverse();
            }
            runs.append(&mut shaped);
        }
        let width = runs.iter().map(|run| run.width).sum();
        Line {
            runs,
            width,
            right_to_left: paragraph.level.is_rtl(),
        }
    }

    /// The text as one line of at most `width` ems, truncated with an ellipsis if needed.
    pub fn cut(&self, width: f32) -> Range<usize> {
        let mut end = 0;
        let mut filled = 0.0;
        for (start, grapheme) in self.text.grapheme_indices(true) {
            filled += self.measure(start..start + grapheme.len()).width;
            if filled > width {
                break;
            }
            end = start + grapheme.len();
        }
        0..end
    }

    fn measure(&self, range: Range<usize>) -> Piece {
        let text = self.text.get(range.clone()).unwrap_or("");
        let visible = range.start + text.trim_end().len();
        let right_to_left = self.bidi.levels.get(range.start).is_some_and(Level::is_rtl);
        let width = |range: Range<usize>| -> f32 {
            let runs = self.by_face(range).into_iter();
            runs.filter_map(|(face, range)| self.shape(face, range, right_to_left))
                .map(|run| run.width)
                .sum()
        };
        let all = width(range.clone());
        let space = match visible == range.end {
            true => 0.0,
            false => all - width(range.start..visible),
        };
        Piece {
            range,
            width: all,
            space,
            letters: OnceCell::new(),
        }
    }

    /// Splits a piece that is wider than a line into its letters.
    fn fitting<'p>(&self, piece: &'p Piece, width: f32) -> &'p [Piece] {
        if piece.width - piece.space <= width {
            return std::slice::from_ref(piece);
        }
        piece.letters.get_or_init(|| {
            let text = self.text.get(piece.range.clone()).unwrap_or("");
            text.grapheme_indices(true)
                .map(|(at, grapheme)| {
                    let start = piece.range.start + at;
                    self.measure(start..start + grapheme.len())
                })
                .collect()
        })
    }

    /// Splits a range into runs of one font.
    fn by_face(&self, range: Range<usize>) -> Vec<(usize, Range<usize>)> {
        let mut stretches: Vec<(usize, Range<usize>)> = Vec::new();
        let Some(text) = self.text.get(range.clone()) else {
            return stretches;
        };
        for (at, letter) in text.char_indices() {
            let start = range.start + at;
            let end = start + letter.len_utf8();
            let previous = stretches.last().map(|(face, _)| *face);
            let face = self.face_for(letter, previous);
            match stretches.last_mut() {
                Some((last, stretch)) if *last == face => stretch.end = end,
                Some(_) | None => stretches.push((face, start..end)),
            }
        }
        stretches
    }

    /// The font for a letter. Marks, spaces and punctuation keep the font of the preceding
    /// letters if possible.
    fn face_for(&self, letter: char, previous: Option<usize>) -> usize {
        let has = |face: usize| self.faces.get(face).is_some_and(|face| face.has(letter));
        match previous {
            Some(face) if is_ignorable(letter) || (!letter.is_alphanumeric() && has(face)) => face,
            // Without a font, the first font's box is used.
            Some(_) | None => (0..self.faces.len()).find(|face| has(*face)).unwrap_or(0),
        }
    }

    fn shape(&self, face: usize, range: Range<usize>, right_to_left: bool) -> Option<Run> {
        let text = self.text.get(range)?.to_owned();
        let OpenFont { font, shaper } = *self.faces.get(face)?;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.guess_segment_properties();
        buffer.set_direction(if right_to_left {
            Direction::RightToLeft
        } else {
            Direction::LeftToRight
        });
        let output = rustybuzz::shape(shaper, &[], buffer);
        let em = font.units_per_em();
        let starts: Vec<usize> = output
            .glyph_infos()
            .iter()
            .map(|info| info.cluster as usize)
            .collect();
        let glyphs: Vec<KrillaGlyph> = output
            .glyph_infos()
            .iter()
            .zip(output.glyph_positions())
            .map(|(info, position)| {
                let start = info.cluster as usize;
                let end = starts
                    .iter()
                    .copied()
                    .filter(|other| *other > start)
                    .min()
                    .unwrap_or(text.len());
                KrillaGlyph::new(
                    GlyphId::new(info.glyph_id),
                    position.x_advance as f32 / em,
                    position.x_offset as f32 / em,
                    position.y_offset as f32 / em,
                    position.y_advance as f32 / em,
                    start..end,
                    None,
                )
            })
            .collect();
        let width = glyphs.iter().map(|glyph| glyph.x_advance).sum();
        Some(Run {
            font: (*font).clone(),
            text,
            glyphs,
            width,
        })
    }
}

/// Line break opportunities: after white space, hyphens and slashes, and around ideographs.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut graphemes = text.grapheme_indices(true).peekable();
    while let Some((at, grapheme)) = graphemes.next() {
        let end = at + grapheme.len();
        let next = graphemes.peek().map(|(_, next)| *next);
        let stays = next.is_some_and(|next| next.chars().all(char::is_whitespace));
        let breaks = grapheme.chars().all(char::is_whitespace)
            || matches!(grapheme, "-" | "/" | "–" | "—")
            || is_ideograph(grapheme)
            || next.is_some_and(is_ideograph);
        if next.is_none() || (breaks && !stays) {
            pieces.push(start..end);
            start = end;
        }
    }
    pieces
}

/// Scripts without spaces. Closing punctuation may end a line.
fn is_ideograph(grapheme: &str) -> bool {
    grapheme.chars().next().is_some_and(|letter| {
        matches!(letter, '\u{2e80}'..='\u{2fdf}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
    })
}

/// Invisible characters that affect the shaping of others.
fn is_ignorable(letter: char) -> bool {
    matches!(letter, '\u{200c}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}')
}
